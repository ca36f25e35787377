"""Figures of proposed clusters, for the terminal: agreement, splits and merges, by size, bounds."""

from collections.abc import Iterator, Sequence

from assay.core.entities import AGREEMENTS, SINGLE, Agreement, ClusterFigures, Regrouping
from assay.report.amounts import counted
from assay.report.drawing import Table, wrapped
from assay.report.grid import number
from assay.report.names import visible

Named = Sequence[tuple[str, ClusterFigures]]

NAMES = {
    "pairwise": "pairwise",
    "b_cubed": "B-cubed, by record",
    "b_cubed_by_cluster": "B-cubed, by cluster",
    "exact_cluster": "exact cluster",
    "muc": "MUC",
    "ceaf_m": "CEAF-m",
    "ceaf_e": "CEAF-e",
    "lea": "LEA",
    "homogeneity": "homogeneity",
    "completeness": "completeness",
    "v_measure": "V-measure",
    "adjusted_rand": "adjusted Rand index",
}
REGROUPED = 5
"""How many splits and merges are shown of each proposal."""
MEMBERS = 4
"""How many records of a part are named."""


def clusters(named: Named, width: int = 80, *, colour: bool = False) -> list[str]:
    """Return the sections on clusters; none where there are none."""
    return [part for name, found in named for part in _of_proposal(name, found, width, colour=colour)]


def _of_proposal(name: str, found: ClusterFigures, width: int, *, colour: bool) -> Iterator[str]:
    rows = [_agreement(NAMES[one], getattr(found, one)) for one in AGREEMENTS]
    rows += [(NAMES[one], "", "", number(getattr(found, one))) for one in SINGLE]
    table = Table(("figure", "precision", "recall", "F1 or value"), tuple(rows)).fitted(width)
    yield f"Are the clusters right? {visible(name)}\n\n{table.draw(colour=colour)}"
    missing = f", {found.missing:,} of them in no proposed cluster and so alone" if found.missing else ""
    counts = (
        f"{counted(found.records, 'labelled record')}{missing}; "
        f"{counted(found.true_clusters, 'true cluster')}, of which {found.split:,} "
        f"are split; {found.proposed_clusters:,} proposed, of which {found.merged:,} merge several."
    )
    yield wrapped(counts, width)
    yield wrapped("F1 is the harmonic mean of the precision and the recall beside it.", width)
    yield from _bounds(found, width, colour=colour)
    yield from _sizes(found, width, colour=colour)
    yield from regrouped("Split, the largest first", found.splits, found.split, width)
    yield from regrouped("Merged, the largest first", found.merges, found.merged, width)


def _agreement(name: str, found: Agreement) -> tuple[str, ...]:
    return (name, number(found.precision), number(found.recall), number(found.f1))


def _bounds(found: ClusterFigures, width: int, *, colour: bool) -> Iterator[str]:
    """Show what labels for the records without one could do."""
    if not found.unlabelled:
        return
    rows = tuple((one.figure, number(one.low), number(one.high), "yes" if one.exact else "") for one in found.bounds)
    table = Table(("figure", "lowest", "highest", "reached"), rows).fitted(width)
    said = f"If the {counted(found.unlabelled, 'record')} without a label had one"
    yield f"{said}\n\n{table.draw(colour=colour)}"


def _sizes(found: ClusterFigures, width: int, *, colour: bool) -> Iterator[str]:
    rows = tuple(
        (
            span(one.low, one.high),
            *(f"{count:,}" for count in (one.clusters, one.exact, one.split, one.merged)),
            *map(number, (one.pairwise_recall, one.b_cubed_precision, one.b_cubed_recall)),
        )
        for one in found.by_size
    )
    heads = ("true size", "clusters", "exact", "split", "merged", "pair recall", "B3-P", "B3-R")
    yield f"By size of the true cluster\n\n{Table(heads, rows).fitted(width, ('pair recall',)).draw(colour=colour)}"


def span(low: int, high: int | None) -> str:
    """Write a range of sizes.

    >>> span(1, 1), span(3, 4), span(9, None)
    ('1', '3–4', '9 or more')
    """
    if high is None:
        return f"{low} or more"
    return f"{low}" if low == high else f"{low}–{high}"


def regrouped(head: str, listed: Sequence[Regrouping], every: int, width: int) -> Iterator[str]:
    """Yield the largest clusters that the other side has in several, of so many; nothing where there are none."""
    if not listed:
        return
    lines = [f"{head}:" if every <= REGROUPED else f"{head} ({REGROUPED} of {every:,}; -o json lists more):"]
    for one in listed[:REGROUPED]:
        parts = "; ".join(
            f"{visible(part.cluster) if part.cluster is not None else 'alone'}: "
            f"{', '.join(map(visible, part.members[:MEMBERS]))}{' …' if part.records > MEMBERS else ''}"
            for part in one.parts[:MEMBERS]
        )
        rest = f"; {one.pieces - MEMBERS:,} more" if one.pieces > MEMBERS else ""
        lines.append(wrapped(f"- {visible(one.cluster)} ({counted(one.records, 'record')}): {parts}{rest}", width))
    yield "\n".join(lines)
