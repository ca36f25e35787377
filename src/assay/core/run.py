"""`Run`: one system's ranked answers, and where their rows come from."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar

import numpy as np
import polars as pl

from assay.core.columns import is_number
from assay.core.frames import collect, lazy_frame, to_polars
from assay.core.lazy import LazyRows, StreamedRows, cost_source, run_table
from assay.core.origin import Origin
from assay.errors import RunError

Made = TypeVar("Made")

__all__ = ["FrameRows", "LazyRows", "MappingRows", "Rows", "Run", "StreamedRows", "each", "run_table"]

SCHEMA = {"query": pl.String, "item": pl.String, "score": pl.Float64}


class Rows(Protocol):
    """The rows of a run, in pieces, as often as asked.

    A block has the columns query, item (text) and score (float64; NaN where there is no number), in the
    order of the input. A block may carry `position` (int64), the place the input itself gives each row;
    without it the order of the rows is the position. Rows that come as one block have `whole`, which is true.
    """

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield all rows from the beginning."""
        ...


def each(rows: Rows, work: Callable[[pl.DataFrame], Made]) -> Iterator[Made]:
    """Yield `work(block)` for each block, in order.

    Rows that are read ahead in threads have a method `ahead(work)` and do the work there.
    """
    ahead: Callable[[Callable[[pl.DataFrame], Made]], Iterator[Made]] | None = getattr(rows, "ahead", None)
    return map(work, rows.blocks()) if ahead is None else ahead(work)


@dataclass(frozen=True, slots=True, eq=False)
class FrameRows:
    """Rows that lie in memory as one Polars frame."""

    frame: pl.DataFrame
    whole: ClassVar[bool] = True

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield the frame."""
        yield self.frame


@dataclass(frozen=True, slots=True, eq=False)
class MappingRows:
    """Rows that lie in memory as `{query: {item: score}}`; an engine may read the mapping itself."""

    name: str
    scores: Mapping[str, Mapping[str, float]]
    whole: ClassVar[bool] = True

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield one frame with all rows."""
        queries = [str(query) for query, items in self.scores.items() for _ in items]
        items = [str(item) for items in self.scores.values() for item in items]
        try:
            numbers = [float(score) for items in self.scores.values() for score in items.values()]
        except (TypeError, ValueError):
            raise self.wrong_score() from None
        yield pl.DataFrame({"query": queries, "item": items, "score": numbers}, schema=SCHEMA)

    def wrong_score(self) -> RunError:
        """Return the error that names the first score that is no number."""
        rows: Iterator[tuple[str, str, object]] = (
            (query, item, score) for query, items in self.scores.items() for item, score in items.items()
        )
        query, item, score = next(row for row in rows if not is_number(row[2]))
        msg = f"{self.name}: expected a number as score of item {item!r} for query {query!r}, found {score!r}"
        return RunError(msg)


@dataclass(frozen=True, eq=False)
class Run:
    """One system's answers: for each query, items with scores (higher is better).

    `seconds` holds how long each query took, where the run was made by calling a retriever; `cost_source` reads what
    queries cost, where the rows come with such columns. `memory` is how many bytes an engine may hold of the rows;
    None leaves that to the engine.

    >>> run = Run.from_mapping({"q1": {"a": 2.0, "b": 1.0}}, name="bm25")
    >>> run.frame()["item"].to_list()
    ['a', 'b']
    """

    name: str
    rows: Rows
    origin: Origin | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    cost_source: Callable[[], pl.DataFrame | None] | None = None
    memory: int | None = None

    def costs(self) -> pl.DataFrame | None:
        """Return what each query cost: query and any of latency (seconds), tokens and price; None where unknown.

        Columns of a run say it; the latency of a run made by calling a retriever is the time that its calls took.

        Raises
        ------
        InputError
            Two different costs for one query, or a cost that is no number of at least 0.

        >>> run = Run.from_frame(pl.DataFrame({"query": ["a"], "item": ["x"], "score": [1.0], "tokens": [12]}))
        >>> run.costs().rows(named=True)
        [{'query': 'a', 'tokens': 12.0}]
        """
        found = None if self.cost_source is None else self.cost_source()
        if not self.seconds or (found is not None and "latency" in found.columns):
            return found
        rows = {"query": list(self.seconds), "latency": list(self.seconds.values())}
        timed = pl.DataFrame(rows, schema={"query": pl.String, "latency": pl.Float64}).sort("query")
        return timed if found is None else timed.join(found, on="query", how="full", coalesce=True).sort("query")

    def frame(self) -> pl.DataFrame:
        """Return all rows as one frame: query, item, score (and position where the input gives one)."""
        blocks = list(self.rows.blocks())
        return pl.concat(blocks) if blocks else pl.DataFrame(schema=SCHEMA)

    def at(self, origin: Origin | None) -> Self:
        """Return the run with the place that its rows come from."""
        return replace(self, origin=origin)

    @classmethod
    def from_mapping(cls, scores: Mapping[str, Mapping[str, float]], *, name: str = "run") -> Self:
        """Make a run from `{query: {item: score}}`; the mapping is read, never changed.

        A list of items instead of `{item: score}` is a ranking, best first.
        """
        if any(not isinstance(items, Mapping) for items in scores.values()):
            return cls._from_rankings(scores, name)
        return cls(name, MappingRows(name, scores))

    @classmethod
    def from_frame(cls, frame: Any, *, columns: Mapping[str, str] | None = None, name: str = "run") -> Self:
        """Make a run from any dataframe with columns for query, item and score or rank.

        A table without scores is ordered by its rank column; with scores, a rank column gives the
        position of each row and nothing else. The rows of a lazy frame stay where they are: those of Polars are
        read in batches, those of DuckDB, Spark, Dask or Ibis are counted by the engine that owns them.
        """
        lazy = lazy_frame(frame)
        if lazy is not None and not isinstance(lazy.to_native(), pl.LazyFrame):
            costs = cost_source(lazy, name, columns, lambda kept: collect(kept.unique(), name))
            return cls(name, LazyRows.of(lazy, name, columns), cost_source=costs)
        if lazy is not None:
            wide = lazy.to_native()
            costs = cost_source(wide, name, columns, lambda kept: kept.unique(maintain_order=True).collect())
            return cls(name, StreamedRows.of(wide, name, columns), cost_source=costs)
        table = to_polars(frame)
        costs = cost_source(table, name, columns, lambda kept: kept)
        return cls(name, FrameRows(run_table(table, name, columns)), cost_source=costs)

    @classmethod
    def from_topk(
        cls, ids: Any, scores: Any = None, *, queries: Sequence[str] | None = None, name: str = "run"
    ) -> Self:
        """Make a run from arrays of shape (queries, k): item ids best first and, if there are, their scores.

        Without `queries` the queries are called "0", "1", … An id that is None or -1 marks an empty place.

        >>> Run.from_topk([["a", "b"], ["c", None]]).frame().rows()
        [('0', 'a', -1.0), ('0', 'b', -2.0), ('1', 'c', -1.0)]
        """
        table = np.asarray(ids, dtype=object)
        if table.ndim != 2:
            msg = f"{name}: expected ids of shape (queries, k), found shape {table.shape}"
            raise RunError(msg)
        places = np.broadcast_to(-np.arange(1.0, table.shape[1] + 1), table.shape)
        numbers = places if scores is None else np.asarray(scores, dtype=np.float64)
        names = [str(q) for q in (range(len(table)) if queries is None else queries)]
        if numbers.shape != table.shape or len(names) != len(table):
            found = f"{numbers.shape} and {len(names)}"
            msg = f"{name}: expected scores and queries to fit ids of shape {table.shape}, found {found}"
            raise RunError(msg)
        flat, filled = table.ravel(), np.array([i is not None and i != -1 for i in table.ravel()], np.bool_)
        rows = {
            "query": np.repeat(np.array(names, dtype=object), table.shape[1])[filled].tolist(),
            "item": [str(item) for item in flat[filled]],
            "score": numbers.ravel()[filled].tolist(),
        }
        return cls(name, FrameRows(pl.DataFrame(rows, schema=SCHEMA)))

    @classmethod
    def from_callable(
        cls, retrieve: Callable[[str], Sequence[Any]], queries: Mapping[str, str], *, name: str = "run"
    ) -> Self:
        """Make a run by calling `retrieve(text)` for each `{query: text}`; its seconds are recorded.

        It returns ranked ids, best first, or pairs of id and score.
        """
        from time import perf_counter

        rankings: dict[str, Any] = {}
        seconds: dict[str, float] = {}
        for query, text in queries.items():
            start = perf_counter()
            rankings[query] = retrieve(text)
            seconds[query] = perf_counter() - start
        run = cls.from_mapping(rankings, name=name)
        return cls(name, run.rows, seconds=seconds)

    @classmethod
    def _from_rankings(cls, rankings: Mapping[str, Any], name: str) -> Self:
        rows: dict[str, list[Any]] = {"query": [], "item": [], "score": []}
        for query, ranking in rankings.items():
            pairs = ranking.items() if isinstance(ranking, Mapping) else ranking
            for place, entry in enumerate(pairs, start=1):
                item, score = entry if isinstance(entry, tuple | list) else (entry, -float(place))
                rows["query"].append(str(query))
                rows["item"].append(str(item))
                rows["score"].append(float(score))
        return cls(name, FrameRows(pl.DataFrame(rows, schema=SCHEMA)))
