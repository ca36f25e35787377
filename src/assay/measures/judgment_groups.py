"""Judgment groups: measures of several users' judgments, each user taken alone, then the mean over users."""

import numpy as np

from assay.core.judged import Facets, Floats, Hits, Ints, Judged
from assay.measures.average_precision import AveragePrecision
from assay.measures.base import Measure, measure, rel_field
from assay.measures.grouped import GroupMeasure, mean_of_groups, starts
from assay.measures.parameters import cutoff_field
from assay.measures.precision import Precision
from assay.measures.rprec_multiple import RPrecisionMultiple


class MeanOfUsers(GroupMeasure):
    """The mean over judgment groups of a measure that sees the judgments of one group alone."""

    def alone(self) -> Measure:
        """Return the measure of one group."""
        raise NotImplementedError

    def kernel(self, judged: Judged) -> Floats:
        return self._mean(judged, "kernel")

    def expected(self, judged: Judged) -> Floats:
        return self._mean(judged, "expected")

    def _mean(self, judged: Judged, what: str) -> Floats:
        alone = self.alone()
        apart, query = judged.once(one_by_one)
        values = np.where(alone.defined(apart), getattr(alone, what)(apart), np.nan)
        return mean_of_groups(values, query, judged.queries)


@measure("P_AvgJG", aliases=("PrecisionByGroup",), trec="P_avgjg_{k}", bounds=(0, 1))
class PrecisionByGroup(MeanOfUsers):
    r"""Precision at k, the mean over the judgments of several users.

    $$ P\_AvgJG@k = \frac{1}{|J|} \sum_J \frac{1}{k} \sum_{i=1}^{k} [\, g^J_i \ge rel \,] $$

    What a user did not judge counts as not relevant to that user; a user to whom nothing is relevant counts 0. A
    query to which nothing is relevant for any user has no value.
    Source: trec_eval (Buckley, NIST), measure P_avgjg. Same value as its P_avgjg_k.

    >>> P_AvgJG(k=2).of_groups([{"a": 1, "b": 0}, {"a": 1, "b": 1}], ["a", "b"])
    0.75
    """

    at = "k"
    needs_at = True
    k: int = cutoff_field()
    rel: float = rel_field()

    def alone(self) -> Measure:
        """Return the precision of one user."""
        return Precision(k=self.k, rel=self.rel)


@measure("AP_AvgJG", aliases=("MAP_AvgJG", "AveragePrecisionByGroup"), trec="map_avgjg", bounds=(0, 1))
class AveragePrecisionByGroup(MeanOfUsers):
    r"""Average precision, the mean over the judgments of several users.

    $$ AP\_AvgJG = \frac{1}{|J|} \sum_J AP_J $$

    A user to whom nothing is relevant counts 0, so that the best value is below 1 where there is one. A query to
    which nothing is relevant for any user has no value.
    Source: trec_eval (Buckley, NIST), measure map_avgjg. Same value.

    >>> AP_AvgJG().of_groups([{"a": 1, "b": 0}, {"a": 0, "b": 1}], ["a", "b"])
    0.75
    """

    rel: float = rel_field()

    def alone(self) -> Measure:
        """Return the average precision of one user."""
        return AveragePrecision(rel=self.rel)


@measure("RprecMult_AvgJG", aliases=("RPrecMultByGroup",), trec="Rprec_mult_avgjg_{multiple}", bounds=(0, 1))
class RPrecisionMultipleByGroup(MeanOfUsers):
    r"""Precision at the place c times R, the mean over the judgments of several users, each with an R of their own.

    $$ RprecMult\_AvgJG@c = \frac{1}{|J|} \sum_J \frac{1}{m_J} \sum_{i=1}^{m_J} [\, g^J_i \ge rel \,],
       \quad m_J = \lfloor c R_J + 0.9 \rfloor $$

    A user with R = 0, to whom nothing is relevant, counts 0. RprecMult says what c may hide: 1.05 gives 1 place.
    Source: trec_eval (Buckley, NIST), measure Rprec_mult_avgjg. Same value.

    >>> RprecMult_AvgJG(multiple=1).of_groups([{"a": 1, "b": 1}, {"b": 1}], ["a", "c"])
    0.25
    """

    at = "multiple"
    needs_at = True
    multiple: float = cutoff_field()
    rel: float = rel_field()

    def alone(self) -> Measure:
        """Return the precision of one user at the place c times R."""
        return RPrecisionMultiple(multiple=self.multiple, rel=self.rel)


def best_of_parts(rows: Facets) -> Facets:
    """Keep the best judgment of an item that several parts of a group hold."""
    order = np.lexsort((-rows.grade, rows.row, rows.group, rows.query))
    return rows.where(order[starts(rows.query[order], rows.group[order], rows.row[order])])


def one_by_one(judged: Judged) -> tuple[Judged, Ints]:
    """Take each judgment group for a query of its own; return these and the query that each belongs to.

    Where items without a judgment were taken out, each group loses those that it did not judge.
    """
    rows = best_of_parts(judged.facets)
    new = starts(rows.query, rows.group)
    group, query = np.cumsum(new) - 1, rows.query[new]
    groups = len(query)
    row = np.zeros(0, np.int64) if judged.hits.row is None else judged.hits.row
    place = np.full(max(int(rows.row.max(initial=-1)), int(row.max(initial=-1))) + 1, -1)
    place[row] = np.arange(len(row))
    at = place[rows.row]
    order = np.lexsort((rows.rank, group))
    order = order[at[order] >= 0]
    hits, at = judged.hits, at[order]
    found = Hits(groups, group[order], rows.grade[order], hits.rank[at], hits.above[at], hits.tied[at])
    best = np.lexsort((-rows.grade, group))
    ideal = Hits.ranked(groups, group[best], rows.grade[best])
    apart = Judged(judged.names.gather(query), found, ideal, judged.retrieved[query], judged.answered[query])
    return (apart.condensed() if judged.judged_only else apart), query
