"""What changed between two resolutions, for the terminal: the fate of clusters, records that moved, pairs."""

from assay.core.entities_sampled import Churn
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.entities_clusters import regrouped, span
from assay.report.grid import number

FATES = {
    "kept": "the same records",
    "split": "one became several",
    "merged": "several became one",
    "regrouped": "several became several others",
}


def render(found: Churn, names: tuple[str, str], width: int = 80, *, colour: bool = False) -> str:
    """Return what changed as text, no line wider than `width` where it can be broken."""
    before, after = names
    head = (
        f"{before} -> {after}: {counted(found.records, 'record')} in both, {found.removed:,} only "
        f"before, {found.added:,} only "
        f"after; {counted(found.before_clusters, 'cluster')} became {found.after_clusters:,}"
    )
    rows = tuple(
        (one.fate, f"{one.before:,}", f"{one.after:,}", f"{one.records:,}", FATES[one.fate]) for one in found.changes
    )
    fates = Table(("clusters", "before", "after", "records", "meaning"), rows, frozenset({"meaning"}))
    parts = [wrapped(head, width), fates.fitted(width, ("meaning",)).draw(colour=colour), _pairs(found, width)]
    if found.by_size:
        parts.append(_sizes(found).fitted(width).draw(colour=colour))
    counts = {one.fate: one.before for one in found.changes}
    parts += regrouped("Split, the largest first", found.splits, max(counts["split"], len(found.splits)), width)
    parts += regrouped("Merged, the largest first", found.merges, len(found.merges), width)
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(parts) + "\n"


def _sizes(found: Churn) -> Table:
    rows = tuple(
        (span(one.low, one.high), *(f"{n:,}" for n in (one.clusters, one.kept, one.split, one.merged, one.regrouped)))
        for one in found.by_size
    )
    return Table(("size before", "clusters", "kept", "split", "merged", "regrouped"), rows)


def _pairs(found: Churn, width: int) -> str:
    pairs = found.pairs
    counts = f"{pairs.false_negatives:,} were parted, {pairs.false_positives:,} came together"
    moved = "how many is not known" if found.moved is None else f"{found.moved:,}"
    return "\n".join(
        wrapped(line, width)
        for line in (
            f"Records that must change clusters: {moved}.",
            f"Pairs: {pairs.true_positives:,} stayed together, {counts}.",
            f"Rand index {number(found.rand)}, above chance {number(found.adjusted_rand)}.",
        )
    )
