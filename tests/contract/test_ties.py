"""Ties, against every order that they allow: expected, optimistic, pessimistic and realistic ranks."""

import math
import random
from dataclasses import fields, replace
from itertools import pairwise, permutations, product

import numpy as np
import pytest

from assay.core.judged import UNJUDGED, Judged
from assay.core.policy import Policy
from assay.errors import UnsupportedError
from assay.measures import MEASURES, parse
from assay.measures.average_precision import AveragePrecision
from assay.measures.tie_groups import chance_all, chance_any, expected_hits
from assay.testing import brute_force, variants

WITHOUT_EXPECTATION = {
    "IPrec", "11pt", "GMAP", "infAP", "Bpref", "MedianRank", "GeometricMeanRank", "Compat",
    "GMBpref", "YAAP", "BinG", "G", "nDCGrel", "RnDCG",
}  # fmt: skip
FACETS = "these collections have one grade for each item; its own test file has aspects, groups or samples"
EXTREMES = (
    "P@1 P@3 P(rel=2)@3 R@2 R(rel=2)@3 RR RR@2 RR(rel=2) AP AP@3 AP(norm='min')@2 AP(rel=2) "
    "nDCG nDCG@3 nDCG(gain='exp')@2 HR@1 HR@3 HR(rel=2)@2 DCG DCG@2 RBP RBP(p=0.5)@2 RBP(gain='exp') ERR ERR@2"
)


def collection(seed):
    """Make queries of up to seven places: the tie groups of each, best first, and the gold beyond them."""
    rng = random.Random(seed)
    queries = []
    for _ in range(4):
        places = [rng.choice((UNJUDGED, UNJUDGED, -1, 0, 1, 1, 2, 3)) for _ in range(rng.randint(0, 7))]
        cuts = sorted({0, len(places), *(rng.randint(0, len(places)) for _ in range(rng.randint(0, 4)))})
        groups = [places[start:end] for start, end in pairwise(cuts)]
        unfound = [rng.choice((-1, 0, 1, 2)) for _ in range(rng.randint(0, 2))]
        queries.append((groups, unfound or [0]))
    return queries


def gold_of(groups, unfound):
    return [grade for group in groups for grade in group if grade != UNJUDGED] + unfound


def judge(queries):
    """Judge the queries as they stand; only the judged items have a grade."""
    gold, run = {}, {}
    for number, (groups, unfound) in enumerate(queries):
        graded = [(grade, -above) for above, group in enumerate(groups) for grade in group]
        items = {f"{99 - place}": pair for place, pair in enumerate(graded)}
        name = f"{number:03}"
        run[name] = {item: score for item, (_, score) in items.items()}
        gold[name] = {item: grade for item, (grade, _) in items.items() if grade != UNJUDGED}
        gold[name] |= {f"unfound {n}": grade for n, grade in enumerate(unfound)}
    return brute_force.judge(gold, run)


def orders(groups):
    """Yield every order that the ties allow, each as often as any other."""
    for order in product(*({*permutations(group)} for group in groups)):
        yield [grade for group in order for grade in group]


def settled(measure, judged):
    """Say the top grade aloud: the book sees one query, the kernel all of them."""
    if "max_rel" in {part.name for part in fields(measure)} and measure.max_rel is None:
        return replace(measure, max_rel=judged.top_grade or 1)
    return measure


def by_the_book(measure, judged, queries):
    """Return for each query the values over all orders; None where the measure is undefined."""
    book, defined = settled(measure, judged), measure.defined(judged)
    return [
        [book.by_the_book(order, gold_of(groups, unfound)) for order in orders(groups)] if known else None
        for (groups, unfound), known in zip(queries, defined, strict=True)
    ]


def more_variants(measure):
    yield from variants(measure)
    if measure is AveragePrecision:
        for norm, rel, k in product(("min", "found"), (1, 2), (None, 1, 2, 4)):
            yield AveragePrecision(norm=norm, rel=rel, k=k)
    if {"gain", "max_rel"} <= {part.name for part in fields(measure)}:
        yield measure(gain="linear", k=2)
        yield measure(gain="exp", max_rel=5, k=4)


SETTINGS = list(dict.fromkeys(one for measure in MEASURES.values() for one in more_variants(measure)))


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_expected_is_the_mean_over_all_orders(measure):
    if measure.needs_facets:
        pytest.skip(FACETS)
    if measure.name in WITHOUT_EXPECTATION:
        pytest.skip("no exact form, and it says so")
    for seed in range(40):
        queries = collection(seed)
        judged = judge(queries)
        hits = judged.hits  # what tie groups say must be enough: ranks within them are withheld
        expected = measure.expected(replace(judged, hits=replace(hits, rank=hits.above + 1.0)))
        for value, values in zip(expected, by_the_book(measure, judged, queries), strict=True):
            if values is None:
                continue
            if any(map(math.isnan, values)):
                assert all(map(math.isnan, values))
                assert math.isnan(value)
            else:
                assert value == pytest.approx(math.fsum(values) / len(values), rel=1e-13, abs=1e-14), (queries, values)


@pytest.mark.parametrize("name", MEASURES)
def test_a_measure_without_an_exact_mean_says_so(name):
    if MEASURES[name].needs_facets:
        pytest.skip(FACETS)
    measure, judged = next(variants(MEASURES[name])), judge(collection(0))
    if name in WITHOUT_EXPECTATION:
        with pytest.raises(UnsupportedError, match="range"):
            measure.expected(judged)
    else:
        assert measure.expected(judged).shape == (judged.queries,)


@pytest.mark.parametrize("text", EXTREMES.split())
@pytest.mark.parametrize(("ties", "extreme"), [("optimistic", max), ("pessimistic", min)])
def test_extreme_ranks_give_the_extreme_values(text, ties, extreme):
    measure = parse(text)
    for seed in range(40):
        queries = collection(seed)
        judged = judge(queries)
        found = measure.kernel(judged.under(Policy(ties=ties)))
        for value, values in zip(found, by_the_book(measure, judged, queries), strict=True):
            if values is not None:
                assert value == pytest.approx(extreme(values), rel=1e-13), (queries, values)


def test_realistic_ranks_are_the_mean_of_the_places():
    for seed in range(40):
        queries = collection(seed)
        hits = judge(queries).under(Policy(ties="realistic")).hits
        expected = []
        for number, (groups, _) in enumerate(queries):
            above = 0
            for group in groups:
                mean = sum(range(above + 1, above + len(group) + 1)) / len(group)
                expected += sorted((number, mean, grade) for grade in group if grade != UNJUDGED)
                above += len(group)
        found = zip(hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist(), strict=True)
        assert sorted(found) == expected


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_realistic_values_do_not_hang_on_the_order_of_tied_rows(measure):
    if measure.needs_facets:
        pytest.skip(FACETS)
    for seed in range(20):
        judged = judge(collection(seed))
        hits = replace(judged.hits, rank=judged.hits.above + 1.0)  # an engine gives such ties no order
        turned = hits.where(np.lexsort((-np.arange(len(hits)), hits.above, hits.query)))
        both = (replace(judged, hits=one).under(Policy(ties="realistic")) for one in (hits, turned))
        found, again = map(measure.kernel, both)
        assert again == pytest.approx(found, rel=1e-13, nan_ok=True)


@pytest.mark.parametrize("ties", ["id-desc", "expected", "realistic", "optimistic", "pessimistic"])
def test_ranks_are_sorted_and_stay_in_their_group(ties):
    for seed in range(40):
        hits = judge(collection(seed)).under(Policy(ties=ties)).hits
        assert np.array_equal(np.lexsort((hits.rank, hits.query)), np.arange(len(hits)))
        assert ((hits.above < hits.rank) & (hits.rank <= hits.above + hits.tied)).all()


@pytest.mark.parametrize("k", [None, 1, 2, 3, 5])
def test_a_tie_decides_where_unequal_gains_cross_the_cutoff(k):
    for seed in range(60):
        queries = collection(seed)
        expected = []
        for groups, _ in queries:
            above, decides = 0, False
            for group in groups:
                crosses = k is None or above < k < above + len(group)
                decides |= crosses and len({max(grade, 0) for grade in group}) > 1
                above += len(group)
            expected.append(decides)
        assert judge(queries).tied_across(k).tolist() == expected


@pytest.mark.parametrize("ties", ["id-desc", "expected", "realistic", "optimistic", "pessimistic"])
def test_condensed_lists_are_rankings_of_the_judged_items(ties):
    for seed in range(60):
        queries = collection(seed)
        dropped = judge(queries).under(Policy(ties=ties, unjudged="drop"))
        kept = [([[g for g in group if g >= 0] for group in groups], unfound) for groups, unfound in queries]
        fresh = judge(kept).under(Policy(ties=ties))
        for part in ("query", "above", "tied", "rank", "grade"):
            assert np.array_equal(getattr(dropped.hits, part), getattr(fresh.hits, part)), part
        assert dropped.retrieved.tolist() == fresh.retrieved.tolist()


@pytest.mark.parametrize("rel", [1, 2])
@pytest.mark.parametrize("k", [None, 1, 2, 4])
def test_chances_of_what_is_inside_the_cutoff(rel, k):
    for seed in range(40):
        queries = collection(seed)
        judged = judge(queries)
        found = (expected_hits(judged, k, rel), chance_any(judged, k, rel), chance_all(judged, k, rel))
        for (groups, unfound), *values in zip(queries, *found, strict=True):
            relevant = sum(grade >= rel for grade in gold_of(groups, unfound))
            inside = [sum(grade >= rel for grade in order[:k]) for order in orders(groups)]
            mean = [sum(inside), sum(hits > 0 for hits in inside), sum(hits == relevant for hits in inside)]
            assert values == pytest.approx([total / len(inside) for total in mean], abs=1e-14)


def test_a_cutoff_for_each_query():
    queries = collection(3)
    judged = judge(queries)
    cutoffs = np.array([1, 2, 3, 4])
    each = [expected_hits(judged, int(k), 1)[number] for number, k in enumerate(cutoffs)]
    assert expected_hits(judged, cutoffs, 1).tolist() == each


def lone(above, tied, relevant, grade=1.0):
    """Judge one query that has `relevant` items among `tied` ones, under `above` items without a judgment."""
    many = np.ones(relevant)
    plain = Judged.of_grades([grade] * relevant, [grade] * relevant)
    deep = replace(plain.hits, rank=many * above + 1, above=many.astype(int) * above, tied=many.astype(int) * tied)
    return replace(plain, hits=deep, retrieved=np.array([above + tied]))


@pytest.mark.parametrize("above", [0, 1_000, 100_000, 10_000_000])
def test_no_digit_is_lost_deep_in_a_ranking(above):
    tied, relevant = 7, 3
    places = [[above + place for place in chosen] for chosen in permutations(range(1, tied + 1), relevant)]
    mean_ap = math.fsum(n / rank for some in places for n, rank in enumerate(sorted(some), 1))
    mean_ap /= len(places) * relevant
    mean_rr = math.fsum(1 / min(some) for some in places) / len(places)
    mean_dcg = math.fsum(1 / math.log2(rank + 1) for some in places for rank in some) / len(places)
    judged = lone(above, tied, relevant)
    assert MEASURES["AP"]().expected(judged)[0] == pytest.approx(mean_ap, rel=4e-15)
    assert MEASURES["RR"]().expected(judged)[0] == pytest.approx(mean_rr, rel=4e-15)
    assert MEASURES["DCG"]().expected(judged)[0] == pytest.approx(mean_dcg, rel=4e-15)


@pytest.mark.parametrize("relevant", [2, 5, 40])
def test_wide_ties_are_summed_as_narrow_ones_are(relevant):
    """More places than are walked together: the chance of each first place, from binomial coefficients."""
    tied = 1_000
    ways = [math.comb(tied - place, relevant - 1) for place in range(1, tied + 1)]
    mean = math.fsum(way / math.comb(tied, relevant) / place for place, way in enumerate(ways, start=1))
    assert MEASURES["RR"]().expected(lone(0, tied, relevant))[0] == pytest.approx(mean, rel=1e-13)


def test_groups_worked_out_together_do_not_touch_each_other():
    """Groups of about equal size are worked out together; the value of each is as if it stood alone."""
    queries = [collection(seed)[0] for seed in range(40)]
    together = judge(queries)
    for name in ("ERR", "RR", "AP", "nDCG", "RBP"):
        measure = settled(MEASURES[name](), together)
        alone = [measure.expected(judge([query]))[0] for query in queries]
        np.testing.assert_allclose(measure.expected(together), alone, rtol=1e-14)
