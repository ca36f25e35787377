"""Systems side by side for programs: one row for each figure."""

from typing import Any

import polars as pl

from assay.core.lexical_sides import Ceiling, Sides

SCHEMA: dict[str, type[pl.DataType]] = {
    "kind": pl.String, "name": pl.String, "measure": pl.String, "mean": pl.Float64, "low": pl.Float64,
    "high": pl.Float64, "baseline": pl.String, "difference": pl.Float64,
    "difference_low": pl.Float64, "difference_high": pl.Float64, "p": pl.Float64, "p_adjusted": pl.Float64,
    "wins": pl.Int64, "ties": pl.Int64, "losses": pl.Int64, "verdict": pl.String, "found": pl.Int64,
    "found_alone": pl.Int64,
}  # fmt: skip
"""The columns: `kind` is system, fusion, or ceiling (choice), (order), (union); `found` counts at the cutoff."""


def to_frame(sides: Sides) -> pl.DataFrame:
    """Return a row for each system, fusion and ceiling, and each measure."""
    rows = [
        _figure(sides, place, measure)
        for measure in sides.comparison.measures
        for place in range(len(sides.comparison.labels))
    ]
    rows += [row for ceiling in sides.ceilings for row in _ceiling(sides, ceiling)]
    return pl.DataFrame(rows, schema=SCHEMA)


def _figure(sides: Sides, place: int, measure: str) -> dict[str, Any]:
    """Return the row of a system or a fusion."""
    label = sides.comparison.labels[place]
    is_system = place < len(sides.systems)
    figure = sides.comparison.evaluations[place].figure(measure)
    sure = figure.interval
    row: dict[str, Any] = {
        "kind": "system" if is_system else "fusion", "name": label, "measure": measure, "mean": figure.mean,
        "low": sure.low if sure else None, "high": sure.high if sure else None,
        "found": sides.found[0].by[place] if is_system else None,
        "found_alone": sides.found[0].only[place] if is_system else None,
    }  # fmt: skip
    one = next((one for one in sides.comparison.of(measure) if one.run == label), None)
    if one is None:
        return row
    return row | {
        "baseline": one.baseline, "difference": one.difference, "difference_low": one.interval.low,
        "difference_high": one.interval.high, "p": one.significance.p,
        "p_adjusted": one.significance.adjusted, "wins": one.wins, "ties": one.ties, "losses": one.losses,
        "verdict": one.verdict,
    }  # fmt: skip


def _ceiling(sides: Sides, ceiling: Ceiling) -> list[dict[str, Any]]:
    """Return the rows of what could be reached by one measure."""
    orders = [("ceiling (order)", name, mean) for name, mean in zip(sides.systems, ceiling.own, strict=True)]
    together = " + ".join(sides.systems)
    rows = [("ceiling (choice)", together, ceiling.chosen), *orders, ("ceiling (union)", together, ceiling.union)]
    return [{"kind": kind, "name": name, "measure": ceiling.measure, "mean": mean} for kind, name, mean in rows]
