"""`head` for runs that another engine owns: it sorts out the first places, and only their rows come back."""

from collections.abc import Sequence

import narwhals as nw
import polars as pl

from assay.core.frames import collect
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.head import first_places
from assay.engines.owned import Owned


def head_frame(
    run: Run, k: int | None, policy: Policy, queries: Sequence[str] | None, exclude: pl.DataFrame | None
) -> pl.DataFrame:
    """Return the first k items of each query, as `head` does.

    Raises
    ------
    RunError
        What the policy calls an error: an item twice in one ranking, a score that is no number. A rule that needs
        positions, of a run that has none.
    """
    wanted = None if queries is None else pl.Series(queries, dtype=pl.String).unique(maintain_order=True)
    owned = Owned(run, policy, exclude, wanted)
    rows, _ = owned.ranked(None, owned.census)
    if k is not None and owned.backend.ranks:
        place = nw.col("score").rank("min", descending=True).over("query")
        rows = rows.with_columns(first=place).filter(nw.col("first") <= k)
    place = nw.col("position") if policy.ties == "order" else nw.lit(0)
    found = collect(rows.select("query", "item", "score", place.alias("place")), owned.place)
    return first_places(found.with_columns(pl.col("score") + 0.0), k, policy)  # -0.0 becomes 0.0: they are equal
