"""Figures of clusters against their definitions, as plain loops over records, pairs and sets."""

import itertools
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.entities import AGREEMENTS
from assay.tasks.entities.churn import compare_resolutions
from assay.tasks.entities.clusters import judge_clusters, score_records
from assay.tasks.entities.pairs import judge_pairs

pytestmark = pytest.mark.oracle

records = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=10)


def clusters(entities):
    return pl.DataFrame({"record": range(len(entities)), "entity": entities})


def groups(entities):
    """Return the clusters as sets of records."""
    return [{r for r, e in enumerate(entities) if e == one} for one in sorted(set(entities))]


def split(rows):
    return [true for true, _ in rows], [proposed for _, proposed in rows]


@given(records)
def test_pairs_are_those_of_all_pairs(rows):
    true, proposed = split(rows)
    found = judge_clusters(clusters(true), clusters(proposed))
    table = [(true[a] == true[b], proposed[a] == proposed[b]) for a, b in itertools.combinations(range(len(rows)), 2)]
    counts = found.pairs
    assert counts.true_positives == table.count((True, True))
    assert counts.false_positives == table.count((False, True))
    assert counts.false_negatives == table.count((True, False))
    assert counts.true_negatives == table.count((False, False))
    assert counts.possible == len(table)


@given(records)
def test_b_cubed_is_a_mean_over_records(rows):
    true, proposed = split(rows)
    found = judge_clusters(clusters(true), clusters(proposed))
    each = []
    for record in range(len(rows)):
        own, given_to = ({r for r in range(len(rows)) if side[r] == side[record]} for side in (true, proposed))
        each.append((len(own & given_to) / len(given_to), len(own & given_to) / len(own)))
    for place, name in enumerate(("precision", "recall")):
        values = [one[place] for one in each]
        assert getattr(found.b_cubed, name) == pytest.approx(np.mean(values), abs=1e-12)
        by_cluster = [np.mean([values[record] for record in group]) for group in groups(true)]
        assert getattr(found.b_cubed_by_cluster, name) == pytest.approx(np.mean(by_cluster), abs=1e-12)
        assert score_records(clusters(true), clusters(proposed))[name].to_list() == pytest.approx(values, abs=1e-12)


@given(records)
def test_exact_clusters_are_the_same_sets(rows):
    true, proposed = (groups(side) for side in split(rows))
    found = judge_clusters(*(clusters(side) for side in split(rows))).exact_cluster
    same = sum(group in proposed for group in true)
    assert (found.precision, found.recall) == (same / len(proposed), same / len(true))


@given(records)
def test_muc_counts_links(rows):
    true, proposed = (groups(side) for side in split(rows))
    found = judge_clusters(*(clusters(side) for side in split(rows))).muc

    def by_the_book(keys, responses):
        kept = sum(len(key) - sum(bool(key & response) for response in responses) for key in keys)
        links = sum(len(key) - 1 for key in keys)
        return kept / links if links else None

    assert found.recall == by_the_book(true, proposed)
    assert found.precision == by_the_book(proposed, true)


@given(records)
def test_lea_counts_links_kept(rows):
    true, proposed = (groups(side) for side in split(rows))
    found = judge_clusters(*(clusters(side) for side in split(rows))).lea

    def resolved(key, responses):
        if len(key) == 1:
            return float(key in responses)
        return sum(math.comb(len(key & response), 2) for response in responses) / math.comb(len(key), 2)

    def by_the_book(keys, responses):
        return sum(len(key) * resolved(key, responses) for key in keys) / sum(map(len, keys))

    assert found.recall == pytest.approx(by_the_book(true, proposed), abs=1e-12)
    assert found.precision == pytest.approx(by_the_book(proposed, true), abs=1e-12)


@given(records)
def test_ceaf_is_scipys_assignment_of_the_whole_table(rows):
    optimize = pytest.importorskip("scipy.optimize")
    true, proposed = (groups(side) for side in split(rows))
    found = judge_clusters(*(clusters(side) for side in split(rows)))
    shared = np.array([[len(key & response) for response in proposed] for key in true])
    sizes = np.array([[len(key) + len(response) for response in proposed] for key in true])
    for ours, table, most in ((found.ceaf_m, shared, len(rows)), (found.ceaf_e, 2 * shared / sizes, len(true))):
        assert ours.recall == pytest.approx(table[optimize.linear_sum_assignment(-table)].sum() / most, abs=1e-12)


@given(records)
def test_the_roles_of_both_sides_can_be_swapped(rows):
    true, proposed = (clusters(side) for side in split(rows))
    one, other = judge_clusters(true, proposed), judge_clusters(proposed, true)
    for name in set(AGREEMENTS) - {"b_cubed_by_cluster"}:
        ours, theirs = getattr(one, name), getattr(other, name)
        assert ours.precision == pytest.approx(theirs.recall, abs=1e-12)
        assert ours.f1 == pytest.approx(theirs.f1, abs=1e-12)
    assert (one.homogeneity, one.split) == (pytest.approx(other.completeness, abs=1e-12), other.merged)


@given(records, st.randoms(use_true_random=False))
def test_order_of_rows_and_kind_of_names_change_nothing(rows, random):
    true, proposed = (clusters(side) for side in split(rows))
    one = judge_clusters(true, proposed)
    order = random.sample(range(len(rows)), len(rows))
    other = judge_clusters(true[order], proposed[sorted(order, reverse=True)])
    assert one.to_dict() == other.to_dict()
    text = judge_clusters(true.cast(pl.String), proposed.cast(pl.String))
    assert one.to_dict() == text.to_dict()
    codes = judge_clusters(*(np.array(side) for side in split(rows)))
    assert one.to_dict() == codes.to_dict()


@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(0, 2)), min_size=1, max_size=4))
def test_bounds_are_what_labels_can_reach(rows):
    true, proposed = split(rows)
    free = [record for record, entity in enumerate(true) if entity < 0]
    if not free or len(free) == len(rows):
        return
    found = judge_clusters(*(np.array(side) for side in (true, proposed)))
    bounds = {one.figure: one for one in found.bounds}
    reached = []
    for labels in itertools.product(range(2 + len(free)), repeat=len(free)):
        full = np.array(true)
        full[free] = labels
        reached.append(judge_clusters(full, np.array(proposed), listed=0))
    for name, of in {
        "pairwise precision": lambda one: one.pairwise.precision,
        "pairwise recall": lambda one: one.pairwise.recall,
        "b_cubed precision": lambda one: one.b_cubed.precision,
    }.items():
        values = [value for value in map(of, reached) if value is not None]
        bound = bounds[name]
        if bound.exact:
            assert (bound.low, bound.high) == pytest.approx((min(values), max(values)), abs=1e-12) if values else True
        elif values:
            low = -math.inf if bound.low is None else bound.low
            high = math.inf if bound.high is None else bound.high
            assert low - 1e-12 <= min(values)
            assert max(values) <= high + 1e-12


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=10))
def test_pairs_between_sources_are_those_of_all_pairs(rows):
    true, proposed, source = (list(side) for side in zip(*rows, strict=True))
    sources = clusters(source).rename({"entity": "source"})
    for link in ("link", "both"):
        found = judge_clusters(clusters(true), clusters(proposed), sources=sources, link=link)
        asked = [
            (a, b) for a, b in itertools.combinations(range(len(rows)), 2) if link == "both" or source[a] != source[b]
        ]
        shared = sum(true[a] == true[b] and proposed[a] == proposed[b] for a, b in asked)
        assert found.pairs.possible == len(asked)
        assert found.pairs.true_positives == shared
        assert found.pairs.true == sum(true[a] == true[b] for a, b in asked)
        assert sum(one.counts.true_positives for one in found.by_sources) == shared
        for one in found.by_sources:
            here = [(a, b) for a, b in asked if {str(source[a]), str(source[b])} == {one.left, one.right}]
            assert one.counts.possible == len(here)
            assert one.counts.proposed == sum(proposed[a] == proposed[b] for a, b in here)


@given(records)
def test_pairs_and_clusters_say_the_same(rows):
    true, proposed = split(rows)
    sides = [clusters(true), clusters(proposed)]
    pairs = [
        pl.DataFrame(
            [(b, a) for a, b in itertools.combinations(range(len(rows)), 2) if side[a] == side[b]],
            schema={"left": pl.Int64, "right": pl.Int64},
            orient="row",
        )
        for side in (true, proposed)
    ]
    expected = judge_clusters(*sides).pairs
    for truth in (sides[0], pairs[0]):
        for given_to in (sides[1], pairs[1]):
            found = judge_pairs(truth, given_to, records=len(rows))
            assert found.counts == expected


def related(cluster, before, after):
    """Return how many clusters of before and of after hang together with one of before."""
    olds, news = [cluster], []
    while True:
        more = [one for one in after if one not in news and any(one & old for old in olds)]
        back = [one for one in before if one not in olds and any(one & new for new in [*news, *more])]
        news, olds = news + more, olds + back
        if not (more or back):
            return len(olds), len(news)


@given(records)
def test_churn_is_what_sets_say(rows):
    before, after = (groups(side) for side in split(rows))
    found = compare_resolutions(*(clusters(side) for side in split(rows)))
    fates = dict.fromkeys(("kept", "split", "merged", "regrouped"), 0)
    for cluster in before:
        olds, news = related(cluster, before, after)
        fate = (("kept", "split"), ("merged", "regrouped"))[olds > 1][news > 1]
        fates[fate] += 1
    assert {one.fate: one.before for one in found.changes} == fates
    assert sum(one.records for one in found.changes) == len(rows)
    assert sum(one.clusters for one in found.by_size) == len(before)
    few, many = sorted((before, after), key=len)
    stay = max(
        sum(len(old & new) for old, new in zip(few, chosen, strict=True))
        for chosen in itertools.permutations(many, len(few))
    )
    assert found.moved == len(rows) - stay
