"""Proofs: whether what was retrieved is enough to deduce an answer, and how much of it is of no use."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Self

import numpy as np

from assay.core.judged import Flags, Floats, Ints, Judged
from assay.errors import UnsupportedError
from assay.measures.average_precision import AveragePrecision
from assay.measures.base import Measure, divide, measure, record, rel_field
from assay.measures.grouped import GroupMeasure, starts, total
from assay.measures.parameters import cutoff_field
from assay.measures.possible import Possible
from assay.measures.tie_groups import expected_hits

MOST = 16
"""Of so many needed items in one tie group all orders are still gone through."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """The items that each proof needs, sorted by query, proof.

    `query` and `size` have the shape (proofs,): the query that a proof answers, and how many items it needs; `proof`,
    `item` (the row of the gold) and `rank` have the shape (rows,).
    """

    queries: int
    query: Ints
    size: Floats
    proof: Ints
    item: Ints
    rank: Floats

    @classmethod
    def of(cls, judged: Judged, rel: float) -> Self:
        """Take the groups of the gold for proofs, and their items of at least grade rel."""
        rows = judged.facets.where(judged.facets.grade >= rel)
        new = starts(rows.query, rows.group)
        proof = np.cumsum(new) - 1
        size = np.bincount(proof, minlength=int(new.sum())).astype(np.float64)
        return cls(judged.queries, rows.query[new], size, proof, rows.row, rows.rank)

    def best(self, inside: Flags, worth: Callable[[Floats], Floats]) -> Floats:
        """Return what the best proof of each query is worth when these rows are found, shape (queries,)."""
        best = np.zeros(self.queries)
        found = total(inside.astype(np.float64), self.proof, len(self.query))
        np.maximum.at(best, self.query, worth(found / self.size))
        return best

    def inside(self, k: int | None) -> Flags:
        """Flag the rows within the first k places, or of all retrieved items, shape (rows,)."""
        return np.isfinite(self.rank) if k is None else self.rank <= k

    def of_query(self, query: int) -> tuple[slice, Self]:
        """Return where the rows of one query stand, and its proofs alone."""
        first, last = np.searchsorted(self.query, [query, query + 1])
        rows = slice(*np.searchsorted(self.proof, [first, last]))
        alone = type(self)(
            1, np.zeros(last - first, np.int64), self.size[first:last], self.proof[rows] - first, self.item[rows],
            self.rank[rows],
        )  # fmt: skip
        return rows, alone


@record
class ProofMeasure(GroupMeasure):
    """A measure of the best proof: what its share of found items is worth."""

    at = "k"
    k: int | None = None
    rel: float = rel_field()

    def worth(self, share: Floats) -> Floats:
        """Return what proofs are worth of which these shares were found, shape (proofs,)."""
        raise NotImplementedError

    def kernel(self, judged: Judged) -> Floats:
        proofs = Proofs.of(judged, self.rel)
        return proofs.best(proofs.inside(self.k), self.worth)

    def defined(self, judged: Judged) -> Flags:
        rows = judged.facets
        return np.bincount(rows.query[rows.grade >= self.rel], minlength=judged.queries) > 0

    def expected(self, judged: Judged) -> Floats:
        """Return the mean over all orders of tied items, shape (queries,).

        Only the group across the cutoff matters. With t items in it, m of them inside and r of them needed by a
        proof, exactly s given ones of the r are inside in a share C(t-r, m-s) / C(t, m) of the orders.
        """
        proofs = Proofs.of(judged, self.rel)
        if self.k is None:
            return proofs.best(proofs.inside(None), self.worth)
        above, tied = _ties(judged, proofs.item)
        sure = above + tied <= self.k
        values = proofs.best(sure, self.worth)
        across = (above < self.k) & ~sure
        for query in np.unique(proofs.query[proofs.proof[across]]).tolist():
            rows, alone = proofs.of_query(query)
            first = int(np.flatnonzero(across[rows])[0])
            places = self.k - int(above[rows][first]), int(tied[rows][first])
            values[query] = self._over_orders(alone, sure[rows], across[rows], places)
        return values

    def _over_orders(self, proofs: Proofs, sure: Flags, across: Flags, places: tuple[int, int]) -> float:
        """Return the mean for one query, going through the needed items that may be inside."""
        inside, tied = places
        items = np.unique(proofs.item[across]).tolist()
        if len(items) > MOST:
            msg = f"{self}: ties=expected goes through at most {MOST} tied items that a proof needs, found {len(items)}"
            raise UnsupportedError(msg, hint="ties=id-desc or order gives one order.")
        orders, found = math.comb(tied, inside), 0.0
        for chosen in product((False, True), repeat=len(items)):
            some = sum(chosen)
            if some <= inside:
                held = [item for item, held in zip(items, chosen, strict=True) if held]
                value = proofs.best(sure | (across & np.isin(proofs.item, held)), self.worth)[0]
                found += value * (math.comb(tied - len(items), inside - some) / orders)
        return found

    def of_proofs(self, proofs: Sequence[Sequence[str]], ranking: Sequence[str]) -> float | None:
        """Return the value for one ranking of items, best place first; None without a proof."""
        groups: list[Mapping[str, float]] = [dict.fromkeys(proof, 1.0) for proof in proofs]
        return self.of_groups(groups, ranking)


def _ties(judged: Judged, item: Ints) -> tuple[Floats, Floats]:
    """Return how many items stand above each of these and tie with it; infinity above those not retrieved."""
    row = np.zeros(0, np.int64) if judged.hits.row is None else judged.hits.row
    size = max(int(item.max(initial=-1)), int(row.max(initial=-1))) + 1
    above, tied = np.full(size, np.inf), np.ones(size)
    above[row], tied[row] = judged.hits.above, judged.hits.tied
    return above[item], tied[item]


@measure("Deducible", bounds=(0, 1))
class Deducible(ProofMeasure):
    r"""Whether all items of at least one proof stand within the first k places: 1 or 0.

    $$ Deducible@k = [\, \exists p : p \subseteq \{\text{items at } 1 \dots k\} \,] $$

    The mean is the share of questions that can be answered from what was retrieved. Complete asks for the items of
    all proofs, and so calls an answer incomplete that a shorter proof gives. With one proof both are the same.
    Source: Yang et al. 2018, HotpotQA, EMNLP (supporting facts), extended to alternative proofs. Not in trec_eval.

    >>> Deducible(k=2).of_proofs([["a", "b"], ["c"]], ["c", "a"]), Complete(k=2).of([1, 1], gold=[1, 1, 1])
    (1.0, 0.0)
    """

    def worth(self, share: Floats) -> Floats:
        return np.where(share == 1, 1.0, 0.0)


@measure("ProofR", aliases=("ProofRecall",), bounds=(0, 1))
class ProofRecall(ProofMeasure):
    r"""Share of the items of a proof that stand within the first k places, of the proof with the largest share.

    $$ ProofR@k = \max_p \frac{1}{|p|} \sum_{i=1}^{k} [\, d_i \in p \,] $$

    Recall over the items of all proofs together falls with each further way to the same answer: with the proofs
    {a, b} and {c}, c alone has R 0.33 and ProofR 1.
    Source: Yang et al. 2018, HotpotQA, EMNLP (recall of supporting facts), extended to alternative proofs. Not in
    trec_eval.

    >>> ProofR(k=2).of_proofs([["a", "b", "e"], ["c", "d"]], ["a", "x", "c"])
    0.3333333333333333
    """

    def worth(self, share: Floats) -> Floats:
        return share


@measure("Noise", bounds=(0, 1))
class Noise(Measure):
    r"""Share of what is retrieved, within the first k places, that is not relevant.

    $$ Noise@k = 1 - \frac{1}{\min(k, n)} \sum_{i=1}^{\min(k, n)} [\, g_i \ge rel \,] $$

    It is no complement of P@k, which counts the places that a list of n < k items leaves empty as not relevant. A
    query that retrieves nothing has no noise: undefined. One to which nothing is relevant has noise 1.
    Source: Es et al. 2024, RAGAs, EACL (context relevance), by judgments instead of a model. Not in trec_eval.

    >>> Noise(k=4).of([1, 0]), Noise(k=4).of([], gold=[1])
    (0.5, None)
    """

    at = "k"
    needs_at = True
    instead = " 1 - SetP is the noise of everything retrieved."
    higher_is_better = False
    worst = None
    counts_empty = True
    k: int = cutoff_field()
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return self._noise(judged, judged.top(self.k).relevant(self.rel).count())

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        shown = grades[: self.k]
        return sum(g < self.rel for g in shown) / len(shown) if shown else math.nan

    def expected(self, judged: Judged) -> Floats:
        return self._noise(judged, expected_hits(judged, self.k, self.rel))

    def _noise(self, judged: Judged, hits: Floats) -> Floats:
        shown = np.minimum(self.k, judged.retrieved)
        return divide(shown - hits, shown)


@measure("ContextP", aliases=("ContextPrecision",), bounds=(0, 1))
class ContextPrecision(Measure):
    r"""Precision at each retrieved relevant item, averaged over those that were found.

    $$ ContextP@k = \frac{\sum_{i=1}^{k} [\, g_i \ge rel \,] \, P@i}{\sum_{i=1}^{k} [\, g_i \ge rel \,]}
       = \frac{AP@k}{R@k} $$

    AP divides the same sum by all relevant items. Here what was not found costs nothing: one of four needed items, at
    the first place, gives 1, where AP is 0.25, and finding a second one further down lowers the value. It puts first
    whoever finds one item early. 0 where none is found. Same number as AP(norm='found').
    Source: Es et al. 2024, RAGAs, EACL; "context precision" of ragas and "contextual precision" of deepeval.

    >>> ContextP().of([1, 0], gold=[1, 1, 1, 1]), AP().of([1, 0], gold=[1, 1, 1, 1])
    (1.0, 0.25)
    """

    at = "k"
    may_fall = "a relevant item that moves inside the cutoff may stand lower than the others do in the mean"
    k: int | None = None
    rel: float = rel_field()

    def kernel(self, judged: Judged) -> Floats:
        return self._found.kernel(judged)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        places = [rank for rank, grade in enumerate(grades[: self.k], start=1) if grade >= self.rel]
        return sum(found / rank for found, rank in enumerate(places, start=1)) / len(places) if places else 0.0

    def expected(self, judged: Judged) -> Floats:
        return self._found.expected(judged)

    def possible(self, judged: Judged) -> Possible:
        return self._found.possible(judged)

    @property
    def _found(self) -> AveragePrecision:
        return AveragePrecision(k=self.k, rel=self.rel, norm="found", judged_only=self.judged_only)
