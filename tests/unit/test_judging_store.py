"""`JudgingStore` on SQLite and on a real PostgreSQL: what it records, in which order, and what it refuses."""

from itertools import count

import pytest
from tests.unit.judging_stores import begun, grade, pairs, say

from assay.core.judging import CORRECT, Project, Verdict
from assay.errors import InputError, ParameterError
from assay.store import queue
from assay.store.judging import JudgingStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")
PATIENCE = 120


def test_a_project_is_kept_and_goes_on(store, url):
    assert store.project is None
    project = Project("first", "triple", CORRECT, judgments=2, overlap=0.5, seed=7)
    assert store.create(project, iter(pairs(5))) == 5
    assert store.create(project, pairs(7)) == 2
    assert store.add([*pairs(8), *pairs(8)]) == 1
    again = JudgingStore.open(url)
    assert again.project == project
    with pytest.raises(InputError, match="expected the terms with which it began"):
        again.create(Project("first", "triple", CORRECT, judgments=3))
    again.close()


@pytest.mark.parametrize("terms", [{"judgments": 0}, {"judgments": 65}, {"overlap": 1.5}, {"overlap": float("nan")}])
def test_terms_that_no_project_has_are_refused(store, terms):
    with pytest.raises(ParameterError):
        store.create(Project("x", **terms))
    assert store.project is None


def test_a_judge_sees_each_pair_once_and_shuffled(store):
    begun(store, 40)
    seen = say(store, "ann")
    assert sorted(seen) == sorted((pair.query, pair.item) for pair in pairs(40))
    assert seen != [(pair.query, pair.item) for pair in pairs(40)]
    assert store.next("ann") is None
    assert store.next("bob") is None
    assert store.counts() == {"pairs": 40, "judged": 40, "settled": 0, "wanted": 40, "left": 0}


def test_the_order_comes_from_the_seed_not_from_the_rows(tmp_path):
    orders = []
    for number, (rows, seed) in enumerate([(pairs(30), 1), (pairs(30)[::-1], 1), (pairs(30), 2)]):
        store = JudgingStore.open(str(tmp_path / f"{number}.db"))
        store.create(Project("x", overlap=0.3, seed=seed), rows)
        store.invite("ann")
        orders.append(say(store, "ann"))
        store.close()
    assert orders[0] == orders[1]
    assert sorted(orders[0]) == sorted(orders[2])
    assert orders[0] != orders[2]


def test_pairs_are_judged_once_by_all_before_any_is_judged_twice(store):
    begun(store, 20, judges=("ann", "bob", "eve"), judgments=2)
    first = say(store, "ann", most=10) + say(store, "bob", most=10)
    assert len(set(first)) == 20
    say(store, "eve")
    say(store, "ann")
    say(store, "bob")
    table = store.labels().table
    assert table.group_by("query", "item").len()["len"].unique().to_list() == [2]
    assert table.select("query", "item", "judge").is_duplicated().sum() == 0


def test_one_judge_alone_does_not_judge_twice_what_two_should(store):
    begun(store, 10, judgments=2)
    assert len(say(store, "ann")) == 10
    assert store.standing("ann").left == 0
    assert store.counts()["left"] == 10
    assert store.standing("bob").left == 10


def test_an_overlap_is_judged_once_more_and_measures_agreement(store):
    begun(store, 160, overlap=0.25)
    task = store.next("ann")
    store.record("ann", task.number, grade("first", 0.0))
    say(store, "ann", 0.0, most=79)
    say(store, "bob", 0.0)
    say(store, "ann", 1.0)
    often = store.labels().table.group_by("query", "item").len()["len"].value_counts().sort("len")
    twice = dict(often.iter_rows())[2]
    assert dict(often.iter_rows())[1] == 160 - twice
    assert 20 <= twice <= 60
    standing = store.standing("ann")
    assert standing.shared == twice
    assert 0 < standing.agreed <= twice
    assert store.standing("bob").agreed == standing.agreed


def test_two_judges_never_have_the_same_pair_in_front(store):
    begun(store, 8, judges=tuple("abcdefgh"))
    tasks = {judge: store.next(judge).number for judge in "abcdefgh"}
    assert len(set(tasks.values())) == 8
    assert {judge: store.next(judge).number for judge in "abcdefgh"} == tasks
    store.invite("late")
    assert store.next("late") is None


def test_what_a_judge_leaves_lying_comes_to_another(store, monkeypatch):
    begun(store, 1)
    number = store.next("ann").number
    assert store.next("bob") is None
    monkeypatch.setattr(queue, "HOLD_S", -1)
    assert store.next("bob").number == number
    monkeypatch.undo()
    assert store.next("ann") is None
    store.record("ann", number, grade("a", 2.0))
    store.record("bob", number, grade("b", 1.0))
    assert store.labels().table["grade"].to_list() == [2.0, 1.0]
    assert store.counts()["left"] == 0


def test_later_puts_a_pair_behind_all_others(store):
    begun(store, 4)
    first = store.next("ann").number
    store.record("ann", first, Verdict("later", "0"))
    second = store.next("ann").number
    store.record("ann", second, Verdict("later", "1"))
    assert store.standing("ann").later == 2
    rest = [store.next("ann").number]
    store.record("ann", rest[0], grade("2"))
    rest.append(store.next("ann").number)
    store.record("ann", rest[1], grade("3"))
    assert store.next("ann").number == first
    store.record("ann", first, Verdict("later", "4"))
    assert store.next("ann").number == second
    assert store.standing("ann").left == 2
    assert len(say(store, "bob")) == 1  # the other is in front of ann
    assert len(say(store, "ann")) == 1
    assert store.next("ann") is None
    assert store.counts()["left"] == 0


def test_cannot_tell_fills_the_place_and_has_no_grade(store):
    begun(store, 1)
    store.record("ann", store.next("ann").number, Verdict("cannot tell", "1", 2.0, reason="no text", seconds=3.5))
    row = store.labels().table.row(0, named=True)
    assert (row["grade"], row["reason"], row["seconds"], row["guideline"]) == (None, "no text", 3.5, "1")
    assert store.next("bob") is None


def test_the_same_key_is_recorded_once(store):
    begun(store, 2)
    number = store.next("ann").number
    for value in (1.0, 2.0):
        store.record("ann", number, grade("same", value))
    assert store.labels().table["grade"].to_list() == [1.0]
    store.record("ann", number, grade("another", 2.0))
    assert store.labels().table["grade"].to_list() == [2.0]
    assert store.snapshot().decisions == 2
    first, again = store.undo("ann", "u"), store.undo("ann", "u")
    assert first.number == again.number == number
    assert store.labels().table["grade"].to_list() == [1.0]


def test_undo_goes_back_one_decision_after_another(store):
    begun(store, 3)
    keys = count()
    done = []
    for verdict in (grade("a", 0.0), Verdict("later", "b"), grade("c", 2.0)):
        done.append(store.next("ann").number)
        store.record("ann", done[-1], verdict)
    store.record("ann", done[0], grade("d", 3.0))
    assert store.undo("ann", f"u{next(keys)}").said == 0.0
    for number in reversed(done):
        task = store.undo("ann", f"u{next(keys)}")
        assert (task.number, task.said) == (number, None)
        assert store.next("ann").number == number
    assert store.undo("ann") is None
    standing = store.standing("ann")
    assert (standing.judged, standing.later, standing.left) == (0, 0, 3)
    assert store.labels().table.height == 0
    assert store.snapshot().decisions == 8
    assert len(say(store, "ann")) == 3


def test_what_was_in_front_at_an_undo_comes_next(store):
    begun(store, 10)
    first = store.next("ann").number
    store.record("ann", first, grade("1"))
    front = store.next("ann").number
    assert store.undo("ann").number == first
    store.record("ann", first, grade("2"))
    assert store.next("ann").number == front


def test_undo_after_another_filled_the_place_gives_the_pair_back(store):
    begun(store, 1)
    number = store.next("ann").number
    store.record("bob", number, grade("b"))  # in bulk, say
    store.record("ann", number, grade("a"))
    assert store.undo("ann").number == number
    assert store.counts()["left"] == 0
    assert store.undo("bob").number == number
    assert store.counts()["left"] == 1
    assert store.standing("ann").left == store.standing("bob").left == 1


def test_bulk_gives_each_judge_other_pairs_of_one_query(store):
    begun(store, 30)
    mine = store.bulk("ann", "q1", 6)
    other = store.bulk("bob", "q1", 6)
    assert {task.pair.query for task in (*mine, *other)} == {"q1"}
    assert len(mine) == 6
    assert len(other) == 4
    assert not {task.number for task in mine} & {task.number for task in other}
    assert [task.number for task in store.bulk("ann", "q1", 6)] == [task.number for task in mine]
    for number, task in enumerate(mine):
        store.record("ann", task.number, grade(f"{number}"))
    assert store.bulk("ann", "q1") == []
    assert len({task.pair.query for task in store.bulk("ann")}) == 1
