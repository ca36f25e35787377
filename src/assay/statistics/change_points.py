"""Where a series changed its level, seen from behind: change points with a stated rate of false ones."""

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError
from assay.statistics.units import Units

_CELLS = 500_000
"""How many sums of permuted series are held at a time."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of level: `place` is the first look of the new level, `before` and `after` are the means around it.

    `p` is the p value of a change within the stretch of the series in which it was found.
    """

    place: int
    before: float
    after: float
    p: float

    @property
    def size(self) -> float:
        """How far the level rose; below 0 for a fall."""
        return self.after - self.before

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return asdict(self) | {"size": self.size}


@dataclass(frozen=True, slots=True)
class ChangePoints:
    """All changes of level of a series, in its order; `why` says why none could be looked for."""

    points: tuple[ChangePoint, ...]
    alpha: float
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return {"points": [point.to_dict() for point in self.points], "alpha": self.alpha, "why": self.why}


def change_points(
    values: Floats, *, alpha: float = 0.05, shortest: int = 3, permutations: int = 1_999, seed: int = 0
) -> ChangePoints:
    r"""Return where a series, shape (looks,), changed its level, by seeded binary segmentation with a permutation test.

    The split that stands out most is sought in the whole series and in a fixed set of shorter stretches of it, so that
    a fall that recovers is seen as well as one that stays:

    $$ \max \sqrt{\frac{n_1 n_2}{n_1 + n_2}} \; |\bar x_1 - \bar x_2| $$

    If nothing changed, the looks could as well have come in any order; `permutations` orders are drawn by `seed`,
    and p is (b + 1) / (N + 1) where in b of the N a split stands out as much. Where p <= alpha the series is split
    there, and both parts are looked at in the same way, each with half of alpha. So at most a share alpha of series
    without a change gets a change point, and true changes do not make false ones likelier. At last each place is moved
    to where it stands out most between its neighbours.

    A level has at least `shortest` looks: one odd night is no change. Looks are assumed to be independent; one that
    follows the last one (a trend, a rhythm of weekdays) makes changes of level seem more than they are. NaN is a
    look without a value; places are those in `values`. Source: Vostrikova 1981; Kovács et al. 2023 for the stretches.

    Raises
    ------
    ParameterError
        A shortest level below 1, an alpha outside 0 to .5, fewer permutations than could give p <= alpha.

    >>> import numpy as np
    >>> days = np.random.default_rng(1).normal(0.55, 0.02, 60)
    >>> days[40:] -= 0.05
    >>> [(point.place, round(point.size, 3), point.p) for point in change_points(days).points]
    [(40, -0.053, 0.0005)]
    """
    _require(alpha, shortest, permutations)
    seen = np.flatnonzero(~np.isnan(values))
    series = values[seen]
    if why := _unfit(series, shortest):
        return ChangePoints((), alpha, why)
    found: dict[int, float] = {}
    stretches = [(0, len(series), alpha)]
    while stretches:
        start, end, level = stretches.pop()
        split = _split(series[start:end], level, shortest, permutations, seed)
        if split is not None:
            place = start + split[0]
            found[place] = split[1]
            stretches += [(start, place, level / 2), (place, end, level / 2)]
    return ChangePoints(_placed(series, seen, found, shortest), alpha)


def _split(series: Floats, alpha: float, shortest: int, permutations: int, seed: int) -> tuple[int, float] | None:
    """Return the split that stands out most and its p value, or None where it could be chance.

    Once so many orders stand out as much that p must be above alpha, no more are drawn.
    """
    if len(series) < 2 * shortest or Units.of(series).constant[0]:
        return None
    splits = _splits(len(series), shortest)
    centred = series - series.mean()
    gains = _gains(centred[:, None], splits)[:, 0]
    best = int(gains.argmax())
    random = np.random.default_rng(seed)
    block = max(1, min(permutations, 100, _CELLS // len(gains)))
    extreme, enough = 0, alpha * (permutations + 1)
    for begun in range(0, permutations, block):
        orders = np.tile(centred[:, None], min(block, permutations - begun))
        highest = _gains(random.permuted(orders, axis=0), splits).max(axis=0)
        extreme += int((highest >= gains[best] * (1 - 1e-12)).sum())
        if extreme + 1 > enough:
            return None
    return int(splits[1][best]), (extreme + 1) / (permutations + 1)


def _splits(looks: int, shortest: int) -> Ints:
    """Return start, split and end of all that is tried, (3, splits): in the whole, and in ever shorter stretches.

    Stretches of one length overlap by half, so that each change lies well inside one that no other change is in.
    """
    found = []
    length = looks
    while length >= 2 * shortest:
        step = max(1, length // 2)
        begins = sorted({*range(0, looks - length + 1, step), looks - length})
        within = np.arange(shortest, length - shortest + 1)
        start = np.repeat(begins, len(within))
        found.append(np.stack([start, start + np.tile(within, len(begins)), start + length]))
        length = int(length / 2**0.5)
    return np.concatenate(found, axis=1)


def _gains(series: Floats, splits: Ints) -> Floats:
    """Return how much each split stands out in each series, (looks, series); of shape (splits, series)."""
    sums = np.concatenate([np.zeros((1, series.shape[1])), np.cumsum(series, axis=0)])
    start, split, end = splits
    left, right = split - start, end - split
    found: Floats = sums[split]
    found -= sums[start] * (right / (left + right))[:, None]
    found -= sums[end] * (left / (left + right))[:, None]
    np.abs(found, out=found)
    found *= np.sqrt((left + right) / (left * right))[:, None]
    return found


def _placed(series: Floats, seen: Ints, found: dict[int, float], shortest: int) -> tuple[ChangePoint, ...]:
    """Return the changes, each moved to where it stands out most between its neighbours."""
    places = [0, *sorted(found), len(series)]
    ps = [found[place] for place in places[1:-1]]
    for each in range(1, len(places) - 1):
        start, end = places[each - 1], places[each + 1]
        inside = np.arange(start + shortest, end - shortest + 1)
        splits = np.stack([np.full_like(inside, start), inside, np.full_like(inside, end)])
        places[each] = int(inside[_gains((series - series.mean())[:, None], splits)[:, 0].argmax()])
    means = [float(series[start:end].mean()) for start, end in pairwise(places)]
    rows = zip(places[1:-1], means[:-1], means[1:], ps, strict=True)
    return tuple(ChangePoint(int(seen[place]), before, after, p) for place, before, after, p in rows)


def _unfit(series: Floats, shortest: int) -> str:
    """Return why no change can be looked for, or nothing."""
    if len(series) < 2 * shortest:
        return f"expected {2 * shortest} looks or more, found {len(series)}"
    return "the looks do not vary" if Units.of(series).constant[0] else ""


def _require(alpha: float, shortest: int, permutations: int) -> None:
    """Refuse what cannot find a change."""
    if shortest < 1:
        raise ParameterError(f"change points: expected levels of 1 look or more, found {shortest}")
    if not 0 < alpha <= 0.5:
        raise ParameterError(f"change points: expected an alpha above 0 and up to 0.5, found {alpha:g}")
    if alpha * (permutations + 1) < 1:
        msg = f"change points: expected {1 / alpha:.0f} permutations or more for this alpha, found {permutations}"
        raise ParameterError(msg, hint="So few can give no p that small.")
