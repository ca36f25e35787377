"""The gate by a store: the pinned baseline, and nightly looks that are kept in it."""

import numpy as np
import pytest
from tests.unit.gates import GOLD, GOOD, WORSE, run_of, settings

import assay
from assay.core.gate import BLOCKED, PASSED, UNDECIDED
from assay.errors import InputError, ParameterError, UnknownNameError
from assay.history.gate import gate, update_baseline
from assay.history.record import record
from assay.statistics.repeated_looks import repeated_test
from assay.store.evaluations import HistoryStore


def test_the_baseline_is_the_one_that_is_pinned(url, tmp_path):
    path = settings(tmp_path / "assay.toml")
    with pytest.raises(InputError, match="found"):
        gate(GOLD, GOOD, path, store=url, suite="web")
    with HistoryStore.open(url) as store:
        store.add(record(assay.evaluate(GOLD, GOOD, "RR"), suite="web"))
    found = gate(GOLD, GOOD, path, store=url, suite="web")
    assert (found.decision, [one.what for one in found.unlike], found.place.stored) == (UNDECIDED, ["baseline"], True)
    made, _ = update_baseline(GOLD, GOOD, path, store=url, suite="web")
    assert gate(GOLD, WORSE, path, store=url, suite="web").decision == BLOCKED
    update_baseline(GOLD, WORSE, path, store=url, suite="web")
    found = gate(GOLD, WORSE, path, store=url, suite="web")
    assert (found.decision, found.before.id) == (PASSED, made.id + 1)
    with pytest.raises(UnknownNameError, match="Did you mean 'web'"):
        gate(GOLD, WORSE, path, store=url, suite="wbe")
    with HistoryStore.open(url) as store:
        assert len(store.list("web")) == 3  # a look that is not nightly is not kept


def test_the_address_in_messages_has_no_password(tmp_path):
    from assay.history.gate.gate import Places

    assert Places(None, "postgresql://ann:secret@db/x").baseline == "postgresql://ann:***@db/x"


def nights_of(ranks):
    random = np.random.default_rng(0)
    return [run_of(random.permutation(ranks).tolist()) for _ in range(4)]


@pytest.mark.parametrize("kind", ["store", "file"])
def test_nightly_looks_are_kept_and_tested_together(tmp_path, kind):
    url = str(tmp_path / "history.db")
    named = "" if kind == "store" else '\nbaseline = "b.json"'
    path = settings(tmp_path / "assay.toml", f'measures = "RR"\nnightly = true\nstore = "history.db"{named}')
    update_baseline(GOLD, GOOD, path, suite="web")
    rows = []
    for night, run in enumerate(nights_of([1] * 36 + [2] * 4), 1):
        found = gate(GOLD, run, path, suite="web")
        rows.append([1 / (run[query].index("a") + 1) - 1 for query in GOLD])
        (check,) = found.checks
        assert (found.nights, found.horizon, found.now.id > 0) == (night, 30, True)
        assert check.significance.p == repeated_test(np.array(rows).T, horizon=30).p
        assert found.decision == PASSED
    with HistoryStore.open(url) as store:
        looks = store.list("web", tag="gate-baseline")
        assert len(looks) == 4
        assert store.get(looks[0].id).head.height == 400  # the first items of each query: to be judged by new gold


def test_a_new_baseline_begins_a_new_row_of_looks(tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR"\nnightly = true\nstore = "history.db"\nhorizon = 3')
    update_baseline(GOLD, GOOD, path, suite="web")
    assert [gate(GOLD, GOOD, path, suite="web").nights for _ in range(4)] == [1, 2, 3, 1]
    update_baseline(GOLD, WORSE, path, suite="web")
    assert gate(GOLD, WORSE, path, suite="web").nights == 1


def test_a_lasting_fall_is_blocked_at_night(tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR"\nnightly = true\nstore = "history.db"')
    update_baseline(GOLD, GOOD, path, suite="web")
    assert [gate(GOLD, WORSE, path, suite="web").decision for _ in range(2)] == [BLOCKED, BLOCKED]


def test_a_refused_look_is_no_look(tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR"\nnightly = true\nstore = "history.db"')
    assert gate(GOLD, GOOD, path, suite="web").decision == UNDECIDED
    with HistoryStore.open(str(tmp_path / "history.db")) as store:
        assert store.suites() == ()


def test_a_nightly_gate_needs_a_store(tmp_path):
    path = settings(tmp_path / "assay.toml", 'measures = "RR"\nnightly = true')
    with pytest.raises(ParameterError, match="expected a store, in which a nightly gate keeps its looks, found none"):
        gate(GOLD, GOOD, path)


def test_a_slice_and_queries_that_came_later_are_looked_at_each_night(tmp_path):
    text = 'measures = "RR MR"\nmin_queries = 2\nnightly = true\nstore = "history.db"'
    more = "[gate.slices.last]", f"queries = {list(GOLD)[20:]}"
    path = settings(tmp_path / "assay.toml", text, *more)
    update_baseline(GOLD, GOOD, path, suite="web")
    part = {query: items for query, items in GOLD.items() if query != "q30"}
    accept = {"suite": "web", "accept": ("gold", "queries")}
    assert gate(part, {query: WORSE[query] for query in part}, path, **accept).checks[2].queries == 19
    found = gate(GOLD, WORSE, path, **accept)
    assert [(one.slice, one.measure, one.queries) for one in found.checks] == [
        ("", "RR", 40), ("", "MR", 40), ("last", "RR", 20), ("last", "MR", 20),
    ]  # fmt: skip
    rows = np.repeat([[-0.5, -0.5]], 20, axis=0)
    rows[10, 0] = np.nan
    assert found.checks[2].significance.p == repeated_test(rows, horizon=30).p
    assert (found.nights, found.decision) == (2, BLOCKED)
