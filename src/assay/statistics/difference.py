"""Whether two systems differ: paired tests of the differences, query by query."""

import math
from typing import Literal, get_args

import numpy as np

from assay.core.estimates import Significance
from assay.core.judged import Floats, Ints
from assay.errors import ParameterError, UnknownNameError, UnsupportedError
from assay.statistics.distributions import t_two_sided
from assay.statistics.flips import drawn_extreme, exact_extreme
from assay.statistics.ranks import signed_rank
from assay.statistics.units import Units, units_of_pairs

Test = Literal["flips", "t", "wilcoxon", "wilcoxon-approx"]

ENUMERATED = 65_536
"""Up to this many sign patterns are all tried, which makes the p value exact."""


def significance(
    differences: Floats,
    *,
    test: Test = "flips",
    weights: Floats | None = None,
    clusters: Ints | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> list[Significance]:
    r"""Return the two-sided p value of each pair of systems: could the mean difference be chance?

    `differences` has the shape (queries, pairs), or (queries,) for one pair; NaN is a query that a pair lacks.
    `weights` and `clusters` (queries,) make units of queries (`Units`); a unit is flipped as a whole.

    "flips"
        Randomisation by signs: if the systems do not differ, each difference could as well have had the other
        sign. All 2^n patterns of the n units that differ are tried where that is at most 65,536 or `flips`; the
        p value is then the share of patterns with a sum at least as far from 0 as the observed one. Otherwise
        `flips` patterns are drawn by `seed`:

        $$ p = \frac{b + 1}{N + 1} $$

        with b of the N drawn at least as far. Sums that differ by rounding only (1e-12 of the largest) are
        equal. It assumes no distribution. Where all differences are 0, p is 1: nothing speaks for a difference.
    "t"
        Paired t, with the linearised variance of `Units`; one degree of freedom less than units.
    "wilcoxon", "wilcoxon-approx"
        Signed ranks (`signed_rank`); `method` says whether p is exact or the normal approximation.
        "wilcoxon-approx" is what R and SciPy call so, with their ties. Both ask another question: about ranks
        of differences, not their mean.

    `statistic` is the mean difference, t, or the smaller rank sum. p is None, and `why` says the reason, below two
    units, and for t and Wilcoxon where the differences do not vary or are all 0. Differences are put in the order
    of their size before signs are drawn, so that p depends neither on the order of queries nor on which
    system is called the first.

    Raises UnknownNameError, ParameterError (fewer than 100 flips), UnsupportedError (Wilcoxon with weights or
    clusters), MissingExtraError (t without SciPy). Source: Fisher 1935; Smucker, Allan and Carterette 2007; Phipson
    and Smyth 2010 for the added one.

    >>> significance(np.array([0.3, 0.1, 0.2, -0.1, 0.4]))[0].p
    0.1875
    """
    table = np.asarray(differences, np.float64)
    table = table[:, None] if table.ndim == 1 else table
    _require(test, flips, weighted=weights is not None or clusters is not None)
    found: dict[int, Significance] = {}
    for pairs, units in units_of_pairs(table, weights, clusters):
        found |= dict(zip(pairs.tolist(), _of_units(units, test, flips, seed), strict=True))
    return [found[pair] for pair in range(table.shape[1])]


def _require(test: str, flips: int, *, weighted: bool) -> None:
    """Refuse a test that does not exist or cannot be made."""
    if test not in get_args(Test):
        raise UnknownNameError.of("test", test, get_args(Test))
    if flips < 100:
        msg = f"significance: expected 100 flips or more, found {flips}"
        raise ParameterError(msg, hint="10,000 is usual.")
    if weighted and test.startswith("wilcoxon"):
        msg = f"{test}: ranks queries one by one and knows neither weights nor clusters"
        raise UnsupportedError(msg, hint="flips and t know both.")


def _of_units(units: Units, test: Test, flips: int, seed: int) -> list[Significance]:
    """Return the p value of each series by the test asked for."""
    series = units.above.shape[1]
    if len(units) < 2:
        name = {"flips": "sign flips", "t": "paired t"}.get(test, "Wilcoxon")
        why = f"expected 2 independent queries or more, found {len(units)}"
        return [Significance(None, name, len(units), 1.0, why=why)] * series
    if test == "flips":
        return _flipped(units, flips, seed)
    return _student(units) if test == "t" else _ranked(units, exact=test == "wilcoxon")


def _flipped(units: Units, flips: int, seed: int) -> list[Significance]:
    """Return p by sign flips; series with as many differences are enumerated together."""
    sizes = np.sort(np.abs(units.above), axis=0)[::-1]
    observed = np.abs(units.above.sum(axis=0))
    nonzero = (sizes > 1e-12 * np.maximum(sizes[0], np.finfo(float).tiny)).sum(axis=0)
    exact = nonzero <= math.log2(max(flips, ENUMERATED))
    p, floor = np.empty(len(observed)), np.full(len(observed), 1 / (flips + 1))
    for many in np.unique(nonzero[exact]):
        some = exact & (nonzero == many)
        p[some] = exact_extreme(sizes[:many, some], observed[some]) / 2.0**many
        floor[some] = min(1.0, 2 / 2.0**many)
    if not exact.all():
        p[~exact] = (drawn_extreme(sizes[:, ~exact], observed[~exact], flips, seed) + 1) / (flips + 1)
    names = np.where(exact, "sign flips, exact", f"sign flips, {flips:,} drawn").tolist()
    rows = zip(p.tolist(), names, floor.tolist(), units.mean.tolist(), strict=True)
    return [Significance(one, name, len(units), least, mean) for one, name, least, mean in rows]


def _student(units: Units) -> list[Significance]:
    """Return p by the paired t test."""
    varies = ~units.constant
    t = np.divide(units.mean, units.error, out=np.zeros_like(units.mean), where=varies)
    ps = t_two_sided(t, len(units) - 1)
    why = "the differences do not vary"
    return [
        Significance(p, "paired t", len(units), 0.0, one)
        if fine
        else Significance(None, "paired t", len(units), 0.0, why=why)
        for p, one, fine in zip(ps.tolist(), t.tolist(), varies.tolist(), strict=True)
    ]


def _ranked(units: Units, *, exact: bool) -> list[Significance]:
    """Return p by signed ranks."""
    found = []
    for differences in units.above.T:
        ranked = signed_rank(differences, exact=exact)
        if ranked is None:
            found.append(Significance(None, "Wilcoxon", len(units), 1.0, why="all differences are 0"))
        else:
            found.append(Significance(ranked.p, ranked.method, len(units), ranked.floor, ranked.statistic))
    return found
