"""The page of two versions of vectors: what changed, for which items, and whether that calls for action."""

from collections.abc import Iterator, Sequence

from assay._version import __version__
from assay.core.neighbours import Drift
from assay.report import drift
from assay.report.amounts import counted
from assay.report.grid import number
from assay.report.html import provenance
from assay.report.html.document import written
from assay.report.html.neighbours import about
from assay.report.html.neighbours_parts import by_group, gridded, spread_of
from assay.report.html.views import Block, Cell, Column, Listing, Page, Section, Table, Text, Verdict, Verdicts
from assay.report.html.wording import interval
from assay.report.names import visible
from assay.report.neighbours import METRICS, table_of

SIGNS = {True: ("bad", "act"), False: ("good", "no need to act"), None: ("unsure", "cannot be told")}


def render(found: Drift, *, command: Sequence[str] = (), inputs: Sequence[tuple[str, str]] = ()) -> str:
    """Return one HTML page about the drift of vectors; it needs no network.

    Parameters
    ----------
    found
        What became of the vectors that two versions share.
    command, inputs
        How it was measured, and from which files by what they are: ("old", "may.npy").

    Raises
    ------
    MissingExtraError
        Altair, Jinja or vl-convert is not installed: `pip install 'assay[report]'`.
    """
    return written(lay_out(found, command, inputs))


def lay_out(found: Drift, command: Sequence[str] = (), inputs: Sequence[tuple[str, str]] = ()) -> Page:
    """Return the page as plain data."""
    excess = found.retraining.excess
    reproduce = (
        provenance.how(command, excess.seed if excess else None),
        *((provenance.files(inputs),) if inputs else ()),
    )
    sections = (
        Section("result", "Result", tuple(_result(found))),
        Section("change", "Change", tuple(_change(found))),
        Section("types", "By type", tuple(_types(found)) if found.types else ()),
        Section("moved", "Moved most", (_moved(found),) if found.moved else ()),
        Section(
            "notices", "Notices", (Listing(tuple(map(visible, found.notices)), "notice"),) if found.notices else ()
        ),
        Section("reproduce", "Reproduce", reproduce),
    )
    title = f"{visible(found.old.name)} → {visible(found.new.name)}"
    subtitle = (
        f"{counted(found.shared, 'vector')} in both; the {found.k} nearest of each by {METRICS[found.metric]}. "
        f"Before: {about(found.old)}; now: {about(found.new)}"
    )
    return Page(title, subtitle, (), tuple(section for section in sections if section.blocks), __version__)


def _result(found: Drift) -> Iterator[Block]:
    tone, word = SIGNS[found.retraining.signal]
    verdict, *reasons = drift.signal(found.retraining)
    facts = tuple(
        (visible(one.requested), f"{number(one.mean)} {interval(one.interval)}".strip()) for one in found.figures
    )
    yield Verdicts((Verdict(tone, word, verdict, facts),))
    if reasons:
        yield Listing(tuple(map(visible, reasons)))


def _change(found: Drift) -> Iterator[Block]:
    yield gridded("What changed", table_of(found.figures))
    yield Text(drift.reading(found), "legend")
    overlaps = [float(value) for value in found.table["overlap"].drop_nulls()]
    if overlaps:
        yield spread_of("overlap", overlaps, found.k, "neighbours were kept")


def _types(found: Drift) -> Iterator[Block]:
    twin = (
        "The tick is what training the old version again keeps, over all types."
        if found.retraining.noise is not None
        else "--twin adds what training the old version again would keep."
    )
    yield by_group(
        "types", "Neighbours kept, type by type", "type",
        [(one.type, one.overlap, found.retraining.noise, one.items) for one in found.types],
        (f"Overlap@{found.k} of the items of each type, the least kept first.", twin),
    )  # fmt: skip
    columns = (Column("type", words=True), Column("items"), Column(f"Overlap@{found.k}"), Column("displacement"))
    rows = tuple(
        (Cell(visible(one.type)), Cell(f"{one.items:,}"), Cell(number(one.overlap)), Cell(number(one.displacement)))
        for one in found.types
    )
    yield Table("By type", columns, rows, sortable=len(rows) > 1)


def _moved(found: Drift) -> Table:
    heads = ("item", "displacement", "overlap", "neighbours lost", "neighbours gained")
    columns = tuple(Column(head, words=head not in {"displacement", "overlap"}) for head in heads)
    rows = tuple(
        (
            Cell(visible(one.name)), Cell(number(one.displacement)), Cell(number(one.overlap)),
            *(Cell(", ".join(map(visible, names)) or "-") for names in (one.lost, one.gained)),
        )
        for one in found.moved
    )  # fmt: skip
    return Table("Moved most", columns, rows, sortable=len(rows) > 1)
