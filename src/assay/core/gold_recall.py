"""`GoldRecall`: how much of what is relevant the judgments have found, and whether to stop looking."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from assay.core.estimates import Interval
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """One estimate of the recall of the judgments.

    `method` is elusion (a sample of what was not judged), recapture (two searches) or control (a sample of
    everything). `total` is the estimated number of relevant items, `missed` those not found; `interval` is that of the
    recall. `basis` says in words what it rests on. None where nothing can be said.
    """

    method: Literal["elusion", "recapture", "control"]
    found: int
    missed: float | None
    total: float | None
    recall: float | None
    interval: Interval
    basis: str

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain data."""
        return asdict(self) | {"interval": self.interval.to_dict()}


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """What a stopping rule says: stop (True), go on (False), or nothing (None), and why; `source` names the rule's."""

    name: str
    stop: bool | None
    why: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class GoldRecall(Shown):
    """How complete judgments are.

    `judged` counts the pairs with a judgment, `relevant` those that are relevant. Rules ask for a recall of `target`
    with the confidence `level`.
    """

    judged: int
    relevant: int
    target: float
    level: float
    estimates: tuple[RecallEstimate, ...]
    rules: tuple[StoppingRule, ...]

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "judged": self.judged,
            "relevant": self.relevant,
            "target": self.target,
            "level": self.level,
            "estimates": [one.to_dict() for one in self.estimates],
            "rules": [one.to_dict() for one in self.rules],
        }
