"""A few documents and two queries, each of which misses some of them for another reason."""

from assay.core.lexical_diagnosis import LexicalDiagnosis
from assay.core.texts import Documents, Queries
from assay.tasks.lexical.analysis import Analyzer
from assay.tasks.lexical.index import Index
from assay.tasks.lexical.search import Searcher

LONG = " ".join(f"word{n}" for n in range(400))
DOCUMENTS = {
    "best": "golden purse thieves", "second": "golden purse thieves thieves", "third": "golden purse silk thieves",
    "disjoint": "a sack of money", "common": "silk of the east", "stem": "thief purses", "less": "purse",
    "long": f"{'golden purse ' * 4}{LONG}",
    "x1": "silk", "x2": "silk road", "x3": "silk tin", "x4": "tin", "x5": "iron and silk",
}  # fmt: skip
QUERIES = {"1": "golden purse silk thieves", "2": "golden purse"}
GOLD = {"1": {"best": 1, "disjoint": 1, "common": 1, "absent": 1}, "2": {"best": 1, "long": 1, "less": 1, "second": 0}}


def bm25(analyzer: Analyzer | None = None, queries: dict[str, str] = QUERIES, depth: int = 20) -> dict[str, list[str]]:
    """Return what BM25 finds, as rankings."""
    searcher = Searcher(Index.build(Documents.of(DOCUMENTS), analyzer))
    found = searcher.run(Queries.of(queries), depth).frame()
    return {str(key[0]): rows["item"].to_list() for key, rows in found.partition_by("query", as_dict=True).items()}


def blamed(found: LexicalDiagnosis) -> dict[tuple[str, str], str]:
    return {(one.query, one.item): one.blame for one in found.missed}
