"""The fast reader of text says what a reader that goes line by line says: the same rows, or the same line."""

import math
import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import FormatError, InputError
from assay.formats.blocks import TextRows
from assay.formats.layout import Layout
from assay.formats.plain import clean, plain_line_ends, without_comments
from assay.formats.source import Source
from assay.formats.trec import CRANFIELD, QRELS, RUN

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?(inf|infinity|nan)", re.IGNORECASE)
SPACE = [b" ", b" ", b" ", b" ", b"\t", b"  ", b" \t", b"\v", b"\f", b"\r"]
NUMBERS = [
    *(b"1", b"2.5", b"-3", b"+1", b".5", b"5.", b"1e3", b"1E-3", b"1e400", b"-1e-400", b"nan", b"NaN", b"-inf"),
    *(b"Infinity", b"inf", b"0", b"-0", b"123456789012345678901234567890", b"0.1000000000000000055511151231257827"),
    *(
        b"1_0",
        b"0x10",
        b"1,5",
        b"abc",
        b"1e",
        b"--1",
        b"1.2.3",
        b"+",
        b".",
        b"e5",
        b"1d0",
        b"\xd9\xa3",
        b"NA",
        b"null",
        b"",
    ),
]
IDS = [
    b"q1",
    b"d\xc3\xa9",
    b'"',
    b'"a',
    b"'",
    b"a,b",
    b"#x",
    b"x#",
    b"\xef\xbb\xbfq",
    b"\xc2\xa0",
    b"0",
    b"long-id-of-many-bytes",
    b"\\",
]
ODD = [b"\xff", b"\xe9t\xe9", b"\x00", b"\x1c", b"\x7f", b"\xed\xa0\x80"]


def by_line(content: bytes, layout: Layout):
    """Rows, or the number of the first line that is wrong."""
    rows = []
    for line, text in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        cells = [] if text[:1] == b"#" else text.split()
        if not cells:
            continue
        many = len(cells) == len(layout.columns) or (layout.extra and len(cells) > len(layout.columns))
        if not many or any(byte < 32 and not 9 <= byte <= 13 for byte in text):
            return line
        try:
            query, item = cells[layout.query].decode(), cells[layout.item].decode()
            number = cells[layout.value].decode()
        except UnicodeDecodeError:
            return line
        if not NUMBER.fullmatch(number):
            return line
        rows.append((query, item, float(number)))
    return rows


def by_block(source: Source, layout: Layout, size: int):
    try:
        frames = list(TextRows(source, layout, size).blocks())
    except FormatError as error:
        return int(re.search(r", line (\d+): ", str(error)).group(1))
    except InputError as error:
        assert "holds no" in str(error)  # noqa: PT017 - any other is a failure
        return []
    assert all(frame.columns == ["query", "item", layout.number] for frame in frames)
    return [row for frame in frames for row in frame.rows()]


def same(found, wanted) -> bool:
    return repr(found) == repr(wanted)  # NaN and -0.0 count


cell = st.sampled_from(IDS)
space = st.sampled_from(SPACE)


@st.composite
def line(draw, layout: Layout) -> bytes:
    shape = draw(st.integers(0, 30))
    if shape == 0:
        return draw(
            st.sampled_from([b"", b" ", b"\t\t", b"# a comment", b"#", b" #", b"\v", b"\xef\xbb\xbf", b"#\xff"])
        )
    cells = [draw(cell) for _ in layout.columns]
    good = shape > 2
    cells[layout.value] = draw(st.sampled_from(NUMBERS[:19] if good else NUMBERS))
    if shape == 3:
        cells = cells[: draw(st.integers(0, len(cells)))]
    if shape in {4, 5}:
        cells += draw(st.lists(cell, min_size=1, max_size=2))
    if shape == 6 and cells:
        cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from(ODD))
    if shape > 10:
        return b" ".join(cells)
    parts = [part for each in cells for part in (each, draw(space))]
    return (
        draw(st.sampled_from([b"", b"", b" ", b"\t"]))
        + b"".join(parts[:-1])
        + draw(st.sampled_from([b"", b" ", b"\r"]))
    )


@st.composite
def text(draw, layout: Layout) -> bytes:
    lines = draw(st.lists(line(layout), min_size=1, max_size=12))
    ends = b"\r\n" if draw(st.integers(0, 5)) == 0 else b"\n"
    mark = b"\xef\xbb\xbf" if draw(st.integers(0, 9)) == 0 else b""
    return mark + ends.join(lines) + draw(st.sampled_from([b"", ends]))


@pytest.mark.parametrize("layout", [RUN, QRELS, CRANFIELD], ids=["run", "qrels", "cranfield"])
@settings(max_examples=200)
@given(data=st.data())
def test_equal_to_a_reader_line_by_line(tmp_path_factory, layout, data):
    content = data.draw(text(layout))
    file = tmp_path_factory.getbasetemp() / "reader.txt"
    file.write_bytes(content)
    wanted = by_line(content, layout)
    size = data.draw(st.one_of(st.integers(1, 200), st.just(1 << 20)))
    source = Source("reader.txt", file, None)
    assert same(by_block(source, layout, size), wanted), (content, size)


@settings(max_examples=200)
@given(widths=st.lists(st.integers(5, 8), min_size=1, max_size=6), size=st.integers(1, 100))
def test_plain_lines_of_any_width(tmp_path_factory, widths, size):
    content = b"".join(b" ".join([b"q", b"Q0", b"d", b"1", b"2", b"3", b"x", b"y"][:width]) + b"\n" for width in widths)
    file = tmp_path_factory.getbasetemp() / "widths.txt"
    file.write_bytes(content)
    assert same(by_block(Source("widths.txt", file, None), RUN, size), by_line(content, RUN))


@settings(max_examples=200)
@given(content=st.binary(max_size=200), size=st.integers(1, 100))
def test_any_bytes_give_rows_or_a_line(tmp_path_factory, content, size):
    file = tmp_path_factory.getbasetemp() / "bytes.txt"
    file.write_bytes(content)
    assert same(by_block(Source("bytes.txt", file, None), CRANFIELD, size), by_line(content, CRANFIELD))


@given(st.lists(st.sampled_from([b" ", b"\t", b"\n", b"\r", b"\v", b"#", b"a", b"bc"]), max_size=40))
def test_clean_text_has_the_same_columns(parts):
    content = b"".join(parts)
    kept = [row.split() for row in content.split(b"\n") if not row.startswith(b"#")]
    assert [row.split(b" ") for row in clean(content).split(b"\n") if row] == [row for row in kept if row]


@given(st.lists(st.sampled_from([b"#", b"\n", b"a", b"#b\n"]), max_size=20))
def test_comments_go_with_their_line_end(parts):
    content = b"".join(parts)
    kept = b"".join(row for row in content.splitlines(keepends=True) if not row.startswith(b"#"))
    assert without_comments(content) == kept


def test_cleaning_works_across_its_pieces():
    block = (b"a" * 131_070 + b"  \t b\r\n\n\n") * 3
    assert clean(block) == (b"a" * 131_070 + b" b\n") * 3


def test_plain_across_its_pieces():
    left = b"a" * ((1 << 19) - 1)
    assert plain_line_ends(left + b" b\n", 2, 32) == 1
    assert plain_line_ends(left + b"  b\n", 2, 32) is None


def frame_of(tmp_path, content: bytes, layout: Layout = RUN, size: int = 1 << 24) -> pl.DataFrame:
    file = tmp_path / "a.run"
    file.write_bytes(content)
    return pl.concat(list(TextRows(Source.open(file), layout, size).blocks()))


def test_a_line_of_five_and_one_of_seven_do_not_cancel_out(tmp_path):
    with pytest.raises(FormatError, match=r"line 2: expected 6 columns .* found 5: 'q Q0 b 2 1'"):
        frame_of(tmp_path, b"q Q0 a 1 2 t\nq Q0 b 2 1\nq Q0 c 3 0 t u\n")


def test_a_doubled_blank_does_not_shift_columns(tmp_path):
    assert frame_of(tmp_path, b"1 Q0 a 1 2.5 t\n1 Q0 b  2 2.4 t\n")["score"].to_list() == [2.5, 2.4]


def test_quotes_are_bytes_of_ids(tmp_path):
    assert frame_of(tmp_path, b'1 Q0 "a 1 2.5 t\n1 Q0 b" 2 2.4 t\n')["item"].to_list() == ['"a', 'b"']


def test_further_columns_are_ignored_also_where_only_some_lines_have_them(tmp_path):
    frame = frame_of(tmp_path, b"q Q0 a 1 2 t extra\nq Q0 b 2 1 t\nq Q0 c 3 0 t x y\n")
    assert frame["score"].to_list() == [2, 1, 0]


def test_a_system_name_that_is_no_utf8_is_not_read(tmp_path):
    assert frame_of(tmp_path, b"q Q0 a 1 2 caf\xe9\n").height == 1


def test_parsed_numbers_are_those_of_python(tmp_path):
    texts = [
        "0.1",
        "1e-320",
        "9007199254740993",
        "2.2250738585072011e-308",
        "1e400",
        "-1e400",
        "1.7976931348623157e308",
    ]
    content = "".join(f"q Q0 d{i} 1 {text} t\n" for i, text in enumerate(texts))
    assert frame_of(tmp_path, content.encode())["score"].to_list() == [float(text) for text in texts]


def test_nan_is_passed_on(tmp_path):
    assert math.isnan(frame_of(tmp_path, b"q Q0 a 1 nan t\n")["score"][0])


@pytest.mark.parametrize("score", ["abc", "1_0", "0x10", "1,5", "NA", "null", "None"])
def test_text_as_score_names_line_and_column(tmp_path, score):
    with pytest.raises(FormatError, match=rf"line 2: expected a number as score \(column 5\), found '{score}'"):
        frame_of(tmp_path, f"q Q0 a 1 2 t\nq Q0 b 2 {score} t\n".encode())


@pytest.mark.parametrize(("end", "limit"), [(b"\n", 1 << 16), (b"\r\n", 1 << 16), (b"\n", 1 << 13)])
def test_line_numbers_count_over_blocks(tmp_path, end, limit):
    lines = [b"q Q0 d%d 1 %d.5 t" % (place, -place) for place in range(40_000)]
    lines[31_337] = b"q Q0 broken 1 t"
    with pytest.raises(FormatError, match=r"line 31338: expected 6 columns .* found 5: 'q Q0 broken 1 t'"):
        frame_of(tmp_path, end.join(lines), size=limit)


def test_blocks_before_the_broken_line_are_handed_out(tmp_path):
    file = tmp_path / "a.run"
    file.write_bytes(b"q Q0 d 1 2 t\n" * 1000 + b"broken")
    blocks = TextRows(Source.open(file), RUN, 1000).blocks()
    assert next(blocks).height == 77
    blocks.close()


@pytest.mark.slow
def test_a_wrong_line_far_down_a_large_file(tmp_path):
    file = tmp_path / "large.run"
    piece = b"".join(b"q Q0 d%d 1 %d.25 t\n" % (place, place) for place in range(10_000))
    with file.open("wb") as out:
        out.writelines([piece] * 399 + [piece[: piece.rfind(b"\n", 0, -1) + 1], b"q Q0 d 1 high t\n", piece])
    blocks = TextRows(Source.open(file), RUN).blocks()
    with pytest.raises(FormatError, match=r"line 4000000: expected a number as score"):
        sum(block.height for block in blocks)


def test_the_lines_of_a_pair_are_found(tmp_path):
    file = tmp_path / "a.qrels"
    file.write_bytes(b"# d\nq 0 d 1\nq 0 dd 1\nq2 0 d 1\n\nq\t0\td 2\r\nq 0 x d")
    rows = TextRows(Source.open(file), QRELS, 8)
    assert rows.lines("q", "d") == [2, 6]
    assert rows.lines("q", "none") == []
    assert TextRows(Source.open(file), QRELS).lines("q", "d") == [2, 6]
