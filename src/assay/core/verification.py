"""`Verification`: whether a published result comes out again, and what differs where it does not."""

from dataclasses import dataclass
from typing import Any, Literal

from assay.core.shown import Shown

State = Literal["same", "changed", "unknown", "missing"]


@dataclass(frozen=True, slots=True)
class InputCheck:
    """One input of the result: `role` says what it is; `state` compares its SHA-256 with the recorded one.

    "unknown" means that no digest was recorded; "missing" that the file could not be found.
    """

    role: str
    path: str | None
    recorded: str | None
    found: str | None
    state: State

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {
            "role": self.role, "path": self.path, "recorded": self.recorded, "found": self.found, "state": self.state,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class FigureCheck:
    """One figure of one run, as recorded and as it comes out now; `queries` are those that differ."""

    run: str
    measure: str
    recorded: float | None
    found: float | None
    same: bool
    queries: tuple[str, ...] = ()
    note: str = ""

    @property
    def close(self) -> bool:
        """Whether the two differ by less than rounding in the last digits explains."""
        if self.recorded is None or self.found is None:
            return self.recorded is self.found
        return abs(self.recorded - self.found) <= 1e-12 * max(1.0, abs(self.recorded))

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {
            "run": self.run,
            "measure": self.measure,
            "recorded": self.recorded,
            "found": self.found,
            "same": self.same,
            "close": self.close,
            "queries": list(self.queries),
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Verification(Shown):
    """A published result held against what its inputs give now.

    `versions` are the version of Assay that made the result and this one; `problems` are sentences on what
    could not be recomputed.
    """

    path: str
    versions: tuple[str, str]
    inputs: tuple[InputCheck, ...]
    figures: tuple[FigureCheck, ...]
    problems: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether every input and every figure is exactly as recorded."""
        unchanged = all(check.state == "same" for check in self.inputs)
        return unchanged and bool(self.figures) and all(check.same for check in self.figures) and not self.problems

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in plain words."""
        differing = [check for check in self.figures if not check.same]
        return (
            *(_of_input(check) for check in self.inputs if check.state != "same"),
            *(() if self.versions[0] == self.versions[1] else (
                f"made by Assay {self.versions[0]}, verified by Assay {self.versions[1]}.",
            )),
            *self.problems,
            *(_of_figure(check) for check in differing),
            f"{len(self.figures) - len(differing)} of {len(self.figures)} figures are exactly the same.",
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Return the verification as plain data, in the shape of the JSON output."""
        return {
            "assay": self.versions[1],
            "result": self.path,
            "made_by": self.versions[0],
            "same": self.same,
            "inputs": [check.to_dict() for check in self.inputs],
            "figures": [check.to_dict() for check in self.figures],
            "problems": list(self.problems),
            "sentences": list(self.sentences),
        }

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def _of_input(check: InputCheck) -> str:
    name = f"{check.role} {check.path}" if check.path else check.role
    words = {
        "changed": "is not the file of the result: its SHA-256 differs",
        "unknown": "has no digest in the result, so it may or may not be the same",
        "missing": "was not found",
    }
    return f"{name} {words[check.state]}."


def _of_figure(check: FigureCheck) -> str:
    close = " (equal up to rounding)" if check.close else ""
    queries = f"; queries that differ: {', '.join(check.queries[:3])}" if check.queries else ""
    note = f"; {check.note}" if check.note else ""
    numbers = f"recorded {check.recorded!r}, found {check.found!r}{close}"
    if check.recorded is check.found is None and check.note:
        return f"{check.run}, {check.measure}: {check.note}{queries}."
    return f"{check.run}, {check.measure}: {numbers}{queries}{note}."
