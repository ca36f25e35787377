"""How complete judgments are, for the terminal and for tables."""

from collections.abc import Iterator

import polars as pl

from assay.core.gold_recall import GoldRecall, RecallEstimate, StoppingRule
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number

SAID = {True: "stop", False: "go on", None: "?"}


def render(found: GoldRecall, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [
        wrapped((f"{counted(found.judged, 'pair is', 'pairs are')} judged, {found.relevant:,} of them relevant"), width)
    ]
    if found.estimates:
        rows = tuple(_row(one) for one in found.estimates)
        heads = ("by", "found", "missed", "recall", f"[{percent(found.level, None)}]")
        parts.append("HOW MUCH OF WHAT IS RELEVANT WAS FOUND\n" + Table(heads, rows).draw(colour=colour))
        parts.append(listed((f"{one.method}: {one.basis}" for one in found.estimates), width))
    if found.rules:
        title = f"STOP LOOKING, if recall is to be {found.target:g} with {percent(found.level, None)} confidence"
        rules = [f"{one.name}: {SAID[one.stop]}; {one.why} ({one.source})" for one in found.rules]
        parts.append(f"{wrapped(title, width)}\n{listed(rules, width)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(parts) + "\n"


def to_frame(found: GoldRecall) -> pl.DataFrame:
    """Return a row for each estimate."""
    schema: dict[str, type[pl.DataType]] = {
        "method": pl.String, "found": pl.Int64, "missed": pl.Float64, "total": pl.Float64, "recall": pl.Float64,
        "low": pl.Float64, "high": pl.Float64,
    }  # fmt: skip
    rows = [
        (one.method, one.found, one.missed, one.total, one.recall, one.interval.low, one.interval.high)
        for one in found.estimates
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _row(one: RecallEstimate) -> tuple[str, ...]:
    low, high = one.interval.low, one.interval.high
    ends = UNDEFINED if low is None or high is None else f"[{number(low)}, {number(high)}]"
    missed = UNDEFINED if one.missed is None else f"{one.missed:,.1f}"
    return one.method, f"{one.found:,}", missed, number(one.recall), ends


def _reading(found: GoldRecall) -> Iterator[str]:
    names = {one.method for one in found.estimates}
    if "elusion" in names:
        yield "elusion: relevant items that eluded judging, from a random sample of what has no judgment."
    if "control" in names:
        yield "control: relevant items of a random sample of everything, and how many of them judging had reached."
    if "recapture" in names:
        yield (
            "recapture: from what two searches share. They must know nothing of each other; searches that find the "
            "same things make the recall look too high."
        )
    if any(_is_of_order(rule) for rule in found.rules):
        yield "Knee and budget look at the order of judging alone: they promise no recall."
    yield "An item that two judges would grade otherwise counts as it was graded."


def _is_of_order(rule: StoppingRule) -> bool:
    return rule.name in {"knee", "budget"}
