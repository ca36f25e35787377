"""`head`: the first places of each ranking, for everything that looks at items and not only at numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.policy import Policy
from assay.core.run import LazyRows, MappingRows, Run, each
from assay.engines.gold_index import SPREAD, Hashes, hash_texts
from assay.engines.refusals import no_number, repeated_item

SCHEMA = {"query": pl.String, "item": pl.String, "rank": pl.Int64, "score": pl.Float64, "tied": pl.Int64}
FEWEST_HELD = 1 << 20
"""Candidates that are held before they are looked through again."""


def head(
    run: Run,
    k: int | None,
    policy: Policy,
    queries: Sequence[str] | None = None,
    exclude: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """Return the first k items of each query, ranked as `judge` ranks them.

    Columns: query, item, rank (from 1), score (rounded as the policy says) and tied (how many items of the query
    have this score, itself included); sorted by query, then rank. With k=None all items are returned.
    `queries` are the only ones to look at, by default all of the run; `exclude` holds pairs (query, item)
    that are taken out before ranks are given. The tie rules `expected`, `realistic`, `optimistic` and
    `pessimistic` put no item of a tie before another without its grade: here such items stand in the order
    of `id-desc`.

    Raises
    ------
    RunError
        What the policy calls an error: an item twice in one ranking, a score that is no number.

    >>> run = Run.from_mapping({"q": {"a": 1.0, "b": 2.0, "c": 1.0}})
    >>> head(run, 2, Policy()).rows()
    [('q', 'b', 1, 2.0, 1), ('q', 'c', 2, 1.0, 2)]
    """
    if lies_elsewhere(run):
        from assay.engines.frames_head import head_frame

        return head_frame(run, k, policy, queries, exclude)
    if queries is not None:
        run = _narrowed(run, frozenset(queries))
    selection = _Selection(run, k, policy, None if queries is None else pl.Series(queries, dtype=pl.String), exclude)
    rows, repeats = selection.rows()
    if repeats and k is not None:  # rows that were let go may be what a repeated item is to be held against
        rows, _ = replace(selection, k=None).rows()
    return first_places(_once_each(rows, run, policy) if repeats else rows, k, policy)


def lies_elsewhere(run: Run) -> bool:
    """Tell whether the rows are those of an engine that counts them itself."""
    if not isinstance(run.rows, LazyRows):
        return False
    from assay.engines.backends import owner

    return owner(run.rows.native) is not None


def _narrowed(run: Run, queries: frozenset[str]) -> Run:
    """Leave other queries out of a run that lies in memory as a mapping, before its rows are made."""
    if not isinstance(run.rows, MappingRows):
        return run
    scores = {query: items for query, items in run.rows.scores.items() if str(query) in queries}
    return replace(run, rows=MappingRows(run.rows.name, scores))


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """What is left of one block: its candidates, the hash of each pair it held, and how many rows it had."""

    rows: pl.DataFrame
    pairs: Hashes
    height: int


@dataclass(frozen=True, slots=True, eq=False)
class _Selection:
    """Which rows are wanted."""

    run: Run
    k: int | None
    policy: Policy
    queries: pl.Series | None
    exclude: pl.DataFrame | None

    def rows(self) -> tuple[pl.DataFrame, bool]:
        """Return the rows that may stand among the first k, and whether a pair may occur more than once."""
        held: list[pl.DataFrame] = [pl.DataFrame(schema={"query": pl.String, "item": pl.String, "score": pl.Float64})]
        pairs: list[Hashes] = []
        size, limit = 0, FEWEST_HELD
        for part in self.parts():
            held.append(part.rows)
            pairs.append(part.pairs)
            size += part.rows.height
            if size > limit:
                held = [self.candidates(pl.concat(held, how="diagonal"))]
                size = held[0].height
                limit = max(FEWEST_HELD, 2 * size)
        hashes = pl.Series(np.concatenate([np.zeros(0, np.uint64), *pairs]))
        return pl.concat(held, how="diagonal"), hashes.n_unique() < len(hashes)

    def parts(self) -> Iterator[_Part]:
        """Yield what is left of each block, its places counted from the beginning of the run."""
        before = 0
        for part in each(self.run.rows, self.part):
            yield replace(part, rows=part.rows.with_columns(place=pl.col("place") + before))
            before += part.height

    def part(self, block: pl.DataFrame) -> _Part:
        """Look through one block."""
        place = pl.int_range(pl.len(), dtype=pl.Int64)
        if "position" in block.columns:
            place += pl.col("position").cast(pl.Int64) * (1 << 32)
        rows = block.select("query", "item", "score", place=place)
        if self.queries is not None:
            rows = rows.filter(pl.col("query").is_in(self.queries.implode()))
        if self.policy.self_match == "drop":
            rows = rows.filter(pl.col("query") != pl.col("item"))
        if self.exclude is not None:
            rows = rows.join(self.exclude.select("query", "item"), on=["query", "item"], how="anti")
        rows = self._numbered(rows)
        pairs = hash_texts(rows["query"]) * SPREAD + hash_texts(rows["item"])
        return _Part(self.candidates(rows), pairs, block.height)

    def candidates(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Leave out the rows that k others of their query stand above."""
        if self.k is None or rows.height <= self.k:
            return rows
        return rows.filter(pl.col("score").rank("min", descending=True).over("query") <= self.k)

    def _numbered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Return the rows with scores as they are compared."""
        if self.policy.nan == "error" and rows["score"].is_nan().any():
            first = rows.filter(pl.col("score").is_nan()).sort("place").row(0, named=True)
            raise no_number(self.run, first["query"], first["item"])
        score = pl.col("score").fill_nan(-np.inf)
        if self.policy.precision == "float32":
            score = score.cast(pl.Float32).cast(pl.Float64)
        return rows.with_columns(score=score + 0.0)  # -0.0 becomes 0.0: they are equal


def _once_each(rows: pl.DataFrame, run: Run, policy: Policy) -> pl.DataFrame:
    """Keep one row of each repeated pair, as the policy says."""
    repeated = rows.filter(pl.struct("query", "item").is_duplicated()).sort("place")
    if repeated.height and policy.duplicates == "error":
        first = repeated.row(0, named=True)
        raise repeated_item(run, first["query"], first["item"])
    by = ["score", "place"] if policy.duplicates == "best" else ["place"]
    ordered = rows.sort(by, descending=[name == "score" for name in by])
    return ordered.unique(["query", "item"], keep="first", maintain_order=True)


def first_places(rows: pl.DataFrame, k: int | None, policy: Policy) -> pl.DataFrame:
    """Sort rows of query, item, score and place (that in the input), count places and ties, and cut."""
    if not rows.height:
        return pl.DataFrame(schema=SCHEMA)
    key, falling = ("place", False) if policy.ties == "order" else ("item", policy.ties != "id-asc")
    ordered = rows.sort("query", "score", key, descending=[False, True, falling])
    counted = ordered.with_columns(
        rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int64).over("query"),
        tied=pl.len().over("query", "score").cast(pl.Int64),
    )
    return (counted if k is None else counted.filter(pl.col("rank") <= k)).select(list(SCHEMA))
