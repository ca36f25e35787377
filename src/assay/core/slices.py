"""`Slicing`: the queries cut into groups by something known about them, every measure in each group."""

from dataclasses import dataclass
from typing import Any

from assay.core.estimates import Interval, Significance


@dataclass(frozen=True, slots=True)
class SliceFigure:
    """One measure of one run over one group of queries."""

    group: str
    run: str
    measure: str
    mean: float | None
    queries: int
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {
            "group": self.group, "run": self.run, "measure": self.measure, "mean": self.mean,
            "queries": self.queries, "interval": self.interval.to_dict(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class SliceContrast:
    """One run held against another over one group of queries; corrected over all groups of the slicing."""

    group: str
    run: str
    baseline: str
    measure: str
    difference: float | None
    interval: Interval
    significance: Significance
    verdict: str

    def to_dict(self) -> dict[str, Any]:
        """Return the contrast as plain data."""
        return {
            "group": self.group, "run": self.run, "baseline": self.baseline, "measure": self.measure,
            "difference": self.difference, "interval": self.interval.to_dict(),
            "significance": self.significance.to_dict(), "verdict": self.verdict,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slicing:
    """The queries cut by one column: groups with their sizes, figures, contrasts.

    `groups` maps in order the label of a group to its number of queries; `worst` names for each (run, measure)
    the group with the worst mean; `reversals` are sentences about runs that win overall and lose in every
    group, or the other way round (Simpson's paradox), and about groups that point against the whole.
    """

    column: str
    groups: dict[str, int]
    figures: tuple[SliceFigure, ...]
    contrasts: tuple[SliceContrast, ...] = ()
    worst: dict[tuple[str, str], str] | None = None
    reversals: tuple[str, ...] = ()
    unassigned: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the slicing as plain data."""
        return {
            "column": self.column,
            "groups": dict(self.groups),
            "unassigned": self.unassigned,
            "figures": [figure.to_dict() for figure in self.figures],
            "contrasts": [contrast.to_dict() for contrast in self.contrasts],
            "worst": [
                {"run": run, "measure": measure, "group": group} for (run, measure), group in (self.worst or {}).items()
            ],
            "reversals": list(self.reversals),
        }
