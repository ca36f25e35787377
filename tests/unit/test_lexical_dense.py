"""Vectors make runs, which stand beside those of words."""

import numpy as np
import pytest

from assay import Run
from assay.errors import AssayError
from assay.tasks.lexical.dense import search_vectors
from assay.tasks.neighbours.vectors import Vectors

DOCUMENTS = Vectors.of([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0], [1.0, 1.0]], ["c", "b", "a", "d"])


def found(run):
    return run.frame().select("query", "item").rows()


def test_documents_stand_by_cosine_then_in_their_order():
    run = search_vectors(DOCUMENTS, Vectors.of([[2.0, 0.0]], ["q"]))
    assert found(run) == [("q", "c"), ("q", "a"), ("q", "d"), ("q", "b")]
    assert run.frame()["score"].to_list() == pytest.approx([1, 1, 0.5**0.5, 0])
    assert run.name == "dense"


@pytest.mark.parametrize(("metric", "best"), [("dot", "a"), ("l2", "c")])
def test_other_ways_to_be_near(metric, best):
    run = search_vectors(DOCUMENTS, Vectors.of([[1.4, 0.0]], ["q"]), 1, metric=metric, name="mine")
    assert (found(run), run.name) == ([("q", best)], "mine")


def test_the_document_with_the_id_of_the_query_is_left_out():
    queries = Vectors.of([[1.0, 0.0], [1.0, 0.0]], ["c", "q"])
    run = search_vectors(DOCUMENTS, queries, 2, remove_query=True)
    assert found(run) == [("c", "a"), ("c", "d"), ("q", "c"), ("q", "a")]


def test_a_run_of_all_is_that_of_a_plain_product():
    random = np.random.default_rng(7)
    documents, queries = random.normal(size=(60, 5)), random.normal(size=(9, 5))
    run = search_vectors(Vectors.of(documents), Vectors.of(queries), 10, metric="dot").frame()
    best = np.argsort(-(queries @ documents.T), axis=1)[:, :10]
    assert run["item"].to_list() == [str(place) for place in best.ravel()]


def test_a_function_that_retrieves_makes_the_same_kind_of_run():
    run = Run.from_callable(lambda text: [("c", 2.0), ("b", 1.0)] if text else [], {"1": "gold", "2": ""}, name="mine")
    assert found(run) == [("1", "c"), ("1", "b")]


def test_mistakes_are_named():
    queries = Vectors.of([[1.0, 0.0]], ["q"])
    with pytest.raises(AssayError, match="depth: expected a number of at least 1, found 0"):
        search_vectors(DOCUMENTS, queries, 0)
    with pytest.raises(AssayError, match="finite vectors of 2 dimensions, found shape"):
        search_vectors(DOCUMENTS, Vectors.of([[1.0, 0.0, 0.0]], ["q"]))
    with pytest.raises(AssayError, match=r"no metric is called 'cosin'\. Did you mean 'cosine'\?"):
        search_vectors(DOCUMENTS, queries, metric="cosin")
