"""Results of other tools as they come, told apart by their shape: none of the tools need be installed."""

from typing import Any

from assay.tasks.entities.adapters.dedupe import is_dedupe, of_dedupe
from assay.tasks.entities.adapters.pyjedai import is_pyjedai, of_pyjedai
from assay.tasks.entities.adapters.recordlinkage import is_recordlinkage, of_recordlinkage
from assay.tasks.entities.adapters.splink import is_splink, of_splink
from assay.tasks.entities.records import Listing

__all__ = ["adapted", "of_dedupe", "of_pyjedai", "of_recordlinkage", "of_splink"]

ADAPTERS = (
    (is_splink, of_splink),
    (is_recordlinkage, of_recordlinkage),
    (is_dedupe, of_dedupe),
    (is_pyjedai, of_pyjedai),
)


def adapted(given: Any, name: str) -> Listing | None:
    """Return the result of another tool as a listing; None for anything else.

    >>> adapted([((1, 2), [0.9, 0.9]), ((3,), [1.0])], "dedupe").table.rows()
    [('1', '0'), ('2', '0'), ('3', '1')]
    """
    return next((make(given, name) for known, make in ADAPTERS if known(given)), None)
