"""Geometric means over queries other than that of average precision."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.bpref import Bpref


@measure("GMBpref", aliases=("gm_bpref",), trec="gm_bpref", bounds=(0, 1))
class GeometricMeanBpref(Measure):
    r"""Geometric mean over queries of Bpref, which weighs a query that fails.

    $$ GMBpref = \exp \Big( \frac{1}{|Q|} \sum_{q \in Q} \ln \max(Bpref_q, floor) \Big) $$

    A query with Bpref 0 counts as the floor, or one such query would make the mean 0. The value of a single
    query is its Bpref, without the floor.
    Source: Robertson 2006, On GMAP, CIKM, on Bpref instead of AP. Same value as trec_eval gm_bpref.

    >>> GMBpref().of([1, 0, 1, 0])
    0.75
    >>> GMBpref().aggregate(np.array([0.5, 0.125]))
    0.25
    """

    rel: float = rel_field()
    floor: float = 1e-5

    def kernel(self, judged: Judged) -> Floats:
        return Bpref(rel=self.rel).kernel(judged)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return Bpref(rel=self.rel).by_the_book(grades, gold)

    def aggregate(self, values: Floats, weights: Floats | None = None) -> float | None:
        """Return the geometric mean of the queries' values, None without any."""
        mean = super().aggregate(np.log(np.maximum(values, self.floor)), weights)
        return None if mean is None else math.exp(mean)
