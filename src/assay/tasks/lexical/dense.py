"""Runs of vectors: the exact nearest documents of each query, to stand beside those of words."""

from assay.core.progress import Progress
from assay.core.run import Run
from assay.errors import ParameterError
from assay.tasks.lexical.search import run_of, without
from assay.tasks.neighbours.exact import exact_neighbours
from assay.tasks.neighbours.metrics import Metric
from assay.tasks.neighbours.vectors import Vectors


def search_vectors(
    documents: Vectors,
    queries: Vectors,
    depth: int = 1000,
    *,
    metric: Metric = "cosine",
    remove_query: bool = False,
    name: str = "dense",
    progress: Progress | None = None,
) -> Run:
    """Return the documents whose vectors are nearest to those of each query, exactly.

    Scores are cosines, products, or minus Euclidean distances. Equal scores stand in the order of the documents.
    A retriever that is a function makes a run by `Run.from_callable`.

    Parameters
    ----------
    documents, queries
        Vectors whose rows have the ids as names, of the same dimension.
    depth
        How many documents a query finds at most.
    metric
        "cosine", "dot" or "l2".
    remove_query
        Never find the document that has the id of the query.
    name
        What the run is called.
    progress
        Called with the number of queries that are done, and of all.

    Raises
    ------
    AssayError
        A depth below 1, dimensions that differ, numbers that are not finite, a metric that does not exist.

    >>> documents = Vectors.of([[1.0, 0.0], [0.0, 1.0]], ["a", "b"])
    >>> run = search_vectors(documents, Vectors.of([[0.6, 0.8]], ["1"]))
    >>> run.frame().rows()
    [('1', 'b', 0.8), ('1', 'a', 0.6)]
    """
    if depth < 1:
        raise ParameterError(f"depth: expected a number of at least 1, found {depth}")
    many = min(depth + remove_query, len(documents))
    places, scores = exact_neighbours(documents.matrix, queries.matrix, many, metric, progress=progress)
    asked = queries.names.to_list()
    own = [documents.place.get(query) if remove_query else None for query in asked]
    found = [without((ids, best), place, depth) for ids, best, place in zip(places, scores, own, strict=True)]
    return run_of(asked, documents.names, found, name)
