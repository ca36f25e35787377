"""Precision at multiples of the number of relevant items."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Ints, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.parameters import cutoff_field
from assay.measures.tie_groups import expected_hits


@measure("RprecMult", aliases=("RPrecMult",), trec="Rprec_mult_{multiple}", bounds=(0, 1))
class RPrecisionMultiple(Measure):
    r"""Precision at the place c times R: before or past the place where precision and recall are equal.

    $$ RprecMult@c = \frac{1}{m} \sum_{i=1}^{m} [\, g_i \ge rel \,], \quad m = \lfloor cR + 0.9 \rfloor $$

    m is mostly, not always, the next whole number: 1.05 gives 1 place, 1.1 gives 2. Where m is 0 the value is
    0. RprecMult@1 is Rprec; a shorter ranking is divided by m all the same.
    Source: trec_eval (Buckley, NIST), measure Rprec_mult; documented in trec_eval 9 (2008). Same value.

    >>> RprecMult(multiple=0.5).of([1, 0, 0, 1]), RprecMult(multiple=2).of([1, 0, 0, 1])
    (1.0, 0.5)
    """

    at = "multiple"
    needs_at = True
    instead = " Rprec is the one at R itself."
    multiple: float = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        relevant, places = judged.relevant(self.rel), self._places(judged)
        found = relevant.where(relevant.rank <= places[relevant.query]).count()
        return self._share(judged, found, places)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        places = int(self.multiple * sum(g >= self.rel for g in gold) + 0.9)
        return sum(g >= self.rel for g in grades[:places]) / places if places else 0.0

    def expected(self, judged: Judged) -> Floats:
        places = self._places(judged)
        return self._share(judged, expected_hits(judged, places, self.rel), places)

    def _places(self, judged: Judged) -> Ints:
        return (self.multiple * judged.wanted(self.rel) + 0.9).astype(np.int64)

    def _share(self, judged: Judged, found: Floats, places: Ints) -> Floats:
        some = judged.wanted(self.rel) > 0
        return np.where(some, found / np.maximum(places, 1), np.nan)
