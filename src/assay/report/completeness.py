"""Completeness of a graph for the terminal, for Markdown and for tables."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from assay.core.completeness import Completeness, Filled, SchemaLevel
from assay.core.completeness_levels import RelationLevel
from assay.report.amounts import counted, percent
from assay.report.completeness_levels import demand_lines, domain_lines, named_properties, relation_lines
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.iris import shorten
from assay.report.names import visible

MOST = 25
NAMED = 5
"""Rows of a table on the screen; the forms for programs have all."""
WHY = {
    "shapes": "asked for by a shape (SHACL)",
    "axioms": "asked for by an axiom (OWL)",
    "usage": "had by most of the class",
    "all": "had by any of the class",
}


def render(found: Completeness, width: int = 80, *, colour: bool = False) -> str:
    """Return all levels as text, no line wider than `width` where it can be broken."""
    parts = []
    for title, lines, table, spare in sections(found):
        drawn = [table.fitted(width, spare).draw(colour=colour)] if table.rows else []
        head = title or wrapped(lines[0], width)
        said = [wrapped(visible(line), width) for line in (lines if title else lines[1:])]
        parts += [head, *drawn, *said]
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(parts) + "\n"


def to_markdown(found: Completeness) -> str:
    """Return all levels as Markdown."""
    from assay.report.documents import markdown

    parts: list[str] = []
    for title, lines, table, _ in sections(found):
        parts += [f"## {title}"] if title else []
        if table.rows:
            aligned = "".join("---|" if place == 0 or head in table.left else "---:|"
                              for place, head in enumerate(table.heads))  # fmt: skip
            rows = [" | ".join(markdown(visible(cell)) for cell in row) for row in (table.heads, *table.rows)]
            parts.append("\n".join([f"| {rows[0]} |", f"|{aligned}", *(f"| {row} |" for row in rows[1:])]))
        parts += [markdown(visible(line)) for line in lines]
    parts += ["\n".join(f"- {markdown(visible(one))}" for one in found.notices)] if found.notices else []
    return "\n\n".join(parts) + "\n"


def to_frame(found: Completeness) -> pl.DataFrame:
    """Return a row for each figure of each level: the whole of it, with full IRIs."""
    text, real, whole = pl.String, pl.Float64, pl.Int64
    schema: dict[str, type[pl.DataType]] = {
        "level": text, "class": text, "property": text, "rule": text, "have": whole, "of": whole, "no_value": whole,
        "ratio": real, "low": real, "high": real, "weight": real, "gap": real,
    }  # fmt: skip
    return pl.DataFrame(list(_rows(found)), schema=schema)


Section = tuple[str, Sequence[str], Table, Sequence[str]]
"""Title, lines below the table, the table, and the columns that a narrow screen may do without."""


def sections(found: Completeness) -> Iterator[Section]:
    """Yield what is shown, in order, before anything draws it."""
    names = shorten(
        [
            name
            for one in found.schema.filled
            for name in (one.class_name, one.predicate)
        ] + named_properties(found)
    )  # fmt: skip
    level = found.schema
    yield "", (f"{found.name}: how much of what should be there is there", *_overall(level)), Table(("",), ()), ()
    if level.ratio is not None:
        yield ("Classes", (), _classes(level, names), ())
    if level.classes:
        yield (
            "Properties of classes",
            tuple(_reading(level, names)),
            _pairs(level, names),
            ("why", "no value", "direct"),
        )
    for section in (domain_lines(found), relation_lines(found, names), demand_lines(found, names)):
        if section is not None:
            yield section


def _overall(level: SchemaLevel) -> Iterator[str]:
    if level.ratio is None:
        yield "Schema level: not evaluated; no class with entities has an expected property."
        return
    classes = sum(one.ratio is not None for one in level.classes)
    yield (
        f"Schema level: {number(level.ratio)}, the mean of {counted(classes, 'class', 'classes')} weighed by their "
        f"entities; of all {level.of:,} expected properties of entities {level.have:,} are there "
        f"({number(level.have / level.of)})."
    )


def _classes(level: SchemaLevel, names: dict[str, str]) -> Table:
    rows = [
        (names[one.class_name], f"{one.entities:,}", f"{one.properties:,}", number(one.ratio))
        for one in sorted(level.classes, key=lambda one: (-one.entities, one.class_name))
        if one.ratio is not None
    ]
    return Table(("class", "entities", "properties", "ratio"), capped(rows))


def _pairs(level: SchemaLevel, names: dict[str, str]) -> Table:
    gaps = sorted((one for one in level.filled if one.have < one.of), key=_order)
    rows = [
        (
            names[one.class_name], names[one.predicate] + (f" ≥{one.least}" if one.least > 1 else ""), f"{one.have:,}",
            f"{one.of:,}", f"{one.no_value:,}", number(one.ratio), _direct(one), one.why,
        )
        for one in gaps
    ]  # fmt: skip
    table = Table(
        ("class", "property", "have", "of", "no value", "ratio", "direct", "why"), capped(rows),
        frozenset({"property", "why"}),
    )  # fmt: skip
    return table if any(one.no_value for one in gaps) else table.without("no value")


def _order(one: Filled) -> tuple[int, str, str]:
    """Put first what is missing most."""
    return one.have - one.of, one.class_name, one.predicate


def _direct(one: Filled) -> str:
    same = (one.have, one.of) == (one.direct_have, one.direct_of)
    return "same" if same else number(one.direct_ratio)


def _reading(level: SchemaLevel, names: dict[str, str]) -> Iterator[str]:
    gaps = sum(one.have < one.of for one in level.filled)
    looked_at = sum(one.of > 0 for one in level.filled)
    cut = f" The {MOST} with most missing are shown; -o json and csv have all." if gaps > MOST else ""
    if looked_at:
        yield f"{looked_at - gaps:,} of {looked_at:,} expected properties are complete and not in the table.{cut}"
    empty = list(dict.fromkeys(names[one.class_name] for one in level.filled if not one.of))
    if empty:
        more = f" and {len(empty) - NAMED:,} more" if len(empty) > NAMED else ""
        yield f"Not evaluated, for there are no entities: {', '.join(empty[:NAMED])}{more}. They are in no mean."
    whys = [why for why in WHY if any(one.why == why for one in level.filled)]
    usage = "" if level.threshold is None else f" (at least {percent(level.threshold, None)})"
    yield "Expected is what is " + ", or ".join(WHY[why] for why in whys) + f"{usage}."
    if level.subclasses:
        yield "A class counts the entities of its subclasses; direct: only those whose stated type it is."
    missing = "a value" if level.empty else "missing"
    yield f"An empty string counts as {missing}. All entities were counted, so there is no interval."


def capped(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Return the rows that a screen shows."""
    return tuple(rows[:MOST])


def _rows(found: Completeness) -> Iterable[dict[str, Any]]:
    for pair in found.schema.filled:
        yield {
            "level": "schema", "class": pair.class_name, "property": pair.predicate, "rule": pair.why,
            "have": pair.have, "of": pair.of, "no_value": pair.no_value, "ratio": pair.ratio,
        }  # fmt: skip
    if (domain := found.domain) is not None:
        ends = domain.interval
        yield {
            "level": "domain", "rule": domain.unit, "have": domain.found, "of": domain.of, "ratio": domain.ratio,
            "low": ends and ends.low, "high": ends and ends.high,
        }  # fmt: skip
    for one in found.relations:
        yield from _relation_rows(one)
    for wanted in found.demand.wanted if found.demand else ():
        yield {
            "level": "demand", "property": wanted.predicate, "ratio": wanted.ratio, "weight": wanted.weight,
            "gap": wanted.gap,
        }  # fmt: skip


def _relation_rows(one: RelationLevel) -> Iterator[dict[str, Any]]:
    named = {"level": "relation", "property": one.predicate}
    if one.reference is not None:
        held = {"rule": "reference", "have": one.found, "of": one.reference, "ratio": one.ratio}
        yield named | held | {"low": one.interval and one.interval.low, "high": one.interval and one.interval.high}
    for rule in one.oracles:
        yield named | {"rule": rule.rule, "have": rule.complete, "of": rule.of, "ratio": rule.ratio}
