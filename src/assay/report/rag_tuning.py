"""The curve of a setting for the terminal and for tables: figures, bars, and which settings cannot be told apart."""

from collections.abc import Iterator

import polars as pl

from assay.core.evaluation import Figure
from assay.core.rag_tuning import BestSetting, Tuning, TuningPoint
from assay.report.amounts import percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

BAR = 24
BLOCKS = " ▏▎▍▌▋▊▉█"


def render(found: Tuning, *, width: int = 80, colour: bool = False) -> str:
    """Return the curves as text, no line wider than `width` where it can be broken."""
    rule = found.matching["rule"]
    head = f"{visible(found.name)} over {visible(found.over)}; one item: a {found.unit}; matched by {rule}"
    parts = [wrapped(head, width)]
    for place, measure in enumerate(found.measures):
        table = _curve(found, place).fitted(width, ("tokens", "items", "curve"))
        parts.append(f"{visible(measure)}\n{table.draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: Tuning) -> pl.DataFrame:
    """Return a row for each setting and measure: the points of the curves."""
    schema: dict[str, type[pl.DataType]] = {
        "over": pl.String, "setting": pl.String, "value": pl.Float64, "measure": pl.String, "mean": pl.Float64,
        "queries": pl.Int64, "undefined": pl.Int64, "low": pl.Float64, "high": pl.Float64, "items": pl.Float64,
        "tokens": pl.Float64, "best": pl.Boolean, "alike": pl.Boolean,
    }  # fmt: skip
    best = {one.measure: one for one in found.best}
    rows = [
        {
            "over": found.over, "setting": point.setting, "value": point.value, "measure": figure.name,
            "mean": figure.mean, "queries": figure.queries, "undefined": figure.undefined,
            "low": figure.interval and figure.interval.low, "high": figure.interval and figure.interval.high,
            "items": point.items, "tokens": point.tokens, **_flags(best.get(figure.name), point),
        }
        for point in found.points
        for figure in point.figures
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _flags(best: BestSetting | None, point: TuningPoint) -> dict[str, bool]:
    return {
        "best": best is not None and best.setting == point.setting,
        "alike": best is not None and point.setting in best.alike,
    }


def _curve(found: Tuning, place: int) -> Table:
    figures = [point.figures[place] for point in found.points]
    best = next((one for one in found.best if one.measure == figures[0].name), None)
    highest = max((figure.mean or 0.0 for figure in figures), default=0.0)
    top = 1.0 if 0 <= highest <= 1 else highest
    rows = tuple(
        (
            visible(point.setting), number(figure.mean), _interval(figure), _standing(best, point),
            f"{point.items:,.1f}", UNDEFINED if point.tokens is None else f"{point.tokens:,.0f}",
            bar((figure.mean or 0.0) / top),
        )
        for point, figure in zip(found.points, figures, strict=True)
    )  # fmt: skip
    heads = (visible(found.over), "mean", f"[{percent(found.level, None)}]", "", "items", "tokens", "curve")
    table = Table(heads, rows, frozenset({"", "curve"}))
    return table if any(point.tokens is not None for point in found.points) else table.without("tokens")


def bar(share: float) -> str:
    """Return a bar for a share from 0 to 1, in eighths of a place.

    >>> bar(0.5)
    '████████████'
    """
    eighths = round(8 * BAR * max(0.0, min(1.0, share)))
    return "█" * (eighths // 8) + BLOCKS[eighths % 8].strip()


def _standing(best: BestSetting | None, point: TuningPoint) -> str:
    if best is None:
        return ""
    return "best" if best.setting == point.setting else "alike" if point.setting in best.alike else ""


def _interval(figure: Figure) -> str:
    found = figure.interval
    return UNDEFINED if found is None or found.low is None else f"[{number(found.low)}, {number(found.high)}]"


def _reading(found: Tuning) -> Iterator[str]:
    for one in found.best:
        shown = f"{visible(one.measure)}: best at {visible(one.setting)} ({number(one.mean)})"
        if one.lowest != one.setting:
            shown += f"; the first that is not shown to be worse: {visible(one.lowest)}"
        yield f"{shown}."
    yield "alike: paired with the best, question by question, it is not shown to be worse (5 %, corrected for many)."
    yield "items, tokens: what a reader gets for a question in the mean; tokens as stated, else words of the texts."
    yield from found.notices
