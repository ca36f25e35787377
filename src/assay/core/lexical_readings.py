"""How texts can be read: what queries and documents then share, and how well it explains a run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Overlap:
    """What queries and their relevant documents have in common when texts are read in one way.

    `coverage` is the share of a query's words that a relevant document has: the mean over its relevant documents,
    then over queries; `weighted` the same with each word weighing its idf. `unknown` is the share of a query's words
    that no document has. `disjoint` counts the relevant documents that have none of the words of their query, out of
    `pairs` pairs of query and relevant document that is among the documents; no search for these words can find them.
    `ceiling` is the highest recall of any such search: the share of all relevant documents of a query that have any of
    its words, those not among the documents counted as missed, in the mean over queries. Of no query all are None.
    """

    name: str
    meaning: str
    coverage: float | None
    weighted: float | None
    unknown: float | None
    disjoint: int
    pairs: int
    ceiling: float | None

    @property
    def share_disjoint(self) -> float | None:
        """The share of the pairs that share no word."""
        return self.disjoint / self.pairs if self.pairs else None

    def to_dict(self) -> dict[str, Any]:
        """Return the overlap as plain data."""
        return asdict(self) | {"share_disjoint": self.share_disjoint}


@dataclass(frozen=True, slots=True)
class Reading:
    """One way in which a run may have read texts, and how well it explains the run.

    `overlap` is the share of the first places of the run that BM25, reading so, has among its own as many first
    places: the mean over `queries`. None where no query can tell.
    """

    name: str
    documents: Mapping[str, Any]
    queries: Mapping[str, Any]
    overlap: float | None
    asked: int

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as plain data."""
        return {
            "name": self.name,
            "documents": dict(self.documents),
            "queries": dict(self.queries),
            "overlap": self.overlap,
            "asked": self.asked,
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """How the run seems to have read texts: the readings, the best first, and whether the best explains it.

    `described` is the name of the reading that was described. `explained` says that the best reading shares at least
    half of the first places with the run; `mismatch` that another reading than the described one explains the run
    better, by more than chance: by `gain` more of the first places, whose interval is `low` to `high`.
    """

    readings: tuple[Reading, ...]
    described: str
    explained: bool
    mismatch: bool
    gain: float | None
    low: float | None
    high: float | None

    @property
    def best(self) -> Reading | None:
        """The reading that explains the run best."""
        return self.readings[0] if self.readings else None

    @property
    def taken(self) -> Reading | None:
        """The reading that the run is taken to have: the best where it is surely better, else the described one.

        None where no reading explains the run.
        """
        if not self.explained or self.mismatch:
            return self.best if self.explained else None
        return next(one for one in self.readings if one.name == self.described)

    def to_dict(self) -> dict[str, Any]:
        """Return the readings as plain data."""
        return {
            "described": self.described,
            "best": self.best.name if self.best else None,
            "explained": self.explained,
            "mismatch": self.mismatch,
            "gain": self.gain,
            "low": self.low,
            "high": self.high,
            "readings": [one.to_dict() for one in self.readings],
        }
