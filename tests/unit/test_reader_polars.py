"""What the fast reader relies on in Polars' reader of CSV; a new version that does otherwise fails here first."""

import polars as pl
import pytest

NAMES = ("query", "Q0", "item", "rank", "score", "system")
SCHEMA = dict.fromkeys(NAMES, pl.String) | {"score": pl.Float64}


def scanned(content: bytes, *columns: str) -> pl.DataFrame:
    scan = pl.scan_csv(content, separator=" ", has_header=False, quote_char=None, schema=SCHEMA)
    return scan.select(columns or NAMES).collect()


def score(text: str):
    return scanned(f"q Q0 a 1 {text} t\n".encode(), "score")["score"].to_list()


def test_a_line_that_is_too_short_leaves_its_last_column_null():
    frame = scanned(b"q Q0 a 1 2 t\nq Q0 b 2 1\nq Q0 c 3 0 t\n", "query", "item", "score", "system")
    assert frame["system"].to_list() == ["t", None, "t"]


def test_a_line_that_is_too_long_is_not_seen_when_columns_are_selected():
    assert scanned(b"q Q0 a 1 2 t\nq Q0 b  2 1 t\n", "score")["score"].to_list() == [2.0, 2.0]
    with pytest.raises(pl.exceptions.PolarsError):
        scanned(b"q Q0 a 1 2 t\nq Q0 b  2 1 t\n")


@pytest.mark.parametrize("text", ["1_0", "0x10", "1,5", "abc", "1e", "--1", "+", "1d0", "NA", "1.2.3", "\u0663"])
def test_what_is_no_number_is_refused(text):
    with pytest.raises(pl.exceptions.PolarsError):
        score(text)


@pytest.mark.parametrize("text", ["1", "+1", ".5", "5.", "1e3", "1e400", "-0", "inf", "-inf", "nan", "0.1", "1e-320"])
def test_numbers_are_those_of_python(text):
    assert repr(score(text)) == repr([float(text)])


def test_quotes_are_no_quotes():
    assert scanned(b'"q Q0 a" 1 2 t\n', "query", "item").row(0) == ('"q', 'a"')


def test_bytes_that_are_no_utf8_are_refused():
    with pytest.raises(pl.exceptions.PolarsError):
        scanned(b"q Q0 caf\xe9 1 2 t\n", "item")


def test_a_byte_order_mark_is_skipped_so_no_block_may_begin_with_one():
    assert scanned(b"\xef\xbb\xbfq Q0 a 1 2 t\n", "query")["query"].to_list() == ["q"]
