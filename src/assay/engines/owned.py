"""`Owned`: a run that another engine owns, and what every question about it needs."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import narwhals as nw
import polars as pl

from assay.core.frames import collect, narwhal
from assay.core.lazy import LazyRows, row_without
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.backends import Backend, owner
from assay.engines.refusals import no_number, repeated_item
from assay.errors import RunError

Frame = nw.LazyFrame[Any]

OVER = 2.0**128 - 2.0**103
"""From here on a number is infinite when it is rounded to 32 bits, and below `UNDER` it is 0."""
UNDER = 2.0**-150
PAIR = ("query", "item")


@dataclass(eq=False)
class Owned:
    """The rows of one run under one policy; `exclude` holds pairs that are taken out of every ranking.

    `queries` are the only ones to look at; None: all of the run.
    """

    run: Run
    policy: Policy
    exclude: pl.DataFrame | None
    queries: pl.Series | None = None

    def __post_init__(self) -> None:
        self.backend.check(self.whole.to_native())

    @property
    def place(self) -> str:
        """What messages call the run."""
        return self.run.origin.path if self.run.origin else self.run.name

    @cached_property
    def whole(self) -> Frame:
        """All rows of the run."""
        if not isinstance(self.run.rows, LazyRows):
            msg = f"{self.place}: expected rows in a lazy frame, found {type(self.run.rows).__name__}"
            raise TypeError(msg)
        return self.run.rows.frame

    @cached_property
    def rows(self) -> Frame:
        """The rows of the queries to look at."""
        return self.whole if self.queries is None else self.of_queries(self.whole, self.queries)

    @cached_property
    def backend(self) -> Backend:
        """What knows the engine of the rows."""
        found = owner(self.whole.to_native())
        if found is None:
            msg = f"{self.place}: expected a frame of an engine that Assay knows, found {self.whole.implementation}"
            raise TypeError(msg)
        return found

    def of_queries(self, rows: Frame, queries: pl.Series) -> Frame:
        """Return the rows of some queries."""
        return rows.join(self.take(queries.alias("query").to_frame()), on="query", how="semi")

    @cached_property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self.whole.collect_schema().names()

    def take(self, small: pl.DataFrame) -> Frame:
        """Return a small table as a frame of the engine."""
        taken: Frame = narwhal(self.backend.table(self.whole.to_native(), small)).lazy()
        return taken

    @cached_property
    def kept(self) -> Frame:
        """The rows without what is taken out: excluded pairs and, where the policy drops them, self-matches."""
        rows = self.rows
        if self.policy.self_match == "drop":
            rows = rows.filter(nw.col("query") != nw.col("item"))
        if self.exclude is not None:
            rows = rows.join(self.take(self.exclude.select(PAIR).unique()), on=list(PAIR), how="anti")
        return rows

    @cached_property
    def census(self) -> pl.DataFrame:
        """For each query of the run: rows, same (self-matches), kept (rows after exclusions) and nan among these."""
        flags = {"gone": nw.col("item").is_null(), "same": nw.col("query") == nw.col("item"), "nan": _missing()}
        if self.needs_positions:
            flags["placeless"] = nw.col("position").is_null()
        all_rows = self._count(self.rows, flags)
        for column, missing in (("query", "query"), ("item", "gone"), ("position", "placeless")):
            if missing in all_rows.columns and _any_without(all_rows[missing]):
                raise row_without(column, self.place)
        if self.exclude is None and self.policy.self_match == "keep":
            return all_rows.select("query", "rows", "nan", kept="rows", same=pl.lit(0, pl.Int64))
        kept = self._count(self.kept, {"nan": _missing()}).rename({"rows": "kept"})
        same = pl.col("same") if self.policy.self_match == "drop" else pl.lit(0, pl.Int64)
        return all_rows.select("query", "rows", same.alias("same")).join(kept, on="query", how="left").fill_null(0)

    @cached_property
    def needs_positions(self) -> bool:
        """Whether the tie rule goes by the order of the input; a run without positions is refused."""
        if self.policy.ties != "order":
            return "position" in self.columns and self.policy.duplicates == "first"
        if "position" not in self.columns:
            raise self._unordered("ties='order'", "ties='id-desc' needs no order")
        return True

    def ranked(self, names: pl.Series | None, wanted: pl.DataFrame) -> tuple[Frame, pl.DataFrame]:
        """Return the rows with the scores that are compared, each pair once, and what was dropped for that.

        `names` are the only queries to look at, None for all of the run; `wanted` is their census. Of the rows
        dropped the number is given: query, dropped.

        Raises
        ------
        RunError
            What the policy calls an error: an item twice in one ranking, a score that is no number.
        """
        rows = self.kept
        if names is not None:
            rows = self.of_queries(rows, names)
        without = wanted.filter(pl.col("nan") > 0)
        if without.height and self.policy.nan == "error":
            raise self._no_number(str(without["query"].min()))
        rows = self._compared(rows, worst=without.height > 0)
        repeats = self._repeats(rows)
        if not repeats.height:
            return rows, repeats
        if self.policy.duplicates == "error":
            first = repeats.sort("query").row(0, named=True)
            raise repeated_item(self.run, first["query"], first["item"])
        return self._once_each(rows), repeats

    def _count(self, rows: Frame, flags: dict[str, nw.Expr]) -> pl.DataFrame:
        """Return for each query how many rows it has, and how many of them have each flag."""
        numbers = [nw.when(flag).then(1).otherwise(0).alias(name) for name, flag in flags.items()]
        sums = [nw.col(name).sum() for name in flags]
        counted = rows.select("query", *numbers).group_by("query").agg(nw.len().alias("rows"), *sums)
        return collect(counted, self.place).select("query", pl.exclude("query").cast(pl.Int64))

    def _compared(self, rows: Frame, *, worst: bool) -> Frame:
        """Return the rows with scores as they are compared: rounded, and minus infinity for no number."""
        score = nw.col("score")
        if self.policy.precision == "float32":
            size = score.abs()
            fits = nw.when((size < OVER) & (size > UNDER)).then(score).otherwise(0.0)  # some engines raise otherwise
            rows = rows.with_columns(rounded=fits.cast(nw.Float32).cast(nw.Float64))
            far = nw.when(score >= OVER).then(float("inf")).otherwise(nw.col("rounded"))
            rows = rows.with_columns(rounded=far)
            far = nw.when(score <= -OVER).then(float("-inf")).otherwise(nw.col("rounded"))
            rows = rows.with_columns(score=nw.when(_missing()).then(score).otherwise(far)).drop("rounded")
        if worst:
            rows = rows.with_columns(score=nw.when(_missing()).then(float("-inf")).otherwise(score))
        return rows

    def _repeats(self, rows: Frame) -> pl.DataFrame:
        """Return the queries that hold an item more than once: query, item (one of them), dropped (rows too many)."""
        pairs = rows.group_by(*PAIR).agg(nw.len().alias("times")).filter(nw.col("times") > 1)
        each = pairs.with_columns(dropped=nw.col("times") - 1).group_by("query")
        return collect(each.agg(nw.col("item").min(), nw.col("dropped").sum()), self.place).with_columns(
            pl.col("dropped").cast(pl.Int64)
        )

    def _once_each(self, rows: Frame) -> Frame:
        """Keep one row of each pair: the first by position, or the one with the best score."""
        first = self.policy.duplicates == "first"
        if first and "position" not in self.columns:
            raise self._unordered("duplicates='first'", "duplicates='best' needs no order")
        if not first and self.policy.ties != "order":
            return rows.group_by(*PAIR).agg(nw.col("score").max())
        by = nw.col("position").min() if first else nw.col("score").max()
        best = rows.group_by(*PAIR).agg(by.alias("best"))
        both = rows.join(best, on=list(PAIR), how="inner")
        both = both.filter(nw.col("position" if first else "score") == nw.col("best"))
        kept = both.group_by(*PAIR).agg(nw.col("score").max(), nw.col("position").min(), nw.len().alias("times"))
        if first:
            self._refuse_level(kept.filter(nw.col("times") > 1))
        return kept.drop("times")

    def _refuse_level(self, level: Frame) -> None:
        """Refuse rows of one pair of which none is the first."""
        found = collect(level.group_by("query").agg(nw.col("item").min()), self.place)
        if found.height:
            query, item = found.select(PAIR).sort("query").row(0)
            msg = f"{self.place}: expected positions that differ, found item {item!r} twice at one for query {query!r}"
            raise RunError(msg, hint="duplicates='best' needs no order.")

    def _no_number(self, query: str) -> RunError:
        """Make the error that names a score that is no number."""
        wrong = self.kept.filter((nw.col("query") == query) & _missing()).select(nw.col("item").min())
        return no_number(self.run, query, collect(wrong, self.place).item())

    def _unordered(self, rule: str, other: str) -> RunError:
        msg = f"{self.place}: expected a column for the rank or the position, as {rule} goes by it, found none"
        return RunError(msg, hint=f"the rows of a table have no order; {other}.")


def _missing() -> nw.Expr:
    return nw.col("score").is_null() | nw.col("score").is_nan()


def _any_without(column: pl.Series) -> bool:
    """Tell whether a query is null, or a flag is counted anywhere."""
    return column.null_count() > 0 if column.dtype == pl.String else bool((column > 0).any())
