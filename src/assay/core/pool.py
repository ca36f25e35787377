"""`Pool`: the pairs of query and item that are to be judged, why these, and how fair judgments of them would be."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import polars as pl

from assay.core.health import LeftOut
from assay.core.policy import Policy
from assay.core.shown import Shown

Strategy = Literal["depth", "mtf", "bandit", "stratified"]
Share = Literal["equal", "found"]

SCHEMA = {
    "query": pl.String, "item": pl.String, "stratum": pl.String, "probability": pl.Float64, "runs": pl.Int64,
    "rank": pl.Int64,
}  # fmt: skip
"""The columns of a pool; `runs` counts the runs that hold the item, `rank` is the best of its ranks."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one run brings: its pairs within the depth, those that no other run has, and what is judged of its own."""

    run: str
    pairs: int
    alone: int
    judged: int
    relevant: int

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Stratum:
    """One part of a pool over all queries: its pairs, how many of them are drawn, how many of these are judged."""

    name: str
    pairs: int
    drawn: int
    judged: int

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Found:
    """What strategies would have found in a known gold standard: relevant pairs after so many judgments.

    `budgets` are numbers of judgments, `relevant` the relevant ones among them by strategy, `of` all relevant pairs
    that the runs hold within the depth.
    """

    budgets: tuple[int, ...]
    relevant: Mapping[str, tuple[int, ...]]
    of: int

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        relevant = {name: list(counts) for name, counts in self.relevant.items()}
        return {"budgets": list(self.budgets), "relevant": relevant, "of": self.of}


@dataclass(frozen=True, slots=True)
class Reuse:
    """Whether new runs can be judged fairly by one measure.

    `worst` is the run that would lose most without its own group in the pool, `median` the median change, `tau`
    Kendall's tau of the order of the runs before and after. `detectable` is the difference that a paired t test of
    these queries would find between two of the runs (the median over all pairs). `reusable` tells that no run changes
    by as much; None where nothing can be detected.
    """

    measure: str
    worst: LeftOut
    median: float | None
    tau: float | None
    detectable: float | None
    reusable: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Bias:
    """What it costs a run not to have helped to make the pool; `groups` names who was left out together with it."""

    by: Literal["run", "group"]
    groups: Mapping[str, str]
    left_out: tuple[LeftOut, ...]
    verdicts: tuple[Reuse, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the bias as plain data."""
        return {
            "by": self.by,
            "groups": dict(self.groups),
            "left_out": [one.to_dict() for one in self.left_out],
            "verdicts": [one.to_dict() for one in self.verdicts],
        }


@dataclass(frozen=True, eq=False)
class Pool(Shown):
    """Pairs to judge.

    Parameters
    ----------
    table
        The pairs without a judgment, in the order in which to judge them, columns as in `SCHEMA`. `probability` is
        the chance of being drawn; null where pairs were chosen for what others turned out to be.
    strategy, depth, budget, share, seed, policy
        How they were chosen: `share` says whether queries get equal parts of the budget, or more where more is found.
    queries, pooled
        How many queries the runs answer, how many pairs they hold within the depth.
    judged, relevant
        How many of the chosen pairs had a judgment before, and how many of those are relevant.
    runs
        What each run brings.
    sample
        For a sample: all pairs of its strata, columns query, item, stratum, probability and drawn.
    """

    table: pl.DataFrame
    strategy: Strategy
    depth: int
    budget: int | None
    share: Share
    seed: int
    policy: Policy
    queries: int
    pooled: int
    judged: int
    relevant: int
    runs: tuple[Contribution, ...]
    strata: tuple[Stratum, ...] = ()
    sample: pl.DataFrame | None = None
    found: Found | None = None
    bias: tuple[Bias, ...] = ()
    notices: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return self.table.height

    def __repr__(self) -> str:
        return f"Pool({self.strategy}: {len(self):,} of {self.pooled:,} pairs to judge, {self.judged:,} judged)"

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the pool as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "strategy": self.strategy,
            "depth": self.depth,
            "budget": self.budget,
            "share": self.share,
            "seed": self.seed,
            "policy": self.policy.to_dict(),
            "queries": self.queries,
            "pooled": self.pooled,
            "judged": self.judged,
            "relevant": self.relevant,
            "runs": [one.to_dict() for one in self.runs],
            "strata": [one.to_dict() for one in self.strata],
            "found": self.found.to_dict() if self.found else None,
            "bias": [one.to_dict() for one in self.bias],
            "notices": list(self.notices),
            "pairs": self.table.to_dicts(),
        }
