"""How alike do judges grade: percent agreement, Cohen's, weighted and Fleiss' kappa, Gwet's AC1.

Krippendorff's alpha has a file of its own. Grades are numbers; a grade that is missing is NaN. What two judges say of
the same things is a table of how often they gave which two grades, of shape (grades, grades).
"""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Floats
from assay.errors import ParameterError

Weights = Literal["linear", "quadratic"]


def cohen_kappa(first: ArrayLike, second: ArrayLike, weights: Weights | None = None) -> float | None:
    r"""Return Cohen's kappa of two judges of the same things; grades of shape (things,), NaN: not judged.

    $$ \kappa = \frac{p_o - p_e}{1 - p_e} = 1 - \frac{\sum w_{ij} o_{ij}}{\sum w_{ij} e_{ij}} $$

    o is the share of things graded i by one and j by the other, e what these shares would be if the judges, each with
    his own habits, graded by chance. Without `weights` w is 1 for different grades; "linear" takes |i − j|, "quadratic"
    its square: by how much the grades themselves differ. From −1 to 1, 0 for chance; None where both only gave one and
    the same grade: nothing was told apart. Source: Cohen 1960; weighted, Cohen 1968.

    >>> cohen_kappa([1, 1, 0, 0], [1, 0, 0, 0]), cohen_kappa([1, 1], [1, 1])
    (0.5, None)
    >>> cohen_kappa([0, 1, 2, 2], [0, 1, 1, 2], "quadratic")
    0.8
    """
    values, table = met(first, second)
    return or_none(kappa_of(table, values, weights))


def percent_agreement(grades: ArrayLike) -> float | None:
    """Return how often two judges of one thing give it the same grade: the mean over things with two or more.

    `grades` has the shape (things, judges), NaN: not judged. From 0 to 1; None of no such thing.

    >>> percent_agreement([[1, 1, 1], [1, 0, float("nan")]])
    0.5
    """
    return or_none(tallied(grades).percent)


def fleiss_kappa(grades: ArrayLike) -> float | None:
    r"""Return Fleiss' kappa of several judges, who need not be the same for each thing.

    $$ \kappa = \frac{\bar P - \bar P_e}{1 - \bar P_e}, \quad P_i = \sum_j \frac{n_{ij}(n_{ij}-1)}{n_i(n_i-1)},
    \quad \bar P_e = \sum_j \pi_j^2 $$

    over things i with $n_i$ of two or more grades; $\pi_j$ is the mean over things of the share of their judges who
    gave grade j. `grades` has the shape (things, judges), NaN: not judged. None where only one grade was given.
    Source: Fleiss 1971, for the same number of judges of each thing; for other numbers, Gwet 2014, "Handbook of
    inter-rater reliability", ch. 2.

    >>> round(fleiss_kappa([[1, 1, 1], [1, 0, 0], [0, 0, 0]]), 3)
    0.55
    """
    return or_none(tallied(grades).fleiss)


def gwet_ac1(grades: ArrayLike, values: ArrayLike | None = None) -> float | None:
    r"""Return Gwet's AC1, which stays high where judges agree and nearly all things have one grade.

    $$ AC_1 = \frac{\bar P - p_e}{1 - p_e}, \quad p_e = \frac{1}{q-1} \sum_j \pi_j (1 - \pi_j) $$

    $\bar P$ is the percent agreement, $\pi_j$ the mean over things of the share of their judges who gave grade j, q the
    number of `values`: the grades of the scale, by default those that were given. `grades` has the shape (things,
    judges), NaN: not judged. 1 where only one grade was given. Source: Gwet 2008.

    >>> gwet_ac1([[1, 1], [1, 1], [1, 1]])
    1.0
    """
    return or_none(tallied(grades, values).ac1)


def met(first: ArrayLike, second: ArrayLike, values: ArrayLike | None = None) -> tuple[Floats, Floats]:
    """Return the grades, rising, and how often two judges gave which two of them to one thing.

    Raises
    ------
    ParameterError
        Grades of different shapes.
    """
    one, two = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.ndim != 1 or one.shape != two.shape:
        msg = f"judges: expected two rows of grades of equal length, found shapes {one.shape} and {two.shape}"
        raise ParameterError(msg)
    both = ~(np.isnan(one) | np.isnan(two))
    one, two = one[both], two[both]
    scale = np.unique(np.concatenate([one, two])) if values is None else np.asarray(values, np.float64)
    cells = np.searchsorted(scale, one) * len(scale) + np.searchsorted(scale, two)
    table = np.bincount(cells, minlength=len(scale) ** 2).reshape(len(scale), len(scale))
    return scale, table.astype(np.float64)


def kappa_of(table: Floats, values: Floats, weights: Weights | None = None) -> Floats:
    """Return kappa of tables of shape (..., grades, grades), as (...); NaN where it is undefined."""
    apart = np.abs(values[:, None] - values[None, :])
    weight = {None: (apart > 0).astype(np.float64), "linear": apart, "quadratic": apart**2}[weights]
    chance = table.sum(axis=-1)[..., :, None] * table.sum(axis=-2)[..., None, :]
    seen, by_chance = ((cells * weight).sum(axis=(-2, -1)) for cells in (table, chance))
    return _against_chance(seen * table.sum(axis=(-2, -1)), by_chance)


def or_none(value: ArrayLike) -> float | None:
    """Return a number, or None for NaN."""
    found = float(np.asarray(value))
    return None if np.isnan(found) else found


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What coefficients of several judges are made of, summed over things; arrays of shape (..., what), any leading.

    `values` are the grades of the scale. Per thing (`of_counts`): the coincidences of each two grades (as in
    Krippendorff's alpha), the agreement and a 1 where two or more judges graded it; then the share of its judges for
    each grade, and a 1 where anybody graded it.
    """

    values: Floats
    sums: Floats

    @classmethod
    def of_counts(cls, values: Floats, counts: Floats) -> Self:
        """Count each thing by itself; `counts` says how often it got each grade, of shape (things, grades)."""
        many = counts.sum(axis=1, keepdims=True)
        several, some = many > 1, many > 0
        parts = np.divide(counts, many - 1, out=np.zeros_like(counts), where=several)
        met = parts[:, :, None] * counts[:, None, :]
        grades = np.arange(len(values))
        met[:, grades, grades] -= parts
        alike = met[:, grades, grades].sum(axis=1, keepdims=True)
        agreed = np.divide(alike, many, out=np.zeros_like(many), where=several)
        shares = np.divide(counts, many, out=np.zeros_like(counts), where=some)
        flat = met.reshape(len(counts), len(values) ** 2)
        return cls(values, np.hstack([flat, agreed, several, shares, some]))

    @property
    def coincidences(self) -> Floats:
        """How often each two grades meet, of shape (..., grades, grades)."""
        grades = len(self.values)
        return self.sums[..., : grades**2].reshape(*self.sums.shape[:-1], grades, grades)

    @property
    def percent(self) -> Floats:
        """How often two judges of one thing agree."""
        after = len(self.values) ** 2
        return _share(self.sums[..., after], self.sums[..., after + 1])

    @property
    def shares(self) -> Floats:
        """The mean share of the judges of a thing who gave each grade, of shape (..., grades)."""
        told = self.sums[..., -len(self.values) - 1 :]
        return _share(told[..., :-1], told[..., -1:])

    @property
    def fleiss(self) -> Floats:
        """Fleiss' kappa."""
        return _against_chance(1 - self.percent, 1 - (self.shares**2).sum(axis=-1))

    @property
    def ac1(self) -> Floats:
        """Gwet's AC1."""
        chance = (self.shares * (1 - self.shares)).sum(axis=-1) / max(1, len(self.values) - 1)
        return _against_chance(1 - self.percent, 1 - chance)


def counted(grades: ArrayLike, values: ArrayLike | None = None) -> tuple[Floats, Floats]:
    """Return the grades, rising, and how often each thing got each of them, of shape (things, grades)."""
    table = np.asarray(grades, np.float64)
    scale = np.unique(table[~np.isnan(table)]) if values is None else np.asarray(values, np.float64)
    return scale, (table[:, None, :] == scale[:, None]).sum(axis=2).astype(np.float64)


def tallied(grades: ArrayLike, values: ArrayLike | None = None) -> Tally:
    """Return what coefficients are made of, summed over all things; `grades` of shape (things, judges)."""
    scale, counts = counted(grades, values)
    return Tally(scale, Tally.of_counts(scale, counts).sums.sum(axis=0))


def _share(above: Floats, below: Floats) -> Floats:
    """Return above / below, NaN over 0."""
    above, below = np.broadcast_arrays(np.asarray(above, np.float64), below)
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0))


def _against_chance(seen: Floats, chance: Floats) -> Floats:
    """Return 1 less the disagreement that was seen over that of chance; NaN where chance leaves none."""
    return np.asarray(1 - _share(seen, np.where(np.abs(chance) > 1e-12, chance, 0)))
