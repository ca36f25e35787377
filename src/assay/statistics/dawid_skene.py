"""What is true and how each judge errs, both from nothing but what judges say: the model of Dawid and Skene."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats, Ints
from assay.errors import ParameterError

SMOOTHING = 0.01
"""What is added to each count of what a judge says of things of a grade: nothing is then quite impossible."""
TOLERANCE = 1e-6
MOST = 1000
UNKNOWN = -1
"""Stands for a thing of which nobody knows the grade."""
FAINT = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """What the model finds.

    Parameters
    ----------
    posterior
        The probability of each grade of each thing, shape (things, grades).
    prior
        How common each grade is, shape (grades,).
    confusion
        How often a judge says each grade of things of a grade, shape (judges, grades, grades): judge, true, said.
    iterations, converged
        How many steps were taken, and whether the last moved no probability by more than the tolerance.
    log_likelihood
        The logarithm of the probability of all that was said, under the model at the last step.
    """

    posterior: Floats
    prior: Floats
    confusion: Floats
    iterations: int
    converged: bool
    log_likelihood: float


def dawid_skene(
    thing: ArrayLike,
    judge: ArrayLike,
    said: ArrayLike,
    *,
    known: ArrayLike | None = None,
    smoothing: float = SMOOTHING,
    most: int = MOST,
    tolerance: float = TOLERANCE,
) -> DawidSkene:
    r"""Fit the model by expectation and maximisation (EM), starting from the shares of votes.

    $$ q_i(k) \propto p_k \prod_{w} \pi_w[k, l_{iw}], \quad p_k = \frac 1 n \sum_i q_i(k), \quad
    \pi_w[k, l] \propto \varepsilon + \sum_{i: l_{iw} = l} q_i(k) $$

    q is the posterior, p the prior, $\pi_w$ the confusion of judge w, $\varepsilon$ the smoothing. Judges are taken to
    err independently of each other: where they do not, the probabilities are too sure and the grades may be wrong. EM
    climbs to a nearby optimum, not always the best. Source: Dawid & Skene 1979.

    Parameters
    ----------
    thing, judge, said
        Of each judgment the number of the thing, of the judge and of the grade, from 0; of shape (judgments,). In
        whatever order they come, the result is the same.
    known
        The number of the grade of things that somebody settled, -1 of the others; shape (things,).
    smoothing, most, tolerance
        The smoothing; the most steps; the change of probabilities that ends them.

    Raises
    ------
    ParameterError
        Arrays of different shapes, a thing without a judgment, a smoothing that is not above 0.

    >>> found = dawid_skene([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2] * 3, [1, 1, 0, 0, 0, 0, 1, 1, 1])
    >>> found.posterior.argmax(axis=1).tolist(), found.converged
    ([1, 0, 1], True)
    """
    rows = _ordered(thing, judge, said)
    _check(rows, smoothing, most)
    fit = _Fit(*rows, _fixed(known, int(rows[0].max()) + 1), smoothing)
    posterior, steps, moved = fit.held(fit.shares()), 0, np.inf
    prior, confusion = fit.parameters(posterior)
    likelihood = -np.inf
    while steps < most and moved > tolerance:
        prior, confusion = fit.parameters(posterior)
        found, likelihood = fit.posterior(prior, confusion)
        moved = float(np.abs(found - posterior).max())
        posterior, steps = found, steps + 1
    return DawidSkene(posterior, prior, confusion, steps, moved <= tolerance, likelihood)


def _ordered(*columns: ArrayLike) -> tuple[Ints, Ints, Ints]:
    """Return the judgments in the order of things, judges and grades, so that sums do not depend on how they came."""
    thing, judge, said = (np.asarray(one, np.int64) for one in columns)
    if thing.ndim != 1 or not thing.shape == judge.shape == said.shape:
        raise ParameterError(
            "judgments: expected things, judges and grades of equal length, found shapes "
            f"{thing.shape}, {judge.shape} and {said.shape}"
        )
    order = np.lexsort((said, judge, thing))
    return thing[order], judge[order], said[order]


def _check(rows: tuple[Ints, Ints, Ints], smoothing: float, most: int) -> None:
    if not len(rows[0]) or min(int(one.min()) for one in rows) < 0 or not np.bincount(rows[0]).all():
        raise ParameterError("judgments: expected one or more of each thing, numbered from 0, found a thing with none")
    if not smoothing > 0:
        raise ParameterError(f"smoothing: expected a number above 0, found {smoothing}")
    if most < 1:
        raise ParameterError(f"most: expected a whole number of at least 1, found {most}")


def _fixed(known: ArrayLike | None, things: int) -> Ints:
    found = np.full(things, UNKNOWN) if known is None else np.asarray(known, np.int64)
    if found.shape != (things,):
        raise ParameterError(f"known: expected a grade or -1 of each of {things:,} things, found shape {found.shape}")
    return found


class _Fit:
    """The two steps of EM over judgments that are in order."""

    def __init__(self, thing: Ints, judge: Ints, said: Ints, known: Ints, smoothing: float) -> None:
        self.thing, self.judge, self.said, self.known, self.smoothing = thing, judge, said, known, smoothing
        self.things, self.judges = len(known), int(judge.max()) + 1
        self.grades = int(max(said.max(), known.max())) + 1

    def shares(self) -> Floats:
        """Return the share of votes of each grade of each thing."""
        cells = np.bincount(self.thing * self.grades + self.said, minlength=self.things * self.grades)
        votes = cells.reshape(self.things, self.grades).astype(np.float64)
        shares: Floats = votes / votes.sum(axis=1, keepdims=True)
        return shares

    def held(self, posterior: Floats) -> Floats:
        """Return probabilities with what is known in its place."""
        sure = self.known != UNKNOWN
        posterior[sure] = np.eye(self.grades)[self.known[sure]]
        return posterior

    def parameters(self, posterior: Floats) -> tuple[Floats, Floats]:
        """Return the prior and the confusion of judges that go with a posterior."""
        cells = self.judge * self.grades + self.said
        size = self.judges * self.grades
        sums = [np.bincount(cells, posterior[self.thing, grade], size) for grade in range(self.grades)]
        counts = np.stack([one.reshape(self.judges, self.grades) for one in sums], axis=1) + self.smoothing
        return posterior.mean(axis=0), counts / counts.sum(axis=2, keepdims=True)

    def posterior(self, prior: Floats, confusion: Floats) -> tuple[Floats, float]:
        """Return the posterior that goes with prior and confusion, and the logarithm of the likelihood."""
        logs = np.log(confusion)
        each = (logs[self.judge, grade, self.said] for grade in range(self.grades))
        sums = [np.bincount(self.thing, one, self.things) for one in each]
        joint = np.log(np.maximum(prior, FAINT)) + np.stack(sums, axis=1)
        highest = joint.max(axis=1, keepdims=True)
        parts = np.exp(joint - highest)
        total = parts.sum(axis=1, keepdims=True)
        return self.held(parts / total), float((highest + np.log(total)).sum())
