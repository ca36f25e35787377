"""Tables whose columns have names: CSV, TSV, Parquet, Arrow; and runs that have ranks alone."""

import csv
import io
import math
import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.formats import Source, detect, read_gold, read_run
from assay.formats.binary import Parquet
from assay.formats.delimited import DelimitedRows, Header
from assay.formats.table import read_table


@pytest.fixture
def file(tmp_path):
    def write(content: str | bytes, ending: str = "csv"):
        path = tmp_path / f"a.{ending}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ("query,item,score\nq,a,2\n", [("q", "a", 2.0)]),
        ("qid;docno;sim\nq;a,b;2\n", [("q", "a,b", 2.0)]),
        ("Score,Doc_ID,note,Query_ID\n2.5,007,x,01\n", [("01", "007", 2.5)]),
        ("query\titem\tscore\nq 1\ta b\t1e-3\n", [("q 1", "a b", 0.001)]),
        ('query,item,score\n"q, 1","a ""b""\nc",2\n', [("q, 1", 'a "b"\nc', 2.0)]),
        ("query,item,score\n\nq,a,2\n\n", [("q", "a", 2.0)]),
        ("query,item,score\r\nq,a, 2\r\n", [("q", "a", 2.0)]),
        ("query,item,score,note\nq,a,2,\nq,b,1,\n", [("q", "a", 2.0), ("q", "b", 1.0)]),
        ("query,item,rank\nq,b,2\nq,a,1\n", [("q", "b", -2.0, 2), ("q", "a", -1.0, 1)]),
        ("query,item,rank,score\nq,b,2,9.5\n", [("q", "b", 9.5, 2)]),
    ],
)
def test_names_are_recognised(file, content, rows):
    assert read_run(file(content, "txt")).frame().rows() == rows


def test_a_score_that_is_not_there_is_no_number(file):
    assert math.isnan(read_run(file("query,item,score\nq,a,\nq,b,1\n")).frame()["score"][0])


def test_gold_without_grades_counts_each_row_once(file):
    assert read_gold(file("query,item\nq,a\nq,b\n")).table["grade"].to_list() == [1, 1]


def test_a_pair_judged_twice_names_its_lines(file):
    with pytest.raises(InputError, match="lines 2 and 4: item 'a' is judged more than once"):
        read_gold(file("query,item,grade\nq,a,1\nq,b,1\nq,a,0\n"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query,item,score\nq,a,2\nq,b\n", ", line 3: expected 3 columns (query item score), found 2: 'q,b'"),
        ("query,item,score\nq,a,2\nq,b,1,x\n", ", line 3: expected 3 columns (query item score), found 4: 'q,b,1,x'"),
        ("query,item,score\nq,a,high\n", ", line 2: expected a number as score, found 'high'"),
        ("query,item,score\nq,a,1_0\n", ", line 2: expected a number as score, found '1_0'"),
        ("query,item,rank\nq,a,1.5\n", ", line 2: expected a whole number as rank, found '1.5'"),
        ("query,item,score\n,a,1\n", ", line 2: expected a query, found nothing in its column"),
        ('query,item,score\n"q\n1",a,1\nq,"",1\n', ", line 4: expected a item, found nothing in its column"),
        ("query,item\nq,a\n", ": expected a column for the score or the rank, found ['query', 'item']"),
        ("query,item,score\n", ": expected answers, found a file that holds no answers"),
    ],
)
def test_what_is_wrong_is_named(file, content, said):
    path = file(content)
    with pytest.raises(InputError) as caught:
        read_run(path).frame()
    assert str(caught.value).startswith(f"{path}{said}")


def test_no_utf8_names_its_line(file):
    with pytest.raises(FormatError, match="line 3: expected UTF-8 text, found the byte 0xe9"):
        read_run(file(b"query,item,score\nq,a,1\nq,caf\xe9,1\n")).frame()


CELLS = st.sampled_from(
    ["q", "a b", "1", "2.5", "nan", "x", "", " 1", '"', '"a"', '"a,b"', '"a\nb"', "é", "#", "\r", "1e5"]
)
LINES = st.lists(CELLS, max_size=4).map(",".join)
GOOD = st.tuples(CELLS, CELLS, st.sampled_from(["1", "2.5", "-1e-3"])).map(",".join)


def by_row(content: str):
    """The rows, or the line that is wrong, by Python's own reader of CSV."""
    rows, reader = [], csv.reader(io.StringIO(content, newline="\n"))
    try:
        next(reader)
        for row in filter(None, reader):
            query, item, score = row
            number = float(score) if score.strip() else math.nan
            if not query or not item:
                return reader.line_num
            rows.append((query, item, number))
    except (csv.Error, ValueError):
        return reader.line_num
    return repr(rows)


@settings(max_examples=300)
@given(
    st.lists(GOOD | GOOD | LINES, max_size=8), st.sampled_from(["\n", "\r\n"]), st.integers(1, 60) | st.just(1 << 20)
)
def test_equal_to_a_reader_row_by_row(tmp_path_factory, lines, end, size):
    content = end.join(["query,item,score", *lines])
    path = tmp_path_factory.getbasetemp() / "table.csv"
    path.write_bytes(content.encode())
    source = Source("table.csv", path, None)
    try:
        blocks = list(DelimitedRows(source, Header.of(source, ",", "run"), "run", size).blocks())
        found = repr([row for block in blocks for row in block.rows()])
    except FormatError as error:
        found = int(re.search(r"line (\d+): ", str(error)).group(1))
    except InputError:
        found = "[]"
    assert found == by_row(content)


def parquet(**columns) -> bytes:
    out = io.BytesIO()
    pl.DataFrame(columns).write_parquet(out)
    return out.getvalue()


def test_integer_ids_become_text(file):
    path = file(parquet(query_id=[1, 1], docid=[10, 9], score=[1, 2]), "parquet")
    assert read_run(path).frame().rows() == [("1", "10", 1.0), ("1", "9", 2.0)]
    assert read_gold(path).table.rows() == [("1", "10", 1.0), ("1", "9", 2.0)]


def test_parquet_is_read_slice_by_slice(file):
    path = file(parquet(query=["q"] * 10, item=list("abcdefghij"), rank=list(range(1, 11)), note=[None] * 10), "bin")
    blocks = list(Parquet().slices(Source.open(path), 4))
    assert [block.height for block in blocks] == [4, 4, 2]
    assert pl.concat(blocks)["position"].to_list() == list(range(1, 11))


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"query": ["q"], "score": [1.0]}, "expected a column for the item"),
        ({"query": ["q"], "item": ["a"]}, "expected a column for the score or the rank"),
        ({"query": ["q"], "item": ["a"], "score": ["high"]}, "expected a table in parquet"),
        ({"query": ["q"], "item": [None], "score": [1.0]}, "expected a item in each row"),
        ({"query": [], "item": [], "score": []}, "holds no answers"),
    ],
)
def test_columns_that_do_not_fit(file, columns, said):
    path = file(parquet(**columns), "parquet")
    with pytest.raises(InputError) as caught:
        read_run(path).frame()
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("content", "kind", "name", "guess"),
    [
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n", None, "beir", "gold"),
        ("query-id\tcorpus-id\tscore\nq\ta\t1\n", "run", "tsv", "gold"),
        ("qid,docid,relevance\nq,a,1\n", None, "csv", "gold"),
        ("qid,docid,score\nq,a,1\n", None, "csv", "run"),
        ("qid,docid\nq,a\n", None, "csv", "gold"),
        ("q\ta\t1\nq\tb\t2\n", None, "msmarco", "run"),
        ("q a 1\nq b 1\n", None, "trec", "gold"),
        ("q a 3\n", "run", "msmarco", "run"),
        ("q a 1\nq b 1\n", "run", "trec", "gold"),
        ("q 0 a 1\n", None, "trec", "gold"),
        ("q Q0 a 1 2 t\n", None, "trec", "run"),
        ("q,a,1\n", None, "trec", "gold"),
    ],
)
def test_detection(file, content, kind, name, guess):
    source = Source.open(file(content, "txt"))
    found = detect(source, kind)
    assert (found.name, found.guess(source)) == (name, guess)


def test_a_rank_of_ms_marco_is_whole(file):
    path = file("q\ta\t1\nq\tb\t2.5\n", "tsv")
    with pytest.raises(FormatError, match=r"line 2: expected a whole number as rank, found 2.5"):
        read_run(path, "msmarco").frame()


def test_tables_of_any_names_are_read_as_they_are(file):
    assert read_table(file("query,slice\n007,short\n")).rows() == [("007", "short")]
    assert read_table(file("query\tweight\nq\t2.5\n", "tsv")).rows() == [("q", "2.5")]
    assert read_table(file(parquet(query=[1], weight=[2.5]), "parquet")).rows() == [(1, 2.5)]
    with pytest.raises(InputError, match="line 2: expected 2 columns"):
        read_table(file("query,slice\nq\n"))
    with pytest.raises(InputError, match="expected a first line with a name for each column"):
        read_table(file("a,a\n1,2\n"))
