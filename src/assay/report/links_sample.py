"""A sampled evaluation of links for the terminal and for tables: every figure with its correction and its check."""

from collections.abc import Iterator

import polars as pl

from assay.core.estimates import Interval
from assay.core.links_sample import SampledFigure, SampledLinks
from assay.report.amounts import counted
from assay.report.comparison import bracket
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.names import visible

SPARE = ("[corrected]", "[exact]")
"""What is left out first where there is no room."""


def render(found: SampledLinks, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width`."""
    heads = ("measure", "sampled", "corrected", "[corrected]", "exact", "[exact]", "anchored", "[anchored]")
    table = Table(heads, tuple(_row(figure) for figure in found.figures)).fitted(width, SPARE)
    parts = [wrapped(_title(found), width), table.draw(colour=colour).rstrip("\n")]
    if any(figure.needed for figure in found.figures):
        parts.append(wrapped(_needed(found), width))
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: SampledLinks) -> pl.DataFrame:
    """Return a row for each measure."""
    rows = [
        {
            "model": found.model, "protocol": found.name, "measure": one.name, "sampled": one.sampled,
            "corrected": one.corrected, "low": one.interval and one.interval.low,
            "high": one.interval and one.interval.high, "exact": one.exact, "corrected_there": one.corrected_there,
            "anchored": one.anchored and one.anchored.estimate, "anchored_low": one.anchored and one.anchored.low,
            "anchored_high": one.anchored and one.anchored.high, "needed": one.needed, "triples": found.triples,
            "exact_triples": found.exact_triples,
        }
        for one in found.figures
    ]  # fmt: skip
    return pl.DataFrame(rows, infer_schema_length=None)


def _title(found: SampledLinks) -> str:
    return (
        f"SAMPLED ({found.name}): {visible(found.model)}, {found.triples:,} of {counted(found.of, 'triple')} of "
        f"{found.protocol['split']}, each against {found.negatives:,} drawn candidates; {found.exact_triples:,} of "
        f"them also against all. Corrected figures estimate {found.estimates}."
    )


def _row(one: SampledFigure) -> tuple[str, ...]:
    anchored = one.anchored
    return (
        one.name, number(one.sampled), number(one.corrected), _ends(one.interval), number(one.exact),
        _ends(one.exact_interval), number(anchored.estimate if anchored else None),
        _ends(anchored.interval if anchored else None),
    )  # fmt: skip


def _ends(interval: Interval | None) -> str:
    return bracket(interval) if interval else ""


def _needed(found: SampledLinks) -> str:
    counts = ", ".join(f"{one.name} {one.needed:,}" for one in found.figures if one.needed)
    return f"TRIPLES to rank among all candidates for an interval of width {found.width:g}: {counts}."


def _reading(found: SampledLinks) -> Iterator[str]:
    yield "sampled: among the drawn candidates alone. Too good, and it may order models wrongly."
    yield (
        "corrected: an estimate of the figure among all candidates. Its interval is about other triples and other "
        "draws; the correction can be off by more."
    )
    yield "exact: among all candidates, for the triples that were ranked so. This checks the correction."
    yield "anchored: all draws, corrected by the exact ranks. Right on average: the one to quote."
    yield from found.notices
