"""Scores as probabilities: how to make them so, and how far they can be trusted."""

from dataclasses import dataclass

import numpy as np

from assay.core.judged import Flags, Floats
from assay.errors import ParameterError

SMALL = 1e-12


def sigmoid(scores: Floats) -> Floats:
    """Return 1 / (1 + e^-s) without overflow, any shape.

    >>> sigmoid(np.array([-1000.0, 0.0, 1000.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    small = np.exp(-np.abs(scores))
    return np.where(scores >= 0, 1 / (1 + small), small / (1 + small))


@dataclass(frozen=True, slots=True)
class Platt:
    """A probability from a score: sigmoid(slope · s + shift)."""

    slope: float
    shift: float

    def of(self, scores: Floats) -> Floats:
        """Return the probability of each score, any shape."""
        return sigmoid(self.slope * np.asarray(scores, np.float64) + self.shift)


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """A probability from a score that never falls as the score grows; straight lines between `scores`."""

    scores: Floats
    values: Floats

    def of(self, scores: Floats) -> Floats:
        """Return the probability of each score, any shape; beyond the ends that of the end."""
        return np.interp(scores, self.scores, self.values)


def platt(scores: Floats, right: Flags) -> Platt:
    r"""Fit a sigmoid to labelled scores, shapes (labels,), by Newton's method.

    $$ p = \frac{1}{1 + e^{-(a s + b)}}, \quad t_+ = \frac{n_+ + 1}{n_+ + 2}, \quad t_- = \frac{1}{n_- + 2} $$

    The targets t stand for right and wrong instead of 1 and 0, so that separable labels have a finite fit.
    Source: Platt 1999; Lin, Lin and Weng 2007.

    Raises
    ------
    ParameterError
        No right or no wrong label.

    >>> fit = platt(np.array([0.0, 1.0, 2.0, 3.0]), np.array([False, True, False, True]))
    >>> fit.of(np.array([1.5])).round(3).tolist()
    [0.5]
    """
    given, hits = np.asarray(scores, np.float64), int(right.sum())
    _require(given, right)
    goal = np.where(right, (hits + 1) / (hits + 2), 1 / (len(given) - hits + 2))
    middle, spread = float(given.mean()), float(given.std()) or 1.0
    design = np.column_stack([(given - middle) / spread, np.ones(len(given))])
    fit = np.array([0.0, np.log((hits + 1) / (len(given) - hits + 1))])
    loss, before = _loss(design, fit, goal), np.inf
    while before - loss > SMALL * (1 + abs(loss)):
        chance = sigmoid(design @ fit)
        curve = (design * (chance * (1 - chance))[:, None]).T @ design + SMALL * np.eye(2)
        step = np.linalg.solve(curve, design.T @ (goal - chance))
        share = 1.0
        while share > SMALL and _loss(design, fit + share * step, goal) > loss:
            share /= 2
        fit, before = fit + share * step, loss
        loss = _loss(design, fit, goal)
    return Platt(float(fit[0] / spread), float(fit[1] - fit[0] * middle / spread))


def isotonic(scores: Floats, right: Flags) -> Isotonic:
    """Fit the rising steps nearest to labelled scores, shapes (labels,), by pooling neighbours that fall.

    Of all functions that never fall this one has the least squared error. Equal scores share a value.
    Source: Ayer et al. 1955 (pool adjacent violators); Zadrozny and Elkan 2002.

    >>> fit = isotonic(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True]))
    >>> fit.of(np.array([1.0, 2.0, 3.0, 4.0])).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    given = np.asarray(scores, np.float64)
    _require(given, right)
    level, place, weight = np.unique(given, return_inverse=True, return_counts=True)
    hits = np.bincount(place, right)
    blocks: list[tuple[float, float, int]] = []
    for share, many in zip(hits.tolist(), weight.tolist(), strict=True):
        block = (share, float(many), 1)
        while blocks and blocks[-1][0] * block[1] >= block[0] * blocks[-1][1]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    return Isotonic(level, np.concatenate([np.full(count, hit / many) for hit, many, count in blocks]))


@dataclass(frozen=True, slots=True)
class Bin:
    """Some labels of neighbouring probability: how many, the mean probability, and the share that is right."""

    low: float
    high: float
    labels: int
    stated: float
    right: float


def reliability(probability: Floats, right: Flags, bins: int = 10) -> tuple[Bin, ...]:
    """Return labels in bins of equal mass, lowest probability first; equal probabilities stay together.

    `probability` and `right` have the shape (labels,).

    >>> found = reliability(np.array([0.1, 0.2, 0.8, 0.9]), np.array([False, False, True, True]), 2)
    >>> [(one.labels, round(one.stated, 2), one.right) for one in found]
    [(2, 0.15, 0.0), (2, 0.85, 1.0)]
    """
    given = np.asarray(probability, np.float64)
    _require(given, right, both=False)
    if bins < 1:
        raise ParameterError(f"calibration: expected at least 1 bin, found {bins}")
    order = np.argsort(given, kind="stable")
    sorted_, hits = given[order], np.asarray(right)[order]
    ends = np.searchsorted(sorted_, sorted_[np.arange(1, bins + 1) * len(given) // bins - 1], side="right")
    ends = np.unique(ends[np.arange(1, bins + 1) * len(given) // bins > 0])
    return tuple(
        Bin(float(part[0]), float(part[-1]), len(part), float(part.mean()), float(share.mean()))
        for part, share in zip(np.split(sorted_, ends[:-1]), np.split(hits, ends[:-1]), strict=True)
    )


def calibration_error(bins: tuple[Bin, ...]) -> float:
    r"""Return the expected calibration error: how far stated and real shares lie apart, from 0 (best) to 1.

    $$ ECE = \sum_b \frac{n_b}{n} \, | \bar p_b - \bar y_b | $$

    Source: Naeini, Cooper and Hauskrecht 2015; bins of equal mass as Nixon et al. 2019 recommend.
    """
    every = sum(one.labels for one in bins)
    return sum(one.labels / every * abs(one.stated - one.right) for one in bins)


def _loss(design: Floats, fit: Floats, goal: Floats) -> float:
    value = design @ fit
    return float((np.logaddexp(0, value) - goal * value).sum())


def _require(scores: Floats, right: Flags, *, both: bool = True) -> None:
    if not len(scores) or len(scores) != len(right) or not np.isfinite(scores).all():
        raise ParameterError("calibration: expected a finite score for each of some labels, found others")
    if both and (right.all() or not right.any()):
        raise ParameterError("calibration: expected right and wrong labels, found only one of them")
