"""`Settings`: how runs are to be compared: which pairs, which test, how it is corrected, what chance is used."""

import math
import sys
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Literal, get_args

from assay.errors import ParameterError, UnknownNameError

COMPARED = "nDCG@10 AP RR P@10 R@100"
"""What is compared when nothing is asked for: few measures, since each further one makes every test harder to pass."""

Pairs = Literal["baseline", "all"]
Test = Literal["flips", "t", "wilcoxon", "wilcoxon-approx"]
Correction = Literal["holm", "hommel", "bonferroni", "bh", "none"]

LEAST_ALPHA = 0.0001
"""Below this no number of flips that can be waited for finds anything, nor can queries needed be told."""

ABOVE_0 = sys.float_info.min


@dataclass(frozen=True, slots=True)
class Settings:
    """The statistics of a comparison.

    `baseline` names a run, or counts from 0; None is the first. `margin` is the difference that does not matter.
    `movers` is how many of the most helped and of the most hurt queries are kept.

    Raises
    ------
    ParameterError, UnknownNameError
        A value that is not allowed.
    """

    baseline: str | int | None = None
    pairs: Pairs = "baseline"
    test: Test = "flips"
    correction: Correction = "holm"
    alpha: float = 0.05
    level: float = 0.95
    flips: int = 10_000
    resamples: int = 10_000
    seed: int = 0
    margin: float | None = None
    movers: int = 5

    def __post_init__(self) -> None:
        for name, kind in (("pairs", Pairs), ("test", Test), ("correction", Correction)):
            if getattr(self, name) not in get_args(kind):
                raise UnknownNameError.of(name, str(getattr(self, name)), get_args(kind))
        _require_number("alpha", f"a number from {LEAST_ALPHA:g} to below 0.5", self.alpha, LEAST_ALPHA, 0.5)
        _require_number("level", "a number above 0 and below 1", self.level, ABOVE_0, 1.0)
        if self.margin is not None:
            _require_number("margin", "a difference above 0", self.margin, ABOVE_0, math.inf)
        for name, least in (("flips", 100), ("resamples", 100), ("movers", 0), ("seed", 0)):
            found = getattr(self, name)
            if not (isinstance(found, Integral) and int(found) >= least):
                _refuse(name, f"a whole number of at least {least}", found)

    def pairs_of(self, labels: tuple[str, ...]) -> list[tuple[int, int]]:
        """Return the pairs of runs to compare, as places: (run, baseline)."""
        first = self.place(labels)
        if self.pairs == "baseline":
            return [(run, first) for run in range(len(labels)) if run != first]
        order = [first, *(run for run in range(len(labels)) if run != first)]
        return [(later, earlier) for i, earlier in enumerate(order) for later in order[i + 1 :]]

    def place(self, labels: tuple[str, ...]) -> int:
        """Return the place of the baseline among the runs."""
        if self.baseline is None:
            return 0
        if isinstance(self.baseline, int):
            if not 0 <= self.baseline < len(labels):
                _refuse("baseline", f"the place of a run, from 0 to {len(labels) - 1}", self.baseline)
            return self.baseline
        if self.baseline not in labels:
            raise UnknownNameError.of("run", self.baseline, labels)
        return labels.index(self.baseline)


def _require_number(name: str, expected: str, found: object, least: float, below: float) -> None:
    if not (isinstance(found, Real) and least <= float(found) < below):
        _refuse(name, expected, found)


def _refuse(name: str, expected: str, found: object) -> None:
    msg = f"{name}: expected {expected}, found {found!r}"
    raise ParameterError(msg)
