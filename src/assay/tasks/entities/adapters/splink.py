"""splink: its frames of predictions (unique_id_l, unique_id_r, match_probability) and of clusters."""

from typing import Any

from assay.core.frames import to_polars
from assay.tasks.entities.records import Listing, listing_of


def is_splink(given: Any) -> bool:
    """Tell a frame of splink, which gives its rows when asked."""
    return hasattr(given, "as_pandas_dataframe") and hasattr(given, "physical_name")


def of_splink(given: Any, name: str = "splink") -> Listing:
    """Return predictions as pairs with scores, clusters as clusters; a table that was fetched already is read alike."""
    frame = given.as_pandas_dataframe() if hasattr(given, "as_pandas_dataframe") else given
    return listing_of(to_polars(frame), name)
