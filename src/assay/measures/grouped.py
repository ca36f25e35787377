"""Measures of judgments by group: one user's, one aspect's or one assessor's for each group, instead of one grade."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.core.judged import UNJUDGED, Facets, Flags, Floats, Ints, Judged
from assay.measures.facets import FacetMeasure

Group = Mapping[str, float] | Sequence[Mapping[str, float]]
"""The grades of one group by item, or several such maps: its parts."""


class GroupMeasure(FacetMeasure):
    """A measure of judgments by group: `of_groups` gives its value for one ranking, as `of` does for others."""

    def of_groups(self, groups: Sequence[Group], ranking: Sequence[str]) -> float | None:
        """Return the value for one ranking of items, best place first, against the judgments of some groups.

        The result is None where the measure is undefined.
        """
        self.require_complete()
        judged = judge_groups(groups, ranking)
        judged = judged.condensed() if self.judged_only else judged
        value = float(self.kernel(judged)[0])
        return value if self.defined(judged)[0] and not np.isnan(value) else None


def judge_groups(groups: Sequence[Group], ranking: Sequence[str]) -> Judged:
    """Make the judged ranks of one query from the judgments of its groups and a ranking of items.

    >>> judge_groups([{"a": 2, "b": 0}, {"a": 1}], ["c", "a"]).facets.rank.tolist()
    [2.0, inf, 2.0]
    """
    parted = [[group] if isinstance(group, Mapping) else group for group in groups]
    rows = [
        (group, part, item, float(grade))
        for group, parts in enumerate(parted)
        for part, grades in enumerate(parts)
        for item, grade in grades.items()
    ]
    place = {item: number for number, item in enumerate(dict.fromkeys(item for _, _, item, _ in rows))}
    best = np.full(len(place), UNJUDGED)
    np.maximum.at(best, [place[item] for _, _, item, _ in rows], [grade for *_, grade in rows])
    judged = Judged.of_grades([best[place[item]] if item in place else UNJUDGED for item in ranking], best.tolist())
    found = np.array([place[item] for item in ranking if item in place], np.int64)
    many = len(rows)
    judgments = Facets(
        np.zeros(many, np.int64),
        np.array([place[item] for _, _, item, _ in rows], np.int64),
        np.array([group for group, *_ in rows], np.int64),
        np.array([part for _, part, *_ in rows], np.int64),
        np.array([grade for *_, grade in rows]),
        np.ones(many),
        np.full(many, np.inf),
    )
    return replace(judged, hits=replace(judged.hits, row=found), judgments=judgments)


def starts(*keys: Ints | Floats) -> Flags:
    """Flag the rows at which any of some sorted keys changes; the first row always, shape (rows,)."""
    new = np.zeros(len(keys[0]), np.bool_)
    new[:1] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return new


def total(weights: Floats, owner: Ints, many: int) -> Floats:
    """Return the sum of the weights of each owner's rows, shape (many,)."""
    return np.bincount(owner, weights, many).astype(np.float64, copy=False)  # without rows it counts in integers


def mean_of_groups(values: Floats, query: Ints, queries: int) -> Floats:
    """Return the mean of the values of each query's groups, shape (queries,); an undefined value counts 0."""
    return total(np.nan_to_num(values), query, queries) / np.maximum(np.bincount(query, minlength=queries), 1)
