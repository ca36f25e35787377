"""`assay lexical diagnose` as it is typed: what it prints, writes and refuses."""

import csv
import json
from pathlib import Path

import pytest

from assay.cli.main import run

DOCUMENTS = {
    "d1": "Golden purses and thieves", "d2": "A purse of silk", "d3": "Silk from the east", "d4": "A sack of money",
    "d5": "Iron and tin", "d6": "The golden road",
}  # fmt: skip
QUERIES = {"1": "golden purse", "2": "silk thief"}
GOLD = "1 0 d1 1\n1 0 d4 1\n1 0 gone 1\n2 0 d3 1\n2 0 d2 1\n"
BM25 = "1 Q0 d1 1 2.0 bm25\n1 Q0 d2 2 1.0 bm25\n2 Q0 d2 1 2.0 bm25\n"
DENSE = "1 Q0 d4 1 2.0 dense\n2 Q0 d3 1 2.0 dense\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    rows = (json.dumps({"_id": item, "title": "", "text": text}) for item, text in DOCUMENTS.items())
    (tmp_path / "corpus.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "queries.tsv").write_text("".join(f"{query}\t{text}\n" for query, text in QUERIES.items()))
    (tmp_path / "gold.qrels").write_text(GOLD)
    (tmp_path / "bm25.run").write_text(BM25)
    (tmp_path / "dense.run").write_text(DENSE)
    return ["gold.qrels", "bm25.run", "--documents", "corpus.jsonl", "--queries", "queries.tsv", "--cutoff", "1"]


def diagnose(*arguments: str) -> int:
    return run(["lexical", "diagnose", *arguments])


def test_begins_with_what_it_comes_to(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(*files) == 0
    out = capsys.readouterr().out
    said = " ".join(out.split())
    assert said.startswith("bm25 has P@1 1.0000 and nDCG@1 1.0000. 2 queries have 5 relevant documents: 2 of them")
    assert "25.0 % of the 4 that are among the documents share no word with their query" in said
    assert "WARNING: relevant items that are not among the documents: 1" in out
    assert max(map(len, out.splitlines())) <= 80


def test_json_holds_every_missed_document(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(*files, "--dense", "dense.run", "-o", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert {(one["query"], one["item"]): (one["blame"], one["dense"]) for one in found["missed"]} == {
        ("1", "d4"): ("disjoint", 1), ("1", "gone"): ("absent", None), ("2", "d3"): ("outscored", 1),
    }  # fmt: skip
    assert found["command"][:2] == ["lexical", "diagnose"]
    assert found["dense"]["measures"]["P@1"]["mean"] == 1.0


def test_one_query_in_detail(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(*files, "--query", "1") == 0
    out = capsys.readouterr().out
    assert out.startswith("QUERY 1: golden purse\n")
    assert "golden  golden" in out
    assert "disjoint: no word in common with its query" in out
    assert diagnose(*files, "--query", "1", "-o", "json") == 0
    assert [one["query"] for one in json.loads(capsys.readouterr().out)["per_query"]] == ["1"]


@pytest.mark.parametrize(("rows", "expected"), [("queries", 2), ("missed", 3)])
def test_csv_has_a_row_for_each(
    files: list[str], capsys: pytest.CaptureFixture[str], rows: str, expected: int
) -> None:  # fmt: skip
    assert diagnose(*files, "-o", "csv", "--rows", rows) == 0
    printed = capsys.readouterr()
    assert len(list(csv.DictReader(printed.out.splitlines()))) == expected
    assert "-o csv leaves out" in printed.err


def test_markdown_into_a_file(files: list[str], tmp_path: Path) -> None:
    assert diagnose(*files, "--out", "why.md") == 0
    assert "| blame | documents |" in (tmp_path / "why.md").read_text()


def test_other_terms(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose(*files, "--stemmer", "none", "-m", "AP", "--b", "0", "-o", "json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["analyzer"]["stemmer"] is None
    assert list(found["run"]["measures"]) == ["AP"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--query", "9"], "--query: expected a query with something relevant and a text, found '9'"),
        (["--depth", "0"], "--depth: expected a whole number of at least 1, found '0'"),
        (["--rows", "all"], "no row is called 'all'"),
        (["-o", "xml"], "no output is called 'xml'"),
        (["--ties", "range"], "--ties range: expected one rule for tied items"),
        (["--model", "bm26"], "'bm26'. Did you mean 'bm25'?"),
    ],
)
def test_mistakes_are_one_message(
    files: list[str], capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert diagnose(*files, *arguments) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""


def test_queries_of_something_else(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "queries.tsv").write_text("7\tgolden purse\n")
    assert diagnose(*files) == 2
    assert "expected the texts of queries that have something relevant, found queries such as '7'" in (
        capsys.readouterr().err
    )
