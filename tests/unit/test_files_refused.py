"""Files that a reader refuses: each is told what was expected, what was found, and where."""

import io
import json
import sys

import polars as pl
import pytest

from assay.errors import FormatError, InputError, MissingExtraError
from assay.formats import compression, nesting, read_gold, read_run
from assay.formats.answer_files import read_answers
from assay.formats.clicks import read_clicks
from assay.formats.link_questions import read_pairs
from assay.formats.name_files import read_names
from assay.formats.suites import read_suite
from assay.formats.triples import read_triples
from assay.graph.accuracy.label_file import read_labels

ZSTD = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
ROWS = pl.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]})


def packed(table):
    file = io.BytesIO()
    table.write_parquet(file)
    return file.getvalue()


def suite(**keys):
    return json.dumps([{"id": "1", "question": "Who?", **keys}]).encode()


def qald(**keys):
    asked = {"id": "1", "question": [{"language": "en", "string": "Who?"}], "query": {"sparql": "ASK {}"}}
    return json.dumps({"questions": [asked, asked | {"id": "2"} | keys]}).encode()


def spinach(expected):
    asked = {"question": "Who?", "gold_sparql": "ASK {}", "gold_answer_tuple": expected}
    return json.dumps([asked]).encode()


REFUSED = {
    "gold.parquet": (read_gold, packed(pl.DataFrame(schema={"query": pl.String, "item": pl.String})), "holds no judg"),
    "gold.json": (read_gold, b'{"q1": {}, "q2": {}}', "expected judgments, found a file that holds no judgments"),
    "pairs.parquet": (
        read_pairs,
        packed(pl.DataFrame({"head": ["a"], "relation": [0.5]})),
        "expected names or whole numbers as relation, found Float64",
    ),
    "pairs.tsv": (read_pairs, b"head\thead\trelation\n", "expected a first line with a name for each column"),
    "names.json": (read_names, b'{"a": ' + b"1" * 5000 + b"}", "expected JSON, found an error: Exceeds the limit"),
    "labels.csv": (read_labels, b'id,"' + b"a" * 200_000 + b'"\n', "line 1: expected a table, found an error: field"),
    "scores.jsonl": (
        read_answers,
        b'{"id": "1", "head": {"vars": ["x"]}, "results": {"bindings": [{}]}, "scores": [NaN]}\n',
        "expected a number as score, found nan",
    ),
    "number.json": (read_suite, b'{"questions": 3}', "expected a list of questions, or an object with questions"),
    "large.yaml": (read_suite, b"#" * (17 << 20), "expected YAML of at most 16 MiB, found 17 MiB"),
    "facts.json": (read_suite, suite(facts="a b c"), r"expected a list of facts, each \[subject, predicate, object\]"),
    "texts.json": (read_suite, qald(question=["Who?"]), "expected a list of texts with their languages as question"),
    "query.json": (read_suite, qald(query="ASK {}"), "expected an object with sparql as query"),
    "answers.json": (read_suite, qald(answers=[1]), "expected a list with one SPARQL result as answers"),
    "expected.json": (read_suite, spinach("yes"), "expected true, false or a list of bindings, found 'yes'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_what_was_expected(tmp_path, name):
    read, content, words = REFUSED[name]
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=words) as told:
        read(file)
    assert str(told.value).startswith(str(file))


def test_lists_however_deep(tmp_path):
    file = tmp_path / "gold.json"
    for depth in range(600, 1000):
        file.write_text('{"q": {"a": ' + "[" * depth + "]" * depth + "}}")
        with pytest.raises(FormatError, match="expected"):
            read_gold(file)


def test_a_folder_of_tables_is_no_text_run(tmp_path):
    ROWS.write_parquet(tmp_path / "a.parquet")
    with pytest.raises(
        FormatError, match=r"one file in the format trec, found a folder.*\nHint: a run in several files"
    ):
        read_run(tmp_path, format="trec")


def test_a_folder_of_what_is_no_parquet(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and nothing more")
    with pytest.raises(FormatError, match="expected Parquet files, found an error"):
        read_run(tmp_path)


def test_a_name_that_no_file_can_have_so_long(tmp_path):
    with pytest.raises(InputError, match="expected a file that can be read, found an error: File name too long"):
        read_run(tmp_path / ("a" * 300))


def test_a_file_that_goes_before_its_rows_are_read(tmp_path):
    file = tmp_path / "a.run"
    file.write_text("q Q0 a 1 0.5 t\n")
    run = read_run(file)
    file.unlink()
    with pytest.raises(InputError, match=r"a\.run: expected a file, found nothing of that name"):
        run.frame()


def test_triples_of_another_format_than_was_said(tmp_path):
    file = tmp_path / "facts.tsv"
    file.write_text("a\tknows\tb\n")
    with pytest.raises(FormatError, match=r"expected a Parquet or Arrow file.*\nHint: without --format"):
        read_triples(file, format="parquet")


class TestClicks:
    def test_no_log_at_all(self):
        with pytest.raises(InputError, match="clicks: expected a log, found none"):
            read_clicks([])

    def test_a_log_that_is_no_parquet_after_all(self, tmp_path):
        file = tmp_path / "log.parquet"
        file.write_bytes(b"PAR1 and nothing more")
        with pytest.raises(InputError, match=r"log\.parquet: expected rows, found an error of the engine"):
            read_clicks(file)

    def test_a_log_whose_files_are_gone(self, tmp_path):
        pl.DataFrame({"query": ["q"], "item": ["a"], "click": [1]}).write_parquet(tmp_path / "1.parquet")
        log = read_clicks(tmp_path)
        (tmp_path / "1.parquet").unlink()
        with pytest.raises(InputError, match="expected rows, found an error of the engine"):
            list(log.blocks())

    def test_a_click_that_is_no_single_value_is_named_by_its_pair(self, tmp_path):
        file = tmp_path / "log.jsonl"
        rows = [{"query": "q", "item": "a", "click": 1}, {"query": "q", "item": "b", "click": {"times": 2}}]
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        with pytest.raises(FormatError, match="expected 1 or 0 as click in the row of item 'b' of query 'q'"):
            list(read_clicks(file).blocks())


ABSENT = {
    "runs.zst": (ZSTD, "reading or writing .zst needs backports-zstd"),
    "suite.yaml": ("yaml", "reading YAML needs pyyaml"),
    "graph.nt": ("pyoxigraph", "reading RDF needs pyoxigraph"),
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_a_format_needs_is_named_with_its_extra(tmp_path, monkeypatch, name):
    module, words = ABSENT[name]
    monkeypatch.setitem(sys.modules, module, None)
    file = tmp_path / name
    file.write_bytes(b"\x28\xb5\x2f\xfd" if name == "runs.zst" else b"<urn:a> <urn:b> <urn:c> .\n")
    with pytest.raises(MissingExtraError, match=rf"{words}.*\nHint: pip install"):
        {"runs.zst": read_gold, "suite.yaml": read_suite, "graph.nt": read_triples}[name](file)


def test_a_damaged_gzip_is_told_without_zstandard_too(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, ZSTD, None)
    file = tmp_path / "a.run.gz"
    file.write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + b"\xff" * 50)
    with pytest.raises(FormatError, match="expected a whole gzip file"):
        read_run(file).frame()


class TestRdfWithoutEnds:
    def test_a_literal_that_goes_on_and_on(self):
        chunks = [b'<a> <p> "', *[b"a" * (1 << 20)] * 18]
        with pytest.raises(
            FormatError, match=r"x\.nt: expected N-TRIPLES, found a literal or a name of more than 16 MiB"
        ):
            nesting.require_shallow(chunks, "N_TRIPLES", "x.nt")

    def test_names_of_which_none_is_closed(self):
        with pytest.raises(FormatError, match=r"x\.ttl: expected TURTLE, found texts and names without an end"):
            nesting.require_shallow([b"<a " * 30], "TURTLE", "x.ttl")


def test_a_file_that_unpacks_to_far_too_much():
    with pytest.raises(FormatError, match=r"unpacks to more than 200 times its size\nHint: unpack it yourself"):
        compression.require_proportion("a.gz", 1 << 20, 1 << 30)
