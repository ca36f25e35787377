"""The page of systems side by side: figures, what each alone finds, queries won and lost, what could be reached."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay._version import __version__
from assay.core.comparison import Contrast
from assay.core.lexical_sides import Ceiling, Sides
from assay.report import lexical_sides
from assay.report.amounts import percent
from assay.report.comparison import method
from assay.report.grid import UNDEFINED, conventions, heading, number
from assay.report.html import charts, lexical_comparison, provenance
from assay.report.html.document import written
from assay.report.html.neighbours_parts import gridded
from assay.report.html.views import (
    Block,
    Cases,
    Cell,
    Chart,
    Choice,
    Column,
    Listing,
    Page,
    Section,
    Table,
    Verdict,
    Verdicts,
)
from assay.report.html.wording import TONES, effect, interval, probability, signed, tallies
from assay.report.lexical_sides_words import sentences, set_names
from assay.report.names import visible

Inputs = Sequence[tuple[str, str]]
COLOURS = 6
"""So many systems and fusions have a colour."""
LONG = 120
"""So much of the text of a query is shown."""
FEW = 4
"""Of so many systems each set that finds something has a bar of its own, and each pair its queries."""
MOST_PAIRS = 12
"""So many pairs of systems have their queries at most."""


def render(found: Sides, *, command: Sequence[str] = (), inputs: Inputs = ()) -> str:
    """Return one HTML page about systems side by side; it needs no network.

    Parameters
    ----------
    found
        The systems, and the fusions of them.
    command, inputs
        How they were compared, and from which files by what they are: ("gold", "gold.qrels").

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs))


def lay_out(found: Sides, command: Sequence[str] = (), inputs: Inputs = ()) -> Page:
    """Return the page as plain data."""
    labels = tuple(map(visible, found.comparison.labels))
    notices = (Listing(tuple(map(visible, found.notices)), "notice"),) if found.notices else ()
    reproduce = (
        provenance.how(command, getattr(found.comparison, "seed", None)),
        *((provenance.files(inputs),) if inputs else ()),
    )
    sections = (
        Section("result", "Result", (Listing(tuple(sentences(found))), Verdicts(tuple(_cards(found))))),
        Section("measures", "Measures", tuple(_measures(found))),
        Section("found", "Found by whom", tuple(_found(found))),
        Section("queries", "Queries won and lost", tuple(_queries(found))),
        Section("ceilings", "What could be reached", tuple(_ceilings(found))),
        Section("alone", "Found by one alone", tuple(_examples(found))),
        Section("notices", "Notices", notices),
        Section("reproduce", "Reproduce", reproduce),
    )
    return Page(
        " · ".join(map(visible, found.systems)), heading(found.comparison.evaluations), labels,
        tuple(section for section in sections if section.blocks), __version__,
        tuple(range(min(COLOURS, len(labels)))), "Systems",
    )  # fmt: skip


def _cards(found: Sides) -> Iterator[Verdict]:
    for one in found.comparison.of(found.measure):
        if one.baseline == found.systems[0]:
            yield _card(one)


def _card(one: Contrast) -> Verdict:
    run, baseline = visible(one.run), visible(one.baseline)
    facts = (
        ("difference", f"{signed(one.difference)} {interval(one.interval, sign=True)}".rstrip()),
        ("p", probability(one.significance.final)), ("won / tied / lost", tallies(one)), ("effect size", effect(one)),
    )  # fmt: skip
    sentence = f"{run} {number(one.mean)} against {number(one.baseline_mean)} of {baseline} by {one.measure}."
    return Verdict(TONES.get(one.verdict, "unsure"), one.verdict, sentence, facts)


def _measures(found: Sides) -> Iterator[Block]:
    yield lexical_comparison.means(found.comparison, "the table below tests")
    tables = [
        gridded(f"{measure}, each against {visible(found.systems[0])}", lexical_sides.figures_table(found, measure))
        for measure in found.comparison.measures
    ]
    yield Cases("figures", "Measure", tuple(
        replace(one, case=measure)
        for measure, one in zip(found.comparison.measures, tables, strict=True)
    ))  # fmt: skip
    yield Listing((*map(visible, method(found.comparison)), conventions(found.comparison.evaluations[0])))


def _found(found: Sides) -> Iterator[Block]:
    every = "both" if len(found.systems) == 2 else "all"
    names = set_names(found, FEW)
    depths = {f"the first {found.cutoff}": found.found[0], "the whole lists": found.found[1]}
    rows = tuple(
        (depth, visible(name), items / one.relevant if one.relevant else 0.0, items)
        for depth, one in depths.items()
        for name, items in (
            *((name, one.together.get(places, 0)) for places, name in names.items()),
            (f"found by {every}", one.all), ("found by none", one.none),
        )
    )  # fmt: skip
    yield Chart(
        "found", "Who finds what", "Relevant items by the systems that find them, as a share of all relevant items.",
        "What only one system finds is what fusing can bring to the other. What none finds no fusion brings: it takes "
        "another search.",
        charts.bars("systems", "items"), ("places", "systems", "share", "items"), rows,
        (Choice("places", "Among", tuple(depths)),), paint="accent",
        table=gridded("Who finds what, as numbers", lexical_sides.found_table(found)),
    )  # fmt: skip
    yield gridded(
        "How alike the lists are, and who does better on how many queries", lexical_sides.pairings_table(found)
    )


def _queries(found: Sides) -> Iterator[Block]:
    shown = [one for one in found.pairings if len(found.systems) <= FEW or one.first == found.systems[0]][:MOST_PAIRS]
    pairs = [*((one.first, one.second) for one in shown), *((found.systems[0], fusion) for fusion in found.fusions)]
    if chart := lexical_comparison.of_pairs(found.comparison, found.measure, pairs):
        yield chart
    for pair in shown:
        if pair.for_first or pair.for_second:
            title = f"Won by most, {found.measure}: {visible(pair.first)}, {visible(pair.second)}"
            table = gridded(title, lexical_sides.queries_table(found, pair, LONG))
            yield _text_second(table) if found.texts else table


def _text_second(table: Table) -> Table:
    """Put the last column, the texts of queries, beside their names."""
    first, *others, last = table.columns
    rows = tuple((name, text, *values) for name, *values, text in table.rows)
    return replace(table, columns=(first, last, *others), rows=rows)


def _ceilings(found: Sides) -> Iterator[Block]:
    rows = tuple(
        (one.measure, visible(name), value, one.single)
        for one in found.ceilings
        for name, value in _reached(found, one)
        if value is not None
    )
    yield Chart(
        "ceilings", "What is reached, and what could be",
        "Systems and fusions as they are; then the best system for each query, and lists in the best order.",
        "The tick is the best system as it is. The best order puts relevant items first: no fusion or reranking of "
        "these lists gets further. A fusion near the best system for each query gains what choosing could.",
        charts.bars("what", length="mean", tick="best single"), ("measure", "what", "mean", "best single"), rows,
        (Choice("measure", "Measure", tuple(one.measure for one in found.ceilings)),), paint="accent",
        table=gridded("What could be reached, as numbers", lexical_sides.ceilings_table(found)),
    )  # fmt: skip


def _reached(found: Sides, one: Ceiling) -> Iterator[tuple[str, float | None]]:
    yield from ((label, each.figure(one.measure).mean) for label, each in zip(
        found.comparison.labels, found.comparison.evaluations, strict=True
    ))  # fmt: skip
    yield "best for each query", one.chosen
    for system, mean in zip(found.systems, one.own, strict=True):
        yield f"{system}, best order", mean
    yield "all, best order", one.union


def _examples(found: Sides) -> Iterator[Block]:
    if not found.examples:
        return
    heads = ("item", "system", "query", *(("text",) if found.texts else ()), "grade", "rank", "elsewhere")
    columns = tuple(Column(head, words=head in {"item", "system", "query", "text"}) for head in heads)
    rows = tuple(
        (
            *map(Cell, map(visible, (one.item, one.system, one.query))),
            *((Cell(lexical_sides.begun(found.texts.get(one.query, ""), LONG)),) if found.texts else ()),
            Cell(f"{one.grade:g}"), Cell(f"{one.rank:,}"),
            Cell("in no list" if one.elsewhere is None else f"{one.elsewhere:,}"),
        )
        for one in found.examples
    )  # fmt: skip
    shares = ", ".join(
        f"{visible(name)} {percent(only / found.found[0].relevant) if found.found[0].relevant else UNDEFINED}"
        for name, only in zip(found.systems, found.found[0].only, strict=True)
    )
    yield Table(f"Relevant items that one system alone finds in the first {found.cutoff}: {shares} of all", columns,
                rows, sortable=len(rows) > 1)  # fmt: skip
