"""Pairs judged: directions, repeats, thresholds, sources, records without a label, and what is refused."""

import json

import polars as pl
import pytest

from assay.errors import InputError, UnknownNameError
from assay.tasks.entities.pairs import judge_pairs, normalise_pairs
from assay.tasks.entities.sources import possible_pairs

TRUTH = pl.DataFrame({"record": list("abcde"), "entity": ["1", "1", "1", "2", "2"]})


def pairs(*rows):
    """Return pairs from texts such as "ab" or "ab 0.5"."""
    split = [row.split() for row in rows]
    columns = {"left": [row[0][0] for row in split], "right": [row[0][1] for row in split]}
    if split and len(split[0]) > 1:
        columns["score"] = [float(row[1]) for row in split]
    return pl.DataFrame(columns, schema_overrides={"left": pl.String, "right": pl.String})


def test_pairs_have_no_direction_and_count_once():
    found = judge_pairs(TRUTH, pairs("ab", "ba", "ab", "aa", "ad"))
    assert (found.counts.true_positives, found.counts.false_positives, found.counts.false_negatives) == (1, 1, 3)
    assert (found.left_out.proposed_repeats, found.left_out.proposed_self) == (2, 1)
    assert (found.precision, found.recall, found.f1) == (0.5, 0.25, 1 / 3)
    assert found.counts.true_negatives == 10 - 1 - 1 - 3
    assert "2 proposed pairs are there again, in either direction: counted once" in found.notices


def test_a_repeated_pair_keeps_its_highest_score():
    table, own, repeats = normalise_pairs(pairs("ba 0.2", "ab 0.9", "cc 1", "ac 0.1"))
    assert (table.rows(), own, repeats) == ([("a", "b", 0.9), ("a", "c", 0.1)], 1, 1)


def test_nothing_proposed_leaves_precision_undefined():
    found = judge_pairs(TRUTH, pairs().with_columns(score=pl.lit(None, pl.Float64)))
    assert (found.precision, found.recall, found.f1, found.curve) == (None, 0.0, 0.0, None)
    nothing = judge_pairs(pairs(), pairs())
    assert (nothing.precision, nothing.recall, nothing.f1, nothing.counts.true_negatives) == (None, None, None, None)


def test_a_threshold_takes_pairs_with_at_least_its_score():
    scored = pairs("ab 0.9", "ad 0.7", "ac 0.7", "de 0.2")
    found = judge_pairs(TRUTH, scored, threshold=0.7)
    assert (found.threshold, found.precision, found.recall) == (0.7, 2 / 3, 0.5)
    curve = found.curve
    shown = [(one.threshold, one.true_positives, one.false_positives) for one in curve.points]
    assert shown == [(0.9, 1, 0), (0.7, 2, 1), (0.2, 3, 1)]
    assert (curve.best.threshold, curve.best.f1) == (0.2, 0.75)
    assert curve.points[1].false_positive_rate == 1 / 6
    assert curve.average_precision == pytest.approx((1 + 2 / 3 + 3 / 4) / 4)
    assert judge_pairs(TRUTH, scored, threshold=2.0).precision is None


def test_a_long_curve_is_thinned_but_keeps_its_best_and_its_ends():
    rows = [("r0", f"r{place}", 1 - place / 1000) for place in range(1, 1000)]
    scored = pl.DataFrame(rows, schema=["left", "right", "score"], orient="row")
    truth = pl.DataFrame(
        {"record": [f"r{place}" for place in range(1000)], "entity": [min(n // 7, 9) for n in range(1000)]}
    )
    curve = judge_pairs(truth, scored, points=20).curve
    assert curve.thresholds == 999
    assert 20 <= len(curve.points) <= 23
    assert curve.best in curve.points
    assert (curve.points[0].threshold, curve.points[-1].threshold) == (0.999, pytest.approx(0.001))


def test_pairs_with_a_record_without_a_label_make_no_figure():
    found = judge_pairs(TRUTH, pairs("ab 0.9", "ax 0.8", "xy 0.1"), threshold=0.5)
    assert (found.left_out.unlabelled, found.precision, found.recall) == (2, 1.0, 0.25)
    (bound,) = found.bounds
    assert (bound.low, bound.high, bound.exact) == (0.5, 1.0, False)
    assert any("2 proposed pairs have a record without a label" in notice for notice in found.notices)


def test_pairs_of_clusters_with_a_record_without_a_label_make_no_figure():
    proposed = pl.DataFrame({"record": list("abxyd"), "entity": ["1", "1", "1", "2", "2"]})
    found = judge_pairs(TRUTH, proposed)
    assert (found.counts.true_positives, found.counts.proposed, found.left_out.unlabelled) == (1, 1, 3)
    assert (found.bounds[0].low, found.bounds[0].high) == (0.25, 1.0)
    sources = pl.DataFrame({"record": list("abcdexy"), "source": list("sstsssx")})
    linked = judge_pairs(TRUTH, proposed, sources=sources, link="link")
    assert (linked.counts.proposed, linked.counts.true, linked.left_out.unlabelled) == (0, 2, 1)


def test_true_pairs_are_taken_as_they_are():
    found = judge_pairs(pairs("ab", "bc", "cb", "dd"), pairs("ab", "bc", "ac"), records=pl.Series(list("abcda")))
    assert (found.counts.true_positives, found.counts.false_positives, found.counts.true_negatives) == (2, 1, 3)
    assert (found.left_out.true_repeats, found.left_out.true_self) == (1, 1)


SOURCES = pl.DataFrame({"record": list("abcde"), "source": ["x", "y", "z", "x", "x"]})


def test_pairs_within_a_source_are_left_out_when_sources_are_linked():
    found = judge_pairs(TRUTH, pairs("ab", "ad", "de", "ce"), sources=SOURCES, link="link")
    assert (found.counts.true_positives, found.counts.false_positives, found.counts.false_negatives) == (1, 1, 2)
    assert (found.left_out.proposed_within, found.counts.possible) == (2, 7)
    assert [(one.left, one.right, one.counts.proposed) for one in found.by_sources] == [
        ("x", "y", 1), ("x", "z", 1), ("y", "z", 0)
    ]  # fmt: skip
    both = judge_pairs(TRUTH, pairs("ab", "ad", "de", "ce"), sources=SOURCES, link="both")
    assert (both.counts.true, both.counts.possible, both.by_sources[0].left, both.by_sources[0].right) == (
        4,
        10,
        "x",
        "x",
    )


def test_clusters_against_true_pairs_of_sources():
    proposed = pl.DataFrame({"record": list("abcde"), "entity": ["1", "1", "2", "2", None]})
    found = judge_pairs(pairs("ab", "cd", "de"), proposed, sources=SOURCES, link="link")
    assert (found.counts.true_positives, found.counts.proposed, found.counts.true) == (2, 2, 2)
    assert (found.left_out.true_within, found.counts.possible) == (1, 7)


def test_how_many_pairs_there_can_be():
    assert [possible_pairs([4, 3], link) for link in ("dedupe", "link", "both")] == [21, 12, 21]
    assert possible_pairs([5]) == 10
    with pytest.raises(UnknownNameError, match="no way of linking is called"):
        possible_pairs([5], "all")


def test_everything_is_plain_data():
    plain = json.loads(json.dumps(judge_pairs(TRUTH, pairs("ab 0.9", "ad 0.1", "ax 1")).to_dict()))
    assert plain["curve"]["best"]["threshold"] == 0.9
    assert plain["pairs"]["true_negatives"] == 5
    assert plain["left_out"]["unlabelled"] == 1
    assert (
        repr(judge_pairs(TRUTH, pairs("ab")))
        == "PairFigures(1 proposed, 4 true, precision 1.0000, recall 0.2500, F1 0.4000)"
    )


@pytest.mark.parametrize(
    ("proposed", "options", "message"),
    [
        (pairs("ab"), {"threshold": 0.5}, "threshold: expected pairs with a score"),
        (pl.DataFrame({"left": ["a"]}), {}, "proposed: expected the columns left and right, found left"),
        (pl.DataFrame({"left": ["a"], "right": [None]}), {}, "proposed: expected a right in each row, found 1"),
        (pairs("ab 0.5").with_columns(score=float("nan")), {}, "proposed: expected scores that are numbers, found NaN"),
        (pl.DataFrame({"left": [1], "right": [2]}), {}, "found Int64 and String"),
        (pairs("ab"), {"sources": SOURCES.drop("source")}, "sources: expected the columns record and source"),
        (pairs("ab"), {"sources": pl.concat([SOURCES, SOURCES])}, "sources: expected each record once, found 'a'"),
        (pairs("ax"), {"sources": SOURCES, "link": "link"}, "expected a source for each record, found none for 'x'"),
        (pairs("ab"), {"sources": SOURCES.with_columns(source=pl.lit(None, pl.String))}, "found none for 'a'"),
    ],
)
def test_what_is_no_pairs_is_refused(proposed, options, message):
    with pytest.raises(InputError) as caught:
        judge_pairs(TRUTH, proposed, **options)
    assert message in str(caught.value)
