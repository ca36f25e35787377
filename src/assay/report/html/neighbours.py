"""The page of vectors: what their neighbours, an index over them, their clusters and their hubs say."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.neighbours import Clustering, Hubness, IndexQuality, LabelQuality, NeighbourQuality, VectorFacts
from assay.report import neighbours
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.html import charts, provenance
from assay.report.html.document import written
from assay.report.html.neighbours_parts import by_group, gridded, spread
from assay.report.html.views import Block, Cell, Chart, Column, Listing, Page, Section, Table, Text, Verdict, Verdicts
from assay.report.html.wording import interval
from assay.report.names import visible


def render(found: NeighbourQuality, *, command: Sequence[str] = (), inputs: Sequence[tuple[str, str]] = ()) -> str:
    """Return one HTML page about vectors; it needs no network.

    Parameters
    ----------
    found
        The quality of vectors; what was not asked for leaves its section out.
    command, inputs
        How it was measured, and from which files by what they are: ("vectors", "may.npy").

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs))


def lay_out(found: NeighbourQuality, command: Sequence[str] = (), inputs: Sequence[tuple[str, str]] = ()) -> Page:
    """Return the page as plain data."""
    cards = tuple(_cards(found))
    reproduce = (provenance.how(command, found.seed), *((provenance.files(inputs),) if inputs else ()))
    sections = (
        Section("result", "Result", (Verdicts(cards),) if cards else ()),
        Section("labels", "Labels", tuple(_labels(found.labels, found.k)) if found.labels else ()),
        Section("similar", "Similar sets", tuple(_similar(found))),
        Section("index", "Index", tuple(_index(found.index, found.k)) if found.index else ()),
        Section("clusters", "Clusters", tuple(_clusters(found.clustering)) if found.clustering else ()),
        Section("hubs", "Hubs", tuple(_hubs(found.hubs, found)) if found.hubs else ()),
        Section(
            "notices", "Notices", (Listing(tuple(map(visible, found.notices)), "notice"),) if found.notices else ()
        ),
        Section("reproduce", "Reproduce", reproduce),
    )
    shown = tuple(section for section in sections if section.blocks)
    near = f"the {found.k} nearest of {found.queries:,} by {neighbours.METRICS[found.metric]}"
    return Page(visible(found.vectors.name), f"{about(found.vectors)}; {near}", (), shown, __version__)


def about(facts: VectorFacts) -> str:
    """Say how many vectors there are, and of which kind."""
    odd = [counted(facts.zeros, "vector of zeros", "vectors of zeros")] if facts.zeros else []
    odd += [counted(facts.copies, "copy of an earlier one", "copies of earlier ones")] if facts.copies else []
    return ", ".join([f"{counted(facts.rows, 'vector')} of {facts.dimensions:,} dimensions", *odd])


def _cards(found: NeighbourQuality) -> Iterator[Verdict]:
    if found.labels:
        yield _label_card(found.labels)
    if found.similar:
        first, *others = found.similar.figures
        facts = tuple((visible(one.requested), number(one.mean)) for one in others[:6])
        yield Verdict("even", "", f"{visible(first.requested)} {number(first.mean)} by the gold similar sets.", facts)
    if found.index:
        figure = found.index.evaluation.figures[0]
        sentence = f"The index finds {percent(figure.mean)} of the {found.k} nearest."
        yield Verdict("even", "", sentence, (("Interval", interval(figure.interval) or "-"),))
    if found.clustering:
        facts = (("Adjusted Rand index", number(found.clustering.adjusted_rand)),)
        yield Verdict("even", "", f"B-cubed F1 {number(found.clustering.f1)} between clusters and labels.", facts)
    if found.hubs:
        facts = (("Nobody's neighbour", percent(found.hubs.anti_hubs)),)
        skewness = "-" if found.hubs.skewness is None else f"{found.hubs.skewness:.2f}"
        yield Verdict("even", "", f"Hubs: skewness {skewness}; above 1 a few items crowd the lists.", facts)


def _label_card(found: LabelQuality) -> Verdict:
    name = neighbours.precision_of(found)
    figure = found.evaluation.figure(name)
    facts = (("Interval", interval(figure.interval) or "-"), ("By chance", number(found.chance)),
             ("At most", number(found.ceiling)))  # fmt: skip
    return Verdict("even", "", f"{name} {number(figure.mean)}: so many neighbours have the item's label.", facts)


def _labels(found: LabelQuality, k: int) -> Iterator[Block]:
    table, said = neighbours.label_figures(found)
    name = neighbours.precision_of(found)
    yield gridded("Do neighbours have the same label?", table)
    yield Text(f"{said} {neighbours.not_asked(found)}".strip(), "legend")
    yield by_group(
        "labels", "Label by label", "label",
        [(one.label, one.precision, one.chance, one.items) for one in found.labels],
        (f"{name} of the items of each label, the worst first.",
         "The tick is chance: neighbours drawn at random. A label whose bar is near its tick is not told apart."),
    )  # fmt: skip
    yield _by_label(found, name)
    if chart := spread("label_spread", found.evaluation, name, k, "neighbours have the item's label"):
        yield chart


def _by_label(found: LabelQuality, name: str) -> Table:
    columns = (Column("label", words=True), Column("items"), Column(name), Column("chance"))
    rows = tuple(
        (Cell(visible(one.label)), Cell(f"{one.items:,}"), Cell(number(one.precision)), Cell(number(one.chance)))
        for one in found.labels
    )
    return Table("Label by label", columns, rows, sortable=len(rows) > 1)


def _similar(found: NeighbourQuality) -> Iterator[Block]:
    if found.similar:
        yield gridded("Are the neighbours those of the gold?", neighbours.table_of(found.similar.figures))


def _index(found: IndexQuality, k: int) -> Iterator[Block]:
    table, said = neighbours.index_figures(found, k)
    yield gridded("Does the index find the nearest?", table)
    yield Text(said, "legend")
    notes = tuple(neighbours.index_notes(found, k))
    if notes:
        yield Listing(notes, "notice")
    if chart := spread(
        "index_spread", found.evaluation, found.evaluation.figures[0].name, k, "exact neighbours were found"
    ):
        yield chart


def _clusters(found: Clustering) -> Iterator[Block]:
    table, said = neighbours.cluster_figures(found)
    yield gridded("Do clusters of the vectors agree with the labels?", table)
    yield Text(said, "legend")


def _hubs(found: Hubness, quality: NeighbourQuality) -> Iterator[Block]:
    items = quality.queries
    mean = neighbours.list_mean(items, quality.k)
    yield Text(" ".join(neighbours.about_hubs(found, items)))
    rows = tuple((visible(hub.name), hub.times / items, mean / items, hub.times) for hub in found.hubs)
    cells = tuple((Cell(name), Cell(f"{times:,}"), Cell(percent(share))) for name, share, _, times in rows)
    columns = (Column("item", words=True), Column("lists"), Column("share"))
    yield Chart(
        "hubs", "The items in most lists", "In which share of all lists of neighbours an item stands.",
        f"The tick is the mean: an item stands in {mean:,} lists of {items:,}.",
        charts.bars("item"), ("item", "share", "chance", "lists"), rows, paint="accent",
        table=Table("The hubs as numbers", columns, cells, folded=True),
    )  # fmt: skip
