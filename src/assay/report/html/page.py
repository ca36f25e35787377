"""A dossier made into a page: plain data, section by section, before any template or script sees it."""

from assay._version import __version__
from assay.core.dossier import Dossier
from assay.report.grid import heading
from assay.report.html import costs, curves, headline, health, provenance, queries, slices, systems
from assay.report.html.views import Page, Section
from assay.report.names import visible

MOST_COLOURED = 6
"""Runs that are told apart by colour at the same time."""


def lay_out(dossier: Dossier, *, short: bool = False) -> Page:
    """Return the page; the short one holds verdict, measures, curves and notices. What is unknown is left out."""
    sections = _short(dossier) if short else _whole(dossier)
    title = visible(dossier.title)
    return Page(
        title,
        heading(dossier.evaluations),
        tuple(map(visible, dossier.labels)),
        tuple(section for section in sections if section.blocks),
        __version__,
        _coloured(dossier),
    )


def _whole(dossier: Dossier) -> list[Section]:
    return [
        headline.section(dossier), systems.section(dossier), curves.section(dossier), queries.section(dossier),
        slices.section(dossier), health.section(dossier), costs.section(dossier), provenance.notices(dossier),
        provenance.reproduce(dossier),
    ]  # fmt: skip


def _short(dossier: Dossier) -> list[Section]:
    return [
        headline.section(dossier), systems.section(dossier, short=True), curves.section(dossier),
        provenance.notices(dossier), provenance.reproduce(dossier),
    ]  # fmt: skip


def _coloured(dossier: Dossier) -> tuple[int, ...]:
    """Return the runs that are coloured at first: the baseline, then the best by the first measure."""
    places = range(len(dossier.labels))
    first = dossier.labels.index(dossier.comparison.baseline) if dossier.comparison is not None else -1

    def order(place: int) -> tuple[bool, float]:
        figure = dossier.evaluations[place].figures[0]
        mean = float("-inf") if figure.mean is None else figure.mean * (1 if figure.higher_is_better else -1)
        return (place != first, -mean)

    return tuple(sorted(places, key=order)[:MOST_COLOURED])
