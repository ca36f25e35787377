"""Measures of everything retrieved, as a set: its order does not matter."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, divide, measure, rel_field


@measure("SetP", trec="set_P", bounds=(0, 1))
class SetPrecision(Measure):
    r"""Share of the n retrieved items that are relevant.

    $$ SetP = \frac{h}{n}, \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    A query that retrieves nothing has 0, not an undefined value.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, sec. 8.3. Same value as
    trec_eval set_P.

    >>> SetP().of([1, 0, 0, 2]), SetP().of([], gold=[1])
    (0.5, 0.0)
    """

    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return judged.relevant(self.rel).count() / np.maximum(judged.retrieved, 1)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g >= self.rel for g in grades) / len(grades) if grades else 0.0

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        return judged.relevant(self.rel).count(), judged.retrieved.astype(np.float64)


@measure("SetR", trec="set_recall", bounds=(0, 1))
class SetRecall(Measure):
    r"""Share of all relevant items that are retrieved, wherever they stand.

    $$ SetR = \frac{h}{R}, \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    It never falls when more is retrieved: returning everything gives 1, which R@k does not.
    Source: Manning, Raghavan & Schütze 2008, Introduction to Information Retrieval, sec. 8.3. Same value as
    trec_eval set_recall.

    >>> SetR().of([0, 0, 1], gold=[1, 2, 0])
    0.5
    """

    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return divide(*self.fraction(judged))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return sum(g >= self.rel for g in grades) / sum(g >= self.rel for g in gold)

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)

    def fraction(self, judged: Judged) -> tuple[Floats, Floats]:
        return judged.relevant(self.rel).count(), judged.wanted(self.rel)


@measure("SetF", trec="set_F", bounds=(0, 1))
class SetFMeasure(Measure):
    r"""Weighted harmonic mean of SetP and SetR; beta > 1 favours recall.

    $$ SetF_\beta = \frac{(1 + \beta^2) \cdot SetP \cdot SetR}{\beta^2\, SetP + SetR}
       = \frac{(1 + \beta^2)\, h}{n + \beta^2 R}, \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    beta is the textbook's. trec_eval's set_F.x means x = beta squared: set_F.4 is SetF(beta=2).
    Source: van Rijsbergen 1979, Information Retrieval, ch. 7; Chinchor 1992, MUC-4 Evaluation Metrics. Same
    value as trec_eval set_F for beta = 1.

    >>> SetF().of([1], gold=[1, 1]), SetF(beta=2).of([1], gold=[1, 1])
    (0.6666666666666666, 0.5555555555555556)
    """

    rises = True
    beta: float = 1
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found, wanted = judged.relevant(self.rel).count(), judged.wanted(self.rel)
        weight = self.beta**2
        return divide((1 + weight) * found, judged.retrieved + weight * wanted)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found, weight = sum(g >= self.rel for g in grades), self.beta**2
        if not found:
            return 0.0
        precision, recall = found / len(grades), found / sum(g >= self.rel for g in gold)
        return (1 + weight) * precision * recall / (weight * precision + recall)

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)


@measure("SetAP", trec="set_map", bounds=(0, 1))
class SetAveragePrecision(Measure):
    r"""Precision times recall of everything retrieved.

    $$ SetAP = SetP \cdot SetR = \frac{h^2}{n R}, \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    It is the average precision of a ranking in which every relevant item counts with the precision of the
    whole set: 1 of 2 retrieved, 1 of 2 relevant gives 0.25.
    Source: trec_eval (Buckley, NIST), measure set_map. Same value.

    >>> SetAP().of([1, 0], gold=[1, 1])
    0.25
    """

    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found, wanted = judged.relevant(self.rel).count(), judged.wanted(self.rel)
        return divide(found**2, np.maximum(judged.retrieved, 1) * wanted)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        found = sum(g >= self.rel for g in grades)
        return found / len(grades) * found / sum(g >= self.rel for g in gold) if grades else 0.0

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)


@measure("SetRelP", trec="set_relative_P", bounds=(0, 1))
class SetRelativePrecision(Measure):
    r"""Precision of everything retrieved over the highest that n items can reach.

    $$ SetRelP = \frac{h}{\min(n, R)}, \quad h = \sum_{i=1}^{n} [\, g_i \ge rel \,] $$

    A query that retrieves nothing has 0. One right item of one retrieved gives 1, though 3 more were wanted.
    Source: trec_eval (Buckley, NIST), measure set_relative_P. Same value.

    >>> SetRelP().of([1, 0, 0, 0], gold=[1, 1, 0])
    0.5
    """

    rises = True
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        found, wanted = judged.relevant(self.rel).count(), judged.wanted(self.rel)
        return divide(found, np.minimum(np.maximum(judged.retrieved, 1), wanted))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        possible = min(len(grades), sum(g >= self.rel for g in gold))
        return sum(g >= self.rel for g in grades) / possible if grades else 0.0

    def expected(self, judged: Judged) -> Floats:
        return self.kernel(judged)
