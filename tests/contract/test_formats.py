"""What holds for every file format that is registered."""

import gzip
import io

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import AssayError
from assay.formats import FORMATS, Source, detect, read_gold, read_run
from assay.formats.compression import zstandard
from assay.formats.diversity import DetailedQrels

KINDS = ("gold", "run")
BOTH = [(name, kind) for name in FORMATS for kind in KINDS]
TEXT = [(name, kind) for name, kind in BOTH if name not in {"parquet", "arrow"}]
BY_NAME = {name for name, known in FORMATS.items() if isinstance(known, DetailedQrels)}  # nothing in them tells
NUMBER = {"gold": "grade", "run": "score"}
over_all = pytest.mark.parametrize(("name", "kind"), BOTH)
over_text = pytest.mark.parametrize(("name", "kind"), TEXT)


def suffix(name: str) -> str:
    return (*FORMATS[name].suffixes, "dat")[0]


@pytest.fixture
def file(tmp_path):
    def write(content: bytes, ending: str = "dat"):
        path = tmp_path / f"a.{ending}"
        path.write_bytes(content)
        return path

    return write


@pytest.fixture(scope="session")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("formats")


def table(path, kind: str, name: str | None = None) -> pl.DataFrame:
    return read_gold(path, name).table if kind == "gold" else read_run(path, name).frame()


def written(name: str, kind: str, blocks) -> bytes:
    out = io.BytesIO()
    if kind == "gold":
        FORMATS[name].write_gold(blocks, out)
    else:
        FORMATS[name].write_run(blocks, out, "system")
    return out.getvalue()


@over_all
def test_reads_its_example(file, name, kind):
    rows = table(file(FORMATS[name].example(kind)), kind, name)
    numbers = {"gold": [1, 0, 2], "run": [-1, -2, -1] if name == "msmarco" else [2.5, 1, 0.1]}[kind]
    assert rows.select("query", "item").rows() == [("q1", "a"), ("q1", "b"), ("q2", "c")]
    assert rows[NUMBER[kind]].to_list() == numbers
    assert rows.schema[NUMBER[kind]] == pl.Float64


@over_all
def test_its_example_is_recognised_as_something_that_reads_it_alike(file, name, kind):
    path = file(FORMATS[name].example(kind), suffix(name))
    assert table(path, kind).equals(table(path, kind, name))


@over_all
def test_guesses_the_kind_of_its_example_or_keeps_silent(file, name, kind):
    assert FORMATS[name].guess(Source.open(file(FORMATS[name].example(kind)))) in {kind, None}


@over_all
def test_what_is_written_is_read_again(file, name, kind):
    rows = table(file(FORMATS[name].example(kind)), kind, name)
    again = table(file(written(name, kind, [rows])), kind, name)
    assert again.equals(rows)


@over_all
def test_blocks_are_written_as_one_table(file, name, kind):
    rows = table(file(FORMATS[name].example(kind)), kind, name)
    again = table(file(written(name, kind, [rows[:1], rows[1:2], rows[2:]])), kind, name)
    assert again.equals(rows)


@over_all
@pytest.mark.parametrize("pack", [gzip.compress, lambda data: zstandard().compress(data)], ids=["gz", "zst"])
def test_reads_compressed_files_whatever_they_are_called(file, name, kind, pack):
    example = FORMATS[name].example(kind)
    assert table(file(pack(example)), kind, name).equals(table(file(example), kind, name))


@over_all
def test_knows_where_it_comes_from(file, name, kind):
    path = file(FORMATS[name].example(kind))
    made = read_gold(path, name) if kind == "gold" else read_run(path, name)
    assert made.name == "a.dat"
    assert (made.origin.path, made.origin.format, len(made.origin.digest())) == (str(path), name, 64)
    assert made.origin.lines("q1", "no such item") == []


@over_text
def test_line_ends_byte_order_mark_and_last_line_end_change_nothing(file, name, kind):
    example = FORMATS[name].example(kind)
    plain = table(file(example), kind, name)
    for other in (example.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + example, example.rstrip(b"\n"), example + b"\n\n"):
        assert table(file(other), kind, name).equals(plain)
        assert table(file(other, suffix(name)), kind).equals(plain)


ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
words = st.text(st.characters(codec="utf-8", exclude_characters="".join(map(chr, range(33)))), min_size=1, max_size=6)
safe = words.filter(lambda word: word[0] not in "#\ufeff")
anything = st.floats(allow_nan=True, allow_infinity=True)


@over_all
@settings(max_examples=40)
@given(data=st.data())
def test_any_ids_and_numbers_come_back_in_full_precision(place, name, kind, data):
    spaceless = name in {"trec", "msmarco"} | BY_NAME
    pairs = data.draw(st.lists(st.tuples(*[safe if spaceless else ids] * 2), min_size=1, max_size=8, unique=True))
    in_order = 2 if name in BY_NAME and kind == "gold" else 1
    pairs.sort(key=lambda pair: [part.encode() for part in pair[:in_order]])
    numbers = data.draw(
        st.lists(
            anything if kind == "run" else st.floats(allow_nan=False, allow_infinity=False),
            min_size=len(pairs),
            max_size=len(pairs),
        )
    )
    rows = pl.DataFrame({"query": [q for q, _ in pairs], "item": [i for _, i in pairs], NUMBER[kind]: numbers})
    path = place / "round"
    path.write_bytes(written(name, kind, [rows]))
    again = table(path, kind, name)
    assert again.select("query", "item").equals(rows.select("query", "item"))
    if (name, kind) != ("msmarco", "run"):
        assert again[NUMBER[kind]].equals(rows[NUMBER[kind]], null_equal=True)


def attempt(path, kind, name) -> Gold | Run | AssayError:
    """Rows, or an error that names the file; any other exception is a failure of the test."""
    try:
        made = read_gold(path, name) if kind == "gold" else read_run(path, name)
        if isinstance(made, Run):
            made.frame()
    except AssayError as error:
        made = error
    assert not isinstance(made, AssayError) or str(made).startswith(str(path))
    return made


@over_all
@settings(max_examples=100)
@given(content=st.binary(min_size=1, max_size=200))
def test_any_bytes_give_rows_or_an_error_with_the_place(place, name, kind, content):
    path = place / "bytes"
    path.write_bytes(content)
    attempt(path, kind, name)
    attempt(path, kind, None)


@over_all
@settings(max_examples=100, derandomize=True)  # a native reader may end the process: then always, or never
@given(data=st.data())
def test_a_damaged_example_gives_rows_or_an_error_with_the_place(place, name, kind, data):
    content = bytearray(FORMATS[name].example(kind))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        gone = data.draw(st.integers(0, 3))
        content[at : at + gone] = data.draw(
            st.binary(max_size=3) | st.sampled_from(list(b'[]{},:"\t\n\r#\\0-.e')).map(lambda b: bytes([b]))
        )
    path = place / "damaged"
    path.write_bytes(bytes(content))
    attempt(path, kind, name)
    attempt(path, kind, None)


@over_text
@settings(max_examples=50)
@given(content=st.text(max_size=80))
def test_any_text_below_an_example_gives_rows_or_an_error_with_the_place(place, name, kind, content):
    path = place / "text"
    path.write_bytes(FORMATS[name].example(kind) + content.encode())
    attempt(path, kind, name)


@over_all
def test_a_truncated_archive_says_so(file, name, kind):
    packed = gzip.compress(FORMATS[name].example(kind))[:-9]
    error = attempt(file(packed), kind, name)
    assert "truncated or damaged after" in str(error)


@over_all
def test_has_a_description_and_is_found_by_its_aliases(name, kind):
    del kind
    known = FORMATS[name]
    assert known.description
    assert known.name == name
    assert all(FORMATS[alias] is known for alias in known.aliases)


@over_all
def test_detection_ignores_a_misleading_suffix_for_content_that_speaks(file, name, kind):
    found = detect(Source.open(file(FORMATS[name].example(kind), "txt")), kind)
    if name in BY_NAME:
        assert found.name == "trec"
        return
    assert found.name in {name, "json" if name == "beir" else name, "trec" if name == "msmarco" else name}
