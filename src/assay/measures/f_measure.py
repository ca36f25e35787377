"""The F-measure: precision and recall in one number."""

from collections.abc import Sequence

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.parameters import cutoff_field
from assay.measures.possible import Possible, open_places
from assay.measures.tie_groups import expected_hits


@measure("F1", bounds=(0, 1))
class F1(Measure):
    r"""Harmonic mean of precision and recall at k.

    $$ F1@k = \frac{2 \cdot P@k \cdot R@k}{P@k + R@k} = \frac{2h}{k + R},
       \quad h = \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    The figure of a run is the mean of F1 over queries, not the F1 of mean precision and mean recall. It
    cannot pass 2 min(k, R)/(k + R): with one relevant item F1@10 is at most 2/11.
    Source: van Rijsbergen 1979, Information Retrieval, ch. 7 (1 - E). trec_eval has it only for whole
    rankings.

    >>> F1(k=3).of([1, 0, 2], gold=[1, 2, 1, 1, 1])
    0.5
    """

    at = "k"
    needs_at = True
    instead = " SetF is the F-measure of everything retrieved."
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        above, below = self.fraction(judged)
        return above / below

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = sum(g >= self.rel for g in grades[: self.k])
        precision, recall = found / self.k, found / sum(g >= self.rel for g in gold)
        return 2 * precision * recall / (precision + recall) if found else 0.0

    def expected(self, judged: Judged) -> Floats:
        found = expected_hits(judged, self.k, self.rel)
        return 2 * found / (self.k + judged.wanted(self.rel))

    def possible(self, judged: Judged) -> Possible:
        return FMeasure(k=self.k, rel=self.rel).possible(judged)

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        found = judged.top(self.k).relevant(self.rel).count()
        return 2 * found, self.k + judged.wanted(self.rel)


@measure("F", aliases=("FMeasure",), bounds=(0, 1))
class FMeasure(Measure):
    r"""Weighted harmonic mean of precision and recall at k; beta > 1 favours recall.

    $$ F_\beta@k = \frac{(1 + \beta^2) \cdot P@k \cdot R@k}{\beta^2 P@k + R@k}
       = \frac{(1 + \beta^2)\, h}{k + \beta^2 R}, \quad h = \sum_{i=1}^{k} [\, g_i \ge rel \,] $$

    beta is the textbook's: with P = 1 and R = 0.5 F(beta=2) is 5/9, where trec_eval's set_F.2 is 0.6, since
    its parameter is beta squared.
    Source: van Rijsbergen 1979, Information Retrieval, ch. 7; Chinchor 1992, MUC-4 Evaluation Metrics.
    trec_eval has it only for whole rankings.

    >>> F(beta=2, k=1).of([1, 0], gold=[1, 1])
    0.5555555555555556
    """

    at = "k"
    needs_at = True
    instead = " SetF is the F-measure of everything retrieved."
    beta: float = 1
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found = judged.top(self.k).relevant(self.rel).count()
        weight = self.beta**2
        return (1 + weight) * found / (self.k + weight * judged.wanted(self.rel))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = sum(g >= self.rel for g in grades[: self.k])
        precision, recall = found / self.k, found / sum(g >= self.rel for g in gold)
        weight = self.beta**2
        return (1 + weight) * precision * recall / (weight * precision + recall) if found else 0.0

    def expected(self, judged: Judged) -> Floats:
        found = expected_hits(judged, self.k, self.rel)
        weight = self.beta**2
        return (1 + weight) * found / (self.k + weight * judged.wanted(self.rel))

    def possible(self, judged: Judged) -> Possible:
        r"""Return the lowest and the highest value, shapes (queries,): a new relevant item helps only within k.

        $$ low = \frac{(1 + \beta^2)\, h}{k + \beta^2 (R + v)}, \quad
           high = \frac{(1 + \beta^2)(h + u)}{k + \beta^2 (R + u)} $$
        """
        inside, beyond = open_places(judged, self.k)
        found, wanted = judged.top(self.k).relevant(self.rel).count(), judged.wanted(self.rel)
        weight = self.beta**2
        low = (1 + weight) * found / (self.k + weight * (wanted + beyond))
        high = (1 + weight) * (found + inside) / (self.k + weight * (wanted + inside))
        return Possible.of(judged, self.kernel(judged), low, high, exact=self.rel > 0)
