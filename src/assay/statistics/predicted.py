"""What would people say of all queries, if people judged a few and a machine judged all.

How often an interval of 95 % holds the true mean, and what it is worth, was measured on labels of TREC DL 2023 (one
person, language models) and RAG 2025 (NIST, UMBRELA): rankings of the judged items with noise, N queries drawn with
replacement, n of them judged by people, 400 times. In brackets: people alone.

| labels, measure           | correlation | n of N    | coverage    | width       | worth so many human labels |
|---------------------------|-------------|-----------|-------------|-------------|----------------------------|
| DL, a good model, nDCG@10 | .58         | 20 of 200 | .948 (.938) | .183 (.213) | 29                         |
| DL, a good model, nDCG@10 | .58         | 50 of 100 | .938 (.925) | .122 (.133) | 59                         |
| DL, a good model, P@10    | .49         | 20 of 200 | .938 (.938) | .258 (.283) | 25                         |
| DL, a good model, HR@1    | .43         | 10 of 200 | .965 (.882) | .605 (.621) | 11                         |
| DL, a weak model, P@10    | .29         | 20 of 200 | .953 (.938) | .277 (.283) | 21                         |
| RAG, UMBRELA, nDCG@10     | .51         | 20 of 200 | .968 (.955) | .123 (.136) | 25                         |

What counts is the correlation of the values by query, not how alike the labels are: at .5 a quarter is saved.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.predicted import PredictedMean
from assay.core.sample import Sample
from assay.errors import ParameterError
from assay.statistics.distributions import t_quantile, t_two_sided
from assay.statistics.interval import FEW, UNBOUNDED, Bounds, interval
from assay.statistics.proportion import unseen
from assay.statistics.units import Units

LEAST = 4
"""With fewer human-judged units the machine is not trusted: its slope could hardly be told."""
WEAK = 0.3
"""Below this correlation the machine saves less than a tenth of the human labels."""
UNLIKE = 0.001
"""The p value from which on human-judged queries are no random sample in the eyes of the machine."""


def predicted(
    machine: Floats,
    human: Floats,
    *,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    level: float = 0.95,
    bounds: Bounds = UNBOUNDED,
) -> PredictedMean:
    r"""Estimate the mean that human judgments of all queries would give, from the values of a measure by query.

    `machine` holds the value of each query by the machine's labels, `human` by human ones (NaN: not judged), shape
    (queries,). The human-judged queries are a random sample of all; the machine may be wrong in any way.

    $$ \hat\theta = \bar y_n + \lambda\,(\bar f_N - \bar f_n), \quad \lambda = \mathrm{cov}(y, f) / \mathrm{var}(f) $$

    y are the n human, f the N machine values; λ, taken from the queries judged by both and never below 0, makes the
    variance smallest ("power tuning"). The squared standard error, with e = y - λ f - mean and n - 2 degrees of
    freedom of t, is

    $$ s_e^2 \left( \frac1n + \frac{(\bar f_N - \bar f_n)^2}{\sum (f - \bar f_n)^2} \right) + \lambda^2 s_f^2 / N $$

    The interval speaks of queries like these, as every interval over queries does, not of these alone; it stays within
    `bounds`, those of the measure. Weighted and clustered queries count as independent units (`Units`). Where the
    machine does not vary, or fewer than 4 units were judged by people, λ is 0 and the human values stand alone. Where
    it is right on every one of them, the error is what may be wrong unseen. Source: Angelopoulos, Duchi & Zrnic 2023,
    "PPI++: Efficient prediction-powered inference"; of a mean it is double sampling with regression, Cochran 1977.

    Raises
    ------
    ParameterError
        No human value at all, a query without a machine value, a level outside 0 to 1.

    >>> machine = np.array([0.1, 0.5, 0.4, 0.9, 0.3, 0.8, 0.6, 0.2])
    >>> human = np.array([0.2, 0.5, 0.5, 0.8, np.nan, np.nan, np.nan, np.nan])
    >>> found = predicted(machine, human)
    >>> round(found.estimate, 3), round(found.human, 3), round(found.lambda_, 3), found.warnings
    (0.5, 0.5, 0.733, ('few',))
    """
    judged = ~np.isnan(human)
    if not (machine.shape == human.shape and judged.any() and not np.isnan(machine).any() and 0 < level < 1):
        msg = "predicted: expected a machine value for each query, human ones for some and a level between 0 and 1"
        raise ParameterError(msg, hint=f"found {int(judged.sum())} human values, level {level:g}.")
    sample = _sample(human, judged, weights, clusters)
    alone = interval(sample, level=level, method="t", bounds=bounds)
    both = _Both.of(sample, machine[judged], Units.of(machine, weights, clusters))
    low, high = both.ends(level, bounds) if both.slope else (alone.low, alone.high)
    effective = both.effective
    return PredictedMean(
        estimate=both.estimate,
        interval=replace(alone, low=low, high=high, method="t" if both.slope else alone.method),
        human=float(both.few.mean[0]),
        human_interval=alone,
        machine=float(both.every.mean[0]),
        lambda_=both.slope,
        correlation=both.correlation,
        effective=effective,
        saved=None if effective is None else effective - len(both.few),
        queries_human=int(judged.sum()),
        queries_machine=len(machine),
        warnings=tuple(both.warnings()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Both:
    """Units judged by people (series: human, machine), all units by the machine, and how far it is trusted.

    `pulls` say how far each unit judged by people pulls the two means, shape (units, 2): the deviations from them
    where all weigh alike. `rest` is what is left of the human ones after the machine's.
    """

    few: Units
    every: Units
    pulls: Floats
    slope: float

    @classmethod
    def of(cls, human: Sample, machine: Floats, every: Units) -> Self:
        few = Units.of(np.column_stack([human.values, machine]), human.weights, human.clusters)
        if not len(few):
            msg = "predicted: expected a human-judged query with a weight above 0, found none"
            raise ParameterError(msg)
        pulls = few.residuals / few.below.mean()
        told = len(few) >= LEAST and not few.constant.any()
        return cls(few, every, pulls, _slope(*pulls.T) if told else 0.0)

    @property
    def rest(self) -> Floats:
        return self.pulls[:, 0] - self.slope * self.pulls[:, 1]

    @property
    def exact(self) -> bool:
        """Whether the machine is right on all units, on a straight line."""
        return float(np.abs(self.rest).max()) <= 1e-12 * max(1.0, float(np.abs(self.few.mean).max()))

    @property
    def gap(self) -> float:
        """How much higher the machine rates all units than those judged by people."""
        return float(self.every.mean[0] - self.few.mean[1])

    @property
    def estimate(self) -> float:
        return float(self.few.mean[0]) + self.slope * self.gap

    @property
    def correlation(self) -> float | None:
        if self.few.constant.any():
            return None
        human, machine = np.linalg.norm(self.pulls, axis=0)
        return max(-1.0, min(1.0, float(self.pulls[:, 0] @ self.pulls[:, 1] / (human * machine))))

    @property
    def corrected(self) -> float:
        """The squared standard error of what people correct."""
        n, machine = len(self.few), self.pulls[:, 1]
        return float(self.rest @ self.rest / (n - 2) * (1 / n + self.gap**2 / (machine @ machine)))

    @property
    def carried(self) -> float:
        """The squared standard error of what the machine says of all."""
        return float((self.slope * self.every.error[0]) ** 2)

    @property
    def effective(self) -> float | None:
        if len(self.few) < 2 or self.few.constant[0] or (self.slope and self.exact):
            return None
        alone = float(self.few.error[0]) ** 2
        return len(self.few) * (alone / (self.corrected + self.carried) if self.slope else 1.0)

    def ends(self, level: float, bounds: Bounds) -> tuple[float, float]:
        """Return the ends of the interval."""
        n, (lowest, highest) = len(self.few), bounds
        low = high = t_quantile((1 + level) / 2, n - 2) * math.sqrt(self.corrected + self.carried)
        if self.exact and math.isfinite(highest - lowest):
            rest = float(self.few.mean[0] - self.slope * self.few.mean[1])
            below, above = unseen(rest, n, level, (lowest - self.slope * highest, highest - self.slope * lowest))
            low, high = low + rest - below, high + above - rest
        return max(lowest, self.estimate - low), min(highest, self.estimate + high)

    def warnings(self) -> Iterator[str]:
        """Yield the codes of what a reader should know."""
        n, total = len(self.few), len(self.every)
        if n < FEW:
            yield "few"
        if self.correlation is None or self.correlation < WEAK:
            yield "weak"
        error = float(self.every.error[0]) * math.sqrt(total / n - 1) if total > n else 0.0
        if error and float(t_two_sided(np.asarray(self.gap / error), total - 1)) < UNLIKE:
            yield "unlike"


def _slope(human: Floats, machine: Floats) -> float:
    """Return how far the machine is trusted, from 0 on; what is left of rounding where it says nothing is 0."""
    together, apart = float(human @ machine), float(np.linalg.norm(human) * np.linalg.norm(machine))
    return together / float(machine @ machine) if together > 1e-12 * apart else 0.0


def _sample(human: Floats, judged: Flags, weights: Floats | None, clusters: Ints | None) -> Sample:
    """Return the human values by themselves."""
    names = pl.Series([str(place) for place in np.flatnonzero(judged)], dtype=pl.String)
    return Sample(
        queries=names,
        values=human[judged],
        weights=None if weights is None else weights[judged],
        clusters=None if clusters is None else clusters[judged],
    )
