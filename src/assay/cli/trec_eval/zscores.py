"""Z-scores: values as their distance from a mean, in standard deviations that a file gives."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from assay.cli.trec_eval.arguments import ZSCORES_CODE, ExitError, number
from assay.cli.trec_eval.values import Column
from assay.errors import AssayError
from assay.formats import Source

UNKNOWN = -1000000.0
"""What stands where the file has no mean."""

Scales = Mapping[str, Mapping[str, tuple[float, float]]]
"""Mean and standard deviation, by name and query."""


def read_scales(path: str) -> Scales:
    """Read lines of query, name, mean and standard deviation.

    Raises
    ------
    ExitError
        A file that cannot be read, a line of another form.
    """
    try:
        lines = Source.open(path).text().splitlines()
    except AssayError as problem:
        raise ExitError(ZSCORES_CODE, problem.message, hint=problem.hint) from None
    scales: dict[str, dict[str, tuple[float, float]]] = {}
    for place, line in enumerate(lines, start=1):
        columns = line.split()
        if columns and len(columns) != 4:
            raise ExitError(
                ZSCORES_CODE, f"{path}, line {place}: expected query, name, mean and deviation, found {line!r}"
            )
        if columns:
            query, name, mean, deviation = columns
            scales.setdefault(name, {}).setdefault(query, (number(mean), number(deviation)))
    return scales


def scale(column: Column, queries: list[str], scales: Scales) -> Column:
    """Return the column with each value as a z-score."""
    known = scales.get(column.row.name, {})
    pairs = [known.get(query, (np.nan, np.nan)) for query in queries]
    mean, deviation = np.array(pairs, np.float64).T
    with np.errstate(divide="ignore", invalid="ignore"):
        values = (column.values - mean) / deviation
    values = np.where(deviation == 0, np.where(column.values == mean, 0.0, UNKNOWN), values)
    return replace(column, values=np.where(np.isnan(mean), UNKNOWN, values))
