"""`PredictedMean`: a mean from many machine labels, corrected by few human ones."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.estimates import Interval
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class PredictedMean:
    """The mean that human labels of all queries would give, from machine labels of all and human ones of a few.

    `human` is the mean over the human-judged queries alone, `machine` that of the machine's labels over all;
    `lambda_` how far the machine is trusted (0: not at all), `correlation` how alike both are on queries judged by
    both (None where one of them does not vary). `effective` is the number of human-judged queries that alone would
    give the same standard error, `saved` how many more these are than were judged (below 0: the machine's labels
    did not help). `warnings` are codes: "few" (fewer than 20 human-judged units), "weak" (a correlation below 0.3:
    little is gained), "unlike" (the machine rates the human-judged queries unlike the others, so that they are
    hardly a random sample; the correction then leans on a straight line).
    """

    estimate: float
    interval: Interval
    human: float
    human_interval: Interval
    machine: float
    lambda_: float
    correlation: float | None
    effective: float | None
    saved: float | None
    queries_human: int
    queries_machine: int
    warnings: tuple[str, ...] = ()

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""
        return self.interval.low

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""
        return self.interval.high

    @property
    def level(self) -> float:
        """The confidence of the interval."""
        return self.interval.level

    def to_dict(self) -> dict[str, Any]:
        """Return the estimate as plain data."""
        out = asdict(self) | {"interval": self.interval.to_dict(), "human_interval": self.human_interval.to_dict()}
        return {"lambda" if name == "lambda_" else name: value for name, value in out.items()} | {
            "warnings": list(self.warnings)
        }


@dataclass(frozen=True, slots=True)
class PredictedFigure(Shown):
    """One measure of one run by two golds: what human judgments of all queries would say.

    `left_out` counts human-judged queries without a value on one side, which take no part.
    """

    run: str
    measure: str
    requested: str
    predicted: PredictedMean
    left_out: int = 0
    higher_is_better: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return {
            "run": self.run,
            "measure": self.measure,
            "requested": self.requested,
            "left_out": self.left_out,
            "higher_is_better": self.higher_is_better,
            **self.predicted.to_dict(),
        }
