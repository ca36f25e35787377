"""Mistakes that were reported of other search libraries, as small inputs with the right scores.

Each line of reported_lexical.jsonl is one report: where it was made, the input and what must come out.
"""

import json
from math import log
from pathlib import Path

import pytest

from assay.core.texts import Documents
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant

LINES = Path(__file__).with_name("reported_lexical.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}


def report(name):
    return REPORTS[name]["input"], REPORTS[name]["expected"]


def index_of(texts):
    documents = Documents.of({str(place): text for place, text in enumerate(texts)})
    return Index.build(documents, Analyzer(stemmer=None, stop=False, lower=False))


def test_a_term_in_half_of_the_documents_is_worth_something():
    given, expected = report("idf-half-the-corpus")
    texts = [" ".join(text.replace("'", "").replace("!", "").replace("?", "").split()) for text in given["docs"]]
    searcher = Searcher(index_of(texts), BM25(given["k1"], given["b"], coarse=False))
    scores = searcher.scores(dict.fromkeys(given["query"], 1.0))
    assert scores.tolist() == pytest.approx(expected["scores"], abs=5e-9)


def test_the_factor_of_the_classic_form_multiplies_the_count():
    given, expected = report("bm25-parentheses")
    text = " ".join(["term"] * given["tf"] + ["other"] * (given["dl"] - given["tf"]))
    index = index_of([text, *(" ".join(["rest"] * given["avgdl"]) for _ in range(20))])
    place = index.number["term"]
    plain = BM25(given["k1"], given["b"]).weights(index)[index.starts[place]] / index.idf[place]
    assert plain == pytest.approx(expected["lucene>=8 form"])
    pytest.importorskip("bm25s")
    classic = Variant("atire", given["k1"], given["b"]).weights(index)[index.starts[place]] / log(len(index))
    assert classic == pytest.approx(expected["classic (k1+1) form"])
