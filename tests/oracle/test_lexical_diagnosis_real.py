"""The words that queries share with their relevant documents in five collections, as measured before this code.

Coverage, the same weighed by idf, coverage without stems, the share of relevant documents that share no word, and
the rank correlation of coverage with nDCG@10 of BM25 were computed once by a script of its own.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from assay.core.lexical_diagnosis import LexicalDiagnosis
from assay.core.policy import Policy
from assay.core.texts import Documents, Queries
from assay.engines import head
from assay.formats import read_run
from assay.formats.corpora import read_documents
from assay.formats.topics import read_queries
from assay.inputs import as_gold
from assay.tasks.lexical.diagnosis.diagnose import diagnose

FIGURES = {
    "cacm": (0.306, 0.260, 0.235, 0.059, 0.29),
    "cranfield": (0.374, 0.319, 0.315, 0.038, 0.55),
    "cisi": (0.221, 0.163, 0.161, 0.041, 0.16),
    "vaswani": (0.390, 0.355, 0.289, 0.027, 0.46),
    "scifact": (0.574, 0.561, 0.501, 0.009, 0.72),
}
Collection = tuple[Any, Documents, Queries]


def cacm(folder: Path) -> Collection:
    return folder / "qrels.txt", read_documents([folder / "docs.jsonl.gz"]), read_queries(folder / "topics.cacm.txt")


def cranfield(folder: Path) -> Collection:
    """Topics are numbered by their order in the judgments; the grades stand as they are, though 1 is the best."""
    asked = read_queries(folder / "cran.qry").texts.values()
    gold: dict[str, dict[str, int]] = {}
    for line in (folder / "cranqrel").read_text().splitlines():
        query, item, grade = line.split()
        gold.setdefault(query, {})[item] = int(grade)
    queries = Queries.of({str(number): text for number, text in enumerate(asked, 1)})
    return gold, read_documents([folder / "cran.all.1400.gz"]), queries


def cisi(folder: Path) -> Collection:
    gold: dict[str, dict[str, int]] = {}
    for line in (folder / "CISI.REL").read_text().splitlines():
        query, item, *_ = line.split()
        gold.setdefault(query, {})[item] = 1
    return gold, read_documents([folder / "CISI.ALL.gz"]), read_queries(folder / "CISI.QRY")


def vaswani(folder: Path) -> Collection:
    documents = read_documents([folder / "doc-text.trec.gz"])
    return folder / "qrels", documents, read_queries(folder / "query-text.trec")


def scifact(folder: Path) -> Collection:
    parts = [folder / "corpus.part1.jsonl.gz", folder / "corpus.part2.jsonl.gz"]
    return folder / "qrels.test.txt", read_documents(parts), read_queries(folder / "topics.test.tsv.gz")


READERS: dict[str, Callable[[Path], Collection]] = {
    "cacm": cacm, "cranfield": cranfield, "cisi": cisi, "vaswani": vaswani, "scifact": scifact
}  # fmt: skip


def diagnosed(data: Path, name: str, run: str, dense: str | None = None) -> LexicalDiagnosis:
    folder = data / "ir" / name
    gold, documents, queries = READERS[name](folder)
    runs = folder / "runs"
    vectors = None if dense is None else runs / f"{dense}.run.gz"
    return diagnose(gold, runs / f"{run}.run.gz", documents, queries, dense=vectors)


@pytest.fixture(scope="module", params=list(FIGURES))
def found(data: Path, request: pytest.FixtureRequest) -> tuple[str, LexicalDiagnosis]:
    return request.param, diagnosed(data, request.param, "bm25", "dense-wordllama")


def test_figures_come_out_again(found: tuple[str, LexicalDiagnosis]) -> None:
    name, diagnosis = found
    coverage, weighted, plain, disjoint, spearman = FIGURES[name]
    described, bare = diagnosis.overlaps[:2]
    assert described.coverage == pytest.approx(coverage, abs=0.0005)
    assert described.weighted == pytest.approx(weighted, abs=0.0005)
    assert bare.coverage == pytest.approx(plain, abs=0.0005)
    assert described.disjoint / described.pairs == pytest.approx(disjoint, abs=0.0005)
    related = next(one for one in diagnosis.related if (one.figure, one.measure) == ("coverage", "nDCG@10"))
    assert related.spearman == pytest.approx(spearman, abs=0.005)


def test_every_missed_document_has_one_blame(found: tuple[str, LexicalDiagnosis]) -> None:
    _, diagnosis = found
    assert sum(one.documents for one in diagnosis.blames) == diagnosis.relevant - diagnosis.found
    assert len({(one.query, one.item) for one in diagnosis.missed}) == len(diagnosis.missed)


def test_bm25_reads_as_described_and_case_is_named_only_where_it_parts(found: tuple[str, LexicalDiagnosis]) -> None:
    name, diagnosis = found
    assert diagnosis.analysis.explained
    assert not diagnosis.analysis.mismatch
    cases = [one for one in diagnosis.findings if one.code == "case-apart"]
    assert [one.place for one in cases] == (["dense-wordllama"] if name == "vaswani" else [])


@pytest.mark.parametrize("name", ["cacm", "cisi"])
def test_feedback_brings_what_a_run_made_elsewhere_brings(data: Path, name: str) -> None:
    diagnosis = diagnosed(data, name, "bm25")
    folder = data / "ir" / name
    gold = as_gold(READERS[name](folder)[0]).table.filter(pl.col("grade") >= 1)

    def found(run: str) -> set[tuple[str, str]]:
        first = head(read_run(folder / "runs" / f"{run}.run.gz"), 10, Policy(ties="order"))
        return set(first.join(gold, on=["query", "item"], how="semi").select("query", "item").rows())

    plain, feedback = found("bm25"), found("bm25-rm3")
    remedy = next(one for one in diagnosis.remedies if one.name == "feedback")
    assert (remedy.documents, remedy.costs) == (len(feedback - plain), len(plain - feedback))


def test_upper_case_is_the_reason_for_a_weak_dense_run(data: Path) -> None:
    diagnosis = diagnosed(data, "vaswani", "dense-wordllama")
    (case,) = [one for one in diagnosis.findings if one.code == "case-apart"]
    assert case.level == "warning"
    assert "the queries are in upper case (100 % of their letters), the documents in lower case (0 %)" in case.title
    assert "dense-wordllama has P@10 0.0527, nDCG@10 0.0612" in case.detail
    assert max(diagnosis.blames, key=lambda one: one.documents).name == "spelling"


@pytest.mark.parametrize("name", ["cacm", "cisi"])
def test_a_run_made_without_stems_is_recognised(data: Path, name: str) -> None:
    diagnosis = diagnosed(data, name, "bm25-nostem")
    assert diagnosis.analysis.best is not None
    assert diagnosis.analysis.best.name == "no stems"
    assert diagnosis.analysis.mismatch
    assert next(one for one in diagnosis.remedies if one.name == "stems").documents > 0


def test_ids_with_and_without_zeros_are_told_apart(data: Path) -> None:
    diagnosis = diagnosed(data, "cacm", "bm25")
    (one,) = [one for one in diagnosis.findings if one.code == "not-indexed"]
    assert (diagnosis.absent, one.title) == (55, "relevant items that are not among the documents: 55")
    assert "which the documents call 'CACM-0" in one.detail
