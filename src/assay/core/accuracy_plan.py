"""`Plan`: how many statements people must judge, and what that costs."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Effort:
    """One way to reach a margin.

    `per_subject` statements at most are judged of each of `subjects` (for 1: statements are drawn one by one);
    `per_draw` are judged on average, which multiplies the statements by the `design_effect`.
    """

    per_subject: int
    accuracy: float
    statements: int
    subjects: int
    per_draw: float
    design_effect: float
    seconds: float
    price: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the effort as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Plan(Shown):
    """What it takes to know the accuracy of a graph to a margin.

    Parameters
    ----------
    margin, level, method
        What is wanted: an interval of this method and confidence that reaches so far to either side.
    accuracy
        The accuracy that is expected; `alike` how alike the statements of one subject are expected to be (0 to 1).
    statements, subjects
        How many there are; None where no graph was given.
    seconds_per_subject, seconds_per_statement, price_per_hour
        What it costs to get to know a subject, to judge a statement, and an hour of work.
    by_design, by_accuracy
        For the expected accuracy by how many statements of a subject are judged; drawn one by one, by accuracy.
    """

    margin: float
    level: float
    method: str
    accuracy: float
    alike: float
    statements: int | None
    subjects: int | None
    seconds_per_subject: float
    seconds_per_statement: float
    price_per_hour: float | None
    by_design: tuple[Effort, ...]
    by_accuracy: tuple[Effort, ...]
    notices: tuple[str, ...] = ()

    @property
    def cheapest(self) -> Effort:
        """The way that takes the least time."""
        return min(self.by_design, key=lambda effort: (effort.seconds, effort.per_subject))

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the plan as plain data."""
        from assay._version import __version__

        lists = ("by_design", "by_accuracy")
        plain = {name: getattr(self, name) for name in self.__slots__ if name not in lists}
        made = {name: [one.to_dict() for one in getattr(self, name)] for name in lists}
        said = {"cheapest": self.cheapest.to_dict(), "notices": list(self.notices)}
        return {"assay": __version__, "command": command or []} | plain | made | said

    def __repr__(self) -> str:
        best = self.cheapest
        return f"Plan({best.statements:,} statements of {best.subjects:,} subjects, {best.seconds / 3600:.1f} hours)"
