"""From texts or files to a run in one call."""

import polars as pl
import pytest

from assay.core.texts import Documents, Queries
from assay.errors import AssayError
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import BM25
from assay.tasks.lexical.texts import search_texts

DOCUMENTS = {"a": "gold mines", "b": "silver mining", "c": "the purse"}
QUERIES = {"1": "mine", "2": "Purses", "a": "gold"}


@pytest.fixture(autouse=True)
def _library():
    pytest.importorskip("Stemmer")


def found(run):
    return run.frame().select("query", "item").rows()


def test_texts_and_files_give_the_same_run(tmp_path):
    documents, queries = tmp_path / "documents.tsv", tmp_path / "queries.tsv"
    documents.write_text("id\ttext\n" + "".join(f"{name}\t{text}\n" for name, text in DOCUMENTS.items()))
    queries.write_text("".join(f"{name}\t{text}\n" for name, text in QUERIES.items()))
    wanted = [("1", "a"), ("1", "b"), ("2", "c"), ("a", "a")]
    for given in (
        DOCUMENTS,
        Documents.of(DOCUMENTS),
        Index.build(Documents.of(DOCUMENTS)),
        documents,
        [str(documents)],
    ):
        for asked in (QUERIES, Queries.of(QUERIES), queries):
            assert found(search_texts(given, asked)) == wanted


def test_the_options_are_those_of_a_search():
    assert found(search_texts(DOCUMENTS, QUERIES, 1)) == [("1", "a"), ("2", "c"), ("a", "a")]
    assert ("a", "a") not in found(search_texts(DOCUMENTS, QUERIES, remove_query=True))
    assert found(search_texts(DOCUMENTS, QUERIES, analyzer=Analyzer(stemmer=None))) == [("a", "a")]
    assert search_texts(DOCUMENTS, QUERIES, model=BM25(1.2, 0.75), name="mine").name == "mine"
    assert search_texts(DOCUMENTS, QUERIES, model="ql", expand="rm3").name == "ql+rm3"


def test_mistakes_are_named(tmp_path):
    with pytest.raises(AssayError, match="no model is called 'qll'"):
        search_texts(DOCUMENTS, QUERIES, model="qll")
    with pytest.raises(AssayError, match="no expansion is called 'rm'"):
        search_texts(DOCUMENTS, QUERIES, expand="rm")
    with pytest.raises(AssayError, match="absent"):
        search_texts(tmp_path / "absent.jsonl", QUERIES)
    with pytest.raises(AssayError, match="documents: expected ids and texts, found 5"):
        search_texts({"a": 5}, QUERIES)
    with pytest.raises(AssayError, match="documents: expected a column 'item' of texts, found one of Int64"):
        Documents(pl.DataFrame({"item": [1], "text": ["gold"]}))
    with pytest.raises(AssayError, match="queries: expected a column 'query' of texts, found none"):
        Queries(pl.DataFrame({"id": ["1"], "text": ["gold"]}))
