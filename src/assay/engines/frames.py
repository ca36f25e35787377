"""The engine for runs that another engine owns: DuckDB, Spark, Dask, a database behind Ibis.

Counting ranks of judged items is a relational query, so the rows stay where they are. Three small tables come back:
how many rows each query has, the scores of the judged items that were retrieved, and how many rows stand above each
of them. Nothing is sorted and no pair of rows is ever kept.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import polars as pl

from assay.core.frames import collect
from assay.core.gold import Gold
from assay.core.judged import Flags, Ints, Judged, Notes
from assay.core.policy import ENGINE_TIES, Policy
from assay.core.run import Run
from assay.engines.owned import Owned
from assay.engines.refusals import extra_queries
from assay.engines.resolve import Found, assemble
from assay.errors import RunError

Frame = nw.LazyFrame[Any]


def judge_frame(run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None = None) -> Judged:
    """Join gold to a run that another engine owns: the rank of each judged item that was retrieved.

    The ranks are those of the engine for runs in this process. The tie rule `order` and the rule `first` for
    duplicates go by the column position: rows of a table have no order.

    Raises
    ------
    RunError
        What the policy calls an error: duplicates, scores that are no number, queries without gold. A rule that
        needs positions, of a run that has none.
    """
    counting = _Counting(Owned(run, policy, exclude), gold)
    found = counting.found()
    if counting.extra and policy.extra == "error":
        raise extra_queries(run, counting.extra)
    return assemble(gold, found, counting.answered, counting.notes(found))


@dataclass(eq=False)
class _Counting:
    """One run and one gold."""

    owned: Owned
    gold: Gold

    @cached_property
    def known(self) -> pl.DataFrame:
        """The gold's queries: query and the columns of the census, 0 where the run has no row."""
        queries = self.gold.queries.alias("query").to_frame()
        return queries.join(self.owned.census, on="query", how="left", maintain_order="left").fill_null(0)

    @cached_property
    def extra(self) -> tuple[str, ...]:
        """The queries of the run that the gold has not."""
        return tuple(self.owned.census.join(self.known, on="query", how="anti")["query"].sort())

    @cached_property
    def answered(self) -> Flags:
        """Whether the run holds any row of a query, shape (queries,)."""
        return self.known["rows"].to_numpy() > 0

    def found(self) -> Found:
        """Count the ranks of the judged items."""
        names = self.gold.queries if self.extra else None
        ranked, repeats = self.owned.ranked(names, self.known)
        too_many = self.known.join(repeats, on="query", how="left", maintain_order="left")["dropped"]
        dropped: Ints = too_many.fill_null(0).to_numpy()
        hits = self._hits(ranked)
        counts = self._counts(ranked, hits) if hits.height else _no_counts()
        row, above, tied, before = (counts[name].to_numpy() for name in ("row", "above", "tied", "before"))
        retrieved = self.known["kept"].to_numpy() - dropped
        code: Ints = self.gold.codes[row]
        return Found(code, row, above + before + 1, above, tied, retrieved, int(dropped.sum()))

    def notes(self, found: Found) -> Notes:
        """Return what was noticed."""
        known = self.known
        same = int(known["same"].sum())
        return Notes(
            rows=int(self.owned.census["rows"].sum()),
            run_queries=self.owned.census.height,
            extra_queries=self.extra,
            duplicates=found.duplicates,
            nan=int(known["nan"].sum()),
            excluded=int((known["rows"] - known["kept"]).sum()) - same,
            self_matches=same,
        )

    def _hits(self, ranked: Frame) -> pl.DataFrame:
        """Return the judged items that were retrieved: row of the gold, query, item, at (score) and spot (position)."""
        rows = self.gold.table.select("query", "item", row=pl.int_range(pl.len(), dtype=pl.Int64))
        columns = {"row": "row", "at": "score"} | ({"spot": "position"} if self.owned.policy.ties == "order" else {})
        both = ranked.join(self.owned.take(rows), on=["query", "item"], how="inner")
        found = collect(both.select(**{new: nw.col(old) for new, old in columns.items()}), self.owned.place)
        found = found.with_columns(pl.col("row").cast(pl.Int64)).sort("row")
        return found.join(rows, on="row", maintain_order="left")

    def _counts(self, ranked: Frame, hits: pl.DataFrame) -> pl.DataFrame:
        """Return for each hit how many rows of its query stand above it, share its score, and come first of these."""
        small = hits.select("query", "row", "at", *(["spot"] if "spot" in hits.columns else []), hit="item")
        ranked, marks = self._keyed(ranked, self.owned.take(small))
        pairs = ranked.join(marks, on="query", how="inner").filter(nw.col("score") >= nw.col("at"))
        same = nw.col("score") == nw.col("at")
        flags = {"tied": same} | self._order(same)
        numbers = [nw.when(flag).then(1).otherwise(0).alias(name) for name, flag in flags.items()]
        sums = pairs.select("row", *numbers).group_by("row")
        found = collect(sums.agg(nw.len().alias("reached"), *(nw.col(name).sum() for name in flags)), self.owned.place)
        counts = found.select(pl.all().cast(pl.Int64)).sort("row")
        counts = counts.with_columns(above=pl.col("reached") - pl.col("tied"))
        self._check(counts, hits)
        return counts if "before" in counts.columns else counts.with_columns(before=pl.lit(0, pl.Int64))

    def _keyed(self, ranked: Frame, marks: Frame) -> tuple[Frame, Frame]:
        """Return rows and hits with what orders them within a tie, where ids do."""
        if self.owned.policy.ties not in {"id-desc", "id-asc"}:
            return ranked, marks.drop("hit")
        bytewise = self.owned.backend.bytewise
        ranked, marks = bytewise(ranked, "item", "key"), bytewise(marks, "hit", "bound")
        return ranked.select("query", "score", "key"), marks.select("query", "row", "at", "bound")

    def _order(self, same: nw.Expr) -> dict[str, nw.Expr]:
        """Return which rows of a tie precede a hit, and which stand level with it."""
        ties = self.owned.policy.ties
        if ties not in ENGINE_TIES:
            return {}
        if ties == "order":
            position, spot = nw.col("position"), nw.col("spot")
            return {"before": same & (position < spot), "level": same & (position == spot)}
        key, bound = nw.col("key"), nw.col("bound")
        return {"before": same & ((key > bound) if ties == "id-desc" else (key < bound))}

    def _check(self, counts: pl.DataFrame, hits: pl.DataFrame) -> None:
        """Refuse counts that no ranking has: rows came or went, or their positions do not tell them apart."""
        place = self.owned.place
        if counts.height != hits.height or not (counts["tied"] > 0).all():
            msg = f"{place}: expected rows that stay as they are, found others than a moment before"
            raise RunError(msg, hint="evaluate a snapshot of the table.")
        if "level" in counts.columns and (counts["level"] != 1).any():
            row = hits.row(int((counts["level"] != 1).arg_max() or 0), named=True)
            msg = f"{place}: expected positions that differ within a tie, found two rows like item {row['item']!r} "
            raise RunError(f"{msg}for query {row['query']!r}", hint="ties='id-desc' needs no positions.")


def _no_counts() -> pl.DataFrame:
    return pl.DataFrame(schema=dict.fromkeys(("row", "above", "tied", "before"), pl.Int64))
