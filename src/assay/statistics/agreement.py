"""How alike are two orders: of systems by two measures (Kendall's tau, tau AP), of items in two rankings (RBO)."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError


def kendall_tau(a: ArrayLike, b: ArrayLike) -> float | None:
    r"""Return Kendall's tau-b of two scores of the same things, each of shape (things,).

    $$ \tau_b = \frac{C - D}{\sqrt{(N - T_a)(N - T_b)}}, \quad N = n(n-1)/2 $$

    C pairs stand in the same order in both, D in opposite orders; T_a and T_b pairs are tied in one of them.
    From -1 (reversed) to 1 (the same order); None where one of them ties all things, or there are fewer than two.
    Source: Kendall 1945, "The treatment of ties in ranking problems".

    Raises
    ------
    ParameterError
        Scores of different shapes, or one that is no number.

    >>> kendall_tau([0.31, 0.42, 0.57], [0.20, 0.55, 0.40])
    0.3333333333333333
    """
    first, second = _paired(a, b)
    tied_a = tied_b = total = agreed = 0
    for place in range(1, len(first)):
        over_a, over_b = np.sign(first[:place] - first[place]), np.sign(second[:place] - second[place])
        total += place
        tied_a += int((over_a == 0).sum())
        tied_b += int((over_b == 0).sum())
        agreed += int((over_a * over_b).sum())
    below = math.sqrt((total - tied_a) * (total - tied_b))
    return max(-1.0, min(1.0, agreed / below)) if below else None


def tau_ap(reference: ArrayLike, other: ArrayLike) -> float | None:
    r"""Return the AP correlation of `other` with `reference`: Kendall's tau that minds the top more.

    $$ \tau_{AP} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C_i}{i-1} - 1 $$

    C_i things stand above place i of `other` and rightly so by `reference`. Both are scores, higher is better, of
    shape (things,). Not symmetric. From -1 to 1; None for fewer than two things. Ties stand for all their orders:
    the value is the exact mean over the orders of tied things in both (so an `other` that ties all has 0).
    Source: Yilmaz, Aslam & Robertson 2008, "A new rank correlation coefficient for information retrieval".

    Raises
    ------
    ParameterError
        Scores of different shapes, or one that is no number.

    >>> tau_ap([4, 3, 2, 1], [4, 3, 1, 2]), tau_ap([4, 3, 2, 1], [3, 4, 2, 1])
    (0.7777777777777777, 0.33333333333333326)
    """
    truth, scores = _paired(reference, other)
    if len(truth) < 2:
        return None
    total = 0.0
    for score in np.unique(scores):
        group = truth[scores == score]
        above = truth[scores > score]
        right = (above[:, None] > group).sum() + (above[:, None] == group).sum() / 2
        places = np.arange(len(group))
        counted = len(above) + places > 0
        total += float(((right / len(group) + places / 2)[counted] / (len(above) + places)[counted]).sum())
    return max(-1.0, min(1.0, 2 * total / (len(truth) - 1) - 1))


@dataclass(frozen=True, slots=True)
class RBO:
    """The rank-biased overlap of two rankings, as far as their beginnings tell.

    `low` is the value if nothing below the seen places agrees, `low + residual` if everything does, and
    `extrapolated` if it goes on as it was (None where a ranking is empty: nothing to go on from).
    """

    extrapolated: float | None
    low: float
    residual: float
    p: float

    def to_dict(self) -> dict[str, Any]:
        """Return the overlap as plain data."""
        return asdict(self)


def rbo(a: Sequence[Hashable], b: Sequence[Hashable], p: float = 0.9) -> RBO:
    r"""Return the rank-biased overlap of two rankings, best first; they may differ in items and length.

    $$ RBO = (1-p) \sum_{d \ge 1} p^{d-1} \frac{|A_{1..d} \cap B_{1..d}|}{d} $$

    From 0 (nothing in common) to 1 (the same ranking); the first ten places weigh 86 % at p = 0.9. Of rankings that
    end, at lengths s <= l with overlaps X_s and X_l, the extrapolated value supposes that the agreement X_s/s holds
    in what the shorter one does not show and the agreement at l below it (equation 32 of the source).
    Source: Webber, Moffat & Zobel 2010, "A similarity measure for indefinite rankings".

    Raises
    ------
    ParameterError
        A `p` outside 0 to 1, or a ranking that holds an item twice.

    >>> rbo("abcde", "acbde")
    RBO(extrapolated=0.955..., low=0.626..., residual=0.328..., p=0.9)
    """
    if not 0 < p < 1:
        msg = f"RBO(p): expected a number above 0 and below 1, found {p!r}"
        raise ParameterError(msg)
    overlap = _overlap(a, b)
    short = min(len(a), len(b))
    low = _low(overlap, p)
    high = _high(overlap, short, p)
    return RBO(_extrapolated(overlap, short, p) if short else None, low, max(0.0, high - low), p)


def _paired(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.ndim != 1 or first.shape != second.shape or np.isnan(first).any() or np.isnan(second).any():
        msg = f"agreement: expected two rows of numbers of equal length, found shapes {first.shape} and {second.shape}"
        raise ParameterError(msg, hint="leave out what has no value on one side; NaN is no number.")
    return first, second


def _overlap(a: Sequence[Hashable], b: Sequence[Hashable]) -> Ints:
    """Return how many items the first d places of both have in common, shape (longer length,), from d = 1."""
    places = [{item: place for place, item in enumerate(ranking)} for ranking in (a, b)]
    for ranking, known in zip((a, b), places, strict=True):
        if len(known) < len(ranking):
            twice = next(item for place, item in enumerate(ranking) if known[item] != place)
            msg = f"RBO: expected each item once, found {twice!r} twice"
            raise ParameterError(msg)
    met = [max(place, places[1][item]) for item, place in places[0].items() if item in places[1]]
    return np.cumsum(np.bincount(np.array(met, np.int64), minlength=max(len(a), len(b))))


def _terms(overlap: ArrayLike, p: float) -> Floats:
    """Return p^(d-1) · overlap / d for d = 1, 2 …"""
    found = np.asarray(overlap, np.float64)
    depth = np.arange(1, len(found) + 1)
    return found / depth * p ** (depth - 1.0)


def _low(overlap: Ints, p: float) -> float:
    """Suppose that nothing below agrees: the overlap stays as it is."""
    if not len(overlap):
        return 0.0
    rest = -math.log1p(-p) / p - math.fsum(_terms(np.ones(len(overlap)), p))
    return max(0.0, (1 - p) * (math.fsum(_terms(overlap, p)) + int(overlap[-1]) * rest))


def _high(overlap: Ints, short: int, p: float) -> float:
    """Suppose that all below agrees: each unseen place brings a match, of both rankings two, until all agree."""
    long = len(overlap)
    full = long + short - int(overlap[-1]) if long else 0
    depth = np.arange(1, full + 1)
    seen = np.concatenate([overlap, np.full(full - long, overlap[-1] if long else 0)])
    best = seen + np.maximum(0, depth - short) + np.maximum(0, depth - long)
    return min(1.0, (1 - p) * math.fsum(_terms(best, p)) + p**full)


def _extrapolated(overlap: Ints, short: int, p: float) -> float:
    """Suppose that the shorter one goes on agreeing as at its end, and both as at the end of the longer."""
    long = len(overlap)
    at_short, at_long = int(overlap[short - 1]), int(overlap[-1])
    depth = np.arange(1, long + 1)
    supposed = overlap + at_short / short * np.maximum(0, depth - short)
    end = (at_long - at_short) / long + at_short / short
    return min(1.0, (1 - p) * math.fsum(_terms(supposed, p)) + end * p**long)
