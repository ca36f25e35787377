"""`Evaluation`: the result of judging one run by one gold standard, with everything needed to trust it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

import polars as pl

from assay.core.policy import Policy
from assay.core.scores import Scores


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

    def to_dict(self) -> dict[str, Any]:
        """Return the block `options` of the JSON."""
        return {
            "rel": self.rel,
            "tie_range": self.tie_range,
            "aggregate": self.aggregate,
            "weights": self.weights.to_dict() if self.weights else None,
            "exclude": self.exclude.to_dict() if self.exclude else None,
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


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one run: its mean, over how many queries, and for how many it is undefined.

    `pessimistic` and `optimistic` are the figure under the worst and the best order of tied items, where
    the range was asked for; `low` and `high` an interval, where one was.
    """

    name: str
    requested: str
    mean: float | None
    queries: int
    undefined: int
    higher_is_better: bool = True
    summed: bool = False
    low: float | None = None
    high: float | None = None
    pessimistic: float | None = None
    optimistic: float | None = None
    policy: Policy | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return one entry of the block `measures` of the JSON."""
        ties = None
        if self.optimistic is not None or self.pessimistic is not None:
            ties = {"pessimistic": self.pessimistic, "optimistic": self.optimistic}
        out: dict[str, Any] = {
            "requested": self.requested,
            "mean": self.mean,
            "queries": self.queries,
            "undefined": self.undefined,
            "low": self.low,
            "high": self.high,
            "ties": ties,
        }
        return out | ({"policy": self.policy.to_dict()} if self.policy else {})


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The measures of one run, with its policy, its audit and the value of each query.

    `figures` keep the order in which measures were asked for; `scores` hold one value for each query and
    measure; `notices` are sentences that a reader of the numbers should know.
    """

    name: str
    gold: GoldFacts
    policy: Policy
    profile: str | None
    figures: tuple[Figure, ...]
    scores: Scores
    audit: RunAudit
    notices: tuple[str, ...] = ()
    path: str | None = None
    digest: Callable[[], str | None] = lambda: None
    queries: int = 0
    rows: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    weighted: bool = False
    format: str | None = None
    options: Options = field(default_factory=Options)

    @property
    def mean(self) -> dict[str, float | None]:
        """The figure of each measure, by its canonical name; None where no query has a value."""
        return {figure.name: figure.mean for figure in self.figures}

    @property
    def per_query(self) -> pl.DataFrame:
        """One row for each measure and query: run, measure, query, value (null where undefined)."""
        return self.scores.table

    def __getitem__(self, measure: object) -> float | None:
        """Return the figure of a measure, by its name or by itself."""
        wanted = str(measure)
        for figure in self.figures:
            if wanted in {figure.name, figure.requested}:
                return figure.mean
        raise KeyError(wanted)

    def wide(self) -> pl.DataFrame:
        """Return one row for each query, one column for each measure."""
        return self.scores.wide().drop("run")

    def to_dict(self, *, command: list[str] | None = None, per_query: bool = True) -> dict[str, Any]:
        """Return the evaluation as plain data, in the shape of the JSON output."""
        return evaluations_to_dict([self], command=command, per_query=per_query)

    def run_dict(self, *, per_query: bool = True) -> dict[str, Any]:
        """Return one entry of the block `runs` of the JSON."""
        out: dict[str, Any] = {
            "name": self.name,
            "path": self.path,
            "sha256": self.digest(),
            "format": self.format,
            "queries": self.queries,
            "rows": self.rows,
            "audit": self.audit.to_dict(),
            "notices": list(self.notices),
            "measures": {figure.name: figure.to_dict() for figure in self.figures},
        }
        if per_query:
            out["per_query"] = self._values()
        return out

    def _values(self) -> dict[str, dict[str, float | None]]:
        values: dict[str, dict[str, float | None]] = {}
        for _, measure, query, value in self.scores.table.iter_rows():
            values.setdefault(query, {})[measure] = value
        return dict(sorted(values.items(), key=lambda entry: entry[0].encode()))

    def _repr_html_(self) -> str:
        """Return a table for a notebook; names from files are escaped."""
        rows = "".join(
            f"<tr><th>{escape(f.name)}</th><td>{'-' if f.mean is None else f'{f.mean:.4f}'}</td>"
            f"<td>{f.queries:,}</td><td>{f.undefined:,}</td></tr>"
            for f in self.figures
        )
        policy = escape(", ".join(f"{name} {value}" for name, value in self.policy.to_dict().items()))
        notices = "".join(f"<li>{escape(notice)}</li>" for notice in self.notices)
        return (
            f"<table><caption>{escape(self.name)} by {escape(self.gold.name)}</caption>"
            "<tr><th>measure</th><th>mean</th><th>queries</th><th>undefined</th></tr>"
            f"{rows}</table><p>{policy}</p>" + (f"<ul>{notices}</ul>" if notices else "")
        )

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={'undefined' if f.mean is None else f'{f.mean:.4f}'}" for f in self.figures)
        return f"Evaluation({self.name}: {shown})"


def evaluations_to_dict(
    evaluations: list[Evaluation], *, command: list[str] | None = None, per_query: bool = True
) -> dict[str, Any]:
    """Return several runs judged by the same gold, in the shape of the JSON output."""
    from assay._version import __version__

    first = evaluations[0]
    return {
        "assay": __version__,
        "command": command or [],
        "seed": None,
        "profile": first.profile,
        "policy": first.policy.to_dict(),
        "weighted": first.weighted,
        "options": first.options.to_dict(),
        "gold": first.gold.to_dict(),
        "runs": [evaluation.run_dict(per_query=per_query) for evaluation in evaluations],
    }


def _cutoff(k: int | None) -> str:
    return "none" if k is None else str(k)
