"""What a result remembers of its inputs: gold standard, run, files, options."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


def _no_digest() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Attached:
    """A further input: its file and the SHA-256 of its bytes; both None where it was handed over in memory."""

    path: str | None = None
    digest: Callable[[], str | None] = field(default=_no_digest, compare=False)

    def to_dict(self) -> dict[str, str | None]:
        """Return path and sha256."""
        return {"path": self.path, "sha256": self.digest()}


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for beside measures and conventions; enough to ask for it again."""

    rel: float | None = None
    tie_range: bool = False
    aggregate: str = "macro"
    weights: Attached | None = None
    exclude: Attached | None = None
    interval: float | None = None
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the block `options` of the JSON."""
        return {
            "rel": self.rel,
            "tie_range": self.tie_range,
            "aggregate": self.aggregate,
            "weights": self.weights.to_dict() if self.weights else None,
            "exclude": self.exclude.to_dict() if self.exclude else None,
            "interval": self.interval,
        }


@dataclass(frozen=True, slots=True)
class GoldFacts:
    """What the gold standard is: counts over all its queries."""

    name: str
    path: str | None
    digest: Callable[[], str | None] = field(compare=False)
    queries: int = 0
    judgments: int = 0
    relevant: int = 0
    grades: Mapping[float, int] = field(default_factory=dict)
    unjudged_queries: tuple[str, ...] = ()
    empty_queries: tuple[str, ...] = ()
    format: str | None = None
    asked: str = "query"
    """What a query is called where the gold holds no judgments, as of clusters."""

    def to_dict(self) -> dict[str, Any]:
        """Return the block `gold` of the JSON."""
        return {
            "name": self.name,
            "path": self.path,
            "sha256": self.digest(),
            "format": self.format,
            "queries": self.queries,
            "judgments": self.judgments,
            "relevant": self.relevant,
            "grades": {f"{grade:g}": count for grade, count in self.grades.items()},
            "empty_queries": list(self.empty_queries),
            "unjudged_queries": list(self.unjudged_queries),
        }


@dataclass(frozen=True, slots=True)
class RunAudit:
    """What was noticed about a run while it was judged.

    `ties_across_cutoff` counts, for each cutoff that is reported (None: measures without one), the queries
    in which a tie group with unequal gains crosses it; `judged_at` is the mean share of judged items there.
    """

    missing_queries: tuple[str, ...] = ()
    extra_queries: tuple[str, ...] = ()
    duplicates: int = 0
    nan: int = 0
    excluded: int = 0
    self_matches: int = 0
    queries_with_ties: int = 0
    ties_across_cutoff: Mapping[int | None, int] = field(default_factory=dict)
    judged_at: Mapping[int, float | None] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the block `audit` of the JSON."""
        return {
            "missing_queries": list(self.missing_queries),
            "extra_queries": len(self.extra_queries),
            "extra_examples": list(self.extra_queries[:5]),
            "duplicates": self.duplicates,
            "nan": self.nan,
            "excluded": self.excluded,
            "self_matches": self.self_matches,
            "queries_with_ties": self.queries_with_ties,
            "ties_across_cutoff": {_cutoff(k): count for k, count in self.ties_across_cutoff.items()},
            "judged_at_cutoff": {str(k): share for k, share in self.judged_at.items()},
        }


def _cutoff(k: int | None) -> str:
    return "none" if k is None else str(k)
