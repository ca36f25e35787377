"""Judgments by user: preferences, and qrels in which each user has their own. Asked for by name.

`query group part item level` are preferences, as trec_eval takes them with `-R prefs`: within a part the item of
the higher level is preferred, the size of a level means nothing, and 0 marks an item that is not relevant. A group
is what one user wanted at one time; its parts may leave open how their items compare, and may not contradict each
other. `query group item grade` are qrels whose second column counts, as with `-R qrels_jg` and `-R qrels_prefs`.
"""

from collections import defaultdict
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar

import polars as pl

from assay.errors import FormatError
from assay.formats.base import Kind
from assay.formats.blocks import TextRows
from assay.formats.diversity import DetailedQrels
from assay.formats.layout import Layout
from assay.formats.source import Source
from assay.formats.trec import Trec

Wrong = tuple[str, str, list[str]]
"""A query, one of its groups and the items that it cannot make up its mind about."""
ANOTHER = "what a user prefers at another time is another group."


class Prefs(DetailedQrels):
    """Preferences of users."""

    name = "prefs"
    description = "preferences by judgment group (query group part item level)"
    suffixes = ("prefs",)
    aliases = ("trec_prefs",)
    layout = Layout(("query", "group", "part", "item", "grade"), "grade", kept=("group", "part"))
    columns: ClassVar[dict[str, pl.Expr]] = {
        "query": pl.col("query"), "group": pl.lit("0"), "part": pl.lit("0"), "item": pl.col("item"),
        "grade": pl.col("grade"),
    }  # fmt: skip
    examples: ClassVar[dict[Kind, bytes]] = {**Trec.examples, "gold": b"q1 0 0 a 1\nq1 0 0 b 0\nq2 0 0 c 2\n"}

    def detailed(self, rows: pl.DataFrame, source: Source) -> pl.DataFrame:
        """Return the rows of text; refuse groups that contradict themselves."""
        users = rows.filter(pl.col("part").n_unique().over("query", "group") > 1)
        users = users.sort("query", "group", "part", -pl.col("grade"), maintain_order=True)
        wrong = doubted(users) or contradicted(users)
        if wrong:
            query, group, items = wrong
            line = TextRows(source, self.layout).lines(query, items[0])[0]
            expected = f"expected preferences that agree with each other in group {group!r} of query {query!r}"
            found = f"found {' over '.join(map(repr, items))}" + (" at 0 and above" if len(items) == 1 else "")
            raise FormatError.at(source.path, line, expected, found, hint=ANOTHER)
        return rows


class JudgmentGroups(DetailedQrels):
    """Qrels whose second column names the user who judged."""

    name = "qrels_jg"
    description = "qrels by judgment group (query group item grade)"
    suffixes = ("qrels_jg",)
    aliases = ("qrels_prefs", "trec_qrels_jg", "trec_qrels_prefs")
    layout = Layout(("query", "group", "item", "grade"), "grade", kept=("group",))
    columns: ClassVar[dict[str, pl.Expr]] = {
        "query": pl.col("query"), "group": pl.lit("0"), "item": pl.col("item"), "grade": pl.col("grade"),
    }  # fmt: skip
    examples: ClassVar[dict[Kind, bytes]] = {**Trec.examples, "gold": b"q1 u a 1\nq1 v b 0\nq2 u c 2\n"}


def doubted(rows: pl.DataFrame) -> Wrong | None:
    """Return a query, group and item that one part finds not relevant and another relevant, if there is one."""
    one = rows.group_by("query", "group", "item", maintain_order=True).agg(sides=(pl.col("grade") == 0).n_unique())
    found = one.filter(pl.col("sides") > 1).head(1)
    return (found["query"][0], found["group"][0], [found["item"][0]]) if found.height else None


def contradicted(rows: pl.DataFrame) -> Wrong | None:
    """Return a query, a group and items that its parts prefer in a circle, if there are any; rows are sorted."""
    told = rows.select("query", "group", "part", "item", "grade").iter_rows()
    for (query, group), mine in groupby(told, key=itemgetter(0, 1)):
        items = circle([row[2:] for row in mine])
        if items:
            return query, group, items
    return None


def circle(rows: Sequence[tuple[str, str, float]]) -> list[str]:
    """Return items each of which is preferred to the next, and the last one is the first; or nothing.

    `rows` are part, item and level of one group, in each part the highest level first. Between an item and those
    of lower levels stands one node for each level, so that the graph grows with the judgments and not with their
    pairs.

    >>> circle([("1", "a", 2), ("1", "b", 1), ("2", "b", 2), ("2", "a", 1)])
    ['a', 'b', 'a']
    """
    earlier: dict[Any, dict[Any, None]] = defaultdict(dict)
    for part, mine in groupby(rows, key=itemgetter(0)):
        above: list[Any] = []
        for level, equal in groupby(mine, key=itemgetter(2)):
            node, items = (part, level), [item for _, item, _ in equal]
            earlier[node] = dict.fromkeys(above)
            for item in items:
                earlier[item][node] = None
            above = [node, *items]
    try:
        TopologicalSorter(earlier).prepare()
    except CycleError as problem:
        ring = [node for node in problem.args[1][1:] if isinstance(node, str)]
        start = ring.index(min(ring))
        return [*ring[start:], *ring[: start + 1]]
    return []
