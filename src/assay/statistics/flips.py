"""Sign flips: if two systems do not differ, each difference could as well have had the other sign."""

from collections.abc import Iterator

import numpy as np

from assay.core.judged import Floats, Ints
from assay.statistics.products import product

_ROWS, _COLUMNS = 512, 128
"""How many sign patterns and series are summed at a time: what a processor keeps near."""


def exact_extreme(sizes: Floats, observed: Floats) -> Floats:
    """Return how many of all 2^n sign patterns give a sum at least as far from 0 as the observed one.

    `sizes` are the absolute differences, none of them 0, of shape (n, series); `observed` (series,).
    """
    many = len(sizes)
    if not many:
        return np.ones(len(observed))
    return 2.0 * _extreme(sign_patterns(many, 2 ** (many - 1)), sizes, observed).astype(np.float64)


def sign_patterns(units: int, count: int) -> Floats:
    """Return the first so many of the 2^n sign patterns of n units; the last of all is 1 everywhere.

    >>> sign_patterns(2, 4).tolist()
    [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
    """
    return np.asarray(((np.arange(count)[:, None] >> np.arange(units)) & 1) * 2 - 1, np.float64)


def drawn_extreme(sizes: Floats, observed: Floats, flips: int, seed: int) -> Ints:
    """Return how many of the drawn sign patterns give a sum at least as far from 0 as the observed one."""
    extreme = np.zeros(len(observed), np.int64)
    for signs in drawn_signs(len(sizes), flips, seed):
        extreme += _extreme(signs, sizes, observed)
    return extreme


def drawn_signs(units: int, flips: int, seed: int) -> Iterator[Floats]:
    """Yield drawn sign patterns, 1 and -1, in blocks of shape (some of the flips, units)."""
    random = np.random.default_rng(seed)
    words = -(-units // 64)
    for start in range(0, flips, _ROWS):
        bits = random.integers(0, 2**64, (min(_ROWS, flips - start), words), dtype=np.uint64).astype("<u8")
        yield np.unpackbits(bits.view(np.uint8), axis=1, count=units).astype(np.float64) * 2 - 1


def _extreme(signs: Floats, sizes: Floats, observed: Floats) -> Ints:
    """Count for each series the rows of signs that give a sum as extreme; sums that differ by rounding are equal."""
    edge = (observed - 1e-12 * sizes.sum(axis=0))[:, None]
    extreme = np.zeros(len(observed), np.int64)
    for start in range(0, len(observed), _COLUMNS):
        block = slice(start, start + _COLUMNS)
        for row in range(0, len(signs), _ROWS):
            sums = product(sizes[:, block].T, signs[row : row + _ROWS].T)
            np.abs(sums, out=sums)
            extreme[block] += np.add.reduce(sums >= edge[block], axis=1, dtype=np.int64)
    return extreme
