"""Measures × systems: the table with intervals and letters, the charts of intervals, and every test."""

import re
from collections.abc import Iterator

from assay.core.comparison import Comparison, Contrast
from assay.core.dossier import Dossier
from assay.core.evaluation import Figure
from assay.report.amounts import percent
from assay.report.comparison import CORRECTIONS
from assay.report.grid import Grid, footing, number
from assay.report.html import charts
from assay.report.html.pairs import against_baseline
from assay.report.html.views import Block, Cell, Chart, Choice, Column, Section, Table, Text
from assay.report.html.wording import TONES, effect, headed, interval, probability, signed, tallies
from assay.report.names import visible

BRACKETS = re.compile(r" [\[{][^\]}]*[\]}]")
"""What the line about means says of brackets, which stand below the numbers here."""
_OVERLAP = "Intervals of two runs may overlap although their difference is clear: that is tested query by query."
MOST_TESTS = 1500
"""Rows up to which every test is listed."""


def section(dossier: Dossier, *, short: bool = False) -> Section:
    """Return the section "Measures"; the short one is the table alone."""
    grid = Grid.of(dossier.evaluations)
    blocks: list[Block] = [_table(dossier, grid), *_legend(dossier)]
    if not short:
        blocks += _charts(dossier)
    if dossier.comparison is not None and dossier.comparison.contrasts:
        blocks += _tests(dossier.comparison)
    return Section("measures", "Measures", tuple(blocks))


def _table(dossier: Dossier, grid: Grid) -> Table:
    contrasts = dossier.comparison.contrasts if dossier.comparison else ()
    if len(dossier.labels) == 1:
        return _single(dossier)
    if len(dossier.labels) == 2 and dossier.comparison is not None and contrasts:
        return _pair(dossier.comparison, dossier, grid)
    return _many(dossier, grid)


def _single(dossier: Dossier) -> Table:
    columns = (
        Column("measure", words=True),
        Column("figure"),
        Column("interval"),
        Column("queries"),
        Column("undefined"),
    )
    rows = tuple(
        (
            Cell(figure.name), Cell(_mean(figure), _range(figure)), Cell(interval(figure.interval) or "-"),
            Cell(f"{figure.queries:,}"), Cell(f"{figure.undefined:,}"),
        )
        for figure in dossier.evaluations[0].figures
    )  # fmt: skip
    return Table("The measures", columns, rows)


def _pair(comparison: Comparison, dossier: Dossier, grid: Grid) -> Table:
    """Return a row for each measure: both runs, and what lies between them."""
    labels = [visible(label) for label in dossier.labels]
    heads = [Column("measure", words=True), *map(headed, labels), Column("difference"), Column("p"),
             Column("won / equal / lost"), Column("effect", "mean difference over its standard deviation"),
             Column("verdict", words=True)]  # fmt: skip
    rows = []
    for place, (name, cells) in enumerate(zip(grid.measures, grid.cells, strict=True)):
        figures = [one.figures[place] for one in dossier.evaluations]
        shown = [_figure(figure, best=cell.best) for figure, cell in zip(figures, cells, strict=True)]
        rest = [cell for contrast in against_baseline(comparison, name)[:1] for cell in _contrast(contrast)]
        rows.append((Cell(name), *shown, *(rest or [Cell("-")] * 5)))
    return Table("Both runs by every measure", tuple(heads), tuple(rows))


def _contrast(contrast: Contrast) -> list[Cell]:
    return [
        Cell(signed(contrast.difference), interval(contrast.interval, sign=True)),
        Cell(probability(contrast.significance.final)),
        Cell(tallies(contrast)),
        Cell(effect(contrast)),
        Cell(contrast.verdict, tone=TONES.get(contrast.verdict, "")),
    ]


def _many(dossier: Dossier, grid: Grid) -> Table:
    """Return a row for each run, a column for each measure."""
    comparison = dossier.comparison
    letters = {name: comparison.letters(name) if comparison else {} for name in grid.measures}
    rows = []
    for place, (label, evaluation) in enumerate(zip(dossier.labels, dossier.evaluations, strict=True)):
        cells = [
            _figure(figure, letters[name].get(label, ""), best=shown[place].best)
            for name, figure, shown in zip(grid.measures, evaluation.figures, grid.cells, strict=True)
        ]
        below = "baseline" if comparison and label == comparison.baseline else ""
        rows.append((Cell(visible(label), below, letter(place) if comparison else ""), *cells))
    return Table("Every run by every measure", (Column("run", words=True), *map(Column, grid.measures)), tuple(rows))


def _figure(figure: Figure, letters: str = "", *, best: bool = False) -> Cell:
    below = " ".join(part for part in (interval(figure.interval), _range(figure)) if part)
    return Cell(_mean(figure), below, letters, best)


def _mean(figure: Figure) -> str:
    return number(figure.mean, counted=figure.summed)


def _range(figure: Figure) -> str:
    """Write the figure under the worst and the best order of tied items, where that was asked for."""
    if figure.pessimistic is None or figure.optimistic is None:
        return ""
    return f"{{{number(figure.pessimistic)}, {number(figure.optimistic)}}}"


def letter(place: int) -> str:
    """Return a, b … z, aa, ab …

    >>> letter(0), letter(27)
    ('a', 'ab')
    """
    tens, ones = divmod(place, 26)
    return (letter(tens - 1) if tens else "") + chr(ord("a") + ones)


def _legend(dossier: Dossier) -> Iterator[Text]:
    figures = [figure for one in dossier.evaluations for figure in one.figures]
    lines = ["Bold: the best of its measure."] if len(dossier.labels) > 1 else []
    levels = {figure.interval.level for figure in figures if figure.interval is not None}
    if levels:
        lines.append(f"In brackets: the {percent(max(levels), None)} interval of the mean, over queries.")
    if any(_range(figure) for figure in figures):
        lines.append("In braces: the worst and the best order of tied items.")
    comparison = dossier.comparison
    if comparison is not None and len(dossier.labels) > 2:
        compared = "any other" if comparison.family.pairs == "all" else f"the baseline ({visible(comparison.baseline)})"
        corrected = CORRECTIONS.get(comparison.family.correction, comparison.family.correction)
        lines.append(
            "Letters behind a number: significantly better than the run with that letter "
            f"(each held against {compared}; p < {comparison.family.alpha:g}, {corrected})."
        )
    first, *rest = footing(dossier.evaluations)
    lines.append(BRACKETS.sub("", first).replace("* best of its measure. ", ""))
    yield Text(" ".join([*lines, *rest]), "legend")


def _charts(dossier: Dossier) -> Iterator[Block]:
    means = _intervals(dossier)
    if any(row[3] is not None for row in means.rows) or len(dossier.labels) > 1:
        yield means
    comparison = dossier.comparison
    if comparison is not None and len(dossier.labels) > 2:
        yield _differences(comparison)


def _intervals(dossier: Dossier) -> Chart:
    measures = tuple(figure.name for figure in dossier.evaluations[0].figures)
    rows = tuple(
        (figure.name, visible(label), figure.mean, *_ends(figure))
        for label, one in zip(dossier.labels, dossier.evaluations, strict=True)
        for figure in one.figures
    )
    ranged = any(row[3] is not None for row in rows)
    shows = "The mean of each run" + (" and the interval in which the true mean may lie." if ranged else ".")
    return Chart(
        "intervals", "Means with intervals" if ranged else "Means", shows,
        _OVERLAP if len(dossier.labels) > 1 else "The wider the interval, the less these queries say about the mean.",
        charts.intervals(), ("measure", "run", "mean", "low", "high"), rows,
        (Choice("measure", "Measure", measures),), paint="run",
    )  # fmt: skip


def _ends(figure: Figure) -> tuple[float | None, float | None]:
    return (None, None) if figure.interval is None else (figure.interval.low, figure.interval.high)


def _differences(comparison: Comparison) -> Chart:
    rows = tuple(
        (one.measure, visible(one.run), one.difference, one.interval.low, one.interval.high, one.significance.final,
         one.verdict)
        for measure in comparison.measures
        for one in against_baseline(comparison, measure)
    )  # fmt: skip
    return Chart(
        "differences", f"Differences from {visible(comparison.baseline)}",
        "How far the mean of each run lies from the baseline's, with the interval of that difference.",
        "An interval that does not touch the line at 0 shows a difference by itself; the colour is the verdict after "
        "correction: blue better, orange worse, grey cannot be resolved.",
        charts.differences(), ("measure", "run", "difference", "low", "high", "p", "verdict"), rows,
        (Choice("measure", "Measure", comparison.measures),), paint="verdict",
    )  # fmt: skip


def _tests(comparison: Comparison) -> Iterator[Block]:
    heads = ("run", "against", "measure", "difference", "interval", "p", "adjusted p", "won / equal / lost", "effect",
             "could find", "queries needed", "left out", "verdict")  # fmt: skip
    columns = tuple(Column(head, words=head in {"run", "against", "measure", "verdict"}) for head in heads)
    contrasts = comparison.contrasts[:MOST_TESTS]
    caption = f"All {len(comparison.contrasts):,} tests" if len(contrasts) == len(comparison.contrasts) else (
        f"The first {len(contrasts):,} of {len(comparison.contrasts):,} tests")  # fmt: skip
    yield Table(caption, columns, tuple(map(_test, contrasts)), folded=True)
    if comparison.family.undefined:
        rows = tuple(tuple(Cell(visible(part)) for part in one) for one in comparison.family.undefined)
        undefined = tuple(Column(head, words=True) for head in ("run", "against", "measure", "why"))
        yield Table("Tests without a p value, left out of the correction", undefined, rows, folded=True)
    if comparison.agreement:
        pairs = tuple((Cell(a), Cell(b), Cell(signed(tau))) for (a, b), tau in comparison.agreement.items())
        heads_of = (Column("measure", words=True), Column("measure", words=True), Column("Kendall's tau"))
        yield Table("How alike two measures order the runs", heads_of, pairs, folded=True)


def _test(one: Contrast) -> tuple[Cell, ...]:
    needed = "-" if one.power.needed is None else f"{one.power.needed:,}"
    texts = (
        visible(one.run), visible(one.baseline), one.measure, signed(one.difference),
        interval(one.interval, sign=True) or "-", probability(one.significance.p),
        probability(one.significance.adjusted), tallies(one), effect(one), number(one.power.detectable), needed,
        f"{one.left_out:,}",
    )  # fmt: skip
    return (*map(Cell, texts), Cell(one.verdict, tone=TONES.get(one.verdict, "")))
