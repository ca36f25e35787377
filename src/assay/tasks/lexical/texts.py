"""`search_texts`: from texts, or the files that hold them, to a run in one call."""

import os
from collections.abc import Mapping, Sequence

from assay.core.progress import Progress
from assay.core.run import Run
from assay.core.texts import Documents, Queries
from assay.formats.corpora import read_documents
from assay.formats.topics import read_queries
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.models import Model
from assay.tasks.lexical.models import model as model_of
from assay.tasks.lexical.search import Searcher

Path = str | os.PathLike[str]


def search_texts(
    documents: Index | Documents | Mapping[str, str] | Path | Sequence[Path],
    queries: Queries | Mapping[str, str] | Path,
    depth: int = 1000,
    *,
    model: Model | str = "bm25",
    expand: str | None = None,
    analyzer: Analyzer | None = None,
    remove_query: bool = False,
    name: str | None = None,
    progress: Progress | None = None,
) -> Run:
    """Return the documents that share words with each query, the best first.

    Parameters
    ----------
    documents
        An index, texts by their ids, or files in any form that `read_documents` knows.
    queries
        Texts by their ids, or a file in any form that `read_queries` knows.
    depth
        How many documents a query finds at most.
    model
        A model or its name: bm25 and ql as Lucene has them, lucene, robertson, atire, bm25l or bm25plus.
    expand
        Feedback to search again with: rm3, rocchio or prf.
    analyzer
        How texts become terms; else Lucene's English analyser. An index has its own.
    remove_query
        Never find the document that has the id of the query.
    name
        What the run is called; else as the model.
    progress
        Called with the number of queries that are done, and of all.

    Raises
    ------
    AssayError
        Files that cannot be read, no words, names that do not exist, a depth below 1.

    >>> run = search_texts({"a": "gold mines", "b": "silver"}, {"1": "the gold mine"})
    >>> run.frame()["item"].to_list()
    ['a']
    """
    ranked_by = model_of(model) if isinstance(model, str) else model
    searcher = Searcher(_index(documents, analyzer), ranked_by)
    weighted = searcher.weighted(as_queries(queries))
    if expand is not None:
        from assay.tasks.lexical.feedback import expander

        weighted = expander(expand).expand(searcher, weighted)
    called = name or "+".join(part for part in (ranked_by.name, expand) if part)
    return searcher.run(weighted, depth, remove_query=remove_query, name=called, progress=progress)


def _index(given: Index | Documents | Mapping[str, str] | Path | Sequence[Path], analyzer: Analyzer | None) -> Index:
    if isinstance(given, Index):
        return given
    return Index.build(as_documents(given), analyzer)


def as_documents(given: Documents | Mapping[str, str] | Path | Sequence[Path]) -> Documents:
    """Return documents, whatever they are given as: `Documents`, `{item: text}`, a path or several."""
    if isinstance(given, Documents):
        return given
    return Documents.of(given) if isinstance(given, Mapping) else read_documents(given)


def as_queries(given: Queries | Mapping[str, str] | Path) -> Queries:
    """Return queries, whatever they are given as: `Queries`, `{query: text}` or a path."""
    if isinstance(given, Queries):
        return given
    return Queries.of(given) if isinstance(given, Mapping) else read_queries(given)
