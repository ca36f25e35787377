"""What a page says of the graph itself: completeness, link validity, suspects, the accuracy of a sample."""

from collections.abc import Iterator

from assay.core.accuracy import Accuracy, PartAccuracy
from assay.core.completeness import Completeness, Filled
from assay.core.suspects import Suspects
from assay.core.validity import Checked, LinkValidity, Validity
from assay.report import completeness as complete
from assay.report import suspects as suspected
from assay.report import validity as valid
from assay.report.amounts import counted, percent
from assay.report.drawing import Table as Drawn
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import Block, Cell, Chart, Column, Listing, Table, Text
from assay.report.html.wording import interval
from assay.report.iris import shorten
from assay.report.names import visible

MOST = 20
"""Bars of a chart."""
WIDE = 60
"""Characters of a term in the list of suspects."""


def completeness(found: Completeness) -> Iterator[Block]:
    """Yield all levels, and what is missing most as bars."""
    gaps = sorted((one for one in found.schema.filled if one.have < one.of), key=lambda one: one.have - one.of)
    for place, (title, lines, table, _) in enumerate(complete.sections(found)):
        if title:
            yield from _level(title, table)
        if said := " ".join(map(visible, lines[0 if title else 1 :])):
            yield Text(said, "legend" if title and table.rows else "")
        if not place and gaps:
            yield _filled(gaps)
    if found.notices:
        yield Listing(tuple(map(visible, found.notices)), "notice")


def _level(title: str, table: Drawn) -> Iterator[Block]:
    if table.rows:
        yield gridded(title, table)
    else:
        yield Text(title, "heading")


def _filled(gaps: list[Filled]) -> Chart:
    names = shorten([name for one in gaps[:MOST] for name in (one.class_name, one.predicate)])
    rows = tuple(
        (f"{names[one.class_name]}.{names[one.predicate]}", one.ratio, None, f"{one.have:,} of {one.of:,}")
        for one in gaps[:MOST]
    )
    few = f" The first {MOST} of {len(gaps):,}." if len(gaps) > MOST else ""
    return Chart(
        "completeness", "Where most is missing",
        f"The share of the entities of a class that have a property, those first of which most are missing.{few}",
        "A short bar of a large class is much to fetch. Whether questions need it is said under Gaps.",
        charts.bars("property", "entities"), ("property", "share", "chance", "entities"), rows, paint="accent",
    )  # fmt: skip


def validity(found: Validity) -> Iterator[Block]:
    """Yield what share of the statements breaks no rule, by property as bars, and each broken rule."""
    yield Text(visible(valid.summary(found)))
    broken = sorted((one for one in found.predicates or () if one.wrong), key=lambda one: (-one.wrong, one.predicate))
    if broken:
        yield _links(broken)
    rules = sorted((one for one in found.rules if one.wrong or one.unclear), key=lambda one: (-one.wrong, -one.unclear))
    if rules:
        yield _rules(rules)
    yield from _kept(found)
    examples = [visible(line) for line in valid.examples(found)]
    if examples:
        yield Text("What stands there instead", "heading")
        yield Listing(tuple(examples))
    yield Text(" ".join(map(visible, list(valid.reading(found))[1:])), "legend")
    if found.notices:
        yield Listing(tuple(map(visible, found.notices)), "notice")


def _links(broken: list[LinkValidity]) -> Chart:
    names = shorten([one.predicate for one in broken])
    rows = tuple(
        (names[one.predicate], one.wrong / one.statements, None, f"{one.wrong:,} of {one.statements:,}")
        for one in broken[:MOST]
    )
    few = f" The first {MOST} of {len(broken):,}." if len(broken) > MOST else ""
    return Chart(
        "validity", "Which links break a rule",
        f"The share of the statements of a property that break one rule or more; most statements first.{few}",
        "A full bar is seldom a thousand mistakes: one wrong axiom or one wrong way of writing makes it.",
        charts.bars("property", "statements"), ("property", "share", "chance", "statements"), rows, paint="accent",
    )  # fmt: skip


def _rules(rules: list[Checked]) -> Table:
    names = shorten([name for one in rules for name in (one.about, *one.expected, *one.among)])
    columns = (
        Column("about", words=True), Column("rule", words=True), Column("wants", words=True), Column("checked"),
        Column("wrong"), Column("unclear", "things without any type: nobody can tell"), Column("validity"),
        Column("from", words=True),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(names[one.about] or "-", ", ".join(names[name] for name in one.among)), Cell(one.kind),
            Cell(", ".join(names[name] for name in one.expected[:3])), Cell(f"{one.checked:,}"),
            Cell(f"{one.wrong:,}", tone="bad" if one.wrong else ""), Cell(f"{one.unclear:,}"),
            Cell("not told" if one.validity is None else number(one.validity)), Cell(one.source),
        )
        for one in rules
    )  # fmt: skip
    return Table("Rules that are broken, or cannot be told", columns, rows, sortable=True)


def _kept(found: Validity) -> Iterator[Block]:
    kept = [one for one in found.rules if one.evaluated and not one.wrong and not one.unclear]
    untouched = [one for one in found.rules if not one.evaluated]
    for title, rules in (
        ("Rules that everything keeps", kept),
        ("Not evaluated: there was nothing to check", untouched),
    ):
        if rules:
            names = shorten([one.about for one in rules])
            columns = (Column("about", words=True), Column("rule", words=True), Column("checked"))
            rows = tuple((Cell(names[one.about] or "-"), Cell(one.kind), Cell(f"{one.checked:,}")) for one in rules)
            yield Table(f"{title} ({len(rules):,})", columns, rows, folded=True)


def suspects(found: Suspects) -> Iterator[Block]:
    """Yield the statements to look at first, and how good such a list is where labels say so."""
    yield Text(visible(suspected.summary(found)))
    table = suspected.suspects(found, WIDE)
    if table.rows:
        yield gridded("Where to look first", table)
    yield Text(" ".join(map(visible, suspected.reading(found))), "legend")
    if found.quality:
        yield gridded("How good the list is", suspected.quality(found))
        yield from (Text(visible(line), "legend") for line in suspected.about_quality(found))


def accuracy(found: Accuracy) -> Iterator[Block]:
    """Yield the share of right statements that people's labels give."""
    design = found.design
    yield Text(
        f"Accuracy {number(found.value)} {interval(found.interval)} ({percent(found.interval.level, None)}, "
        f"{found.interval.method}): {counted(found.judged, 'statement')} of {design.statements:,} judged, "
        f"{found.right:,} right; design {design.kind}, design effect {found.design_effect:.2f}."
    )
    others = {found.interval.method: found.interval, **found.others}
    rows = tuple(
        (Cell(name), Cell(number(one.low)), Cell(number(one.high)), Cell(f"{one.units:,}"))
        for name, one in others.items()
    )  # fmt: skip
    columns = (Column("interval", words=True), Column("low"), Column("high"), Column("units"))
    yield Table("The same labels by every interval", columns, rows, folded=True)
    for title, parts in (("By stratum", found.strata), ("By property", found.parts)):
        if len(parts) > 1:
            yield _by_part(title, parts)
    if found.notices:
        yield Listing(tuple(map(visible, found.notices)), "notice")


def _by_part(title: str, parts: tuple[PartAccuracy, ...]) -> Table:
    names = shorten(one.name.strip("<>") for one in parts)
    rows = tuple(
        (Cell(names[one.name.strip("<>")]), Cell(f"{one.judged:,}"), Cell(f"{one.right:,}"),
         Cell(number(one.value), interval(one.interval)))
        for one in parts
    )  # fmt: skip
    columns = (Column(title.removeprefix("By "), words=True), Column("judged"), Column("right"), Column("accuracy"))
    return Table(title, columns, rows, sortable=True)
