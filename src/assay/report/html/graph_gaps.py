"""What a page says of gaps: why questions failed, what to fetch, the curve, answers on invalid links."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from assay.core.gaps import CAUSES, SOURCES, Curve, Failure, Gaps, MissingFact, Resting
from assay.core.terms import Term
from assay.report import gaps as terminal
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import Block, Cell, Chart, Column, Listing, Table, Text
from assay.report.html.wording import interval
from assay.report.iris import shorten
from assay.report.names import visible

MOST = 100
"""Missing facts and questions of a table."""
BARS = 20


def gaps(found: Gaps) -> Iterator[Block]:
    """Yield the part about failed questions and missing facts."""
    yield Text(visible(terminal.summary(found)))
    if found.failures:
        yield _causes(found)
    if found.missing:
        yield from _missing(found)
    if found.failures:
        yield _failures(found.failures)
    if found.notices:
        yield Listing(tuple(map(visible, found.notices)), "notice")


def _causes(found: Gaps) -> Chart:
    causes = found.causes()
    rows = tuple((cause, many / len(found.failures), None, f"{many:,}") for cause, (many, _) in causes.items())
    cells = tuple(
        (Cell(cause, CAUSES[cause]), Cell(f"{many:,}"), Cell(f"{lost:.2f}")) for cause, (many, lost) in causes.items()
    )
    heads = (Column("cause", words=True), Column("questions"), Column("recall lost"))
    return Chart(
        "causes", "Why questions failed", "The share of the failed questions that have each cause.",
        "A question has one cause: the first that holds, in the order of this list.",
        charts.bars("cause", "questions"), ("cause", "share", "chance", "questions"), rows, paint="accent",
        table=Table("Causes", heads, cells),
    )  # fmt: skip


def _missing(found: Gaps) -> Iterator[Block]:
    yield _by_predicate(found)
    shown = found.missing[:MOST]
    few = f", the first {MOST} of {len(found.missing):,}" if len(found.missing) > MOST else ""
    names = shorten(
        [one.predicate for one in shown]
        + [term.value for one in shown for term in (one.subject, one.object) if term and term.kind == "iri"]
    )
    columns = (
        Column("subject", words=True), Column("property", words=True), Column("object", words=True),
        Column("recall lost", "what questions lose, times their weight"), Column("demand", "the weight of questions"),
        Column("questions"), Column("says so", words=True),
    )  # fmt: skip
    yield Table(f"What to fetch first{few}", columns, tuple(_fact(one, names) for one in shown), sortable=True)
    sources = dict.fromkeys(one.source for one in found.missing)
    yield Text("Says so: " + "; ".join(f"{name}: {SOURCES[name]}" for name in sources) + ".", "legend")


def _fact(one: MissingFact, names: dict[str, str]) -> tuple[Cell, ...]:
    return (
        Cell(_end(one.subject, names)), Cell(names[one.predicate]), Cell(_end(one.object, names)),
        Cell(f"{one.lost:.2f}", best=one.lost > 0), Cell(f"{one.demand:g}"), Cell(f"{len(one.questions):,}"),
        Cell(one.source),
    )  # fmt: skip


def _end(term: Term | None, names: dict[str, str]) -> str:
    if term is None:
        return "?"
    return visible(names.get(term.value, term.value if term.kind == "text" else term.n3))


def _by_predicate(found: Gaps) -> Chart:
    total = sum(one.lost for one in found.predicates) or 1.0
    names = shorten([one.predicate for one in found.predicates])
    rows = tuple((names[one.predicate], one.lost / total, None, f"{one.missing:,}") for one in found.predicates[:BARS])
    few = f" The first {BARS} of {len(found.predicates):,}." if len(found.predicates) > BARS else ""
    return Chart(
        "fetch", "Which property costs most answers",
        f"The share of all lost recall, by the property that is missing.{few}",
        "Fetch the facts of the longest bar first: weighed by how often people ask, they bring back most answers.",
        charts.bars("property", "facts"), ("property", "share", "chance", "facts"), rows, paint="accent",
        table=replace(gridded("Properties as numbers", terminal.predicates(found, MOST)), folded=True),
    )  # fmt: skip


def _failures(failures: tuple[Failure, ...]) -> Table:
    few = f", the first {MOST} of {len(failures):,}" if len(failures) > MOST else ""
    columns = (
        Column("question", words=True), Column("recall"), Column("weight"), Column("cause", words=True),
        Column("what shows it", words=True),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(visible(one.question), "" if one.text == one.question else visible(one.text)),
            Cell(number(one.recall)), Cell(f"{one.weight:g}"), Cell(one.cause), Cell(visible(one.evidence)[:300]),
        )
        for one in failures[:MOST]
    )  # fmt: skip
    return Table(f"Questions that lose most{few}", columns, rows, sortable=True)


def curve(found: Curve) -> Iterator[Block]:
    """Yield the measured curve from completeness to answer recall."""
    points = sorted(found.points, key=lambda one: one.kept)
    rows = [(one.kept, one.recall, one.lowest, one.highest, one.expected) for one in points]
    rows += [(1.0, 1.0, 1.0, 1.0, 1.0)] if points[-1].kept < 1 else []
    yield Chart(
        "decay", "From completeness to answers",
        "The share of the answers that is left when only a share of all statements is: mean recall of the questions; "
        "the bar goes from the lowest to the highest of the draws, the dashed line is CR^h.",
        "Above the dashed line answers have several proofs. Below it, single facts carry many answers.",
        _decay(), ("kept", "recall", "low", "high", "expected"), tuple(rows), paint="accent",
        table=gridded("The curve as numbers", terminal.curve(found)),
    )  # fmt: skip
    yield Text(terminal.about_curve(found), "legend")


def _decay() -> dict[str, Any]:
    """A dot for each share kept, with the span of the draws; CR^h dashed."""
    alt = charts.altair()
    base = alt.Chart(alt.NamedData(charts.ROWS)).encode(
        x=alt.X("kept:Q", title="statements kept", scale=alt.Scale(zero=False, nice=False, padding=12),
                axis=charts.percents(alt)),
        tooltip=[alt.Tooltip(f"{name}:Q", format=".4f") for name in ("kept", "recall", "low", "high", "expected")],
    )  # fmt: skip
    scale = alt.Scale(zero=False)
    y = alt.Y("recall:Q", title="answer recall", scale=scale, axis=charts.percents(alt))
    dashed = base.mark_line(strokeDash=[5, 4], strokeWidth=1.5).encode(y=alt.Y("expected:Q", scale=scale))
    line = base.mark_line(strokeWidth=2).encode(y=y, color=alt.Color("colour:N", scale=None))
    spans = base.mark_rule(strokeWidth=2).encode(
        y=alt.Y("low:Q", scale=scale), y2="high:Q", color=alt.Color("colour:N", scale=None)
    )
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(y=y, color=alt.Color("colour:N", scale=None))
    fit = alt.AutoSizeParams(type="fit-x", contains="padding")
    chart = alt.layer(line, dashed, spans, dots).properties(height=260, width="container", autosize=fit).to_dict()
    return {name: value for name, value in chart.items() if name not in {"config", "$schema"}}


def resting(found: Resting) -> Iterator[Block]:
    """Yield how many right answers rest on links that the audit calls invalid."""
    if not found.traced:
        yield Text("Not evaluated: of no right answer that was found can it be said what it rests on.")
        return
    span = interval(found.interval)
    yield Text(
        f"{found.invalid:,} of {found.traced:,} right answers ({percent(found.share)} {span}) rest on invalid links "
        f"alone: recall is {number(found.recall)} with them and {number(found.sound)} without, over "
        f"{counted(found.questions, 'question')}."
    )
    if found.links:
        names = shorten([
            *(p for (_, p, _), _ in found.links),
            *(term.value for (s, _, o), _ in found.links for term in (s, o) if term.kind == "iri"),
        ])  # fmt: skip
        columns = (*(Column(head, words=True) for head in ("subject", "property", "object")), Column("answers"))
        rows = tuple(
            (Cell(_end(s, names)), Cell(names[p]), Cell(_end(o, names)), Cell(f"{many:,}"))
            for (s, p, o), many in found.links
        )
        yield Table("The invalid links that most answers rest on", columns, rows, folded=len(rows) > 10)
    yield Text(terminal.about_resting(found), "legend")
