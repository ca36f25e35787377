"""Hypothesis strategies: small collections that hold what collections in the wild hold."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from hypothesis import strategies as st

from assay.core.judged import UNJUDGED, Judged
from assay.testing.brute_force import judge, ranking

QUERIES = ("q1", "q10", "q2", "ü")
EXTRA = "unknown"
ITEMS = ("10", "9", "a", "A", "b", "c", "é", "\ufffd", "\U0001f600", "z z")
"""Ids whose order differs between bytes, numbers, case and UTF-16."""

GRADES = (-1, 0, 1, 2, 3)
SCORES = (-1.5, 0.0, 0.25, 1.0, 2.0)
"""Few, so that there are ties."""


@dataclass(frozen=True)
class Collection:
    """A gold standard and a run, as `{query: {item: grade}}` and `{query: {item: score}}`."""

    gold: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]

    @cached_property
    def judged(self) -> Judged:
        """The judged ranks, by brute force under the default policy."""
        return judge(self.gold, self.run)

    @cached_property
    def untied(self) -> Judged:
        """The judged ranks when the items of each query have their scores in the order in which they were made."""
        return judge(self.gold, {q: {item: -n for n, item in enumerate(items)} for q, items in self.run.items()})

    @cached_property
    def rankings(self) -> list[tuple[list[float], list[float]]]:
        """The grades of the ranking and of the gold of each query, in the order of `judged`."""
        found = []
        for query in self.judged.names:
            grades = ranking(self.gold[query], self.run.get(query, {}))
            ranked = [UNJUDGED if grade is None else grade for grade in grades]
            found.append((ranked, list(self.gold[query].values())))
        return found


def collections(*, grades: Sequence[float] = GRADES, scores: Sequence[float] = SCORES) -> st.SearchStrategy[Collection]:
    """Return a strategy for collections of up to four judged queries with up to ten items each.

    They have ties, items without a judgment, negative grades, queries without a relevant item, judged queries
    that the run leaves out, and answers to a query that nobody judged.
    """
    graded = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(grades), min_size=1)
    empty = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from([g for g in grades if g <= 0] or [0]), min_size=1)
    scored = st.dictionaries(st.sampled_from(ITEMS), st.sampled_from(scores))
    return st.builds(
        Collection,
        gold=st.dictionaries(st.sampled_from(QUERIES), graded | graded | graded | empty, min_size=1),
        run=st.dictionaries(st.sampled_from((*QUERIES, EXTRA)), scored),
    )
