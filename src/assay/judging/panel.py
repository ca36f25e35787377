"""`Panel`: what people and machines say, numbered: pairs, judges, grades and votes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from assay.core.adjudication import Kind
from assay.core.gold import Gold
from assay.core.judged import Floats, Ints
from assay.core.labels import Labels
from assay.errors import GoldError


@dataclass(frozen=True, eq=False)
class Panel:
    """Judgments by number.

    `pairs` are the pairs with a grade, in order; `untold` those with none. `votes` hold for each judgment the number of
    its pair, of its judge and of its grade; `known` the number of the settled grade of each pair, -1 of the others.
    """

    pairs: pl.DataFrame
    untold: pl.DataFrame
    judges: tuple[str, ...]
    kinds: tuple[Kind, ...]
    grades: Floats
    votes: tuple[Ints, Ints, Ints]
    known: Ints
    negative: int = 0
    strange: int = 0

    @cached_property
    def counts(self) -> Ints:
        """How many votes each grade of each pair has, shape (pairs, grades)."""
        pair, _, said = self.votes
        cells = np.bincount(pair * len(self.grades) + said, minlength=self.pairs.height * len(self.grades))
        return cells.reshape(self.pairs.height, len(self.grades))

    @cached_property
    def shares(self) -> Floats:
        """The share of votes of each grade of each pair."""
        shares: Floats = self.counts / self.counts.sum(axis=1, keepdims=True)
        return shares

    @property
    def by_machines(self) -> int:
        """How many judgments are those of machines."""
        machine = np.array([kind == "machine" for kind in self.kinds])
        return int(machine[self.votes[1]].sum())

    def spelled(self) -> list[str]:
        """Return the votes of each pair as text, such as "0:2 1:1"."""
        names = [f"{grade:g}" for grade in self.grades]
        return [" ".join(f"{names[k]}:{n}" for k, n in enumerate(row) if n) for row in self.counts.tolist()]

    def answers(self, truth: Gold) -> Floats:
        """Return the grades that a gold standard gives the pairs, NaN where it has none."""
        joined = self.pairs.join(truth.table, on=["query", "item"], how="left", maintain_order="left")
        return joined["grade"].fill_null(np.nan).to_numpy()

    def matrix(self, rows: Ints, judges: Ints) -> Floats:
        """Return what some judges say of some pairs as (pairs, judges), NaN: nothing."""
        place = [np.full(size, -1) for size in (self.pairs.height, len(self.judges))]
        place[0][rows], place[1][judges] = np.arange(len(rows)), np.arange(len(judges))
        row, column = place[0][self.votes[0]], place[1][self.votes[1]]
        kept = (row >= 0) & (column >= 0)
        found = np.full((len(rows), len(judges)), np.nan)
        found[row[kept], column[kept]] = self.grades[self.votes[2][kept]]
        return found


def panel_of(labels: Labels, machines: Labels | None, known: Gold | None, scale: Sequence[float] = ()) -> Panel:
    """Number what people and machines say; what is not on the scale is left out and counted, as is what is below 0.

    Raises
    ------
    GoldError
        No grade at all; a name that a person and a machine share.
    """
    _require_apart(labels.judges, () if machines is None else machines.judges)
    parts = [labels.table] if machines is None else [labels.table, machines.table]
    every = pl.concat([part.select("query", "item", "judge", "grade") for part in parts])
    judged = every.filter(pl.col("grade") >= 0)
    given = judged.filter(pl.col("grade").is_in(list(map(float, scale)))) if scale else judged
    if not given.height:
        raise GoldError(f"{labels.name}: expected grades, found none")
    pairs = given.select("query", "item").unique().sort("query", "item")
    told = pairs if known is None else pairs.join(known.table, on=["query", "item"], how="left", maintain_order="left")
    settled = np.full(pairs.height, np.nan) if known is None else told["grade"].fill_null(np.nan).to_numpy()
    names = given["judge"].unique().sort()
    grades = np.unique(np.concatenate([given["grade"].to_numpy(), settled[~np.isnan(settled)]]))
    people = set(labels.judges)
    looked_at = every.select("query", "item").unique().sort("query", "item")
    return Panel(
        pairs=pairs,
        untold=looked_at.join(pairs, on=["query", "item"], how="anti", maintain_order="left"),
        judges=tuple(names.to_list()),
        kinds=tuple("person" if name in people else "machine" for name in names),
        grades=grades,
        votes=_votes(given, pairs, names, grades),
        known=np.where(np.isnan(settled), -1, np.searchsorted(grades, settled)),
        negative=every.filter(pl.col("grade") < 0).height,
        strange=judged.height - given.height,
    )


def _votes(given: pl.DataFrame, pairs: pl.DataFrame, judges: pl.Series, grades: Floats) -> tuple[Ints, Ints, Ints]:
    """Return the numbers of the pair, the judge and the grade of each judgment."""
    rows = given.join(pairs.with_row_index("pair"), on=["query", "item"])
    return (
        rows["pair"].to_numpy().astype(np.int64),
        judges.search_sorted(rows["judge"]).to_numpy().astype(np.int64),
        np.searchsorted(grades, rows["grade"].to_numpy()),
    )


def _require_apart(people: Sequence[str], machines: Sequence[str]) -> None:
    both = sorted(set(people) & set(machines))
    if both:
        raise GoldError(f"judges: expected people and machines of different names, found {both[0]!r} among both")
