"""Expectation and maximisation for the position-based model, in leaps."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.core.clicks import Fit
from assay.core.judged import Floats
from assay.judging.clicks.cells import Cells

STEPS = 2_000
TOLERANCE = 1e-7
Chances = tuple[Floats, Floats]
"""θ of each rank, and α of each pair."""


def maximised(
    cells: Cells, theta: Floats, *, known: bool, steps: int = STEPS, tolerance: float = TOLERANCE
) -> tuple[Chances, Fit]:
    """Return θ, shape (ranks,), and α, shape (pairs,), that EM finds from a start of θ, and how it ended.

    `known`: θ stays as it is, and only α is looked for.
    """
    better = partial(_better, _Counts.of(cells), theta if known else None)
    looks = cells.by_pair(cells.column("shown") * theta[cells.rank])
    now: Chances = theta, np.clip(cells.by_pair("clicks") / np.maximum(looks, 1e-9), 0, 0.99)
    step, change = 0, np.inf
    while step < steps:
        after = better(now)
        change, step = _moved(now, after, better.args[0].of_pair), step + 1
        if change <= tolerance:
            return after, Fit(step, converged=True, change=change)
        now = _leapt(now, after, better(after))
        step += 1
    return now, Fit(step, converged=False, change=change)


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """What EM needs of cells, at hand: shown and clicks of cells, and sums of shown."""

    cells: Cells
    clicks: Floats
    missed: Floats
    of_pair: Floats
    of_rank: Floats

    @classmethod
    def of(cls, cells: Cells) -> "_Counts":
        shown, clicks = cells.column("shown"), cells.column("clicks")
        return cls(cells, clicks, shown - clicks, cells.by_pair(shown), cells.by_rank(shown))


def _better(counts: _Counts, given: Floats | None, now: Chances) -> Chances:
    """Return both chances after one step of expectation and maximisation, the highest θ set to 1 unless given."""
    cells, (theta, alpha) = counts.cells, now
    look, attract = theta[cells.rank], alpha[cells.pair]
    by = 1 - look * attract
    share = np.divide(counts.missed, by, out=np.zeros(len(by)), where=counts.missed > 0)
    attracted = cells.by_pair(counts.clicks + share * attract * (1 - look)) / np.maximum(counts.of_pair, 1)
    if given is not None:
        return given, np.minimum(1, attracted)
    looked = cells.by_rank(counts.clicks + share * look * (1 - attract)) / counts.of_rank
    top = max(float(looked.max()), 1e-300)
    return looked / top, np.minimum(1, attracted * top)


def _leapt(first: Chances, second: Chances, third: Chances) -> Chances:
    """Return where three steps of EM in a row point to, within 0 and 1: they shorten slowly, and alike.

    Source: Varadhan and Roland 2008 (SQUAREM), the third of their step lengths.
    """
    x, y, z = (np.concatenate(one) for one in (first, second, third))
    speed, turn = y - x, z - 2 * y + x
    length = max(1.0, float(np.sqrt(speed @ speed / max(float(turn @ turn), 1e-300))))
    leapt = np.clip(x + 2 * length * speed + length**2 * turn, 1e-9, 1 - 1e-9)
    leapt = np.where((z == 0) | (z == 1), z, leapt)
    return leapt[: len(first[0])], leapt[len(first[0]) :]


def _moved(before: Chances, after: Chances, shown: Floats) -> float:
    """Return the largest move of a θ, or the mean move of α over impressions if that is larger."""
    mean = float(np.average(np.abs(after[1] - before[1]), weights=shown))
    return max(mean, float(np.abs(after[0] - before[0]).max()))
