"""The gate: what blocks, what is only said, and when nothing can be decided."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.unit.gates import CHANCE, GOLD, GOOD, WORSE, qrels, run_of, settings, trec

import assay
from assay.core.gate import BLOCKED, PASSED, UNDECIDED
from assay.core.policy import Policy
from assay.errors import AssayError, ParameterError, UnknownNameError
from assay.history.gate import gate, update_baseline
from assay.statistics.gate_test import drop_test


@pytest.fixture
def held(tmp_path):
    """Hold a run against the baseline of another one, by settings given as text."""

    def call(now, text='measures = "RR"', *more, before=GOOD, gold=GOLD, **options):
        path = settings(tmp_path / "assay.toml", text, *more)
        update_baseline(GOLD, before, path)
        return gate(gold, now, path, **options)

    call.settings = lambda text: settings(tmp_path / "assay.toml", text)
    return call


def test_the_same_run_passes(held):
    found = held(GOOD)
    (check,) = found.checks
    assert (found.decision, found.exit_code, check.drop, check.significance.p) == (PASSED, 0, 0.0, 1.0)
    assert (check.lost, check.gained, check.worst, found.fallen) == (0, 0, (), ())


def test_a_drop_that_is_large_and_no_chance_blocks(held):
    found = held(WORSE, 'measures = "RR"\nmax_drop = 0.1')
    (check,) = found.checks
    assert (found.decision, found.exit_code, check.reasons) == (BLOCKED, 1, ("drop",))
    assert (check.baseline, check.now, check.change, check.drop) == (1.0, 0.75, -0.25, 0.25)
    assert check.significance.p == drop_test(np.repeat([0.0, -0.5], 20), test="flips").p
    assert check.interval.low < -0.25 < check.interval.high < 0
    assert check.interval.level == 0.9
    assert (check.lost, [one.query for one in check.worst]) == (20, [f"q{i}" for i in range(20, 30)])


def test_a_drop_that_may_be_chance_is_reported_and_not_blocked(held):
    found = held(CHANCE, 'measures = "RR"\nmax_drop = 0.01')
    (check,) = found.checks
    assert found.decision == PASSED
    assert check.drop == pytest.approx(0.0375)
    assert check.significance.final == 0.25
    assert [(one.query, one.before, one.blocks) for one in found.fallen] == [("q39", 1.0, False)]


@pytest.mark.parametrize(("max_drop", "decision"), [(0.24, BLOCKED), (0.25, PASSED), (0.5, PASSED)])
def test_a_drop_within_what_is_allowed_passes_however_sure(held, max_drop, decision):
    assert held(WORSE, f'measures = "RR"\nmax_drop = {max_drop}').decision == decision


@pytest.mark.parametrize(("lowest", "decision"), [(0.75, PASSED), (0.76, BLOCKED)])
def test_a_figure_below_the_lowest_blocks_without_a_test(held, lowest, decision):
    found = held(WORSE, f'measures = "RR"\nmin = {lowest}', before=WORSE)
    assert found.decision == decision
    assert found.checks[0].reasons == (() if decision == PASSED else ("floor",))
    assert found.checks[0].change == 0.0


@pytest.mark.parametrize(
    ("guard", "decision", "named"), [("off", PASSED, 0), ("name", PASSED, 1), ("block", BLOCKED, 1)]
)
def test_a_query_that_fell_to_0_is_named_or_blocks(held, guard, decision, named):
    found = held(CHANCE, f'measures = "RR"\nmax_drop = 1\nper_query_guard = "{guard}"')
    assert (found.decision, len(found.fallen)) == (decision, named)


def test_the_guard_of_a_slice_is_for_its_queries(held):
    more = "[gate.slices.must]", 'per_query_guard = "block"', "max_drop = 1", "min_queries = 2"
    text = 'measures = "RR P@1"\nmax_drop = 1'
    assert held(CHANCE, text, *more, f"queries = {list(GOLD)[:10]}").decision == PASSED
    found = held(CHANCE, text, *more, f"queries = {list(GOLD)[30:]}")
    assert found.decision == BLOCKED
    assert [(one.slice, one.measure, one.query, one.blocks) for one in found.fallen] == [
        ("must", "P@1", "q38", True),
        ("must", "P@1", "q39", True),
        ("must", "RR", "q39", True),
    ]


def test_where_lower_is_better_a_rise_is_the_drop(held):
    found = held(WORSE, 'measures = "MR"\nmax_drop = 0.1\nmax = 1.4')
    (check,) = found.checks
    assert (check.drop, check.change, check.reasons) == (0.5, 0.5, ("drop", "floor"))
    assert check.lost == 20
    assert held(GOOD, 'measures = "MR"\nmax_drop = 0.1\nmax = 1.6', before=WORSE).decision == PASSED


def test_all_measures_and_slices_are_one_family(held):
    more = "[gate.slices.second]", f"queries = {list(GOLD)[20:]}"
    found = held(WORSE, 'measures = "RR P@1"', *more)
    alone = [one.significance.p for one in found.checks]
    assert found.family == 4
    assert [(one.slice, one.measure) for one in found.checks] == [
        ("", "RR"), ("", "P@1"), ("second", "RR"), ("second", "P@1"),
    ]  # fmt: skip
    assert [one.significance.adjusted for one in found.checks] == assay.statistics.many.adjust(alone)


def test_a_slice_may_be_a_column_or_a_file(held, tmp_path):
    rows = [f"{query},{'de' if i % 2 else 'en'},{i % 2}.0" for i, query in enumerate(GOLD)]
    (tmp_path / "queries.csv").write_text("query,language,number\n" + "\n".join(rows))
    (tmp_path / "ids.txt").write_text("q00\n\nq02\nelsewhere\n")
    found = held(
        GOOD, 'measures = "RR"\nmin_queries = 2\nby = "queries.csv"', "[gate.slices.german]", 'column = "language"',
        'value = "de"', "[gate.slices.one]", 'column = "number"', "value = 1", "[gate.slices.file]", 'file = "ids.txt"',
    )  # fmt: skip
    assert {one.slice: one.queries for one in found.checks} == {"": 40, "german": 20, "one": 20, "file": 2}
    assert next(one for one in found.checks if one.slice == "file").decision == UNDECIDED  # too few to block at all


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (('queries = ["x"]',), "line 4: expected queries of the gold in slice 's', found 1 of others, such as 'x'"),
        (('file = "none.txt"',), "none.txt: expected a file with a query a line, found none"),
        (('column = "c"', "value = 1", 'by = "q.csv"'), "line 4: expected a column of"),
        (('column = "kind"', "value = 1", 'by = "q.csv"'), "line 4: expected queries of the gold in slice 's', found"),
    ],
)
def test_a_slice_without_queries_is_refused(held, tmp_path, more, said):
    (tmp_path / "q.csv").write_text("query,kind\nq01,2\n")
    with pytest.raises(AssayError, match=said):
        held(GOOD, 'measures = "RR"', "", "[gate.slices.s]", *more)


def test_too_few_queries_decide_nothing(held):
    found = held(WORSE, 'measures = "RR"\nmin_queries = 41')
    assert (found.decision, found.exit_code, found.checks[0].reasons) == (UNDECIDED, 3, ("few",))
    assert (found.checks[0].queries, found.checks[0].min_queries) == (40, 41)


def test_a_slice_that_could_never_block_decides_nothing(held):
    more = "[gate.slices.few]", f"queries = {list(GOLD)[35:]}", "min_queries = 2"
    found = held(WORSE, 'measures = "RR"\nmax_drop = 1', *more)
    assert [(one.decision, one.reasons, one.min_queries) for one in found.checks] == [
        (PASSED, (), 10),
        (UNDECIDED, ("few",), 6),
    ]


def test_too_few_judged_items_decide_nothing(held):
    found = held(WORSE, 'measures = "RR P@2"\nmin_judged = 0.3')
    assert [(one.measure, one.reasons) for one in found.checks] == [("RR", ("judged",)), ("P@2", ())]
    assert [one.judged for one in found.checks] == pytest.approx([0.1, 0.5])
    assert [one.decision for one in found.checks] == [UNDECIDED, PASSED]
    assert held(WORSE, 'measures = "RR"\nmin_judged = 0.1').decision == BLOCKED


def test_blocked_goes_before_undecided(held):
    more = "[gate.slices.few]", f"queries = {list(GOLD)[37:]}", "min_queries = 2"
    assert held(WORSE, 'measures = "RR"', *more).decision == BLOCKED


@pytest.mark.parametrize("what", ["gold", "queries", "corpus", "policy"])
def test_other_inputs_are_refused_unless_told(tmp_path, what):
    path = settings(tmp_path / "assay.toml")
    (tmp_path / "one").write_text("1")
    (tmp_path / "two").write_text("2")
    update_baseline(GOLD, GOOD, path, corpus=str(tmp_path / "one"))
    gold = GOLD | {"q39": {"a": 1, "b": 1}} if what == "gold" else GOLD
    gold = {q: items for q, items in GOLD.items() if q != "q00"} if what == "queries" else gold
    options = {"policy": Policy(ties="expected")} if what == "policy" else {}
    corpus = str(tmp_path / ("two" if what == "corpus" else "one"))
    accepted = ("gold",) if what == "queries" else ()
    found = gate(gold, WORSE, path, corpus=corpus, accept=accepted, **options)
    assert (found.decision, found.exit_code, found.checks) == (UNDECIDED, 3, ())
    assert [one.what for one in found.unlike if one.refused] == [what]
    told = gate(gold, WORSE, path, corpus=corpus, accept=(*accepted, what), **options)
    assert told.decision == BLOCKED
    assert what in [one.what for one in told.unlike]
    assert told.checks[0].queries == (39 if what == "queries" else 40)


def test_what_is_unknown_on_one_side_is_said_and_refuses_nothing(tmp_path):
    path = settings(tmp_path / "assay.toml")
    (tmp_path / "one").write_text("1")
    update_baseline(GOLD, GOOD, path, corpus=str(tmp_path / "one"))
    found = gate(GOLD, GOOD, path)
    assert found.decision == PASSED
    assert [(one.what, one.now, one.refused) for one in found.unlike] == [("corpus", None, False)]


def test_code_and_platform_are_said_and_refused_where_the_settings_want_them_the_same(tmp_path):
    path = settings(tmp_path / "assay.toml")
    update_baseline(GOLD, GOOD, path, code="abc")
    found = gate(GOLD, GOOD, path, code="def")
    assert (found.decision, [(one.what, one.refused) for one in found.unlike]) == (PASSED, [("code", False)])
    settings(tmp_path / "assay.toml", 'measures = "RR"\nsame = ["code"]')
    assert gate(GOLD, GOOD, path, code="def").decision == UNDECIDED
    assert gate(GOLD, GOOD, path, code="def", accept=["code"]).decision == PASSED
    with pytest.raises(UnknownNameError, match="Did you mean 'platform'"):
        gate(GOLD, GOOD, path, accept=["platfrom"])


def test_without_a_baseline_nothing_is_decided_and_nothing_written(tmp_path):
    path = settings(tmp_path / "assay.toml")
    found = gate(GOLD, GOOD, path)
    assert (found.decision, found.before, [one.what for one in found.unlike]) == (UNDECIDED, None, ["baseline"])
    assert [one.name for one in tmp_path.iterdir()] == ["assay.toml"]


def test_a_measure_that_the_baseline_has_not(held, tmp_path):
    held(GOOD)
    path = settings(tmp_path / "assay.toml", 'measures = "RR P@1"')
    found = gate(GOLD, GOOD, path)
    assert (found.decision, [(one.what, one.now) for one in found.unlike]) == (UNDECIDED, [("measure", "P@1")])


def test_a_figure_that_is_no_mean_is_refused(held):
    with pytest.raises(ParameterError, match="expected measures that are means over queries, found GMAP"):
        held(GOOD, 'measures = "RR GMAP"')


def test_queries_that_belong_together_count_as_one(held):
    together = {"query": list(GOLD), "cluster": [str(i // 5) for i in range(40)]}
    weights = {"weights": pl.DataFrame(together)}
    found = held(WORSE, 'measures = "RR"\nmin_queries = 5', **weights)
    assert [(one.what, one.before) for one in found.unlike if one.refused] == [("weights", None)]
    found = held(WORSE, 'measures = "RR"\nmin_queries = 5', **weights, accept="weights")
    assert found.checks[0].clusters
    assert (found.checks[0].queries, found.checks[0].significance.units) == (8, 8)
    assert found.checks[0].significance.p == 0.0625


def test_an_evaluation_of_any_task_may_stand_for_gold_and_run(tmp_path):
    path = settings(tmp_path / "assay.toml")
    update_baseline(assay.evaluate(GOLD, GOOD, "RR P@1"), config=path)
    assert gate(assay.evaluate(GOLD, WORSE, "RR P@1"), config=path).decision == BLOCKED
    with pytest.raises(ParameterError, match=r"expected measures of the evaluation \(P@1\), found RR"):
        gate(assay.evaluate(GOLD, WORSE, "P@1"), config=path)


def test_the_order_of_rows_and_queries_changes_nothing(tmp_path):
    files = [(qrels(tmp_path / f"{i}.qrels", order=i), trec(tmp_path / f"{i}.run", CHANCE, order=i)) for i in (1, 2)]
    texts, found = [], []
    for gold, run in files:
        path = settings(tmp_path / "assay.toml", 'measures = "RR nDCG@10"')
        update_baseline(gold, run, path)
        text = (tmp_path / "assay.baseline.json").read_text().splitlines()
        texts.append([line for line in text if '"gold"' not in line and '"name"' not in line and '"suite"' not in line])
        update_baseline(gold, trec(tmp_path / "good.run", GOOD), path)
        found.append(gate(gold, run, path, suite="s").checks)
    assert texts[0] == texts[1]
    assert found[0] == found[1]


def test_a_run_without_some_queries_counts_them_as_the_conventions_say(held):
    part = {query: items for query, items in GOOD.items() if query not in {"q00", "q01"}}
    found = held(part, 'measures = "RR"\nmax_drop = 1')
    assert [one.query for one in found.fallen] == ["q00", "q01"]
    skipped = {"policy": Policy(missing="skip"), "accept": ["policy", "queries"]}
    assert held(part, **skipped).checks[0].queries == 38


def test_equal_seeds_give_equal_gates(held):
    one, other = (held(WORSE, 'measures = "RR nDCG@10"', seed=3) for _ in range(2))
    assert one.checks == other.checks
    assert replace(one.checks[0], worst=()) != one.checks[0]


def test_a_gate_that_watches_only_what_rose(held):
    assert held(run_of([1] * 40), before=WORSE).checks[0].gained == 20


def test_85_of_400_answers_lost_are_no_chance_in_either_order(held):
    """McNemar's exact p of 85 lost and none gained is 5.2e-26; sign flips of 0 and 1 ask the same question."""
    gold = {f"q{i:03}": {"a": 1} for i in range(400)}
    all_right = {query: ["a"] for query in gold}
    some_lost = {query: ["x"] if i % 400 < 85 else ["a"] for i, query in enumerate(gold)}
    path = held.settings('measures = "P@1"\nmax_drop = 0.1')
    update_baseline(gold, all_right, path)
    found = gate(gold, some_lost, path)
    assert (found.decision, found.checks[0].lost, len(found.fallen)) == (BLOCKED, 85, 85)
    update_baseline(gold, some_lost, path)
    found = gate(gold, all_right, path)
    assert (found.decision, found.checks[0].gained) == (PASSED, 85)


def test_a_slice_of_queries_that_the_baseline_has_not_decides_nothing(held):
    gold = GOLD | {f"new{i}": {"a": 1} for i in range(12)}
    more = "[gate.slices.new]", f"queries = {list(gold)[40:]}", "min = 0.5"
    update_baseline(GOLD, GOOD, held.settings('measures = "RR"'))
    path = held.settings("\n".join(['measures = "RR"', *more]))
    found = gate(gold, {query: ["a"] for query in gold}, path, accept=["gold", "queries"])
    whole, new = found.checks
    assert (whole.decision, whole.queries, whole.figure, found.family) == (PASSED, 40, 1.0, 1)
    assert (new.decision, new.reasons, new.queries, new.now, new.figure) == (UNDECIDED, ("few",), 0, None, 1.0)
    assert (new.interval.low, new.significance.p, new.change) == (None, None, None)
