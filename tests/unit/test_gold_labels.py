"""Judgments with their judges, from files of several shapes."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.labels import Labels
from assay.errors import AssayError, FormatError, GoldError, InputError
from assay.formats.labels import read_labels

ROWS = [("q1", "a", "ann", 1.0), ("q1", "a", "bob", 0.0), ("q1", "b", "ann", 2.0), ("q2", "a", "bob", 1.0)]


def rows(labels: Labels) -> list[tuple[object, ...]]:
    return labels.table.select("query", "item", "judge", "grade").rows()


@pytest.fixture
def write(tmp_path):
    def written(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def test_files_of_one_judge_each(write):
    ann, bob = write("ann.qrels", "q1 0 a 1\nq1 0 b 2\n"), write("bob.qrels.txt", "q1 0 a 0\nq2 0 a 1\n")
    found = read_labels([ann, bob])
    assert rows(found) == ROWS
    assert (found.judges, found.name) == (("ann", "bob"), "2 files")


def test_files_of_one_name_are_called_by_their_paths(write):
    first, second = write("one/gold.qrels", "q1 0 a 1\n"), write("two/gold.qrels", "q1 0 a 0\n")
    assert read_labels([first, second]).judges == (str(first), str(second))


@pytest.mark.parametrize("mark", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
def test_a_table_with_a_column_for_the_judge(write, mark):
    lines = [("qid", "docid", "assessor", "relevance"), *((q, i, j, f"{g:g}") for q, i, j, g in ROWS)]
    assert rows(read_labels(write("all.csv", "\n".join(map(mark.join, lines))))) == ROWS


def test_a_table_with_a_column_for_each_judge(write):
    path = write("wide.csv", "query,item,bob,ann,note\nq1,a,0,1,x\nq1,b,,2,\nq2,a,1,,y\n")
    assert rows(read_labels(path)) == ROWS


def test_json_lines_and_parquet(write, tmp_path):
    lines = [json.dumps(dict(zip(("query", "item", "judge", "grade"), row, strict=True))) for row in ROWS]
    path = write("all.jsonl", "\n".join(lines))
    assert rows(read_labels(path)) == ROWS
    table = pl.DataFrame(ROWS, schema=["query", "item", "judge", "grade"], orient="row")
    table.write_parquet(tmp_path / "all.parquet")
    assert rows(read_labels(tmp_path / "all.parquet")) == ROWS


def test_json_lines_with_lists_are_one_judge(write):
    found = read_labels([write("ann.jsonl", '{"query": "q1", "items": {"a": 1, "b": 0}}\n')])
    assert rows(found) == [("q1", "a", "ann", 1.0), ("q1", "b", "ann", 0.0)]


def test_another_name_of_the_judges_column(write):
    path = write("all.csv", "query,item,who,grade\nq1,a,ann,1\nq1,a,bob,0\n")
    assert read_labels(path, "who").judges == ("ann", "bob")
    assert read_labels(write("one.csv", "query,item,grade\nq1,a,1\n")).judges == ("one",)
    with pytest.raises(InputError, match=r"all\.csv: no column is called 'whom'. Did you mean 'who'"):
        read_labels(path, "whom")
    with pytest.raises(InputError, match="expected a column called 'who', found a file without names"):
        read_labels(write("ann.qrels", "q1 0 a 1\n"), "who")


def test_an_empty_grade_means_cannot_tell_and_a_row_without_judge_and_grade_was_not_judged(write):
    path = write(
        "all.csv",
        "query,item,judge,grade,reason,guideline,time,seconds\nq,a,ann,,blurred,2,2026-01-02,3.5\nq,b,,,,,,\n",
    )
    table = read_labels(path).table
    assert table.rows(named=True) == [
        {
            "query": "q", "item": "a", "judge": "ann", "grade": None, "reason": "blurred", "guideline": "2",
            "time": "2026-01-02", "seconds": 3.5,
        }
    ]  # fmt: skip


def test_files_of_different_shapes_together(write):
    wide = write("programs.csv", "qid,docid,gpt,llama\nq1,a,1,0\n")
    people = write("people.csv", "query,item,judge,grade,note\nq1,a,ann,1,sure\n")
    found = read_labels([wide, people]).table
    assert found["judge"].to_list() == ["ann", "gpt", "llama"]
    assert found["note"].to_list() == ["sure", None, None]


@pytest.mark.parametrize(
    ("name", "content", "error", "message"),
    [
        ("a.csv", "query,item,judge,grade\nq,a,ann,1\nq,a,ann,0\n", GoldError, "several of 'ann' for item 'a'"),
        ("a.csv", "query,item,judge,grade\nq,a,ann,good\n", FormatError, "number as grade of item 'a' .* found 'good'"),
        ("a.csv", "query,item,ann,bob\nq,a,1,inf\n", FormatError, "a number as bob .* found 'inf'"),
        ("a.csv", "query,item,judge,grade\n,a,ann,1\n", FormatError, "expected a query in each row"),
        ("a.csv", "query,item,note\nq,a,x\n", InputError, "expected a column for the grade .* or one for each judge"),
        ("a.csv", "query,item,judge\nq,a,ann\n", InputError, "expected a column for the grade"),
        ("a.csv", "query,item,judge,grade\nq,a,,\n", GoldError, "expected judgments, found none"),
        ("a.jsonl", '{"query": "q", "item": "a", "grade": 1}\n[1]\n', FormatError, "line 2: expected an object"),
    ],
    ids=["twice", "word", "infinite", "no-id", "no-grade", "judge-no-grade", "nothing", "list"],
)  # fmt: skip
def test_what_is_wrong_is_said(write, name, content, error, message):
    with pytest.raises(error, match=message):
        read_labels(write(name, content))


def test_no_file_at_all():
    with pytest.raises(InputError, match="expected one file or more, found none"):
        read_labels([])


@given(
    content=st.text(st.characters(codec="utf-8"), max_size=60), head=st.sampled_from(["", "query,item,judge,grade\n"])
)
def test_any_text_is_labels_or_an_error(tmp_path_factory, content, head):
    path = tmp_path_factory.mktemp("labels") / "some.csv"
    path.write_text(head + content, "utf-8")
    try:
        found = read_labels(path)
    except AssayError:
        return
    assert found.table.height > 0
    assert not found.table["judge"].has_nulls()
