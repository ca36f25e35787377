"""Thresholds of a link predictor for the terminal and for tables: the scores, what they admit, the best triples."""

from collections.abc import Iterator

import polars as pl

from assay.core.links_threshold import LabelledCut, LinkThreshold, LinkThresholds
from assay.report.amounts import percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import shorten, visible

SHOWN = 20
"""Of so many relations and triples the terminal shows rows; all other forms hold all."""
LONGEST = 30
SPARE = ("candidates", "held", "[checked]", "checked", "probability")
"""What is left out first where there is no room."""


def render(found: LinkThresholds, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(_title(found), width), _thresholds(found).fitted(width, SPARE).draw(colour=colour)]
    if found.calibrations:
        parts.append(f"{wrapped(_about(found), width)}\n{_calibrations(found).fitted(width).draw(colour=colour)}")
        parts.append(f"RELIABILITY, isotonic\n{_curve(found).fitted(width).draw(colour=colour)}")
    if found.triples.height:
        more = "" if found.triples.height <= SHOWN else f" (the first {SHOWN} of {found.triples.height:,} listed)"
        table = _triples(found).fitted(width, SPARE).draw(colour=colour)
        parts.append(f"{wrapped(f'ADMITTED TRIPLES, best first{more}', width)}\n{table}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: LinkThresholds) -> pl.DataFrame:
    """Return a row for each threshold: all triples first, then by relation."""
    schema: dict[str, type[pl.DataType]] = {
        "model": pl.String, "group": pl.String, "score": pl.Float64, "positives": pl.Int64, "negatives": pl.Int64,
        "labels": pl.Int64, "right": pl.Int64, "precision": pl.Float64, "low": pl.Float64, "checked": pl.Float64,
        "checked_low": pl.Float64, "candidates": pl.Int64, "admitted": pl.Int64, "held": pl.Int64,
        "known": pl.Int64, "floor": pl.Float64, "why": pl.String,
    }  # fmt: skip
    rows = [
        {
            "model": found.model, "group": one.group, "score": one.score, "positives": one.positives,
            "negatives": one.negatives, "candidates": one.candidates, "admitted": one.admitted, "held": one.held,
            "known": one.known, "floor": one.floor, "why": one.why or None, **_cells(one),
        }
        for one in found.thresholds
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _cells(one: LinkThreshold) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    if one.chosen is not None:
        cut = one.chosen
        found |= {"labels": cut.labels, "right": cut.right, "precision": cut.precision, "low": cut.low}
    if one.checked is not None:
        found |= {"checked": one.checked.precision, "checked_low": one.checked.low}
    return found


def _title(found: LinkThresholds) -> str:
    facts = found.facts
    asked = " that train holds" if facts["asked"] == "train" else ""
    return (
        f"POPULATING {visible(found.graph)} with {visible(found.model)}: precision of at least {found.precision:g}, "
        f"{percent(found.confidence, None)} sure, by {found.labels} triples; "
        f"{facts['candidates']:,} candidates, the tails "
        f"of {facts['questions']:,} pairs of head and relation{asked}"
    )


def _thresholds(found: LinkThresholds) -> Table:
    heads = (
        "triples of", "score from", "precision", "at least", "labels", "checked", "[checked]", "new", "held",
        "floor", "candidates",
    )  # fmt: skip
    shown = [found.overall, *sorted(found.thresholds[1:], key=lambda one: (-one.admitted, one.group))[:SHOWN]]
    return Table(heads, tuple(_row(one) for one in shown))


def _row(one: LinkThreshold) -> tuple[str, ...]:
    name = shorten(visible(one.group), LONGEST)
    if one.chosen is None:
        labels = f"{one.positives + one.negatives:,}"
        return (name, "none", UNDEFINED, UNDEFINED, labels, "", "", "0", "0", UNDEFINED, f"{one.candidates:,}")
    return (
        name, number(one.score), *_said(one.chosen), f"{one.chosen.right:,}/{one.chosen.labels:,}",
        *(_said(one.checked) if one.checked else ("", "")), f"{one.admitted:,}", f"{one.held:,}",
        number(one.floor), f"{one.candidates:,}",
    )  # fmt: skip


def _said(cut: LabelledCut) -> tuple[str, str]:
    return number(cut.precision), number(cut.low)


def _about(found: LinkThresholds) -> str:
    return f"CALIBRATION: how far stated probabilities and shares that are right lie apart, {_labels(found)} labels"


def _labels(found: LinkThresholds) -> str:
    return f"{found.calibrations[0].labels:,}"


def _calibrations(found: LinkThresholds) -> Table:
    rows = tuple((one.method, number(one.error), number(one.brier)) for one in found.calibrations)
    return Table(("probability by", "ECE", "Brier"), rows)


def _curve(found: LinkThresholds) -> Table:
    bins = found.calibrations[-1].bins
    rows = tuple(
        (f"{one.low:.3f} to {one.high:.3f}", f"{one.labels:,}", number(one.stated), number(one.right)) for one in bins
    )
    return Table(("probability", "labels", "mean", "right"), rows)


def _triples(found: LinkThresholds) -> Table:
    rows = tuple(
        (
            shorten(f"{visible(row['head'])} {visible(row['relation'])} {visible(row['tail'])}", 3 * LONGEST),
            number(row["score"]), number(row["probability"]), row["split"] or "new",
        )
        for row in found.triples.head(SHOWN).iter_rows(named=True)
    )  # fmt: skip
    return Table(("triple", "score", "probability", "in"), rows)


def _reading(found: LinkThresholds) -> Iterator[str]:
    yield (
        f"score from: the lowest score at which at least {found.precision:g} of the labelled triples are right, "
        f"{percent(found.confidence, None)} sure; all cuts that were tried share the error. "
        "Each relation is sure by itself."
    )
    if any(one.checked for one in found.thresholds):
        yield "checked: the same score on labels that had no part in choosing it, and the lower bound there."
    yield "new: candidates from this score on that no split holds. held: those that valid or test hold."
    yield "floor: the precision if all new ones were wrong. Far below the wanted one, look at some before adding any."
    if found.calibrations:
        yield "ECE: 0 is best. Platt and isotonic are measured on labels that they were not fitted to."
    yield from found.notices
