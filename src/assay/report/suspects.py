"""Suspect statements for the terminal, for Markdown and for tables; with labels, how good the list is."""

from collections.abc import Iterator

import polars as pl

from assay.core.suspects import SIGNS, Suspect, Suspects
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.iris import shorten
from assay.report.names import shorten as cut
from assay.report.names import visible
from assay.report.validity import markdown_table
from assay.statistics.proportion import wilson

MOST = 25
"""Rows of a table on the screen; the forms for programs have all."""
LONG = 1000
"""Characters of a text beyond which no more of it is looked at, for a screen."""
LEFT = frozenset({"subject", "property", "object", "sign", "label"})


def render(found: Suspects, width: int = 80, *, colour: bool = False) -> str:
    """Return the list as text, no line wider than `width` where it can be broken."""
    labels = 7 if any(one.wrong is not None for one in found.suspects[:MOST]) else 0
    table = suspects(found, max(12, (width - 31 - labels) // 3))
    parts = [wrapped(visible(summary(found)), width)]
    if table.rows:
        parts.append(table.draw(colour=colour))
        parts.append("\n".join(wrapped(line, width) for line in reading(found)))
    if found.quality:
        parts.append("HOW GOOD THE LIST IS")
        parts.append(quality(found).fitted(width).draw(colour=colour))
        parts.append("\n".join(wrapped(line, width) for line in about_quality(found)))
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(part for part in parts if part) + "\n"


def to_markdown(found: Suspects) -> str:
    """Return the list as Markdown."""
    from assay.report.documents import markdown

    said = [*reading(found), *(about_quality(found) if found.quality else ()), *found.notices]
    parts = [markdown(visible(summary(found))), markdown_table(suspects(found, 1000)), markdown_table(quality(found))]
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in said))
    return "\n\n".join(part for part in parts if part) + "\n"


def to_frame(found: Suspects) -> pl.DataFrame:
    """Return a row for each statement of the list, terms in full, a column for each sign."""
    rows = [
        {"rank": place, **one.to_dict(), **{name: one.signs.get(name, 0.0) for name in SIGNS}}
        for place, one in enumerate(found.suspects, 1)
    ]
    text, real = pl.String, pl.Float64
    schema: dict[str, type[pl.DataType]] = {
        "rank": pl.Int64, "subject": text, "predicate": text, "object": text, "score": real, "wrong": pl.Boolean,
    } | dict.fromkeys(SIGNS, real)  # fmt: skip
    return pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)


def summary(found: Suspects) -> str:
    """Say how much was looked at, and what the list is."""
    return (
        f"{found.name}: {found.suspected:,} of {counted(found.statements, 'statement')} show a "
        "sign that makes them suspect. "
        "Suspect is not wrong: the list says where to look first."
    )


def suspects(found: Suspects, wide: int) -> Table:
    """Return the list as a table, the most suspect first."""
    shown = found.suspects[:MOST]
    names = shorten([_bare(part) for one in shown for part in one.statement if _is_iri(part)])
    rows = tuple(_row(one, names, wide) for one in shown)
    table = Table(("score", "subject", "property", "object", "sign", "label"), rows, LEFT)
    return table if any(one.wrong is not None for one in shown) else table.without("label")


def _row(one: Suspect, names: dict[str, str], wide: int) -> tuple[str, ...]:
    parts = [cut(visible(names.get(_bare(part), _plain(part)))[:LONG], wide) for part in one.statement]
    more = f" +{len(one.signs) - 1}" if len(one.signs) > 1 else ""
    sign = f"{next(iter(one.signs), '')}{more}"
    return (f"{one.score:.2f}", *parts, sign, {None: "", True: "wrong", False: "right"}[one.wrong])


def _is_iri(part: str) -> bool:
    return part.startswith("<") or "://" in part.partition('"')[0]


def _plain(part: str) -> str:
    """Return a literal without its datatype; anything else as it is."""
    return part[: part.rindex('"') + 1] if part.startswith('"') else part


def _bare(part: str) -> str:
    return part.strip("<>") if part.startswith("<") else part


def reading(found: Suspects) -> Iterator[str]:
    """Say what the score and the signs of the list mean."""
    if len(found.suspects) > MOST:
        yield f"The first {MOST} are shown; -o json and csv have {len(found.suspects):,}."
    if found.suspects:
        yield "Score: sum over the signs of -log10 of the share of statements that show it as strongly."
    if any(len(one.signs) > 1 for one in found.suspects[:MOST]):
        yield "Sign: the strongest one, and how many more there are."
    shown = {name for one in found.suspects[:MOST] for name in one.signs}
    yield from (f"{name}: {meaning}." for name, meaning in SIGNS.items() if name in shown)


def quality(found: Suspects) -> Table:
    """Return the measures of the list and of each sign by itself."""
    heads = tuple(figure.name for figure in found.quality[0].figures) if found.quality else ()
    rows = tuple((one.name, *(number(figure.mean) for figure in one.figures)) for one in found.quality)
    return Table(("list by", *heads), rows)


def about_quality(found: Suspects) -> Iterator[str]:
    """Say what the measures rest on, what chance would give, and how sure they are."""
    yield (
        f"{found.wrong:,} of {found.labelled:,} labelled statements are wrong: a list in random order has a P@K of "
        f"{number(found.chance)}. Only labelled statements are ranked; statements of equal score share their places."
    )
    for figure in found.quality[0].figures:
        name, _, depth = figure.name.partition("@")
        if name == "P" and figure.mean is not None and depth.isdigit() and int(depth) <= found.wrong:
            low, high = wilson(figure.mean, int(depth), 0.95)
            better = "" if low > (found.chance or 0) else ": no better than chance, as far as this can tell"
            yield f"{figure.name} of the whole list: 95 % interval {number(low)} to {number(high)} (Wilson){better}."
