"""Hit rate: whether there is anything right among what is shown."""

from collections.abc import Sequence

import numpy as np

from assay.core.judged import Floats, Judged
from assay.measures.base import Measure, measure, rel_field
from assay.measures.parameters import cutoff_field
from assay.measures.tie_groups import chance_any


@measure("HR", aliases=("HitRate", "Success", "Hits"), trec="success_{k}", bounds=(0, 1))
class HitRate(Measure):
    r"""Whether any of the first k places holds a relevant item: 1 or 0.

    $$ HR@k = [\, \exists\, i \le k : g_i \ge rel \,] $$

    It counts queries, not items: three relevant items in the first k places give 1, as one does. Link
    prediction asks one query for each true triple, and its Hits@k is then this mean.
    Source: Craswell & Hawking 2004, Overview of the TREC-2004 Web Track (success at n); Bordes et al. 2013,
    Translating Embeddings for Modeling Multi-relational Data, NIPS (Hits@10). Same value as trec_eval
    success_k.

    >>> HR(k=1).of([0, 1, 1]), HR(k=3).of([0, 1, 1])
    (0.0, 1.0)
    """

    at = "k"
    rises = True
    needs_at = True
    instead = " HR@1 asks for the first place alone."
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return (judged.top(self.k).relevant(self.rel).count() > 0).astype(np.float64)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        return float(any(g >= self.rel for g in grades[: self.k]))

    def expected(self, judged: Judged) -> Floats:
        return chance_any(judged, self.k, self.rel)
