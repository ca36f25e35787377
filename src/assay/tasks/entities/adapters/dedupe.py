"""dedupe: clusters of `partition`, pairs of `join`, matches of `search`."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import polars as pl

from assay.tasks.entities.records import Listing, listing_of

IDS = (tuple, list, set, frozenset, np.ndarray)


def is_dedupe(given: Any) -> bool:
    """Tell a list of pairs: (ids, scores), ((id, id), score) or (id, matches)."""
    if not isinstance(given, list | tuple) or not given:
        return False
    first = given[0]
    return isinstance(first, tuple) and len(first) == 2 and any(isinstance(part, IDS) for part in first)


def of_dedupe(given: Iterable[Any], name: str = "dedupe") -> Listing:
    """Return what dedupe found: clusters, pairs with scores, or candidate lists.

    `partition` gives (ids, scores) for each cluster, `join` ((id, id), score) for each pair, `search` (id, ((id,
    score), …)) for each record.

    >>> of_dedupe([(("a", "b"), 0.8)]).table.rows(), of_dedupe([("a", (("b", 0.8), ("c", 0.1)))]).kind
    ([('a', 'b', 0.8)], 'lists')
    """
    rows = list(given)
    if all(not isinstance(record, IDS) for record, _ in rows):
        listed = [(str(record), str(other), float(score)) for record, found in rows for other, score in found]
        return _listing(listed, ("record", "candidate", "score"), name)
    if all(isinstance(scores, IDS) for _, scores in rows):
        clustered = [(str(record), str(place)) for place, (ids, _) in enumerate(rows) for record in ids]
        return _listing(clustered, ("record", "entity"), name)
    return _listing([(str(left), str(right), float(score)) for (left, right), score in rows], ENDS, name)


ENDS = ("left", "right", "score")


def _listing(rows: Sequence[tuple[Any, ...]], columns: Sequence[str], name: str) -> Listing:
    kinds = {column: pl.Float64 if column == "score" else pl.String for column in columns}
    return listing_of(pl.DataFrame(rows, schema=kinds, orient="row"), name)
