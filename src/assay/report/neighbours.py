"""The quality of vectors and their drift, as text for a terminal."""

from collections.abc import Iterable, Iterator, Mapping

from assay.core.evaluation import Figure
from assay.core.neighbours import Clustering, Hubness, IndexQuality, LabelQuality, NeighbourQuality
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.names import visible

SHOWN = 5
"""How many labels are shown."""
METRICS = {"cosine": "cosine", "dot": "dot product", "l2": "Euclidean distance"}


def render(found: NeighbourQuality, width: int = 80, *, colour: bool = False) -> str:
    """Return the quality as text, no line wider than `width` where it can be broken."""
    facts = found.vectors
    head = (
        f"{visible(facts.name)}: {counted(facts.rows, 'vector')} of {facts.dimensions:,} dimensions; "
        f"the {found.k} nearest of {found.queries:,} by {METRICS[found.metric]}"
    )
    parts = [wrapped(head, width)]
    if found.labels:
        parts += _labels(found.labels, width, colour=colour)
    if found.similar:
        parts += _section(
            "Are the neighbours those of the gold?", _figures(found.similar.figures), width, colour=colour
        )
    if found.index:
        parts += _index(found.index, found.k, width, colour=colour)
    if found.clustering:
        parts += _clustering(found.clustering, width, colour=colour)
    if found.hubs:
        parts += _hubs(found.hubs, found.queries, found.k, width)
    if found.labels is None and found.similar is None and found.index is None:
        parts.append(wrapped("--labels, --similar and --index say what the neighbours should be.", width))
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(parts) + "\n"


def table_of(
    figures: Iterable[Figure], beside: Mapping[str, tuple[str, ...]] | None = None, heads: tuple[str, ...] = ()
) -> Table:
    """Return figures as a table: measure, value, interval where there is one, and columns beside them."""
    shown = list(figures)
    level = next((one.interval.level for one in shown if one.interval), None)
    rows = []
    for one in shown:
        row = [one.requested, number(one.mean, counted=one.summed)]
        if level is not None:
            row.append(_interval(one))
        rows.append((*row, *(beside or {}).get(one.name, ("",) * len(heads))))
    columns = ("measure", "value", *(() if level is None else (f"{percent(level, None)} interval",)), *heads)
    return Table(columns, tuple(rows))


def _interval(figure: Figure) -> str:
    found = figure.interval
    return "-" if found is None or found.low is None else f"[{number(found.low)}, {number(found.high)}]"


def _figures(figures: Iterable[Figure]) -> Table:
    return table_of(figures)


def _section(question: str, table: Table, width: int, *, colour: bool, below: str = "") -> list[str]:
    drawn = f"{question}\n\n{table.fitted(width).draw(colour=colour)}"
    return [drawn, *([wrapped(below, width)] if below else [])]


def label_figures(found: LabelQuality) -> tuple[Table, str]:
    """Return the figures of labels beside chance and ceiling, and what they say."""
    figures = found.evaluation.figures
    precise = precision_of(found)
    beside = {"P@1": (number(found.chance), number(1.0))} | {precise: (number(found.chance), number(found.ceiling))}
    table = table_of(figures, beside, ("chance", "at most"))
    said = (
        f"Over {counted(figures[0].queries, 'item')}. P is the share of neighbours with the item's "
        "label, HR the share of items "
        "with such a neighbour; 'chance' is P of neighbours drawn at random, 'at most' what small labels allow."
    )
    return table, said


def precision_of(found: LabelQuality) -> str:
    """Name the precision at the deepest cutoff."""
    return next(one.name for one in reversed(found.evaluation.figures) if one.name.startswith("P@"))


def not_asked(found: LabelQuality) -> str:
    """Say which items were not asked for their label; nothing where all were."""
    left = [f"{found.unlabelled:,} without a label"] if found.unlabelled else []
    left += [f"{found.alone:,} the only one of its label"] if found.alone else []
    return f"Not asked: {', '.join(left)}." if left else ""


def _labels(found: LabelQuality, width: int, *, colour: bool) -> list[str]:
    table, said = label_figures(found)
    precise = precision_of(found)
    parts = _section("Do neighbours have the same label?", table, width, colour=colour, below=said)
    if left := not_asked(found):
        parts.append(wrapped(left, width))
    rows = tuple(
        (one.label, f"{one.items:,}", number(one.precision), number(one.chance)) for one in found.labels[:SHOWN]
    )
    head = "Label by label" if len(found.labels) <= SHOWN else f"The worst {SHOWN} of {len(found.labels):,} labels"
    parts += _section(head, Table(("label", "items", precise, "chance"), rows), width, colour=colour)
    return parts


def index_figures(found: IndexQuality, k: int) -> tuple[Table, str]:
    """Return the recall of an index, and what it says."""
    figures = found.evaluation.figures
    table = table_of(figures)
    table = Table(table.heads, tuple((f"recall@{k}", *row[1:]) for row in table.rows), table.left)
    said = (
        f"Over {counted(figures[0].queries, 'query')}: the share of the {k} exact neighbours "
        f"among the first {k} answers."
    )
    return table, said


def _index(found: IndexQuality, k: int, width: int, *, colour: bool) -> list[str]:
    table, said = index_figures(found, k)
    notes = list(index_notes(found, k))
    parts = _section("Does the index find the nearest?", table, width, colour=colour, below=said)
    return [*parts, listed(notes, width)] if notes else parts


def index_notes(found: IndexQuality, k: int) -> Iterator[str]:
    """Say what an index returned that cannot count."""
    if found.own:
        hint = f": ask the index for {k + 1} to get {k}" if found.short else ""
        yield f"{found.own:,} lists hold the query itself, which is no neighbour and was taken out{hint}."
    if found.repeated:
        yield f"{counted(found.repeated, 'place repeats', 'places repeat')} an item and count as not found."
    if found.unknown:
        yield (
            f"{counted(found.unknown, 'place holds', 'places hold')} an item that is none of the "
            "vectors and count as not found."
        )
    if found.short:
        yield f"{counted(found.short, 'list has', 'lists have')} fewer than {k} places that count."


def cluster_figures(found: Clustering) -> tuple[Table, str]:
    """Return how clusters and labels agree, and what that says."""
    rows = (
        ("B-cubed precision", number(found.precision)),
        ("B-cubed recall", number(found.recall)),
        ("B-cubed F1", number(found.f1)),
        ("adjusted Rand index", number(found.adjusted_rand)),
    )
    by = f"k-means, seed {found.seed}" if found.method == "k-means" else "as given"
    said = (
        f"{counted(found.items, 'item')}, {counted(found.types, 'label')}, "
        f"{counted(found.clusters, 'cluster')} ({by}). Precision: how much of a "
        "mean item's cluster has its label; recall: how much of its label is in its cluster; adjusted Rand index: 0 by "
        "chance, 1 for the same groups."
    )
    return Table(("measure", "value"), rows), said


def _clustering(found: Clustering, width: int, *, colour: bool) -> list[str]:
    table, said = cluster_figures(found)
    return _section("Do clusters of the vectors agree with the labels?", table, width, colour=colour, below=said)


def _hubs(found: Hubness, items: int, k: int, width: int) -> list[str]:
    most = ", ".join(f"{visible(hub.name)} ({hub.times:,})" for hub in found.hubs)
    lines = [
        f"Are some items everybody's neighbours? {about_hubs(found, items)[0]}",
        about_hubs(found, items)[1],
        f"In most lists, where the mean is {list_mean(items, k)}: {most}.",
    ]
    return ["\n".join(wrapped(line, width) for line in lines)]


def list_mean(items: int, k: int) -> int:
    """Return in how many lists of k neighbours an item stands on average."""
    return k if items > k else items - 1


def about_hubs(found: Hubness, items: int) -> tuple[str, str]:
    """Say how unevenly the items are neighbours of others: in two sentences."""
    skewness = "All stand in equally many lists."
    if found.skewness is not None:
        skewness = f"Skewness {found.skewness:.2f} (above 1: a few hubs crowd the lists)."
    crowd = f"the most frequent 1 % of items take {100 * found.crowded:.1f} % of all places"
    return (
        skewness,
        f"Of {counted(items, 'item')} {percent(found.anti_hubs)} are nobody's neighbour; {crowd}.",
    )
