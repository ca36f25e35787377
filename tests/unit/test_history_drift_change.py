"""What a change is made of: each part shown by construction, and parts that add up whatever the data are."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.nights import MEASURE, names, night

import assay
from assay.core.history_change import GOLD, MIX, QUALITY, TOGETHER, WEIGHTS, WHOLE
from assay.errors import ParameterError
from assay.history.drift import drift
from assay.history.drift.change import change_of
from assay.history.drift.judging_again import Golds, JudgedAgain
from assay.history.record import record
from assay.report.history_drift import explanation, title
from assay.store.evaluations import HistoryStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")

SAME = JudgedAgain(is_same=True)


def change(old, new, judged=SAME, part=""):
    return change_of(old, new, MEASURE, part, judged)


def parts(found):
    return {one.name: one.change for one in found.parts}


def total(found):
    return sum(one.change for one in found.parts)


@pytest.fixture
def store():
    with HistoryStore.open("sqlite://") as opened:
        yield opened


def test_the_paired_case_of_questions_that_were_lost(store):
    """85 of 400 correct answers lost, none gained, after one relation in a hundred went."""
    right = np.ones(400)
    for day in range(10):
        store.add(night(day, right))
    store.add(night(10, np.where(np.arange(400) < 85, 0.0, 1.0)))
    found = drift(store, "web")
    assert found.decision == "alarm"
    quality = found.explained.quality
    assert (quality.lost, quality.gained) == (85, 0)
    assert quality.significance.p == pytest.approx(5.169878828456423e-26, rel=1e-12)
    assert quality.significance.method == "McNemar, exact"


def test_other_queries_alone_are_query_mix_and_no_change_of_quality(store):
    easy, hard = np.full(40, 0.7), np.full(40, 0.3)
    random = np.random.default_rng(0)
    for day in range(45):
        noise = random.normal(0, 0.005)
        values = np.concatenate([easy, hard if day >= 40 else []]) + noise * (day < 39)
        store.add(night(day, values, names(len(values))))
    found = drift(store, "web")
    assert found.decision == "alarm"
    one = found.explained
    assert parts(one)[MIX] == pytest.approx(one.change)
    assert abs(parts(one)[QUALITY]) < 1e-12
    assert (one.shared, one.left, one.entered) == (40, 0, 40)
    assert one.quality.significance.p == 1
    assert ": the query mix, not the gold (no change) nor quality on the same queries (no change)" in title(found)


def test_other_weights_alone_are_weights(store):
    values = np.array([1.0, 0.0] * 20)
    one = change(night(0, values), night(1, values, weights=np.array([1.0, 3.0] * 20)))
    assert parts(one) == {MIX: 0.0, WEIGHTS: -0.25, GOLD: 0.0, QUALITY: 0.0}


def test_other_answers_alone_are_quality():
    before, after = np.linspace(0, 1, 40), np.linspace(0, 1, 40) * 0.9
    one = change(night(0, before), night(1, after))
    assert parts(one) == {MIX: 0.0, GOLD: 0.0, QUALITY: pytest.approx(-0.05)}
    assert one.quality.interval.high < 0
    assert one.quality.lost == 39


def test_mix_and_quality_together_are_told_apart():
    before = np.concatenate([np.full(30, 0.6), np.full(10, 0.9)])
    after = np.concatenate([np.full(30, 0.5), np.full(20, 0.1)])
    one = change(night(0, before, names(40)), night(1, after, (*names(30), *names(20, 100))))
    assert parts(one)[QUALITY] == pytest.approx(-0.1)
    assert parts(one)[MIX] == pytest.approx((np.mean(after) - 0.5) - (np.mean(before) - 0.6))


OLD_GOLD = {f"q{n:02}": {"a": 1, "b": 1} for n in range(40)}
NEW_GOLD = {f"q{n:02}": {"a": 1, "b": 0 if n % 2 else 1} for n in range(40)}
RUN = {query: ["b", "a", "c"] for query in OLD_GOLD}


def judged(gold, run, day, **more):
    known = assay.Run.from_mapping(run)
    found = assay.evaluate(gold, known, ["P@1", "P@2"])
    return record(
        found, suite="web", gold=assay.Gold.from_mapping(gold), run=known, head=3, name="bm25",
        time=night(day, [1.0]).time, code="abc", **more,
    )  # fmt: skip


def test_another_gold_alone_is_gold_in_both_orders(store):
    for day in range(7):
        store.add(judged(OLD_GOLD if day < 6 else NEW_GOLD, RUN, day))
    found = drift(store, "web", measure="P@1", gold=NEW_GOLD, old_gold=OLD_GOLD)
    one = found.explained
    assert one.change == -0.5
    assert parts(one) == {MIX: 0.0, GOLD: -0.5, QUALITY: 0.0}
    assert one.gold_orders == (-0.5, -0.5)
    assert ": the gold, not the query mix (no change) nor quality on the same queries (no change)" in title(found)
    assert {cause.cause for cause in found.attribution.causes} == {"gold"}
    assert one.quality.significance.p == 1


def test_either_gold_is_enough(store):
    before, now = judged(OLD_GOLD, RUN, 0), judged(NEW_GOLD, RUN, 1)
    for golds, orders in ((Golds(NEW_GOLD), (-0.5, None)), (Golds(None, OLD_GOLD), (None, -0.5))):
        one = change_of(before, now, "P@1", "", golds.judge(before, now, "P@1"))
        assert one.gold_orders == orders
        assert parts(one) == {MIX: 0.0, GOLD: -0.5, QUALITY: 0.0}


def test_without_a_gold_the_two_are_not_told_apart(store):
    before, now = judged(OLD_GOLD, RUN, 0), judged(NEW_GOLD, RUN, 1)
    one = change_of(before, now, "P@1", "", Golds().judge(before, now, "P@1"))
    assert parts(one) == {MIX: 0.0, TOGETHER: -0.5}
    assert "give the gold of now (--gold)" in one.part(TOGETHER).why


def test_a_measure_that_looks_deeper_than_what_was_kept_says_so():
    before, now = judged(OLD_GOLD, {q: ["b", "a", "c", "d"] for q in RUN}, 0), judged(NEW_GOLD, RUN, 1)
    found = Golds(NEW_GOLD).judge(before, now, "P@10")
    assert not found.is_same
    assert "expected measures of the first 3 items" in found.why


def test_gold_and_answers_together_are_the_mean_of_both_orders():
    worse = {query: (["c", "a", "b"] if at % 4 else RUN[query]) for at, query in enumerate(RUN)}
    before, now = judged(OLD_GOLD, RUN, 0), judged(NEW_GOLD, worse, 1)
    one = change_of(before, now, "P@1", "", Golds(NEW_GOLD, OLD_GOLD).judge(before, now, "P@1"))
    assert one.gold_orders == (-0.5, 0.0), "where the answer is wrong anyway, its grade does not matter"
    assert parts(one) == {MIX: 0.0, GOLD: -0.25, QUALITY: -0.5}
    assert one.quality.change == -0.5
    assert total(one) == one.change


def test_another_gold_than_that_of_the_evaluation_is_refused(store):
    for day in range(7):
        store.add(judged(OLD_GOLD, RUN, day))
    with pytest.raises(
        ParameterError, match=r"gold: expected the gold of evaluation 7 \([0-9a-f]{12}…\), found another"
    ):
        drift(store, "web", gold=NEW_GOLD)


def test_holes_are_counted_from_the_items_that_were_kept():
    unjudged = {query: ["x", "y", "a"] for query in OLD_GOLD}
    gold = {query: grades | {"z": 0} for query, grades in OLD_GOLD.items()}
    before, now = judged(gold, RUN, 0), judged(gold, unjudged, 1)
    assert Golds(OLD_GOLD).judge(before, now, "P@1").share is None, "a gold of right items alone has no holes"
    share = Golds(gold).judge(before, now, "P@1").share
    assert (share.k, share.before, share.now, share.source) == (3, pytest.approx(2 / 3), pytest.approx(1 / 3), "head")


def test_holes_are_told_as_they_were_recorded(store):
    for day in range(7):
        made = assay.Run.from_mapping({query: ["x", "a"] for query in OLD_GOLD} if day == 6 else RUN)
        evaluation = assay.evaluate(OLD_GOLD, made, ["P@1", "Judged@2"])
        store.add(record(evaluation, suite="web", time=night(day, [1.0]).time, name="bm25"))
    found = drift(store, "web")
    assert found.explained.judged.source == "figure"
    assert "Judged among the first 2: 1.0000 → 0.5000; more holes" in " ".join(explanation(found))


def test_other_queries_each_night_are_held_against_strata():
    old, new = names(40), names(40, 500)
    kinds = [{q: "easy" if at % 4 else "hard" for at, q in enumerate(old)},
             {q: "easy" if at % 2 else "hard" for at, q in enumerate(new)}]  # fmt: skip
    values = [np.array([{"easy": 0.8, "hard": 0.2}[kind[q]] for q in queries])
              for kind, queries in zip(kinds, (old, new), strict=True)]  # fmt: skip
    one = change(
        night(0, values[0], old, groups={"kind": kinds[0]}), night(1, values[1], new, groups={"kind": kinds[1]})
    )
    assert one.basis == "slices of kind"
    assert parts(one) == {MIX: pytest.approx(-0.15), QUALITY: pytest.approx(0)}
    bare = change(night(0, values[0], old), night(1, values[1], new))
    assert list(parts(bare)) == [WHOLE]


def test_a_column_that_hardly_overlaps_does_not_stand_in_for_queries():
    old, new = names(40), names(40, 500)
    batch = [
        {q: "both" if at == 0 else f"batch {day}" for at, q in enumerate(ids)} for day, ids in enumerate((old, new))
    ]
    kind = [{q: str(at % 2) for at, q in enumerate(ids)} for ids in (old, new)]
    values = [np.full(40, 0.6), np.full(40, 0.4)]

    def between(*groups):
        sides = (night(0, values[0], old), night(1, values[1], new))
        return change(*(replace(one, groups=group) for one, group in zip(sides, groups, strict=True)))

    full = between(*({"batch": b, "kind": k} for b, k in zip(batch, kind, strict=True)))
    assert full.basis == "slices of kind", "that of which most is shared, not the first"
    assert parts(full) == {MIX: pytest.approx(0), QUALITY: pytest.approx(-0.2)}
    bare = between(*({"batch": b} for b in batch))
    assert parts(bare) == {WHOLE: pytest.approx(-0.2)}


@pytest.mark.parametrize("up", [True, False])
def test_parts_that_go_the_same_way_are_both_named_the_larger_first(store, up):
    way = -1 if up else 1
    random = np.random.default_rng(3)
    for day in range(20):
        values = random.normal(0.6, 0.02, 100)
        queries = names(100)
        if day >= 15:
            values = np.concatenate([values[:60] + way * 0.05, random.normal(0.6 + way * 0.2, 0.02, 60)])
            queries = (*names(60), *names(60, 500))
        store.add(night(day, values, queries, up=up))
    said = ": the query mix and quality on the same queries, not the gold (no change)"
    assert title(drift(store, "web")).endswith(said)


def test_a_figure_that_is_missing_on_a_side_has_no_parts():
    one = change(night(0, [np.nan] * 3), night(1, [0.5] * 3))
    assert (one.change, one.parts) == (None, ())


def test_one_slice_is_taken_apart_by_its_own_queries():
    groups = {"lang": {query: "de" if at < 10 else "en" for at, query in enumerate(names(40))}}
    before = np.full(40, 0.5)
    after = np.where(np.arange(40) < 10, 0.25, 0.5)
    one = change(night(0, before, groups=groups), night(1, after, groups=groups), part="lang=de")
    assert (one.shared, one.before, one.after) == (10, 0.5, 0.25)
    assert parts(one)[QUALITY] == pytest.approx(-0.25)


SIDE = st.lists(
    st.tuples(st.integers(0, 30), st.floats(0, 1), st.floats(0.1, 5)), min_size=1, unique_by=lambda row: row[0]
)


@given(SIDE, SIDE, st.booleans())
def test_parts_add_up_to_the_change(before, after, weighted):
    sides = []
    for day, rows in enumerate((sorted(before), sorted(after))):
        ids = tuple(f"q{row[0]:04}" for row in rows)
        loads = [row[2] for row in rows] if weighted else None
        sides.append(night(day, [row[1] for row in rows], ids, weights=loads, groups={"k": {q: q[-1] for q in ids}}))
    one = change(*sides)
    assert total(one) == pytest.approx(one.change, abs=1e-12)
    if one.basis == "queries" and not weighted:
        shared = set(sides[0].queries) & set(sides[1].queries)
        means = [np.mean([v for q, v in zip(s.queries, s.values[MEASURE], strict=True) if q in shared]) for s in sides]
        assert parts(one)[QUALITY] == pytest.approx(means[1] - means[0], abs=1e-12)


def test_the_order_of_queries_changes_nothing():
    values = np.random.default_rng(0).random((2, 30))
    order = np.random.default_rng(1).permutation(30)
    ids = np.array(names(30))
    one = change(night(0, values[0]), night(1, values[1]))
    other = change(night(0, values[0][order], tuple(ids[order])), night(1, values[1]))
    assert one.to_dict() | {"before": 0} == other.to_dict() | {"before": 0}
