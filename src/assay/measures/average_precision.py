"""Average precision: precision at each relevant item, averaged over all there are."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field
from assay.measures.possible import Possible
from assay.measures.possible_precision import possible_average_precision
from assay.measures.tie_groups import TieGroups, chances, sum_places


@measure("AP", aliases=("MAP",), trec=("map", "map_cut_{k}"), bounds=(0, 1))
class AveragePrecision(Measure):
    r"""Sum of the precision at each retrieved relevant item, divided by the number of relevant items.

    $$ AP@k = \frac{1}{R} \sum_{i=1}^{k} [\, g_i \ge rel \,] \, P@i $$

    What the sum is divided by is disputed. `norm='R'`, the default, divides by all R relevant items, so that
    AP@1 is 0.25 at best where R = 4; `norm='min'` divides by min(k, R), by R without a cutoff; `norm='found'`
    divides by those found inside the cutoff (0 where there are none), and so rewards stopping early.
    Source: Buckley & Voorhees 2000, Evaluating evaluation measure stability, SIGIR. Same value as trec_eval
    map and map_cut_k.

    >>> AP().of([1, 0, 1, 0], gold=[1, 1, 1, 0])
    0.5555555555555555
    >>> AP(k=2, norm="min").of([1, 0, 1, 0], gold=[1, 1, 1, 0])
    0.5
    >>> AP(norm="found").of([1, 0, 0, 0], gold=[1, 1, 1, 0])
    1.0
    """

    at = "k"
    k: int | None = None
    rel: float = rel_field()
    norm: str = "R"

    def kernel(self, judged: Judged) -> Floats:
        found = judged.relevant(self.rel).top(self.k)
        total = found.sum(found.position() / found.rank)
        return divide(total, np.maximum(found.count(), 1) if self.norm == "found" else self._divisor(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found, total = 0, 0.0
        for rank, grade in enumerate(grades[: self.k], start=1):
            if grade >= self.rel:
                found += 1
                total += found / rank
        relevant = sum(g >= self.rel for g in gold)
        if self.norm == "found":
            return total / found if found else 0
        if self.norm == "min":
            relevant = min(self.k or relevant, relevant)
        return total / relevant if relevant else math.nan

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders, shape (queries,).

        A relevant item at place x of its group has c + 1 and, of the r - 1 others, (r-1)(x-1)/(t-1) relevant
        items from the top down to itself in the mean.
        """
        groups = TieGroups.of(judged.relevant(self.rel), self.k)
        if self.norm == "found":
            return _expected_found(groups)
        return divide(groups.sum(_expected_terms(groups)), self._divisor(judged))

    def possible(self, judged: Judged) -> Possible:
        if self.norm == "found" or self.rel <= 0:
            return super().possible(judged)
        return possible_average_precision(judged, self.kernel(judged), self.rel, self.k, self._divided_by)

    def _divisor(self, judged: Judged) -> Floats:
        return self._divided_by(judged.wanted(self.rel))

    def _divided_by(self, relevant: Floats) -> Floats:
        return relevant if self.norm == "R" or self.k is None else np.minimum(relevant, self.k)


@measure("GMAP", aliases=("gm_map",), trec="gm_map", bounds=(0, 1))
class GeometricMeanAP(Measure):
    r"""Geometric mean over queries of average precision, which weighs a query that fails.

    $$ GMAP = \exp \Big( \frac{1}{|Q|} \sum_{q \in Q} \ln \max(AP_q, floor) \Big), \quad
       AP_q = \frac{1}{R} \sum_i [\, g_i \ge rel \,] \, P@i $$

    A query with AP 0 counts as the floor, or one such query would make the mean 0: AP 1 and 0 give 0.00316
    with the floor 0.00001. The value of a single query is its AP, without the floor.
    Source: Robertson 2006, On GMAP, CIKM. Same value as trec_eval gm_map.

    >>> GMAP().of([0, 1])
    0.5
    >>> GMAP().aggregate(np.array([0.5, 0.125]))
    0.25
    """

    rel: float = rel_field()
    floor: float = 1e-5

    def kernel(self, judged: Judged) -> Floats:
        return AveragePrecision(rel=self.rel).kernel(judged)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        precisions = [
            sum(g >= self.rel for g in grades[:rank]) / rank
            for rank, grade in enumerate(grades, start=1)
            if grade >= self.rel
        ]
        relevant = sum(g >= self.rel for g in gold)
        return sum(precisions) / relevant if relevant else math.nan

    def possible(self, judged: Judged) -> Possible:
        return AveragePrecision(rel=self.rel).possible(judged)

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float | None:
        """Return the geometric mean of the queries' values, None without any."""
        mean = super().aggregate(np.log(np.maximum(values, self.floor)), weights)
        return None if mean is None else math.exp(mean)


def _sums(groups: TieGroups) -> tuple[Floats, Floats]:
    """Return the sums over the places inside of 1/(a+x) and of (x-1)/(a+x), both of shape (groups,)."""
    several = groups.holds > 1
    later = np.zeros(len(several))
    later[several] = sum_places(groups.above[several], groups.inside[several], lambda a, x: (x - 1) / (a + x))
    return sum_places(groups.above, groups.inside, lambda a, x: 1 / (a + x)), later


def _expected_terms(groups: TieGroups) -> Floats:
    r"""Return what each group adds to the sum of precisions in the mean, shape (groups,).

    $$ \frac{r}{t} \Big( (c+1) \sum_{x \le m} \frac{1}{a+x}
       + \frac{r-1}{t-1} \sum_{x \le m} \frac{x-1}{a+x} \Big) $$
    """
    first, later = _sums(groups)
    others = (groups.holds - 1) / np.maximum(groups.tied - 1, 1)
    return groups.holds / groups.tied * ((groups.before + 1) * first + others * later)


def _expected_found(groups: TieGroups) -> Floats:
    """Return the mean of AP(norm='found'): only the group across the cutoff changes what is divided by."""
    terms, whole = _expected_terms(groups), groups.inside == groups.tied
    total = groups.sum(np.where(whole, terms, 0.0))
    found = groups.sum(np.where(whole, groups.holds, 0))
    value = total / np.maximum(found, 1)
    first, later = _sums(groups)
    for cut in np.flatnonzero(groups.crossing()).tolist():
        query, before, places = groups.query[cut], groups.before[cut], int(groups.inside[cut])
        y, chance = chances(int(groups.tied[cut]), int(groups.holds[cut]), places)
        inside = y / places * ((before + 1) * first[cut] + (y - 1) / max(places - 1, 1) * later[cut])
        value[query] = np.sum(chance * (total[query] + inside) / np.maximum(before + y, 1))
    return value
