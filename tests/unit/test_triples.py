"""Triples from files, frames and arrays: what is read, and what is said about a line that is none."""

import gzip
from contextlib import suppress

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, InputError, UnknownNameError
from assay.formats import triple_lines
from assay.formats.source import Source
from assay.formats.triples import frame_triples, read_triples, recognised

ROWS = [("Paris", "capital of", "France"), ("Rome", "capital of", "Italy")]


def write(folder, text, name="train.txt"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rows(found):
    return found.table.select("head", "relation", "tail").rows()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Paris\tcapital of\tFrance\nRome\tcapital of\tItaly\n", "tsv"),
        ("Paris\tcapital of\tFrance\r\nRome\tcapital of\tItaly", "tsv"),
        ("\nParis\tcapital of\tFrance\n\n\nRome\tcapital of\tItaly\n\n", "tsv"),
        ("head\trelation\ttail\nParis\tcapital of\tFrance\nRome\tcapital of\tItaly\n", "tsv"),
        ("Object\tnote\tSubject\tPredicate\nFrance\t\tParis\tcapital of\nItaly\tx\tRome\tcapital of\n", "tsv"),
        ("Paris,capital of,France\nRome,capital of,Italy\n", "csv"),
        ('head,relation,tail\n"Paris","capital of",France\n"Rome",capital of,"Italy"\n', "csv"),
        ("\ufeffs,p,o\nParis,capital of,France\nRome,capital of,Italy\n", "csv"),
    ],
)
def test_tables_of_text_with_and_without_names(tmp_path, text, form):
    found = read_triples(write(tmp_path, text))
    assert (rows(found), found.format) == (ROWS, form)


def test_blanks_part_columns_where_there_are_no_tabs(tmp_path):
    found = read_triples(write(tmp_path, "a  r b\n c r\td \n"))
    assert (rows(found), found.format) == ([("a", "r", "b"), ("c", "r", "d")], "blanks")


def test_a_quote_is_part_of_a_name_where_tabs_part_columns(tmp_path):
    assert rows(read_triples(write(tmp_path, 'the "a\tr\t"b"\n'))) == [('the "a', "r", '"b"')]


def test_a_fourth_column_is_the_time(tmp_path):
    found = read_triples(write(tmp_path, "a\tr\tb\t2014-01-02\n"))
    assert found.table.rows() == [("a", "r", "b", "2014-01-02")]


def test_packed_files_are_unpacked(tmp_path):
    packed = write(tmp_path, gzip.compress(b"Paris\tcapital of\tFrance\nRome\tcapital of\tItaly\n"), "train.tsv.gz")
    assert rows(read_triples(packed)) == ROWS


def test_openke_has_a_count_and_the_tail_before_the_relation(tmp_path):
    for text in ("2\n0 1 7\n2 3 8\n", "2\r\n0\t1\t7\r\n2\t3\t8\r\n", "2\n\n0  1 7\n2 3 8 \n"):
        found = read_triples(write(tmp_path, text))
        assert (rows(found), found.format) == ([(0, 7, 1), (2, 8, 3)], "openke")


def test_parquet_and_arrow(tmp_path):
    frame = pl.DataFrame(ROWS, schema=["subject", "predicate", "object"], orient="row")
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_ipc(tmp_path / "a.arrow")
    assert rows(read_triples(tmp_path / "a.parquet")) == rows(read_triples(tmp_path / "a.arrow")) == ROWS


def test_frames_by_name_by_order_and_of_numbers():
    frame = pl.DataFrame({"tail": ["b"], "head": ["a"], "relation": ["r"], "other": [1]})
    assert rows(frame_triples(frame, "train")) == [("a", "r", "b")]
    unnamed = pl.DataFrame({"x": [0, 1], "y": [5, 6], "z": [2, 3]}, schema_overrides={"x": pl.UInt8})
    assert rows(frame_triples(unnamed, "train")) == [(0, 5, 2), (1, 6, 3)]
    assert set(frame_triples(unnamed, "train").table.dtypes) == {pl.Int64}


@pytest.mark.parametrize(
    ("text", "form", "said"),
    [
        ("a\tr\tb\nc\tr\n", None, "line 2: expected 3 columns (head relation tail), found 2: 'c\\tr'"),
        ("a\tr\tb\n\nc\tr\td\te\n", None, "line 3: expected 3 columns (head relation tail), found 4"),
        ("a\tr\tb\nc\t\td\n", None, "line 2: expected a relation, found nothing in its column: 'c\\t\\td'"),
        ("a,r,b\nc,r\n", None, "line 2: expected 3 columns (head relation tail), found 2: 'c,r'"),
        ('a,r,b\n"c\nd",r,e\nf,r\n', None, "line 4: expected 3 columns"),
        ("a r\n", None, "line 1: expected 3 columns (head relation tail) or 4 (and time), found 2: 'a r'"),
        ("a\tr\tb\tx\ty\n", None, "line 1: expected 3 columns (head relation tail) or 4 (and time), found 5"),
        (b"a\tr\tb\nc\tr\t\xff\n", None, "line 2: expected UTF-8 text, found the byte 0xff"),
        ("2\n0 1 0\n", None, "line 1: expected 2 triples, as this line says, found 1"),
        ("1\n0 1 x\n", None, "line 2: expected whole numbers (head tail relation), found 'x'"),
        ("1\n0 -1 0\n", None, "line 2: expected whole numbers (head tail relation), found '-1'"),
        ("1\n0 1 99999999999999999999\n", None, "line 2: expected whole numbers"),
        ("1\n0 1\n", None, "line 2: expected 3 columns (head tail relation), found 2: '0 1'"),
        ("a\tr\tb\n", "openke", "line 1: expected the number of triples on a line of its own"),
        ("head\trelation\ttail\n", None, "expected triples, found none"),
        ("0\n", None, "expected triples, found none"),
    ],
)
def test_what_is_no_triple_is_named_by_its_line(tmp_path, text, form, said):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_triples(path, form)
    message = caught.value.message
    assert message.startswith(str(path))
    assert said in message


def test_frames_that_hold_no_triples():
    with pytest.raises(InputError, match="expected columns called head, relation and tail, found"):
        frame_triples(pl.DataFrame({"a": [1], "b": [2]}), "train")
    with pytest.raises(FormatError, match=r"train, row 2: expected a tail, found an empty cell \(1 in the column\)"):
        frame_triples(pl.DataFrame({"h": ["a", "b"], "r": ["r", "r"], "t": ["c", None]}), "train")
    with pytest.raises(InputError, match="expected names or whole numbers as head, found numbers with a fraction"):
        frame_triples(pl.DataFrame({"h": [0.5], "r": [0], "t": [1]}), "train")


def test_an_unknown_format_is_named(tmp_path):
    with pytest.raises(UnknownNameError, match=r"no format of triples is called 'tvs'\. Did you mean 'tsv'"):
        read_triples(write(tmp_path, "a\tr\tb\n"), "tvs")


@pytest.mark.parametrize(
    ("text", "name", "form"),
    [
        ("<a:a> <a:r> <a:b> .\n", "g.txt", "ntriples"),
        ("@prefix a: <a:> .\n", "g.txt", "turtle"),
        ("PREFIX a: <a:>\n", "g.txt", "turtle"),
        ("# nothing\n", "g.ttl.gz", "turtle"),
        ("a b c\n", "g.txt", "blanks"),
    ],
)
def test_the_beginning_tells_the_format(tmp_path, text, name, form):
    packed = gzip.compress(text.encode()) if name.endswith("gz") else text
    assert recognised(Source.open(write(tmp_path, packed, name))) == form


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\t\n\r\0\ufeff"), min_size=1, max_size=4)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=6), st.booleans())
def test_the_fast_reader_and_the_exact_one_agree(tmp_path_factory, table, crlf):
    end = "\r\n" if crlf else "\n"
    text = end.join(map("\t".join, table)) + end
    path = write(tmp_path_factory.mktemp("t"), text)
    lines = [(at, line.split("\t")) for at, line in enumerate(text.split(end), 1) if line.strip()]
    if triple_lines.triple_columns(lines[0][1] if lines else []) or len(lines) < len(table):
        return
    found = read_triples(path, "tsv")
    assert rows(found) == table
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triple_lines, "_fast", lambda *_: None)
        slow = read_triples(path, "tsv")
    assert rows(slow) == table
    assert slow.lines.to_list() == found.lines.to_list() == list(range(1, len(table) + 1))


@given(st.binary(max_size=60))
def test_any_bytes_give_triples_or_an_error_with_their_place(tmp_path_factory, content):
    path = write(tmp_path_factory.mktemp("t"), content)
    for form in ("tsv", "csv", "blanks", "openke"):
        with suppress(InputError):
            found = read_triples(path, form)
            assert found.table.height == len(found.lines) > 0
            assert not found.table.null_count().sum_horizontal()[0]


def test_lines_are_counted_with_blank_lines_and_names(tmp_path):
    path = write(tmp_path, "\nhead\trelation\ttail\n\na\tr\tb\n\nc\tr\td\n")
    assert read_triples(path).lines.to_list() == [4, 6]
    quoted = write(tmp_path, 'head,relation,tail\na,r,b\n"c",r,d\n', "q.csv")
    assert read_triples(quoted).lines.to_list() == [2, 3]


def test_real_files_read_fast(data):
    found = read_triples(data / "kg" / "fb15k-237-openke" / "train2id.txt")
    assert found.table.height == 272_115
    assert rows(found)[1] == (2, 1, 3)
    assert np.array_equal(found.lines.to_numpy(), np.arange(2, 272_117))
