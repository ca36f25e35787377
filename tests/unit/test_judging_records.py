"""What a store of judgments keeps, refuses and hides; on SQLite and on PostgreSQL."""

import polars as pl
import pytest
from tests.unit.judging_stores import begun, grade, say

from assay.core.judging import Pair, Project, Verdict
from assay.core.labels import Labels
from assay.errors import InputError, ParameterError
from assay.store.judging import JudgingStore

pytest.importorskip("sqlalchemy", reason="needs the extra store")
PATIENCE = 120


def test_disputes_are_found_and_settled(store):
    begun(store, 6, judgments=2)
    say(store, "ann", 2.0)
    say(store, "bob", 2.0, most=4)
    say(store, "bob", 0.0)
    wide = store.disputed()
    assert [one.said for one in wide] == [{"ann": 2.0, "bob": 0.0}] * 2
    store.invite("eve", "admin")
    store.settle("eve", wide[0].number, 3.0, "read it again")
    store.settle("eve", wide[0].number, 1.0, "and again")
    assert [one.number for one in store.disputed()] == [wide[1].number]
    assert store.settled() == {(wide[0].query, wide[0].item): 1.0}
    assert store.counts()["settled"] == 1
    assert store.labels().judges == ("ann", "bob")


def test_each_judgment_names_the_guideline_it_followed(store):
    begun(store, 2)
    store.record("ann", store.next("ann").number, grade("1"))
    assert store.revise("new rules").version == 2
    assert store.revise("new rules").version == 2
    store.record("ann", store.next("ann").number, grade("2"))
    assert sorted(store.labels().table["guideline"]) == ["1", "2"]
    assert store.project.guideline.text == "new rules"


def test_an_invitation_is_kept_as_a_hash_and_ends_with_the_next(store, tmp_path):
    token = store.invite("ann", "admin")
    assert store.judge(token).name == "ann"
    assert store.judge(token).role == "admin"
    assert store.judge("'; drop table judging_judge; --\ud800") is None
    other = store.invite("ann")
    assert store.judge(token) is None
    assert store.judge(other).role == "judge"
    store.invite("Zoe")
    store.invite("bob")
    assert [one.name for one in store.judges()] == ["Zoe", "ann", "bob"]
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token.encode() not in kept
    assert other.encode() not in kept


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\0b", "\ud800"])
def test_a_judge_without_a_name_is_refused(store, name):
    with pytest.raises(ParameterError, match="expected a name"):
        store.invite(name)


@pytest.mark.parametrize(
    ("number", "verdict", "said"),
    [
        (1, grade("k", 7.0), "expected one of 0, 1, 2, 3, found 7"),
        (1, grade("k", float("nan")), "found nan"),
        (1, grade("k", None), "found None"),
        (1, Verdict("undo", "k"), "expected a grade, cannot tell or later"),
        (99, grade("k"), "pair 99: expected a pair of this project"),
        (-1, grade("k"), "pair -1"),
        (1 << 80, grade("k"), "expected a pair of this project"),
        (1, grade(""), "expected 1 to 100 characters"),
        (1, grade("x" * 101), "expected 1 to 100 characters"),
        (1, grade("a\0"), "expected 1 to 100 characters"),
    ],
    ids=["grade", "nan", "none", "kind", "pair", "negative", "huge", "no key", "long key", "odd key"],
)
def test_what_cannot_be_recorded_is_refused(store, number, verdict, said):
    begun(store, 1)
    with pytest.raises(ParameterError, match=said):
        store.record("ann", number, verdict)
    assert store.snapshot().decisions == 0


@pytest.mark.parametrize("judge", ["nobody", "x'; drop table judging_pair; --", "\ud800", ""])
def test_only_who_was_invited_judges(store, judge):
    begun(store, 1)
    for act in (store.next, store.bulk, store.undo, lambda who: store.record(who, 1, grade("k"))):
        with pytest.raises(ParameterError, match="expected one who was invited"):
            act(judge)
    with pytest.raises(ParameterError):
        store.task("ann", 1 << 80)
    assert store.counts()["pairs"] == 1


def test_hostile_text_is_kept_as_text(store):
    odd = 'it\'s "<b>" \\ ; drop table judging_pair; -- % %s :x \N{PILE OF POO}'
    begun(store, 0)
    store.add([Pair(odd, odd, odd, odd, {odd: odd, "broken": "a\0b\ud800"}, 0.25, odd), Pair("q", "x" * 9_000)])
    while (task := store.next("ann")) is not None:
        store.record("ann", task.number, grade(str(task.number), note=f"{odd}\0\ud800", seconds=float("inf")))
    rows = {row["item"]: row for row in store.labels().table.to_dicts()}
    assert rows.keys() == {odd, "x" * 9_000}
    assert rows[odd]["note"] == f"{odd}\N{REPLACEMENT CHARACTER}?"
    assert rows[odd]["seconds"] is None
    number = next(one for one in (1, 2) if store.task("ann", one).pair.query == odd)
    pair = store.task("ann", number).pair
    assert (pair.question, pair.fields[odd], pair.probability) == (odd, odd, 0.25)
    assert store.snapshot().drawn.rows() == [(odd, odd, odd, 0.25)]


@pytest.mark.parametrize("pair", [("", "d"), ("q", ""), ("q\0", "d"), ("q", "\ud800"), ("q" * 501, "d")])
def test_ids_that_no_database_holds_are_refused_and_nothing_is_kept(store, pair):
    with pytest.raises(InputError, match="expected an id"):
        store.create(Project("x"), [Pair("q", "d"), Pair(*pair)])
    assert store.project is None


def test_decisions_are_only_added(store):
    from sqlalchemy import text
    from sqlalchemy.exc import DBAPIError

    begun(store, 1)
    say(store, "ann")
    for change in ("update judging_decision set grade = 0", "delete from judging_decision"):
        with pytest.raises(DBAPIError, match="only added"), store._engine.begin() as connection:
            connection.execute(text(change))
    assert store.labels().table["grade"].to_list() == [1.0]


def test_tables_of_another_release_are_refused(store, url):
    from sqlalchemy import text

    with store._engine.begin() as connection:
        connection.execute(text("update judging_version set version = 99"))
    with pytest.raises(InputError, match="expected tables of version 1, found version 99"):
        JudgingStore.open(url)


def test_judgments_made_elsewhere_are_recorded_once(store):
    begun(store, 4)
    store.record("ann", 1, grade("1", 2.0))
    store.record("ann", 2, grade("2", 2.0))
    known = {(row["query"], row["item"]): row for row in store.labels().table.to_dicts()}
    first, second = (store.task("ann", number).pair for number in (1, 2))
    rows = [
        (first.query, first.item, "ann", 2.0, "", "", "", known[first.query, first.item]["time"], None),
        (second.query, second.item, "ann", 0.0, "", "", "1", "2001-01-01T00:00:00+00:00", None),
        (second.query, second.item, "model", 3.0, "", "why", "1", "2001-01-01T00:00:00+00:00", 1.5),
        ("q2", "d2", "model", None, "no idea", "", "9", "yesterday", None),
        ("q9", "d9", "model", 1.0, "", "", "", "", None),
    ]
    columns = ["query", "item", "judge", "grade", "reason", "note", "guideline", "time", "seconds"]
    labels = Labels(pl.DataFrame(rows, schema=columns, orient="row"))
    done = store.take(labels)
    assert (done.recorded, done.known, done.elsewhere) == (2, 2, 1)
    assert store.take(labels).recorded == 0
    found = {(row["item"], row["judge"]): row for row in store.labels().table.to_dicts()}
    assert found["d1", "model"]["time"].startswith("2001")
    assert found["d1", "ann"]["grade"] == 2.0
    assert (found["d2", "model"]["grade"], found["d2", "model"]["reason"]) == (None, "no idea")
    assert store.take(store.labels()).recorded == 0
    assert store.counts()["left"] == 1
    wrong = labels.table.with_columns(grade=pl.lit(9.0), judge=pl.lit("new"))
    with pytest.raises(InputError, match="expected a grade of 0, 1, 2, 3, found 9"):
        store.take(Labels(wrong))
    assert "new" not in [one.name for one in store.judges()]


def test_later_takes_no_judgment_back(store):
    begun(store, 2)
    task = store.next("ann")
    store.record("ann", task.number, grade("a", 2.0))
    store.record("ann", task.number, Verdict("later", "b"))
    assert store.labels().table["grade"].to_list() == [2.0]


def test_an_older_export_does_not_bring_back_what_was_undone(store):
    begun(store, 2)
    task = store.next("ann")
    store.record("ann", task.number, grade("a", 2.0))
    exported = store.labels()
    store.undo("ann")
    assert store.take(exported).recorded == 0
    assert store.labels().table.height == 0
