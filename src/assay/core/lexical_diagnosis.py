"""`LexicalDiagnosis`: what queries and their relevant documents share, and why each missed document is missed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.audit import Finding
from assay.core.evaluation import Figure
from assay.core.lexical_readings import Analysis, Overlap
from assay.core.shown import Shown

BLAMES: Mapping[str, str] = {
    "absent": "not among the documents",
    "disjoint": "no word in common with its query",
    "stems": "words in common only by stemming",
    "spelling": "the same words only in another case",
    "unread": "a search by words finds it",
    "frequent": "only frequent words in common",
    "length": "found if it were of average length",
    "outscored": "others match more, or more often",
}
"""What a missed document is blamed on: the first of these that holds, in this order."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A relevant document that the run has not among its first places, and why.

    `rank` is its place in the run, None below the depth looked at; `searched` its place in the search by words, None
    where it shares no word; `dense` its place in the dense run, where one was given. `by` names the overlap with the
    least analysis by which it shares a word (None: by none). `shared` are the words of the query that it has; `lacks`
    those that it has not and at least half of the documents in the run's first places have, the rarest first.
    `length` is how many terms it has, `weight` the share of the query's idf that `shared` carries.
    """

    query: str
    item: str
    grade: float
    rank: int | None
    searched: int | None
    dense: int | None
    blame: str
    by: str | None
    shared: tuple[str, ...]
    lacks: tuple[str, ...]
    weight: float | None
    length: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain data."""
        return asdict(self) | {"shared": list(self.shared), "lacks": list(self.lacks)}


@dataclass(frozen=True, slots=True)
class Blame:
    """How many missed documents have one cause; `dense` of them a dense run has among its first places."""

    name: str
    meaning: str
    documents: int
    of: int
    queries: int
    dense: int | None

    @property
    def share(self) -> float | None:
        """The share of all missed documents."""
        return self.documents / self.of if self.of else None

    def to_dict(self) -> dict[str, Any]:
        """Return the count as plain data."""
        return asdict(self) | {"share": self.share}


@dataclass(frozen=True, slots=True)
class Remedy:
    """What could bring missed documents, and how many.

    `costs` is how many found documents it would lose, taken in place of the run: known where a search was made to see
    it. None where no search was made; `documents` is then how many it could bring at most.
    """

    name: str
    meaning: str
    documents: int
    costs: int | None

    @property
    def measured(self) -> bool:
        """Whether a search was made to see it."""
        return self.costs is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the remedy as plain data."""
        return asdict(self) | {"measured": self.measured}


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a query: the term it becomes, in how many documents that is, and its idf."""

    word: str
    term: str
    documents: int
    idf: float

    def to_dict(self) -> dict[str, Any]:
        """Return the term as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class QueryDiagnosis:
    """One query: what it shares with its relevant documents, and how many of them are missed.

    `plain` is the coverage before stemming. `values` holds the measures, `predictors` how hard it looks.
    """

    query: str
    text: str
    terms: tuple[Term, ...]
    relevant: int
    indexed: int
    found: int
    coverage: float | None
    weighted: float | None
    plain: float | None
    unknown: float | None
    disjoint: int
    values: Mapping[str, float | None]
    predictors: Mapping[str, float | None]
    blames: Mapping[str, int]

    @property
    def missed(self) -> int:
        """How many relevant documents are not in the first places."""
        return self.relevant - self.found

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return {
            "query": self.query, "text": self.text, "terms": [one.to_dict() for one in self.terms],
            "relevant": self.relevant, "indexed": self.indexed, "found": self.found, "missed": self.missed,
            "coverage": self.coverage, "weighted": self.weighted, "plain": self.plain, "unknown": self.unknown,
            "disjoint": self.disjoint, "measures": dict(self.values), "predictors": dict(self.predictors),
            "blames": dict(self.blames),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Related:
    """How a figure of a query goes with a measure over queries.

    `spearman` with its interval, `kendall` beside it; `p` is that of Spearman's, `adjusted` for all figures held
    against the measure. `judged` says that the figure needs relevance judgments: it explains and cannot predict.
    """

    figure: str
    meaning: str
    measure: str
    judged: bool
    queries: int
    spearman: float | None
    low: float | None
    high: float | None
    kendall: float | None
    p: float | None
    adjusted: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the relation as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class System:
    """A run and its measures: the one diagnosed, the search by words, the dense one."""

    name: str
    path: str | None
    figures: tuple[Figure, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the system as plain data."""
        measures = {figure.name: figure.to_dict() for figure in self.figures}
        return {"name": self.name, "path": self.path, "measures": measures}


@dataclass(frozen=True, eq=False)
class LexicalDiagnosis(Shown):
    """Why a run misses what it misses, by the words of queries and documents.

    `run` is the system diagnosed, `words` the search by words (BM25 of the same documents; None if it finds nothing at
    all), `dense` a dense run if one was given. `overlaps` begins with texts as described, then less and less of the
    analysis. `relevant` counts pairs of query and relevant document, `found` those in the first `cutoff` places,
    `absent` those not among the documents.
    """

    run: System
    words: System | None
    dense: System | None
    documents: int
    average_length: float
    analyzer: Mapping[str, Any]
    cutoff: int
    depth: int
    level: float
    queries: int
    relevant: int
    found: int
    absent: int
    overlaps: tuple[Overlap, ...]
    analysis: Analysis
    findings: tuple[Finding, ...]
    blames: tuple[Blame, ...]
    remedies: tuple[Remedy, ...]
    related: tuple[Related, ...]
    per_query: tuple[QueryDiagnosis, ...]
    missed: tuple[Missed, ...]
    notices: tuple[str, ...] = ()

    def of_queries(self, queries: Sequence[str]) -> tuple[list[QueryDiagnosis], list[Missed]]:
        """Return what is known of some queries, in their order, and of the documents that they miss."""
        known = {one.query: one for one in self.per_query}
        return [known[query] for query in queries], [one for one in self.missed if one.query in set(queries)]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        lists = ("overlaps", "findings", "blames", "remedies", "related", "per_query", "missed")
        plain = ("documents", "average_length", "cutoff", "depth", "level", "queries", "relevant", "found", "absent")
        return {
            "assay": __version__,
            "command": command or [],
            "run": self.run.to_dict(),
            "words": self.words.to_dict() if self.words else None,
            "dense": self.dense.to_dict() if self.dense else None,
            "analyzer": dict(self.analyzer),
            **{name: getattr(self, name) for name in plain},
            "analysis": self.analysis.to_dict(),
            **{name: [one.to_dict() for one in getattr(self, name)] for name in lists},
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        blamed = ", ".join(f"{one.name} {one.documents}" for one in self.blames if one.documents)
        return f"LexicalDiagnosis({self.run.name}: {self.relevant - self.found} of {self.relevant} missed; {blamed})"
