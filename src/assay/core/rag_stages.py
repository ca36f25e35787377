"""`Stages`: where a pipeline from candidates to answers loses what the answers need."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.core.estimates import Interval
from assay.core.evaluation import Figure
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Correctness:
    """How correct the answers of some questions are: the mean, over how many, how many count as right."""

    mean: float | None
    questions: int
    right: int
    interval: Interval

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {
            "mean": self.mean,
            "questions": self.questions,
            "right": self.right,
            "low": self.interval.low,
            "high": self.interval.high,
            "interval": self.interval.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Named:
    """A number of questions out of some, with the first few by id."""

    questions: int
    of: int
    examples: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share; None of no questions."""
        return self.questions / self.of if self.of else None

    def to_dict(self) -> dict[str, Any]:
        """Return number, share and examples."""
        return {"questions": self.questions, "share": self.share, "examples": list(self.examples)}


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of a pipeline, looked at as deep as its first `k` items.

    `figures` are Deducible, Complete and R at k. `ceiling` is the highest R@k that any order of the first items of
    the stage before could give (None for the first stage). `lost` are the questions that had a complete proof in the
    stage before and have none here, `gained` those that have one only here.
    """

    name: str
    path: str | None
    k: int
    figures: tuple[Figure, ...]
    ceiling: float | None
    lost: Named | None
    gained: Named | None

    def to_dict(self) -> dict[str, Any]:
        """Return the stage as plain data."""
        return {
            "name": self.name,
            "path": self.path,
            "k": self.k,
            "measures": {figure.name: figure.to_dict() for figure in self.figures},
            "ceiling": self.ceiling,
            "lost": self.lost.to_dict() if self.lost else None,
            "gained": self.gained.to_dict() if self.gained else None,
        }


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers, by whether the last stage brought a complete proof.

    `omissions` are wrong answers with a proof: it was there and not used. `unsupported` are right answers without
    one: known from elsewhere, or guessed. An answer is right from the correctness `threshold` on. `unknown` counts the
    questions whose correctness is not known.
    """

    threshold: float
    unknown: int
    all: Correctness
    proven: Correctness
    unproven: Correctness
    omissions: Named
    unsupported: Named

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as plain data."""
        return {
            "threshold": self.threshold,
            "unknown": self.unknown,
            "all": self.all.to_dict(),
            "given_deducible": self.proven.to_dict(),
            "given_not_deducible": self.unproven.to_dict(),
            "omissions": self.omissions.to_dict(),
            "unsupported": self.unsupported.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Loss:
    """The questions that are lost at one place: a stage after which no proof is complete, or the answer.

    `right` of them are answered right all the same (None where correctness is unknown).
    """

    place: str
    lost: Named
    right: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return the loss as plain data."""
        return {"place": self.place, **self.lost.to_dict(), "right": self.right}


@dataclass(frozen=True, eq=False)
class Stages(Shown):
    """A pipeline judged stage by stage; a question is lost at one place, reaches the end, or its answer is unknown.

    `questions` are those whose needs are known; `left_out` counts those that need nothing. `reached` are those with a
    complete proof in the last stage and, where correctness is known, a right answer.
    """

    unit: str
    matching: Mapping[str, Any]
    questions: int
    left_out: int
    level: float
    stages: tuple[Stage, ...]
    losses: tuple[Loss, ...]
    reached: Named
    answers: Answers | None
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "unit": self.unit,
            "matching": dict(self.matching),
            "questions": self.questions,
            "left_out": self.left_out,
            "level": self.level,
            "stages": [stage.to_dict() for stage in self.stages],
            "losses": [loss.to_dict() for loss in self.losses],
            "reached": self.reached.to_dict(),
            "answers": self.answers.to_dict() if self.answers else None,
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        lost = ", ".join(f"{loss.place} {loss.lost.questions}" for loss in self.losses)
        return f"Stages({self.questions} questions; lost: {lost}; reached {self.reached.questions})"
