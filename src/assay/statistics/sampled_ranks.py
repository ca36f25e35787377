"""Ranks among a few drawn candidates: what they say, and do not say, of ranks among all."""

import numpy as np

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError

TRUST = 0.1
"""The weight of the variance against that of the squared bias, as Krichene and Rendle have it."""
DENSE = 1_000
"""Up to so many better candidates each count is looked at; beyond, ever wider steps of a hundredth."""


def chances(total: int, better: Ints, drawn: int) -> Floats:
    r"""Return how likely it is to see b better candidates among those drawn without replacement, for b = 0 … drawn.

    $$ P(b) = \binom{K}{b} \binom{T - K}{m - b} / \binom{T}{m} $$

    `total` is the number T of candidates but the target, `better` the numbers K of them that score higher, shape
    (cases,), `drawn` is m. Returns the shape (cases, drawn + 1); each row sums to 1.

    Raises
    ------
    ParameterError
        More drawn or more better than there are.

    >>> chances(4, np.array([2]), 2).round(3).tolist()
    [[0.167, 0.667, 0.167]]
    """
    marked = np.asarray(better, np.int64)[:, None]
    if not (0 <= drawn <= total and (marked >= 0).all() and (marked <= total).all()):
        raise ParameterError(f"sampled ranks: expected up to {total} drawn and better candidates, found more or fewer")
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, total + 1)))])
    seen = np.arange(drawn + 1)[None, :]
    possible = (seen <= marked) & (drawn - seen <= total - marked)
    hit, miss = np.where(possible, seen, 0), np.where(possible, drawn - seen, 0)
    inside = logs[marked] - logs[hit] - logs[np.maximum(marked - hit, 0)]
    outside = logs[total - marked] - logs[miss] - logs[np.maximum(total - marked - miss, 0)]
    every = logs[total] - logs[drawn] - logs[total - drawn]
    found: Floats = np.where(possible, np.exp(inside + outside - every), 0.0)
    return found


def unbiased_rank(candidates: Floats, better: Floats, drawn: Floats) -> Floats:
    r"""Return the estimate of the rank among all candidates that is right on average.

    $$ \hat r = 1 + (N - 1) \, b / m $$

    `candidates` counts the target, as N does; b of the m drawn others score higher. Right for the mean rank only: the
    reciprocal of this is no estimate of the reciprocal rank. All of shape (rows,), or numbers.

    >>> float(unbiased_rank(np.array(1001), np.array(5), np.array(100)))
    51.0
    """
    return 1 + (candidates - 1) * better / np.maximum(drawn, 1)


def corrected(total: int, drawn: int, values: Floats, steps: Ints, trust: float = TRUST) -> Floats:
    r"""Return for each b = 0 … drawn the value that stands for a target with b better candidates in its sample.

    With f(K) the value of a target that K of all T others beat, and A the chances of b given K, the table minimises

    $$ \sum_K P(K) \Big( (A_K \hat f - f(K))^2 + \gamma \, \mathrm{Var}(\hat f(b) \mid K) \Big) $$

    P(K) falls as 1/(K + 1), since models put most targets high. `trust` is γ: near 0 the bias alone counts, with 1 the
    table is the posterior mean. `steps` are the K at which `values` are given (see `grid`), shape (steps,); values of
    several measures have the shape (steps, measures), and the table then (drawn + 1, measures). No table is free of
    bias: b of a small sample cannot tell rank 1 from rank 10.
    Source: Krichene and Rendle 2020, "On Sampled Metrics for Item Recommendation", the bias-variance estimator.

    >>> steps = grid(1000)
    >>> table = corrected(1000, 100, (steps < 10) * 1.0, steps)
    >>> table.shape, bool(table[0] > table[2]), bool(abs(table[20]) < 0.05)
    ((101,), True, True)
    """
    if not 0 < trust <= 1:
        raise ParameterError(f"sampled ranks: expected a trust above 0 and up to 1, found {trust:g}")
    likely = chances(total, steps, drawn)
    prior = np.diff(np.log(np.append(steps, total + 1) + 1.0))
    prior /= prior.sum()
    weighted = likely * prior[:, None]
    seen = weighted.sum(axis=0)
    inner = (1 - trust) * weighted.T @ likely + trust * np.diag(seen)
    return np.asarray(np.linalg.lstsq(inner, weighted.T @ values, rcond=None)[0])


def grid(total: int) -> Ints:
    """Return the numbers of better candidates to look at: each up to 1,000, then in steps of a hundredth; ascending.

    >>> grid(3).tolist(), len(grid(1_000_000))
    ([0, 1, 2, 3], 1696)
    """
    dense = np.arange(min(total, DENSE) + 1)
    if total <= DENSE:
        return dense
    many = int(np.ceil(np.log(total / DENSE) / np.log(1.01)))
    wide = np.unique(np.geomspace(DENSE + 1, total, many).round().astype(np.int64))
    return np.concatenate([dense, wide])
