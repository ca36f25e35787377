"""Figures of clusters estimated from a sample of true ones, for the terminal."""

from assay.core.entities_sampled import SampledFigures
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.entities_clusters import NAMES
from assay.report.grid import number

DESIGNS = {
    "clusters": "true clusters were drawn alike",
    "records": "records were drawn, and the clusters they are in",
    "weights": "true clusters weigh as given",
}


def render(found: SampledFigures, name: str, width: int = 80, *, colour: bool = False) -> str:
    """Return the estimates as text, no line wider than `width` where it can be broken."""
    about = "" if found.population_given else "about "
    head = (
        f"{name}: {counted(found.clusters, 'true cluster')} with {counted(found.records, 'record')}, of "
        f"{about}{found.population:,.0f} "
        f"({percent(found.share)}); {DESIGNS[found.design]}"
    )
    rows = tuple(
        (NAMES[figure], part, number(one.value), _interval(one.interval), number(one.error))
        for figure, parts in found.estimates.items()
        for part, one in parts.items()
    )
    heads = ("figure", "", "estimate", f"{percent(found.level, None)} interval", "error")
    table = Table(heads, rows, frozenset({""})).fitted(width, ("error",)).draw(colour=colour)
    said = (
        "What the figures of all proposed clusters would be, as far as this sample of true ones says; a sample of all "
        "has no error."
    )
    parts = [wrapped(head, width), table, wrapped(said, width)]
    if found.missing:
        parts.append(wrapped(f"{found.missing:,} sampled records are in no proposed cluster and so alone.", width))
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(parts) + "\n"


def _interval(found: object) -> str:
    low, high = getattr(found, "low", None), getattr(found, "high", None)
    return "-" if low is None or high is None else f"[{number(low)}, {number(high)}]"
