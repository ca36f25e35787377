"""What statistics say of numbers: an interval, the significance of a difference, what data can tell at all."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class Interval(Shown):
    """Where the true value may lie, with what confidence, by which method.

    `method` is bca, percentile, t, wilson, exact, agresti-coull, wald, hypergeometric (a finite list), lognormal (a
    total); of beliefs jeffreys, hpd or ahpd; of many looks betting; or none (nothing can be said; both ends are None).
    `units` is how many independent units it rests on: queries, or clusters of them.
    `warnings` are codes: "few" (fewer than 20 units), "skewed" (|skewness| of 2 or more: a stated 95 % may be nearer
    90 %).
    """

    low: float | None
    high: float | None
    level: float
    method: str
    units: int
    warnings: tuple[str, ...] = ()
    resamples: int | None = None
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as plain data."""
        return asdict(self) | {"warnings": list(self.warnings)}


@dataclass(frozen=True, slots=True)
class Significance:
    """The p value of a paired difference; None where the test is undefined, and `why` then says the reason.

    `method` names test and approximation in words ("sign flips, exact", "sign flips, 10,000 drawn",
    "paired t", "Wilcoxon, normal approximation with correction"); `floor` is the smallest p that these data
    and this test could give; `adjusted` is p after correction over the family, None where there was none.
    """

    p: float | None
    method: str
    units: int
    floor: float
    statistic: float | None = None
    adjusted: float | None = None
    why: str = ""

    @property
    def final(self) -> float | None:
        """The p value that decides: adjusted where there was a correction."""
        return self.p if self.adjusted is None else self.adjusted

    def to_dict(self) -> dict[str, Any]:
        """Return the significance as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Power:
    """What the data can tell: the difference found with a chance of `power`, and the queries that the seen one needs.

    `detectable` is None where the differences do not vary; `needed` is None where the seen difference is 0.
    """

    power: float
    detectable: float | None
    needed: int | None

    def to_dict(self) -> dict[str, Any]:
        """Return what can be told as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Margin:
    """Whether a difference stays within a margin that is called irrelevant, both p values one-sided.

    `not_worse` is the p value of "worse by the margin or more" (small: not inferior); `equal` that of "differs
    by the margin or more" (two one-sided tests; small: equivalent).
    """

    margin: float
    not_worse: float | None
    equal: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the tests against the margin as plain data."""
        return asdict(self)
