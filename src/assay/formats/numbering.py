"""The rank column of a run that is being written, block by block."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import polars as pl

LARGEST_RANK = 2.0**53
"""Beyond it a number of a text is no whole number that is told from its neighbours."""


@dataclass
class Ranks:
    """Ranks of rows in blocks: by score, ties in the order of the input.

    The rows of the last query of a block wait for the next one, so that a query whose rows stand together is
    ranked as a whole. Rows of a query that comes back later are ranked among themselves, after the earlier
    ones. A position that the input gives is kept as the rank.

    >>> frame = pl.DataFrame({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, 2.0]})
    >>> pl.concat(Ranks().number([frame]))["rank"].to_list()
    [2, 1]
    """

    seen: dict[str, int] = field(default_factory=dict)

    def number(self, blocks: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
        """Yield the rows with a column `rank`, in their order."""
        waiting: pl.DataFrame | None = None
        for block in blocks:
            rows = block if waiting is None else pl.concat([waiting, block])
            last = rows["query"].rle_id()
            cut = rows.height if rows.height == 0 else int(last.search_sorted(last[-1]))
            waiting = rows.slice(cut)
            if cut:
                yield self._ranked(rows.head(cut))
        if waiting is not None and waiting.height:
            yield self._ranked(waiting)

    def _ranked(self, rows: pl.DataFrame) -> pl.DataFrame:
        if "position" in rows.columns:
            return rows.with_columns(rank=pl.col("position"))
        counts = rows.group_by("query").len()
        before = [self.seen.get(query, 0) for query in counts["query"]]
        for query, count in counts.iter_rows():
            self.seen[query] = self.seen.get(query, 0) + count
        known = counts.select("query", before=pl.Series(before, dtype=pl.Int64))
        start = rows.select("query").join(known, on="query", how="left", maintain_order="left")["before"]
        rank = pl.col("score").fill_nan(float("-inf")).rank("ordinal", descending=True).over("query").cast(pl.Int64)
        return rows.with_columns(rank=rank + start)
