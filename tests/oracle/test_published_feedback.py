"""Figures that were published for feedback, to all digits; and an input small enough to work out by hand."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.texts import Documents
from assay.formats import read_run
from assay.formats.corpora import read_documents
from assay.formats.topics import read_queries
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.expanding import expand
from assay.tasks.lexical.feedback import RM3, Rocchio
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25, Dirichlet
from assay.tasks.lexical.search import Searcher

LINES = Path(__file__).with_name("reported_lexical.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}
FILES = {
    "cacm": (("docs.jsonl.gz",), "topics.cacm.txt", "qrels.txt"),
    "vaswani": (("doc-text.trec.gz",), "query-text.trec", "qrels"),
    "scifact": (("corpus.part1.jsonl.gz", "corpus.part2.jsonl.gz"), "topics.test.tsv.gz", "qrels.test.txt"),
}


@cache
def collection(folder):
    """Return the index, the queries and the gold of a collection."""
    parts, topics, gold = FILES[folder.name]
    documents = read_documents([str(folder / part) for part in parts])
    return Index.build(documents), read_queries(str(folder / topics)), str(folder / gold)


@dataclass(frozen=True)
class Given:
    """A model that gives documents the scores that a report states."""

    scores: tuple[float, ...]
    name: str = "given"

    def weights(self, index):
        return np.array([self.scores[place] for place in index.places])


def test_rm3_of_two_documents():
    report = REPORTS["rm3-tiny"]
    given = report["input"]
    texts = {
        str(place): " ".join(f"{t}{t} " * n for t, n in one["tf"].items())
        for place, one in enumerate(given["feedback"])
    }
    model = Given(tuple(one["score"] for one in given["feedback"]))
    searcher = Searcher(Index.build(Documents.of(texts), Analyzer(stemmer=None, stop=False)), model)
    way = RM3(terms=given["fb_terms"], weight=given["original_weight"], common=1)
    found = way.expand(searcher, {"q": {2 * term: 1.0 for term in given["query"]}})["q"]
    assert found == pytest.approx({2 * term: weight for term, weight in report["expected"].items()}, rel=1e-6)


@pytest.mark.parametrize(("model", "published"), [(BM25(), (0.3648, 0.2224)), (Dirichlet(), (0.3629, 0.2250))])
def test_cacm_with_rm3_as_published(data, model, published):
    index, queries, gold = collection(data / "ir" / "cacm")
    searcher = Searcher(index, model)
    run = searcher.run(RM3().expand(searcher, searcher.weighted(queries)))
    found = assay.evaluate(gold, run, "AP P@30", policy=assay.Policy(ties="order")).mean
    assert tuple(round(value, 4) for value in found.values()) == published


@pytest.mark.parametrize(("name", "unlike"), [("cacm", 0), ("scifact", 24)])  # it cuts three words of SciFact otherwise
@pytest.mark.parametrize(("way", "file"), [(RM3(), "bm25-rm3"), (Rocchio(), "bm25-rocchio")])
def test_scores_of_another_program_come_out_again(data, name, unlike, way, file):
    index, queries, _ = collection(data / "ir" / name)
    searcher = Searcher(index)
    made = searcher.run(way.expand(searcher, searcher.weighted(queries)), 1000, remove_query=name == "scifact").frame()
    given = read_run(str(data / "ir" / name / "runs" / f"{file}.run.gz")).frame().select("query", "item", "score")
    both = given.join(made, on=["query", "item"], how="left")
    off = (pl.col("score") - pl.col("score_right")).abs() > 1e-5
    assert both.filter(off | pl.col("score_right").is_null())["query"].n_unique() <= unlike


@pytest.mark.parametrize(("name", "helped", "hurt"), [("cacm", 35, 14), ("scifact", 53, 81), ("vaswani", 52, 40)])
def test_queries_helped_and_hurt_by_rm3(data, name, helped, hurt):
    index, queries, gold = collection(data / "ir" / name)
    found, _ = expand(gold, Searcher(index), queries, [RM3()], "AP", remove_query=name == "scifact")
    (way,) = found.ways
    assert (way.counts["helped"], way.counts["hurt"]) == (helped, hurt)
    changed = [one for one in way.queries if one.outcome != "same"]
    assert all(one.cause for one in changed)
    assert all(one.reweighting + one.adding == pytest.approx(one.change) for one in changed)
