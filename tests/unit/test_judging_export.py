"""Gold files from judgments: one grade of several, versions with their hashes, what changed, and what is refused."""

import csv
import hashlib
import io
import json

import polars as pl
import pytest
from tests.unit.judging_stores import begun

from assay.core.accuracy import Design, Drawn
from assay.core.gold_versions import Change, GoldHistory, changes
from assay.core.judging import CORRECT, Pair, Project, Verdict
from assay.core.labels import Labels
from assay.errors import InputError, UnknownNameError
from assay.formats import read_gold
from assay.formats.labels import read_labels
from assay.graph.accuracy import label_file
from assay.report import gold_export
from assay.store.consensus import agreed
from assay.store.export import export, labels_text, read_history
from assay.store.judging import JudgingStore
from assay.store.sample_labels import filled
from assay.store.snapshot import DRAWN, Snapshot

pytest.importorskip("sqlalchemy", reason="needs the extra store")
COLUMNS = ["query", "item", "judge", "grade"]


@pytest.fixture
def store(tmp_path):
    opened = JudgingStore.open(str(tmp_path / "judging.db"))
    yield opened
    opened.close()


def labels(*rows):
    return Labels(pl.DataFrame(rows, schema=COLUMNS, orient="row", schema_overrides={"grade": pl.Float64}), "test")


def snapshot(*rows, settled=None):
    return Snapshot(labels(*rows), settled or {}, pl.DataFrame(schema=DRAWN), len(rows), "")


def said(store, rows):
    """Let judges say what is in the rows."""
    done = store.take(labels(*rows))
    assert done.elsewhere == 0


ROWS = [
    ("q", "a", "ann", 0.0), ("q", "a", "bob", 2.0), ("q", "a", "eve", 2.0),
    ("q", "b", "ann", 1.0), ("q", "b", "bob", 3.0),
    ("q", "c", "ann", None), ("q", "c", "bob", None),
    ("q", "d", "ann", None), ("q", "d", "bob", 1.0),
    ("q", "e", "ann", 0.0), ("q", "e", "bob", 1.0), ("q", "e", "eve", 3.0),
]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "grades", "tied"),
    [
        ("majority", [2, 1, 1, 0], 2),
        ("median", [2, 1, 1, 1], 1),
        ("lowest", [0, 1, 1, 0], 0),
        ("highest", [2, 3, 1, 3], 0),
    ],
    ids=["majority", "median", "lowest", "highest"],
)
def test_a_rule_makes_one_grade_of_several(rule, grades, tied):
    for rows in (ROWS, ROWS[::-1]):
        made = agreed(snapshot(*rows), rule)
        assert made.table.rows() == [("q", item, float(grade)) for item, grade in zip("abde", grades, strict=True)]
        assert (made.tied, made.untold, made.settled) == (tied, 1, 0)


def test_what_is_settled_counts_before_all():
    made = agreed(snapshot(*ROWS, settled={("q", "b"): 0.0, ("q", "c"): 3.0, ("p", "z"): 1.0}))
    assert made.table.rows()[0] == ("p", "z", 1.0)
    assert dict(made.table.select("item", "grade").iter_rows()) == {"z": 1, "a": 2, "b": 0, "c": 3, "d": 1, "e": 0}
    assert (made.tied, made.untold, made.settled) == (1, 0, 3)


def test_a_rule_that_is_none_is_refused():
    with pytest.raises(UnknownNameError, match="no rule is called 'mean'"):
        agreed(snapshot(*ROWS), "mean")


def test_changes_are_found_whatever_the_order():
    old = pl.DataFrame({"query": ["q", "q", "p"], "item": ["b", "a", "a"], "grade": [0, 1, 1]})
    new = pl.DataFrame({"query": ["q", "p", "r"], "item": ["b", "a", "a"], "grade": [2.0, 1.0, 0.0]})
    found = changes(old, new)
    assert found == changes(old.reverse(), new.reverse())
    assert found == (Change("q", "a", 1.0, None), Change("q", "b", 0.0, 2.0), Change("r", "a", None, 0.0))
    assert [one.kind for one in found] == ["withdrawn", "changed", "added"]
    assert changes(new, new) == ()


@pytest.mark.parametrize("ending", [".qrels", ".csv", ".tsv", ".jsonl"])
def test_a_gold_file_has_versions_with_the_hash_of_the_file(store, tmp_path, ending):
    begun(store, 6)
    out = tmp_path / f"gold{ending}"
    said(store, [("q0", "d0", "ann", 1.0), ("q1", "d1", "ann", 0.0)])
    first = export(store, out)
    assert (first.version.version, first.version.parent, first.new, first.version.changes) == (1, None, True, ())
    assert first.version.sha256 == hashlib.sha256(out.read_bytes()).hexdigest() == read_gold(out).origin.digest()
    assert read_gold(out).table.rows() == [("q0", "d0", 1.0), ("q1", "d1", 0.0)]
    same = export(store, out)
    assert (same.new, same.version) == (False, first.version)
    said(store, [("q0", "d0", "ann", 3.0), ("q2", "d2", "bob", 2.0)])
    store.undo("ann")
    said(store, [("q0", "d0", "ann", 2.0)])
    second = export(store, out)
    assert (second.version.version, second.version.parent) == (2, first.version.sha256)
    assert second.version.changes == (Change("q0", "d0", 1.0, 2.0), Change("q2", "d2", None, 2.0))
    assert second.version.counts() == {"added": 1, "withdrawn": 0, "changed": 1}
    assert second.version.decisions == 6
    assert second.version.judges == 2
    history = read_history(out)
    assert history.versions == (first.version, second.version)
    assert GoldHistory.of(json.loads(json.dumps(history.to_dict())), "x") == history


def test_equal_judgments_in_another_order_are_the_same_file(tmp_path):
    digests = set()
    for number, rows in enumerate([ROWS, ROWS[::-1]]):
        store = JudgingStore.open(str(tmp_path / f"{number}.db"))
        store.create(Project("x"), [Pair("q", item) for item in "abcde"])
        said(store, rows)
        digests.add(export(store, tmp_path / f"{number}.qrels").version.sha256)
        store.close()
    assert len(digests) == 1


def test_a_file_that_is_not_ours_or_was_changed_stays_as_it_is(store, tmp_path):
    begun(store, 6)
    said(store, [("q0", "d0", "ann", 1.0)])
    out = tmp_path / "gold.qrels"
    out.write_text("q0 0 d0 0\n")
    with pytest.raises(InputError, match="expected a new file or one that an export wrote"):
        export(store, out)
    assert export(store, since=out).version.changes == (Change("q0", "d0", 0.0, 1.0),)
    assert out.read_text() == "q0 0 d0 0\n"
    out.unlink()
    export(store, out)
    out.write_text(out.read_text() + "q1 0 d1 1\n")
    said(store, [("q2", "d2", "ann", 1.0)])
    with pytest.raises(InputError, match="expected the file as an export wrote it, found it changed"):
        export(store, out)
    out.unlink()
    assert export(store, out).version.version == 2
    history = tmp_path / "gold.qrels.history.json"
    for text in ("no json", "[]", "{}", '{"versions": [{"version": 1}]}', '{"versions": 3}'):
        history.write_text(text)
        with pytest.raises(InputError, match="expected the history of a gold file"):
            export(store, out)


def test_an_export_that_was_ended_between_its_files_goes_on(store, tmp_path):
    begun(store, 6)
    out = tmp_path / "gold.qrels"
    said(store, [("q0", "d0", "ann", 1.0)])
    export(store, out)
    before = out.read_bytes()
    said(store, [("q1", "d1", "ann", 1.0)])
    second = export(store, out)
    out.write_bytes(before)  # the history is written first
    again = export(store, out)
    assert again.version == second.version
    assert len(read_history(out).versions) == 2
    assert out.read_bytes() != before


def test_nothing_judged_is_no_gold(store, tmp_path):
    begun(store, 2)
    said(store, [("q0", "d0", "ann", None)])
    with pytest.raises(InputError, match="expected judgments with a grade, found none"):
        export(store, tmp_path / "gold.qrels")
    assert not (tmp_path / "gold.qrels").exists()


def test_an_id_that_the_form_cannot_hold_is_refused(store, tmp_path):
    store.create(Project("x"), [Pair("q 1", "d")])
    said(store, [("q 1", "d", "ann", 1.0)])
    with pytest.raises(InputError):
        export(store, tmp_path / "gold.qrels")
    assert sorted(path.name for path in tmp_path.iterdir() if "gold" in path.name) == []
    export(store, tmp_path / "gold.csv")
    assert read_gold(tmp_path / "gold.csv").table.rows() == [("q 1", "d", 1.0)]


def test_the_chances_of_a_drawn_pool_go_with_a_table(store, tmp_path):
    store.create(Project("x"), [Pair("q", "a", probability=0.5, stratum="top"), Pair("q", "b", probability=1.0)])
    said(store, [("q", "a", "ann", 1.0), ("q", "b", "ann", 0.0)])
    found = export(store, tmp_path / "gold.csv")
    assert found.notices == ()
    details = read_gold(tmp_path / "gold.csv").details
    assert details.select("item", "group", "probability").rows() == [("a", "top", 0.5), ("b", "none", 1.0)]
    assert "infAP" in export(store, tmp_path / "gold.qrels").notices[0]


def test_what_each_judge_said_is_read_again_and_computes_nothing(store, tmp_path):
    begun(store, 3)
    number = store.next("ann").number
    store.record("ann", number, Verdict("cannot tell", "1", reason="-1+1", note="=HYPERLINK(1)", seconds=2.5))
    store.record("bob", number, Verdict("grade", "2", 2.0, note='plain, "quoted"\nover two lines'))
    text = labels_text(store.labels())
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["note"] for row in rows] == ["'=HYPERLINK(1)", 'plain, "quoted"\nover two lines']
    assert rows[0]["reason"] == "'-1+1"
    (tmp_path / "labels.csv").write_text(text)
    again = read_labels(tmp_path / "labels.csv")
    assert again.table["grade"].to_list() == [None, 2.0]
    assert again.judges == ("ann", "bob")
    assert store.take(again).recorded == 0


def statements(many=3):
    design = Design("simple", 5, many, many, "ab12")
    drawn = [Drawn(n + 1, "", 1.0, (f"s{n}", "p", f"o{n}")) for n in range(many)]
    return label_file.LabelFile.of(design, drawn)


def test_a_sample_of_statements_is_filled_from_judgments(store, tmp_path):
    file = statements()
    names = list(file.rows)
    path = tmp_path / "sample.csv"
    path.write_text(file.text())
    store.create(Project("facts", "triple", CORRECT, judgments=2), [Pair("s", name) for name in names])
    said(store, [("s", names[0], "ann", 1.0), ("s", names[0], "bob", 0.0), ("s", names[1], "ann", None)])
    path.write_text(filled(label_file.read_labels(path), store.labels()).text())
    found = label_file.read_labels(path)
    assert found.labels == {"ann": {names[0]: True}, "bob": {names[0]: False}}
    assert [(row["judge"], row["label"]) for row in found.cells] == [
        ("ann", "right"), ("bob", "wrong"), ("ann", "?"), ("", ""),
    ]  # fmt: skip
    assert filled(found, store.labels()).text() == path.read_text()


def test_what_people_wrote_into_a_sample_stays(tmp_path):
    file = statements()
    names = list(file.rows)
    path = tmp_path / "sample.csv"
    rows = list(csv.DictReader(io.StringIO(file.text())))
    for row in rows[:2]:
        row.update(judge="zoe", label="wrong", note="seen")
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    path.write_text(out.getvalue())
    done = filled(label_file.read_labels(path), labels(("s", names[0], "ann", 1.0), ("s", "else", "ann", 3.0)))
    assert [(row["judge"], row["label"]) for row in done.cells] == [
        ("zoe", "wrong"), ("ann", "right"), ("zoe", "wrong"), ("", ""),
    ]  # fmt: skip
    with pytest.raises(InputError, match="expected grades 0"):
        filled(file, labels(("s", names[0], "ann", 2.0)))
    with pytest.raises(InputError, match="expected statements that were judged"):
        filled(file, labels(("s", "else", "ann", 1.0)))


@pytest.mark.parametrize("form", ["table", "markdown", "csv"])
def test_what_was_exported_is_drawn(store, tmp_path, form):
    begun(store, 60, judges=("an[n]",))
    out = tmp_path / "gold.qrels"
    said(store, [("q0", "d0", "an[n]", 1.0)])
    export(store, out)
    said(store, [(f"q{n % 3}", f"d{n}", "an[n]", 2.0) for n in range(0, 60, 2)])
    found = export(store, out)
    if form == "csv":
        assert gold_export.to_frame(found).height == 30
        assert gold_export.to_frame(found).row(0) == ("q0", "d0", "changed", 1.0, 2.0)
        return
    text = gold_export.render(found, width=80) if form == "table" else gold_export.to_markdown(found)
    assert "version 2" in text
    assert "SINCE THE VERSION BEFORE: 29 added, 1 changed (the first 12)" in text.replace("\\", "")
    assert form == "markdown" or max(map(len, text.splitlines())) <= 80 or str(tmp_path) in text


def test_grades_are_exported_as_they_are():
    text = labels_text(labels(("q", "a", "ann", 0.12345678), ("q", "b", "ann", 1234567.0)))
    assert [line.split(",")[3] for line in text.splitlines()[1:]] == ["0.12345678", "1234567"]
