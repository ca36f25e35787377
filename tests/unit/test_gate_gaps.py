"""What a gate must not overlook: values that went, tests that cannot see, limits without a baseline, other inputs."""

import json
import re
from dataclasses import replace

import polars as pl
import pytest
from tests.unit.gates import GOLD, GOOD, WORSE, qrels, run_of, settings, trec

import assay
from assay.core.gate import BLOCKED, PASSED, UNDECIDED
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.history.gate import gate, read_settings, update_baseline
from assay.history.record import record
from assay.report import gate_junit, gate_terminal
from assay.report.gate import sentence
from assay.statistics.confidence_sequence import confidence_sequence, fall_evidence

LOST = run_of([1] * 25 + [0] * 15)
"""15 answers are found no more: RR falls, and MR has no value for them."""
NIGHTLY = 'measures = "RR"\nnightly = true\nstore = "h.db"\nsuite = "web"\nbaseline = "b.json"\n'


@pytest.fixture
def held(tmp_path):
    """Hold a run against the baseline of another one, by settings given as text."""

    def call(now, text, *more, before=GOOD, gold=GOLD, then=None, **options):
        path = settings(tmp_path / "assay.toml", text, *more)
        update_baseline(gold, before, path, **(then or {}))
        return gate(gold, now, path, **options)

    return call


@pytest.mark.parametrize(("guard", "decision"), [("off", UNDECIDED), ("name", UNDECIDED), ("block", BLOCKED)])
def test_queries_that_lose_their_value_are_never_passed_over(held, guard, decision):
    found = held(LOST, f'measures = "MR"\nper_query_guard = "{guard}"')
    (check,) = found.checks
    assert (found.decision, check.vanished, check.queries, check.reasons) == (decision, 15, 25, ("undefined",))
    assert "15 of 40 queries that had a value have none now" in sentence(check)
    assert [(one.query, one.now) for one in found.fallen] == (
        [] if guard == "off" else [(f"q{i}", None) for i in range(25, 40)]
    )
    if guard == "block":
        assert "15 queries lost their value by MR, which blocks: q25" in " ".join(gate_terminal.render(found).split())
        assert 'message="15 queries lost their value by MR"' in gate_junit.render(found)


def test_a_query_that_reaches_the_worst_value_of_a_measure_of_which_lower_is_better_is_guarded(held):
    found = held(run_of([1] * 38 + [0, 0]), 'measures = "Unj@1"\nmax_drop = 1\nper_query_guard = "block"')
    assert [(one.query, one.before, one.now) for one in found.fallen] == [("q38", 0.0, 1.0), ("q39", 0.0, 1.0)]
    assert "2 queries rose to 1 by Unj@1, which blocks: q38, q39." in gate_terminal.render(found)


def test_a_night_that_cannot_see_a_drop_does_not_pass_it(tmp_path):
    gold = {f"q{i}": {"a": 1} for i in range(10)}
    path = settings(tmp_path / "assay.toml", NIGHTLY.replace('"RR"', '"RR AP nDCG@10"'))
    update_baseline(gold, {query: ["a"] for query in gold}, path)
    first, second = (gate(gold, {query: ["x"] for query in gold}, path) for _ in range(2))
    assert (first.decision, first.checks[0].reasons) == (UNDECIDED, ("few",))
    assert "of 10 queries no p below 0.088 can come out at look 1 of 30, over 3 tests" in sentence(first.checks[0])
    assert second.decision == BLOCKED  # half of that at the second look


def test_a_night_with_many_tests_draws_enough_signs(tmp_path):
    more = [f"[gate.slices.s{i}]\nqueries = {list(GOLD)}" for i in range(39)]
    path = settings(tmp_path / "assay.toml", NIGHTLY, *more)
    update_baseline(GOLD, GOOD, path)
    found = gate(GOLD, run_of([0] * 40), path)
    assert (found.family, found.decision, found.checks[0].least_p <= 0.05) == (40, BLOCKED, True)


def test_a_limit_needs_no_baseline_and_makes_none(held, tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR P@1"\nmin = {RR = 0.9}')
    found = gate(GOLD, WORSE, path)
    assert (found.decision, [(one.measure, one.reasons) for one in found.checks]) == (BLOCKED, [("RR", ("floor",))])
    text = gate_terminal.render(found)
    assert "RR is 0.7500, below 0.9000, the lowest allowed (no test is made)." in " ".join(text.split())
    assert re.search(r"ALL QUERIES\n.*\n.*\nRR +- +0\.7500 .* blocked", text)
    assert 'type="floor"' in gate_junit.render(found)
    assert gate(GOLD, GOOD, path).decision == UNDECIDED
    other = held(WORSE, 'measures = "RR"\nmin = 0.9', gold=GOLD, weights=dict.fromkeys(GOLD, 2.0))
    assert (other.decision, [one.what for one in other.unlike if one.refused]) == (BLOCKED, ["weights"])


def test_a_limit_holds_for_few_queries_and_not_for_what_nobody_judged(held):
    found = held(WORSE, 'measures = "RR"\nmin = 0.9\nmin_queries = 99')
    assert (found.decision, found.checks[0].reasons) == (BLOCKED, ("floor",))
    found = held(LOST, 'measures = "RR"\nmin = 0.9\nmin_judged = 0.9\nper_query_guard = "block"')
    assert (found.decision, found.checks[0].reasons, found.fallen) == (UNDECIDED, ("judged",), ())


@pytest.mark.parametrize("what", ["exclude", "weights"])
def test_other_excluded_pairs_and_weights_are_refused_in_whatever_order_they_are_told(held, what):
    rows = {"exclude": [(query, "x0") for query in GOLD], "weights": {query: 1.0 + (query > "q2") for query in GOLD}}
    turned = {"exclude": rows["exclude"][::-1], "weights": dict(reversed(rows["weights"].items()))}
    now = run_of([1] * 39 + [2])
    for then, told, refused in [({}, rows, [what]), (rows, turned, []), (rows, {}, [what])]:
        found = held(
            now, 'measures = "RR"\nmax_drop = 1', then={what: then[what]} if then else {},
            **({what: told[what]} if told else {}),
        )  # fmt: skip
        assert [one.what for one in found.unlike if one.refused] == refused
    assert held(now, 'measures = "RR"\nmax_drop = 1', then={what: rows[what]}, accept=what).decision == PASSED


def test_clusters_are_known_by_what_they_hold_and_counted_as_groups(held):
    frames = [
        pl.DataFrame({"query": list(GOLD), "cluster": [f"{name}{place}" for i in range(40) for place in [i // 5]]})
        for name in ("a", "z")
    ]
    found = held(WORSE, 'measures = "RR"\nmin_queries = 9', then={"weights": frames[0]}, weights=frames[1].reverse())
    assert [one.what for one in found.unlike if one.refused] == []
    assert "8 groups of queries can be paired, at least 9 are needed" in sentence(found.checks[0])
    assert "ALL QUERIES (8 groups)" in gate_terminal.render(found)


def test_another_release_is_said(held, tmp_path):
    held(GOOD, 'measures = "RR"')
    file = tmp_path / "assay.baseline.json"
    file.write_text(file.read_text().replace(f'"assay": "{assay.__version__}"', '"assay": "0.0.1"'))
    found = gate(GOLD, GOOD, str(tmp_path / "assay.toml"))
    assert found.decision == PASSED
    assert "Assay is of another release than when the baseline was made (0.0.1 → " in gate_terminal.render(found)


def test_fresh_nights_gather_evidence(tmp_path):
    path = settings(tmp_path / "assay.toml", NIGHTLY.replace("true", '"fresh"'))
    update_baseline(GOLD, GOOD, path)
    nights, found = [], []
    for _ in range(6):
        found.append(gate(GOLD, WORSE, path))
        nights.append([0.0] * 20 + [-0.5] * 20)
        (check,) = found[-1].checks
        assert check.significance.p == fall_evidence(nights).p
        interval = confidence_sequence(nights, level=0.9)
        assert (check.interval.low, check.interval.high) == (interval.low, interval.high)
    decisions = [one.decision for one in found]
    assert decisions == sorted(decisions, key=[PASSED, BLOCKED].index)
    assert (decisions[-1], found[-1].test, found[-1].nights) == (BLOCKED, "betting", 6)
    assert "bets on a fall" in gate_terminal.render(found[-1])
    with pytest.raises(ParameterError, match="expected queries that count alike"):
        gate(GOLD, WORSE, path, weights=dict.fromkeys(GOLD, 2.0), accept="weights")


def test_fresh_queries_are_those_of_a_part_of_the_baseline(tmp_path):
    path = settings(tmp_path / "assay.toml", NIGHTLY.replace("true", '"fresh"') + 'same = ["policy"]')
    update_baseline(GOLD, GOOD, path)
    for night in range(4):
        part = list(GOLD)[10 * night : 10 * night + 10]
        found = gate({query: GOLD[query] for query in part}, {query: WORSE[query] for query in part}, path)
    assert found.checks[0].significance.p == fall_evidence([[0.0] * 10, [0.0] * 10, [-0.5] * 10, [-0.5] * 10]).p


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('measures = "RR"\nnightly = true\ntest = "t"', "line 4: expected none beside nightly"),
        ('measures = "MR"\nnightly = "fresh"', 'line 3: expected measures with bounds beside nightly = "fresh"'),
        (f'measures = "RR"\nalpha = 1{"0" * 400}', "line 3: expected a number from 1e-06 to 0.5 for alpha"),
        (f'measures = "RR"\nalpha = 1{"0" * 5000}', "expected TOML, found"),
        ('measures = "RR"\n[gate.slices.""]\nqueries = ["q01"]', "line 3: expected a name for a slice, found ''"),
        ('measures = "RR"\nmax_drop = 2', "line 3: expected a number from 0 to 1 for max_drop of RR, found 2"),
        ('measures = "RR"\nmin = 40', "line 3: expected a number from 0 to 1 for min of RR, found 40"),
        ('measures = "MR"\nmax = 0.5', "line 3: expected a number of at least 1 for max of MR, found 0.5"),
    ],
)
def test_settings_that_would_turn_a_gate_off_are_refused(tmp_path, text, said):
    with pytest.raises(InputError) as error:
        read_settings(settings(tmp_path / "assay.toml", text))
    assert said in error.value.message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"RR": 1.0}', '{"RR": 1e999}'),
        ('{"RR": 1.0}', f'{{"RR": 1{"0" * 400}}}'),
        ('{"RR": 1.0}', '{"RR": true}'),
        ('"mean": 1.0', '"mean": "1"'),
        ('"queries": 40', '"queries": 40.5'),
        ('"suite": "gold"', '"suite": 5'),
    ],
)
def test_a_baseline_that_was_changed_by_hand_is_no_surprise(held, tmp_path, old, new):
    held(GOOD, 'measures = "RR"', gold=assay.Gold.from_mapping(GOLD))
    file = tmp_path / "assay.baseline.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(InputError, match="expected a baseline, found other content"):
        gate(GOLD, GOOD, str(tmp_path / "assay.toml"))


def test_digests_of_a_baseline_are_texts(held, tmp_path):
    held(GOOD, 'measures = "RR"')
    file = tmp_path / "assay.baseline.json"
    made = json.loads(file.read_text())
    file.write_text(json.dumps(made | {"made": made["made"] | {"gold": 5}}))
    with pytest.raises(InputError, match="gold is no text"):
        gate(GOLD, GOOD, str(tmp_path / "assay.toml"))


@pytest.mark.parametrize("place", ["assay.toml", "assay.baseline.json", "ids.txt"])
def test_a_folder_in_the_place_of_a_file_is_a_mistake_of_the_input(tmp_path, place):
    if place != "assay.toml":
        settings(tmp_path / "assay.toml", 'measures = "RR"', "[gate.slices.s]", f'file = "{tmp_path / "ids.txt"}"')
        (tmp_path / "ids.txt").write_text("q01\n") if place != "ids.txt" else None
    (tmp_path / place).mkdir()
    with pytest.raises(InputError, match="found an error: Is a directory"):
        gate(GOLD, GOOD, str(tmp_path / "assay.toml"))


def test_what_is_accepted_may_be_one_word(held):
    assert held(GOOD, 'measures = "RR"', accept="gold").decision == PASSED
    with pytest.raises(UnknownNameError, match="'glod'"):
        held(GOOD, 'measures = "RR"', accept="glod")


def test_what_was_recorded_may_be_held_as_it_is(tmp_path):
    path = settings(tmp_path / "assay.toml")
    good, worse = (record(assay.evaluate(GOLD, run, "RR"), suite="") for run in (GOOD, WORSE))
    rag = [replace(one, made=replace(one.made, task="rag")) for one in (good, worse)]
    update_baseline(rag[0], config=path)
    assert gate(rag[1], config=path).decision == BLOCKED
    assert [one.what for one in gate(worse, config=path).unlike if one.refused] == ["task"]
    with pytest.raises(ParameterError, match=r"expected measures of the evaluation \(RR\), found P@1"):
        gate(good, config=settings(tmp_path / "p.toml", 'measures = "P@1"'))


def test_files_are_read_as_before(tmp_path):
    path = settings(tmp_path / "assay.toml")
    gold, run = qrels(tmp_path / "g.qrels"), trec(tmp_path / "r.run", GOOD)
    update_baseline(str(gold), str(run), path)
    assert gate(str(gold), str(run), path).decision == PASSED
