"""Systems side by side, for a terminal and for Markdown: what it comes to, and the tables behind it."""

import textwrap
from collections.abc import Iterable, Iterator

from assay.core.comparison import Contrast
from assay.core.lexical_sides import Pairing, Sides
from assay.report.comparison import INTERVALS, counts, method, probability, short, signed
from assay.report.comparison_tables import Titled
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import conventions, heading, number
from assay.report.lexical_sides_words import sentences, set_names
from assay.report.names import shorten, visible
from assay.report.validity import markdown_table

NAME = 16
"""So wide may the name of a system be over a column."""
TEXT = 26
"""So wide may the text of a query be on a terminal of 80 columns."""
WHOLE = 100_000
"""So wide is no text of a query."""
FEW = 3
"""Of so many systems each set that finds something has a row, and each pair its queries."""
SPARE = ("W/T/L", "p")
"""Columns that a narrow terminal can do without."""


def render(sides: Sides, width: int = 80, *, colour: bool = False) -> str:
    """Return all as text, no line wider than `width` where it can be broken."""
    parts = [
        wrapped(heading(sides.comparison.evaluations), width),
        f"IN SHORT\n{listed(sentences(sides), width)}",
        *(
            f"{wrapped(visible(one.title), width)}\n{_drawn(one.table, width, colour=colour)}"
            for one in tables(sides, TEXT + max(0, width - 80))
        ),
        f"HOW TO READ THIS\n{listed(_reading(sides), width)}",
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(sides: Sides) -> str:
    """Return the same in Markdown, notices included."""
    lines = [f"- {markdown(visible(line))}" for line in sentences(sides)]
    for one in tables(sides, WHOLE):
        lines += ["", f"**{markdown(visible(one.title))}**", "", markdown_table(one.table).rstrip("\n")]
    notes = [heading(sides.comparison.evaluations), *_reading(sides), *sides.notices]
    return "\n".join([*lines, "", *(f"{markdown(visible(note))}  " for note in notes)]) + "\n"


def tables(sides: Sides, text: int = TEXT) -> Iterator[Titled]:
    """Yield the tables: figures by each measure, who finds what, how alike, who wins which query, what is possible."""
    for measure in sides.comparison.measures:
        yield Titled(f"{measure}, each against {sides.systems[0]}", figures_table(sides, measure))
    yield Titled("Which relevant items are found", found_table(sides))
    yield Titled("How alike, and who does better on how many queries", pairings_table(sides))
    yield Titled("What these lists allow", ceilings_table(sides))
    for pair in sides.pairings:
        if (pair.for_first or pair.for_second) and (len(sides.systems) <= FEW or pair.first == sides.systems[0]):
            yield Titled(
                f"Queries won by most, {sides.measure}: {pair.first}, {pair.second}", queries_table(sides, pair, text)
            )
    if sides.examples:
        yield Titled(f"Relevant items that one system alone finds in the first {sides.cutoff}", examples_table(sides))


def figures_table(sides: Sides, measure: str) -> Table:
    """Return each system and fusion by one measure: its figure, and the difference to the first."""
    against = {one.run: one for one in sides.comparison.of(measure) if one.baseline == sides.systems[0]}
    rows = []
    for label, one in zip(sides.comparison.labels, sides.comparison.evaluations, strict=True):
        figure = one.figure(measure)
        sure = figure.interval
        interval = f" [{number(sure.low)}, {number(sure.high)}]" if sure and sure.low is not None else ""
        rows.append(
            (label, f"{number(figure.mean, counted=figure.summed)}{interval}", *_held_against(against.get(label)))
        )
    level = f"{100 * sides.comparison.level:g} %"
    return Table(
        ("system", f"mean [{level} interval]", "change", "p", "W/T/L", "verdict"), tuple(rows), frozenset({"verdict"})
    )


def _held_against(one: Contrast | None) -> tuple[str, str, str, str]:
    if one is None:
        return "", "", "", ""
    return signed(one.difference), probability(one.significance.final), counts(one), short(one)


def found_table(sides: Sides) -> Table:
    """Return how many relevant items each system finds, it alone, all, and none of them."""
    every = "both" if len(sides.systems) == 2 else "all"
    sets = set_names(sides, FEW)
    rows = [(f"found by {one}", [found.by[place] for found in sides.found]) for place, one in enumerate(sides.systems)]
    rows += [(name, [found.together.get(places, 0) for found in sides.found]) for places, name in sets.items()]
    rows += [
        (f"found by {every}", [found.all for found in sides.found]),
        ("found by none", [found.none for found in sides.found]),
        ("relevant", [found.relevant for found in sides.found]),
    ]
    heads = ("relevant items", f"first {sides.cutoff}", f"whole lists{_deepest(sides)}")
    return Table(heads, tuple((name, *(f"{count:,}" for count in counted)) for name, counted in rows))


def _deepest(sides: Sides) -> str:
    return "" if sides.depth is None else f" (to {sides.depth:,})"


def pairings_table(sides: Sides) -> Table:
    """Return how alike the lists of two systems are, and on how many queries which does better."""
    rows = tuple(
        (
            f"{shorten(pair.second, NAME)} against {shorten(pair.first, NAME)}", number(pair.jaccard), number(pair.rbo),
            f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}",
        )
        for pair in sides.pairings
    )  # fmt: skip
    return Table(("pair", f"Jaccard@{sides.cutoff}", "RBO", f"W/T/L by {sides.measure}"), rows)


def ceilings_table(sides: Sides) -> Table:
    """Return what is reached and what could be, a column for each measure."""
    heads = ("", *(one.measure for one in sides.ceilings))
    rows: list[tuple[str, ...]] = [("the best system", *(number(one.single) for one in sides.ceilings))]
    rows += [(label, *(number(one.fused[label]) for one in sides.ceilings)) for label in sides.fusions]
    rows.append(("the best system for each query", *(number(one.chosen) for one in sides.ceilings)))
    rows += [
        (f"{system}, in the best order", *(number(one.own[place]) for one in sides.ceilings))
        for place, system in enumerate(sides.systems)
    ]
    rows.append(("all lists, in the best order", *(number(one.union) for one in sides.ceilings)))
    return Table(heads, tuple(rows))


def queries_table(sides: Sides, pair: Pairing, text: int = TEXT) -> Table:
    """Return the queries that either system wins by most, with their texts where these are known."""
    heads = (
        "query",
        shorten(pair.first, NAME),
        shorten(pair.second, NAME),
        "change",
        *(("text",) if sides.texts else ()),
    )
    rows = []
    for one in (*pair.for_second, *pair.for_first):
        asked = (begun(sides.texts.get(one.query, ""), text),) if sides.texts else ()
        rows.append((one.query, number(one.before), number(one.after), signed(one.change), *asked))
    return Table(heads, tuple(rows), frozenset({"text"}))


def begun(text: str, room: int) -> str:
    """Return the first words of a text, in one line."""
    line = visible(" ".join(text.split()))
    return shorten(textwrap.shorten(line, room, placeholder=" …"), room)


def examples_table(sides: Sides) -> Table:
    """Return relevant items that one system alone finds, and the best rank that another gives them."""
    rows = tuple(
        (one.system, one.query, one.item, str(one.rank), "in no list" if one.elsewhere is None else str(one.elsewhere))
        for one in sides.examples
    )
    return Table(("system", "query", "item", "rank", "elsewhere"), rows, frozenset({"query", "item"}))


def _drawn(table: Table, width: int, *, colour: bool) -> str:
    return table.fitted(width, SPARE).draw(colour=colour)


def _intervals(sides: Sides) -> str:
    """Say how the intervals of means are made."""
    figures = [figure for one in sides.comparison.evaluations for figure in one.figures]
    found = dict.fromkeys(one.interval.method for one in figures if one.interval and one.interval.method != "none")
    return " or ".join(INTERVALS.get(name, name) for name in found) or "none"


def _reading(sides: Sides) -> Iterable[str]:
    """Yield how the tables are to be read, and how the verdicts were reached."""
    yield "'The best order' puts relevant items first: no fusion or reranking of these lists gets further."
    yield f"Jaccard@{sides.cutoff}: of the items that either shows, the share that both do. RBO: the same, by rank."
    yield "W/T/L: on how many queries the system does better, as well, worse than the other."
    yield from (line for line in method(sides.comparison) if not line.startswith(("W/T/L", "[")))
    level = f"{100 * sides.comparison.level:g} % interval"
    yield f"[{level}] of a mean: {_intervals(sides)}. Those of differences: -o json."
    yield conventions(sides.comparison.evaluations[0])
