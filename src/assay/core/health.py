"""`Health`: how far the gold standard carries the numbers that were made with it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and highest figure that any judging of the unjudged retrieved items could give.

    `exact` is False where only a guaranteed outer bound is known; None means that there is no limit.
    """

    low: float | None
    high: float | None
    exact: bool

    def to_dict(self) -> dict[str, Any]:
        """Return the bounds as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FigureHealth:
    """One figure and what surrounds it.

    `judged` is the mean share of judged items within the measure's cutoff (None without one); `condensed` the
    figure when unjudged items are taken out of the ranking; `ceiling` the best figure that any ranking
    could reach by this gold (None for counts and where grades are not one for each item); `tied` the share of
    queries whose value depends on the order of tied items. `summed` says that the figure is a sum, not a mean.
    """

    run: str
    measure: str
    mean: float | None
    judged: float | None
    bounds: Bounds
    condensed: float | None
    ceiling: float | None
    tied: float | None
    summed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the health of the figure as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One run judged as if it had not helped to find the gold: without the items that it alone retrieved.

    `unique` counts the judged relevant items that no other of these runs has within the depth; `place` is the
    run's place among the runs by this measure, `place_without` its place when it is judged so and they are not.
    """

    run: str
    measure: str
    unique: int
    mean: float | None
    without: float | None
    place: int
    place_without: int

    def to_dict(self) -> dict[str, Any]:
        """Return the figure with and without as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class WorkItem:
    """An unjudged item whose judgment would narrow the comparison.

    `gain` is by how much the difference of the two runs' means could move when the item is judged; `ranks`
    are its ranks in the runs that are compared (None: not retrieved).
    """

    query: str
    item: str
    gain: float
    ranks: tuple[float | None, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return asdict(self) | {"ranks": list(self.ranks)}


@dataclass(frozen=True, slots=True)
class Health(Shown):
    """The health of the gold for these runs and measures.

    `tau` is Kendall's tau between the order of the runs and their order when each is judged without its own
    finds, by measure; `depth` the depth to which runs count as having found an item (None: to the cutoff of each
    measure, to 100 for one without). `work` is the labelling work-list for the runs `work_runs` and the measure
    `work_measure`.
    """

    figures: tuple[FigureHealth, ...]
    left_out: tuple[LeftOut, ...] = ()
    tau: Mapping[str, float | None] | None = None
    depth: int | None = None
    work: tuple[WorkItem, ...] = ()
    work_runs: tuple[str, ...] = ()
    work_measure: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the health as plain data."""
        return {
            "figures": [figure.to_dict() for figure in self.figures],
            "left_out": [one.to_dict() for one in self.left_out],
            "tau": None if self.tau is None else dict(self.tau),
            "depth": self.depth,
            "work": [item.to_dict() for item in self.work],
            "work_runs": list(self.work_runs),
            "work_measure": self.work_measure,
        }
