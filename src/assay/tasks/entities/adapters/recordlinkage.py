"""recordlinkage: a MultiIndex of pairs, alone or with a score for each."""

from typing import Any

import polars as pl

from assay.errors import InputError
from assay.tasks.entities.records import Listing, listing_of


def is_recordlinkage(given: Any) -> bool:
    """Tell an index of two levels, or a series or frame with such an index."""
    index = given if hasattr(given, "get_level_values") else getattr(given, "index", None)
    return getattr(index, "nlevels", 1) == 2


def of_recordlinkage(given: Any, name: str = "recordlinkage") -> Listing:
    """Return pairs; with scores where a series, or a frame of one column, gives one for each.

    Raises
    ------
    InputError
        A frame of several columns: which is the score, or their sum, has to be said.
    """
    bare = hasattr(given, "get_level_values")
    index = given if bare else given.index
    columns = {"left": _texts(index.get_level_values(0)), "right": _texts(index.get_level_values(1))}
    table = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    if bare:
        return listing_of(table, name)
    values = given.to_numpy()
    if values.ndim == 2 and values.shape[1] != 1:
        msg = f"{name}: expected one score for each pair, found {values.shape[1]} columns of features"
        raise InputError(msg, hint="features.sum(axis=1) makes one score of them.")
    return listing_of(table.with_columns(score=pl.Series(values.ravel().astype(float))), name)


def _texts(values: Any) -> list[str]:
    return [str(value) for value in values]
