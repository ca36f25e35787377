"""The figures that Anserini publishes come out, to the digits that are published.

Anserini changes equal scores before it writes them, so that trec_eval keeps their order: here ties stand as ranked.
"""

import json

import pytest

import assay
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import model
from assay.tasks.lexical.search import Searcher

pytestmark = [pytest.mark.oracle, pytest.mark.slow]

FILES = {
    "cacm": (["docs.jsonl.gz"], "topics.cacm.txt", "qrels.txt"),
    "scifact": (["corpus.part1.jsonl.gz", "corpus.part2.jsonl.gz"], "topics.test.tsv.gz", "qrels.test.txt"),
}
PUBLISHED = {"cacm": "cacm", "scifact": "beir-v1.0.0-scifact.flat"}
MEASURES = {"MAP": "AP", "P30": "P@30"}


@pytest.fixture(scope="module")
def collection(data):
    """Return index, queries, the place of the judgments and what is published, each collection read once."""
    pytest.importorskip("Stemmer")
    from assay.formats.corpora import read_documents
    from assay.formats.topics import read_queries

    published = json.loads((data / "ir" / "published_anserini.json").read_text("utf-8"))
    read = {}

    def call(name):
        if name not in read:
            documents, queries, gold = FILES[name]
            folder = data / "ir" / name
            index = Index.build(read_documents([folder / part for part in documents]))
            read[name] = index, read_queries(folder / queries), folder / gold, published[PUBLISHED[name]]
        return read[name]

    return call


@pytest.mark.parametrize(("name", "ranked_by"), [("cacm", "bm25"), ("cacm", "ql"), ("scifact", "bm25")])
def test_published_figures(collection, name, ranked_by):
    index, queries, gold, published = collection(name)
    said = published["models"][ranked_by]
    run = Searcher(index, model(ranked_by)).run(queries, remove_query="-removeQuery" in said["params"])
    names = {MEASURES.get(measure, measure): values[0] for measure, values in said["results"].items()}
    found = assay.evaluate(gold, run, " ".join(names), policy=assay.Policy(ties="order")).mean
    assert {measure: round(found[measure], 4) for measure in names} == names
