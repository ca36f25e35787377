"""Do judges err together? The correlation of their errors, and how many independent judges they are worth."""

import math
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

import numpy as np

from assay.core.judged import Floats, Ints

LEAST = 10
"""Fewer things that two judges share say nothing of their errors."""


@dataclass(frozen=True, slots=True)
class JointErrors:
    """The errors of two judges over the things that both judged and whose answer is taken to be known.

    `correlation` is that of their errors: 0 where they err independently, 1 where always together.
    """

    first: int
    second: int
    shared: int
    correlation: float

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return asdict(self)


def joint_errors(grades: Floats, truth: Floats | None = None, least: int = LEAST) -> list[JointErrors]:
    """Return the correlation of errors of each two judges that share enough things and both err and are right.

    Parameters
    ----------
    grades
        What judges say, shape (things, judges), NaN: not judged.
    truth
        The right grades, shape (things,), NaN: not known. Without it each two judges are held against what most of the
        others say, where one grade leads; an error of these others then looks like one that the two share, so that
        even independent judges show some correlation.
    least
        How many shared things are needed.

    >>> one, two, three = [1, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 1]
    >>> joint_errors(np.array([one, two, three]).T, np.array([1.0, 1, 1, 1]), least=4)[0].correlation
    1.0
    """
    values = np.unique(grades[~np.isnan(grades)])
    said = np.where(np.isnan(grades), -1, np.searchsorted(values, grades))
    votes = np.stack([(said == grade).sum(axis=1) for grade in range(len(values))], axis=1)
    found = []
    for first, second in combinations(range(grades.shape[1]), 2):
        rows = np.flatnonzero((said[:, first] >= 0) & (said[:, second] >= 0))
        answer = _others(votes, said, rows, (first, second)) if truth is None else _coded(truth[rows], values)
        kept = answer >= -1
        wrong = [(said[rows, one] != answer)[kept] for one in (first, second)]
        if len(wrong[0]) >= least and all(0 < one.mean() < 1 for one in wrong):
            correlation = float(np.clip(np.corrcoef(*wrong)[0, 1], -1, 1))
            found.append(JointErrors(first, second, len(wrong[0]), correlation))
    return found


def mean_correlation(pairs: list[JointErrors]) -> float | None:
    """Return the mean correlation, each pair weighed by the things that it shares; None without a pair."""
    shared = sum(one.shared for one in pairs)
    return math.fsum(one.correlation * one.shared for one in pairs) / shared if shared else None


def effective_judges(judges: float, correlation: float) -> float:
    r"""Return how many independent judges are worth as much: $n / (1 + (n - 1) \rho)$ (Kish 1965, design effect).

    >>> effective_judges(33, 0.4)
    2.39...
    """
    return judges / (1 + (judges - 1) * max(0.0, correlation))


def _others(votes: Ints, said: Ints, rows: Ints, pair: tuple[int, int]) -> Ints:
    """Return what most others say of some things; -2 where none or several grades lead."""
    rest = votes[rows].copy()
    for judge in pair:
        rest[np.arange(len(rows)), said[rows, judge]] -= 1
    highest = rest.max(axis=1, keepdims=True)
    leads = ((rest == highest).sum(axis=1) == 1) & (highest[:, 0] > 0)
    return np.where(leads, rest.argmax(axis=1), -2)


def _coded(truth: Floats, values: Floats) -> Ints:
    """Return the numbers of right grades; -1 of one that no judge says, -2 of one that is not known."""
    place = np.minimum(np.searchsorted(values, truth), len(values) - 1)
    found = np.where(values[place] == truth, place, -1)
    return np.where(np.isnan(truth), -2, found)
