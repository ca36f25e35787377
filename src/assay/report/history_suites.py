"""The suites of a store, for the terminal and for tables: each with its newest figure and the way there."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from assay._version import __version__
from assay.core.history import Recorded, Suite
from assay.report.amounts import counted
from assay.report.drawing import Table, wrapped
from assay.report.grid import number
from assay.report.history import sparkline
from assay.report.names import visible

SHOWN = 16
"""Bars of a sparkline beside other columns."""


@dataclass(frozen=True, slots=True)
class SuiteLine:
    """One measure of one suite: the newest figure, that of the baseline, and those before."""

    suite: str
    evaluations: int
    time: str
    measure: str
    newest: float | None
    baseline: float | None
    recent: tuple[float | None, ...]


def overview(suites: Sequence[Suite], recent: pl.DataFrame, measure: str | None, part: str = "") -> list[SuiteLine]:
    """Return a line for each suite, of one measure: the one that is named, else the first that it has."""
    lines = []
    for suite in suites:
        first = next((one.measure for one in suite.newest.figures if one.slice == part), "")
        wanted = measure or first
        there = recent.filter((pl.col("suite") == suite.name) & (pl.col("measure") == wanted))
        lines.append(
            SuiteLine(
                suite=suite.name,
                evaluations=suite.evaluations,
                time=suite.newest.time.isoformat(),
                measure=wanted,
                newest=_mean(suite.newest, wanted, part),
                baseline=None if suite.baseline is None else _mean(suite.baseline, wanted, part),
                recent=tuple(there["mean"]),
            )
        )
    return lines


def to_dict(suites: Sequence[Suite], lines: Sequence[SuiteLine], *, command: list[str]) -> dict[str, Any]:
    """Return the suites as plain data."""
    whole = [suite.to_dict() | {"recent": _recent(line)} for suite, line in zip(suites, lines, strict=True)]
    return {"assay": __version__, "command": command, "suites": whole}


def to_frame(lines: Sequence[SuiteLine]) -> pl.DataFrame:
    """Return a row for each suite."""
    schema: dict[str, type[pl.DataType]] = {
        "suite": pl.String, "evaluations": pl.Int64, "time": pl.String, "measure": pl.String, "newest": pl.Float64,
        "baseline": pl.Float64,
    }  # fmt: skip
    rows = [{name: value for name, value in asdict(line).items() if name != "recent"} for line in lines]
    return pl.DataFrame(rows, schema=schema)


def render(suites: Sequence[Suite], lines: Sequence[SuiteLine], *, width: int = 80) -> str:
    """Return the suites as text."""
    if not lines:
        return "no evaluation yet\n"
    rows = tuple(
        (
            visible(line.suite), f"{line.evaluations:,}", line.time[:10], line.measure, sparkline(line.recent[-SHOWN:]),
            number(line.baseline), number(line.newest),
        )
        for line in lines
    )  # fmt: skip
    heads = ("suite", "evaluations", "newest", "measure", "", "baseline", "figure")
    many = sum(suite.evaluations for suite in suites)
    first = wrapped(f"{counted(len(suites), 'suite')}, {counted(many, 'evaluation')}", width)
    table = Table(heads, rows, frozenset({"measure", "newest", ""})).fitted(width, ("evaluations", "baseline"))
    return f"{first}\n\n{table.draw()}\n"


def _recent(line: SuiteLine) -> dict[str, Any]:
    return {"measure": line.measure, "means": list(line.recent)}


def _mean(each: Recorded, measure: str, part: str) -> float | None:
    return next((one.mean for one in each.figures if (one.measure, one.slice) == (measure, part)), None)
