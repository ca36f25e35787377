"""nDCG averaged over places that depend on the query: at its relevant items, or where its grades end."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.judged import Flags, Floats, Hits, Ints, Judged
from assay.measures.base import divide, measure
from assay.measures.dcg import Gains, OfGains, gain_of, worth
from assay.measures.ideal_gain import ideal_gains
from assay.measures.tie_groups import total


class Curve:
    """Cumulated discounted gain of some ranked rows, which can be asked at any place of any query."""

    def __init__(self, hits: Hits, gain: Floats) -> None:
        """Take rows sorted by query, then rank, and their gains, shape (rows,)."""
        self._deepest = float(hits.rank.max(initial=0)) + 1
        self._places = hits.query * self._deepest + hits.rank
        self._sums = _running(hits, gain / np.log2(hits.rank + 1))
        self._starts = np.searchsorted(hits.query, np.arange(hits.queries))

    def at(self, query: Ints, rank: Floats) -> Floats:
        """Return the cumulated gain of each query's first places down to and with a rank, shape (points,)."""
        ends = np.searchsorted(self._places, query * self._deepest + np.minimum(rank, self._deepest - 0.5), "right")
        value: Floats = np.where(ends > self._starts[query], self._sums[ends - 1], 0.0)
        return value


def _running(hits: Hits, values: Floats) -> Floats:
    """Return the sum of each row and the rows before it in its query, shape (rows,), and a 0 at the end.

    Added query by query, so that no query's sum depends on the others: place by place, over all queries at once.
    """
    sums, place = np.append(values, 0.0), hits.position()
    order = np.argsort(place, kind="stable")
    many = np.bincount(place)[1:]
    for end, count in zip(np.cumsum(many)[1:].tolist(), many[1:].tolist(), strict=True):
        rows = order[end - count : end]
        sums[rows] += sums[rows - 1]
    return sums


@measure("nDCGrel", trec="ndcg_rel", bounds=(0, 1))
class GainAtRelevant(OfGains):
    r"""Mean of nDCG at the places of the relevant items; one that is not retrieved counts nDCG at the end.

    $$ nDCGrel = \frac{1}{R_+} \Big( \sum_{i :\, gain(g_i) > 0} nDCG@i + (R_+ - h_+) \, nDCG \Big) $$

    R_+ items of the gold have a gain above 0, h_+ of them are retrieved; `rel` plays no part. A relevant item
    that moves up can lower the value, since nDCG is then read at an earlier place, where the ideal was still
    full. `gains` as for nDCG.
    Source: trec_eval (Buckley, NIST), measure ndcg_rel, called experimental; documented in trec_eval 9 (2008).
    Same value.

    >>> round(nDCGrel().of([1, 0, 1]), 4), nDCGrel().of([0, 0], gold=[1])
    (0.9599, 0.0)
    """

    may_fall = "nDCG is read at the place of each relevant item, and at an earlier place it may be lower"
    gains: Gains = None

    def kernel(self, judged: Judged) -> Floats:
        hits, gain = judged.hits, worth(judged.hits.grade, "linear", self.gains)
        ideal, best = ideal_gains(judged, "linear", self.gains)
        found, wanted = hits.where(gain > 0), ideal.where(best > 0).count()
        got, possible = Curve(hits, gain), Curve(ideal, best)
        values = divide(got.at(found.query, found.rank), possible.at(found.query, found.rank))
        every = np.arange(judged.queries)
        end = np.full(judged.queries, np.inf)
        last = divide(got.at(every, end), possible.at(every, end))
        return divide(found.sum(values) + (wanted - found.count()) * last, wanted)

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        gains, best = _gains(grades, self.gains), sorted(_gains(gold, self.gains), reverse=True)
        at = [_ndcg(gains, best, place) for place, gain in enumerate(gains, start=1) if gain > 0]
        wanted = sum(gain > 0 for gain in best)
        whole = _ndcg(gains, best, max(len(gains), len(best)))
        return (sum(at) + (wanted - len(at)) * whole) / wanted


@measure("RnDCG", trec="Rndcg", bounds=(0, 1))
class GainAtLevels(OfGains):
    r"""Mean of nDCG at the places where the ideal ranking passes from one gain to the next.

    $$ RnDCG = \frac{1}{|B|} \sum_{b \in B} nDCG@b, \quad
       B = \{\, b : gain(g^*_b) > 0, \; gain(g^*_b) > gain(g^*_{b+1}) \,\} \; (\cup \, \{n\}) $$

    With 5 items of grade 3 and 3 of grade 1 that is nDCG@5 and nDCG@8. The end of the ranking, n, is one more
    such place where it lies two places or more past the last b: with n = b + 1 it is left out.
    Source: trec_eval (Buckley, NIST), measure Rndcg, called experimental; documented in trec_eval 9 (2008).
    Same value.

    >>> round(RnDCG().of([2, 0, 1]), 4), RnDCG().of([2, 1, 0, 0])
    (0.8801, 1.0)
    """

    gains: Gains = None

    def kernel(self, judged: Judged) -> Floats:
        hits, gain = judged.hits, worth(judged.hits.grade, "linear", self.gains)
        ideal, best = ideal_gains(judged, "linear", self.gains)
        got, possible = Curve(hits, gain), Curve(ideal, best)
        ends = ideal.where(_ends(ideal, best))
        past = np.flatnonzero(judged.retrieved > ideal.where(best > 0).count() + 1)
        query = np.concatenate([ends.query, past])
        rank = np.concatenate([ends.rank, np.full(len(past), np.inf)])
        values = divide(got.at(query, rank), possible.at(query, rank))
        return divide(total(query, values, judged.queries), total(query, np.ones(len(query)), judged.queries))

    def by_the_book(self, grades: Sequence[float], gold: Sequence[float]) -> float:
        gains, best = _gains(grades, self.gains), sorted(_gains(gold, self.gains), reverse=True)
        wanted = sum(gain > 0 for gain in best)
        ends = [b for b in range(1, wanted + 1) if [*best, 0][b] < best[b - 1]]
        if len(grades) > wanted + 1:
            ends.append(len(grades))
        return sum(_ndcg(gains, best, place) for place in ends) / len(ends)


def _ends(ideal: Hits, gain: Floats) -> Flags:
    """Flag the last row of each gain above 0, shape (rows,)."""
    last = np.ones(len(ideal), np.bool_)
    last[:-1] = (ideal.query[1:] != ideal.query[:-1]) | (gain[1:] != gain[:-1])
    flags: Flags = last & (gain > 0)
    return flags


def _gains(grades: Sequence[float], gains: Gains) -> list[float]:
    return [gain_of(grade, "linear", gains) for grade in grades]


def _ndcg(gains: Sequence[float], best: Sequence[float], place: int) -> float:
    """Return nDCG at one place, term by term."""
    got = sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:place], start=1))
    return got / sum(gain / math.log2(rank + 1) for rank, gain in enumerate(best[:place], start=1))
