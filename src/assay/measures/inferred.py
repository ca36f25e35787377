"""Inferred measures: estimated from a pool in which only a random sample was judged."""

from collections.abc import Sequence

from assay.core.judged import UNJUDGED, Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field

EPSILON = 1e-5
"""What both counts above a place are raised by, so that their ratio exists."""


@measure("infAP", aliases=("InfAP",), trec="infAP", bounds=(0, 1))
class InferredAP(Measure):
    r"""Average precision, estimated where the pool was judged only in part.

    $$ infAP = \frac{1}{R} \sum_{i :\, g_i \ge rel} \left( \frac{1}{i}
       + \frac{r_i + b_i + u_i}{i} \cdot \frac{r_i + \varepsilon}{r_i + b_i + 2\varepsilon} \right) $$

    Above place i stand r relevant items, b judged not relevant and u pooled but not judged; epsilon is
    0.00001. A grade below 0 marks an item as pooled: it is taken to be relevant as often as those judged
    above it, while an item without any grade is not relevant. With all of the pool judged it is AP, up to
    epsilon.
    Source: Yilmaz & Aslam 2006, Estimating Average Precision with Incomplete and Imperfect Judgments, CIKM.
    Same value as trec_eval infAP.

    >>> round(infAP().of([1, -1, 1]), 6)
    0.999997
    """

    may_fall = "an item that moves above a pooled one without a judgment loses that one's likely relevance"
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        hits = judged.hits
        good = hits.before(hits.grade >= self.rel)
        bad = hits.before((hits.grade >= 0) & (hits.grade < self.rel))
        likely = (good + EPSILON) / (good + bad + 2 * EPSILON)
        term = (1 + (hits.position() - 1) * likely) / hits.rank
        relevant = hits.grade >= self.rel
        return divide(hits.where(relevant).sum(term[relevant]), judged.wanted(self.rel))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        good = bad = pooled = 0
        total = 0.0
        for place, grade in enumerate(grades, 1):
            if grade >= self.rel:
                likely = (good + EPSILON) / (good + bad + 2 * EPSILON)
                total += 1 / place + (good + bad + pooled) / place * likely
            good += grade >= self.rel
            bad += 0 <= grade < self.rel
            pooled += UNJUDGED < grade < min(0, self.rel)
        return total / sum(g >= self.rel for g in gold)
