"""`Adjudication`: one grade for each pair out of what several judges say, how sure it is, and what to look at again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

import polars as pl

from assay.core.gold import Gold
from assay.core.shown import Shown

Kind = Literal["person", "machine"]
Method = Literal["majority", "dawid-skene"]
TABLE = {
    "query": pl.String, "item": pl.String, "grade": pl.Float64, "by": pl.String, "certainty": pl.Float64,
    "judges": pl.Int64, "votes": pl.String, "majority": pl.Float64, "entropy": pl.Float64, "gap": pl.Float64,
    "effect": pl.Float64, "priority": pl.Float64,
}  # fmt: skip
"""The columns of the table of an adjudication."""


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """What a judge's judgments look like beside the settled grades.

    `agreement` is the share that is the settled grade, None where he judged no settled pair; `confusion` how often he
    says each grade (columns) of pairs of each grade (rows), by Dawid and Skene's model.
    """

    name: str
    kind: Kind
    judgments: int
    agreement: float | None
    confusion: tuple[tuple[float, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return asdict(self) | {"confusion": [list(row) for row in self.confusion]}


@dataclass(frozen=True, slots=True)
class Together:
    """How far the judges of a group err together.

    `correlation` is the mean correlation of the errors of two of them, None where none can be measured; `independent`
    what independent judges with the same habits would show against the same answers; `effective` how many independent
    judges they are worth. `closest` are the two that err most alike.
    """

    group: Literal["people", "machines"]
    judges: int
    pairs: int
    against: str
    correlation: float | None
    independent: float
    effective: float | None
    closest: tuple[str, str, float] | None

    @property
    def excess(self) -> float:
        """The correlation beyond that of independent judges, at least 0."""
        return max(0.0, (self.correlation or 0.0) - self.independent)

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain data."""
        return asdict(self) | {"closest": None if self.closest is None else list(self.closest)}


@dataclass(frozen=True, slots=True)
class Checked:
    """How often a method is right where the answer is known: pairs, those it leaves open, share right, kappa."""

    method: Method
    pairs: int
    open: int
    right: float | None
    kappa: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Fit:
    """How Dawid and Skene's model was fitted; `prior` is how common it takes each grade to be."""

    iterations: int
    converged: bool
    smoothing: float
    log_likelihood: float
    prior: tuple[float, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fit as plain data."""
        return asdict(self) | {"prior": list(self.prior)}


@dataclass(frozen=True, eq=False)
class Adjudication(Shown):
    """What is settled, and by what; the table has a row for each pair, in the order of query and item.

    Parameters
    ----------
    name, method, why
        What was judged; what settles it; why, where nobody said so.
    grades
        The grades that were given, rising.
    table
        Columns query, item, grade (null: open), by (majority, dawid-skene, known, open), certainty (probability of the
        grade, or share of votes), judges (who gave a grade), votes, majority (null: tied), entropy (bits), gap (of the
        two likeliest grades), effect (on a measure, null without runs), priority (entropy x effect, else x gap).
    judges, together, checks, fit
        Each judge; groups that err together; methods beside known answers; the model.
    measure, runs
        By what effects are measured.
    """

    name: str
    method: Method
    why: str
    grades: tuple[float, ...]
    table: pl.DataFrame
    judges: tuple[JudgeRecord, ...]
    together: tuple[Together, ...]
    checks: tuple[Checked, ...]
    fit: Fit
    measure: str | None = None
    runs: tuple[str, ...] = ()
    most: int = 20
    notices: tuple[str, ...] = ()

    @cached_property
    def settled(self) -> pl.DataFrame:
        """The rows that have a grade."""
        return self.table.filter(pl.col("grade").is_not_null())

    @property
    def open(self) -> int:
        """How many pairs nothing settles."""
        return self.table.height - self.settled.height

    @cached_property
    def queue(self) -> pl.DataFrame:
        """The rows that somebody should look at again, the most rewarding first; at most `most` of them."""
        doubtful = self.table.filter((pl.col("priority") > 0) | pl.col("grade").is_null())
        order = ["priority", "entropy", "query", "item"]
        return doubtful.sort(order, descending=[True, True, False, False]).head(self.most)

    @property
    def gold(self) -> Gold:
        """The settled grades as a gold standard.

        Raises
        ------
        GoldError
            Nothing is settled.
        """
        return Gold(self.settled.select("query", "item", "grade"), name=self.name)

    def to_dict(self, *, command: list[str] | None = None, inputs: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return all of it as plain data; `inputs` are files with their role and digest."""
        from assay._version import __version__

        return {
            "assay": __version__, "command": command or [], "inputs": [dict(one) for one in inputs], "name": self.name,
            "method": self.method, "why": self.why, "grades": list(self.grades),
            "counts": {"pairs": self.table.height, "settled": self.settled.height, "open": self.open},
            "fit": self.fit.to_dict(), "judges": [one.to_dict() for one in self.judges],
            "together": [one.to_dict() for one in self.together], "checks": [one.to_dict() for one in self.checks],
            "measure": self.measure, "runs": list(self.runs), "queue": self.queue.to_dicts(),
            "pairs": self.table.to_dicts(), "notices": list(self.notices),
        }  # fmt: skip

    def __repr__(self) -> str:
        return f"Adjudication({self.name}: {self.settled.height:,} of {self.table.height:,} pairs by {self.method})"
