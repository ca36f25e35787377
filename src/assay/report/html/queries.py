"""Query by query: the values of all runs once, the contrasts between runs, and the queries that changed most."""

from collections.abc import Iterator, Sequence
from typing import Any

from assay.core.comparison import Comparison, Contrast, Mover
from assay.core.dossier import Dossier
from assay.core.evaluation import Evaluation
from assay.report.amounts import counted
from assay.report.comparison import has_ranks, stood
from assay.report.grid import number
from assay.report.html import charts
from assay.report.html.explained import explanations
from assay.report.html.pairs import against_baseline
from assay.report.html.views import Block, Cases, Cell, Column, Explorer, Section, Table
from assay.report.html.wording import signed
from assay.report.names import visible

MOST_VALUES = 300_000
"""Values of single queries that a page holds; a larger evaluation shows its first measures, then its first runs."""


def section(dossier: Dossier) -> Section:
    """Return the section "Queries"; it is empty where no value of a query is known."""
    queries = _queries(dossier.evaluations)
    if not queries:
        return Section("queries", "Queries", ())
    blocks: list[Block] = [_explorer(dossier, queries)]
    if dossier.comparison is not None:
        blocks += _movers(dossier.comparison)
    return Section("queries", "Queries", tuple(blocks))


def _queries(evaluations: tuple[Evaluation, ...]) -> list[str]:
    found = {query for one in evaluations for query in one.scores.table["query"].unique()}
    return sorted(found, key=str.encode)


def _explorer(dossier: Dossier, queries: list[str]) -> Explorer:
    compared = dossier.comparison is not None and len(dossier.labels) > 1
    runs = _runs(dossier, len(queries))
    all_measures = [figure.name for figure in dossier.evaluations[0].figures]
    measures = all_measures[: max(1, MOST_VALUES // (len(runs) * len(queries)))]
    labels = [dossier.labels[place] for place in runs]
    evaluations = [dossier.evaluations[place] for place in runs]
    baseline = labels.index(dossier.comparison.baseline) if dossier.comparison else 0
    run = _first(dossier, labels, baseline)
    data: dict[str, Any] = {
        "queries": [visible(query) for query in queries],
        "runs": [visible(label) for label in labels],
        "measures": measures,
        "lower": [figure.name for figure in dossier.evaluations[0].figures if not figure.higher_is_better],
        "counts": [figure.name for figure in dossier.evaluations[0].figures if figure.summed],
        "values": [_values(one, measures, queries) for one in evaluations],
        "contrasts": _contrasts(dossier.comparison, labels, measures) if dossier.comparison else [],
        "explained": explanations(dossier, labels, measures, queries),
    }
    shown = tuple(data["runs"])
    note = _note(dossier, runs, measures)
    slope = charts.slope()
    return Explorer(shown, tuple(measures), compared, run, baseline, data, charts.queries(), slope, note)


def _runs(dossier: Dossier, queries: int) -> list[int]:
    """Return the places of the runs whose values fit, the baseline among them."""
    most = max(2, MOST_VALUES // queries)
    places = list(range(len(dossier.labels)))
    if dossier.comparison is None or len(places) <= most:
        return places[:most]
    first = dossier.labels.index(dossier.comparison.baseline)
    return sorted([first, *(place for place in places if place != first)][:most])


def _first(dossier: Dossier, labels: list[str], baseline: int) -> int:
    """Return the place of the run that is shown first: one with explanations, where there are any."""
    explained = [labels.index(run) for run, _, _ in dossier.explained if run in labels]
    others = [place for place in (*explained, *range(len(labels))) if place != baseline]
    return others[0] if others else 0


def _values(evaluation: Evaluation, measures: list[str], queries: list[str]) -> list[list[float | None]]:
    """Return for each measure the value of each query, five decimals, null where there is none."""
    table = evaluation.scores.table
    by_pair = {(measure, query): value for _, measure, query, value in table.iter_rows()}
    return [[_rounded(by_pair.get((measure, query))) for query in queries] for measure in measures]


def _rounded(value: float | None) -> float | None:
    if value is None:
        return None
    short = round(value, 5)
    return int(short) if short.is_integer() else short


def _contrasts(comparison: Comparison, labels: list[str], measures: list[str]) -> list[list[Any]]:
    """Return what the header says of each pair.

    Places of run, baseline and measure; wins, ties, losses; mean, low, high, p.
    """
    runs = {label: place for place, label in enumerate(labels)}
    kinds = {name: place for place, name in enumerate(measures)}
    return [
        [
            runs[one.run], runs[one.baseline], kinds[one.measure], one.wins, one.ties, one.losses,
            *map(_rounded, (one.difference, one.interval.low, one.interval.high)), one.significance.final,
        ]
        for one in comparison.contrasts
        if one.run in runs and one.baseline in runs and one.measure in kinds
    ]  # fmt: skip


def _note(dossier: Dossier, runs: list[int], measures: list[str]) -> str:
    parts = []
    if len(measures) < len(dossier.evaluations[0].figures):
        parts.append(counted(len(measures), "measure"))
    if len(runs) < len(dossier.labels):
        parts.append(counted(len(runs), "run"))
    return (
        f"To stay small, this page holds the values of single queries for the first {' and '.join(parts)}."
        if parts
        else ""
    )


def _movers(comparison: Comparison) -> Iterator[Block]:
    contrasts = against_baseline(comparison, comparison.measures[0])
    contrasts = [one for one in contrasts if one.helped or one.hurt]
    tables = tuple(_mover_table(contrast) for contrast in contrasts)
    if len(tables) > 1:
        yield Cases("movers", "Most changed queries of", tables)
    else:
        yield from tables


def _mover_table(contrast: Contrast) -> Table:
    ranked = has_ranks((*contrast.hurt, *contrast.helped))
    heads = [Column("query", words=True), Column("before"), Column("after"), Column("change")]
    if ranked:
        heads += [Column("relevant ranks before", words=True), Column("after", words=True)]
    kinds = ((contrast.hurt, "bad"), (contrast.helped, "good"))
    rows = tuple(_mover(one, tone)[: len(heads)] for movers, tone in kinds for one in movers)
    caption = f"Most hurt, then most helped queries of {visible(contrast.run)}, by {contrast.measure}"
    return Table(caption, tuple(heads), rows, case=visible(contrast.run))


def _mover(mover: Mover, tone: str) -> tuple[Cell, ...]:
    return (
        Cell(visible(mover.query)), Cell(number(mover.before)), Cell(number(mover.after)),
        Cell(signed(mover.change), tone=tone), *map(Cell, stood(mover, _ranks)),
    )  # fmt: skip


def _ranks(ranks: Sequence[float]) -> str:
    return ", ".join(f"{rank:g}" for rank in ranks) or "none found"
