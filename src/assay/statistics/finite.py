"""A share of a finite list, from a sample drawn without replacement: the nearer to all, the surer."""

import math
from collections.abc import Callable

from assay.errors import ParameterError


def finite_share(found: int, drawn: int, total: int, level: float) -> tuple[float, float]:
    r"""Return the ends of the exact interval of a share of `total` things, of which `found` among `drawn` have it.

    The lowest and the highest K/N for which seeing so many, or so few, is no rarer than α/2, where

    $$ P(x) = \binom{K}{x} \binom{N - K}{n - x} / \binom{N}{n} $$

    It never covers less than its level; a sample of all leaves no doubt. Source: Wright 1991, Exact Confidence Bounds
    when Sampling from Small Finite Universes.

    Raises
    ------
    ParameterError
        More found than drawn, or more drawn than there are.

    >>> low, high = finite_share(9, 10, 100, 0.95)
    >>> round(low, 2), round(high, 2)
    (0.58, 0.99)
    >>> finite_share(9, 10, 10, 0.95)
    (0.9, 0.9)
    """
    if not 0 <= found <= drawn <= total or drawn < 1:
        msg = f"sample: expected 1 to {total:,} drawn, and no more found than drawn, found {found:,} of {drawn:,}"
        raise ParameterError(msg, hint="the sample cannot be larger than the list that it is drawn from.")
    tail = (1 - level) / 2
    fewest, most = found, total - (drawn - found)
    low = _first(fewest, most, lambda marked: _chance(range(found, drawn + 1), drawn, total, marked) > tail)
    high = _first(0, most - fewest, lambda less: _chance(range(found + 1), drawn, total, most - less) > tail)
    return low / total, (most - high) / total


def at_most(found: int, drawn: int, total: int, marked: int) -> float:
    """Return how likely it is that at most so many of the drawn things are marked, of `marked` among `total`.

    >>> round(at_most(0, 2, 4, 1), 9)
    0.5
    """
    return min(1.0, _chance(range(found + 1), drawn, total, marked))


def _first(low: int, high: int, true: Callable[[int], bool]) -> int:
    """Return the first whole number from low to high at which a test that stays true is true."""
    while low < high:
        middle = (low + high) // 2
        if true(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _chance(counts: range, drawn: int, total: int, marked: int) -> float:
    """Return how likely it is that one of these counts of the drawn ones are marked."""
    possible = range(max(counts.start, drawn - (total - marked)), min(counts.stop, marked + 1))
    whole = _ways(total, drawn)
    return math.fsum(math.exp(_ways(marked, x) + _ways(total - marked, drawn - x) - whole) for x in possible)


def _ways(of: int, taken: int) -> float:
    return math.lgamma(of + 1) - math.lgamma(taken + 1) - math.lgamma(of - taken + 1)
