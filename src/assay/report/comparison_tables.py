"""The tables of a comparison, before they are drawn: by run, by measure, all pairs, the most changed queries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.core.comparison import BETTER, WORSE, Comparison, Contrast, letter
from assay.report.comparison import (
    change,
    counts,
    digits_of,
    has_ranks,
    is_pairwise,
    named_baseline,
    probability,
    short,
    signed,
    stood,
)
from assay.report.drawing import Table
from assay.report.grid import number
from assay.report.names import shorten

FEW_RUNS = 3
"""Up to so many runs beside the baseline each has a table of its own, measures as rows."""
LETTERS = 26
"""Beyond so many runs the letters of those that a run beats are counted instead."""
NAME = 14
"""So wide may the name of a run be over the values of its queries."""
SPARE = ("W/T/L", "ranks before", "base", "run", "ranks after", "these")
"""Columns that a narrow terminal can do without, first things first."""


@dataclass(frozen=True, slots=True)
class Titled:
    """A table under its title."""

    title: str
    table: Table


def main_tables(comparison: Comparison) -> Iterator[Titled]:
    """Yield the tables of all contrasts, as is best for so many runs."""
    if is_pairwise(comparison):
        yield from _pairwise(comparison)
    elif len(comparison.labels) - 1 <= FEW_RUNS:
        yield from _by_run(comparison)
    else:
        yield from _by_measure(comparison)


def _by_run(comparison: Comparison) -> Iterator[Titled]:
    for label in comparison.labels:
        found = [one for one in comparison.contrasts if one.run == label and one.baseline == comparison.baseline]
        if found:
            yield Titled(f"{label} against {comparison.baseline}", contrasts_table(found))


def _by_measure(comparison: Comparison) -> Iterator[Titled]:
    for measure in comparison.measures:
        found = list(comparison.of(measure))
        table = contrasts_table(found, rows="run")
        alike = len({one.baseline_mean for one in found}) == 1
        yield Titled(
            f"{measure}, against {named_baseline(comparison, measure)}", table.without("base") if alike else table
        )


def contrasts_table(contrasts: Sequence[Contrast], *, rows: str = "measure") -> Table:
    """Return contrasts as a table; each row is named by its measure or its run."""
    mean = "mean" if rows == "run" else "run"
    heads = (rows, "base", mean, "difference [interval]", "p", "W/T/L", "verdict")
    digits = digits_of(one.interval for one in contrasts)
    return Table(
        heads,
        tuple(
            (
                getattr(one, rows), _mean(one, one.baseline_mean), _mean(one, one.mean), change(one, digits),
                probability(one.significance.final), counts(one), short(one),
            )
            for one in contrasts
        ),
        frozenset({"verdict"}),
    )  # fmt: skip


def _mean(one: Contrast, mean: float | None) -> str:
    """Write a mean; a figure that cannot be tested may be a count."""
    return number(mean, counted=one.significance.p is None)


def _pairwise(comparison: Comparison) -> Iterator[Titled]:
    """Yield for each measure the runs, the best first, with the letters of those that each is better than."""
    places = range(len(comparison.labels))
    for measure in comparison.measures:
        figures = [one.figure(measure) for one in comparison.evaluations]
        sign = -1 if figures[0].higher_is_better else 1
        order = sorted(places, key=lambda place: (figures[place].mean is None, sign * (figures[place].mean or 0.0)))
        yield Titled(f"{measure}, all pairs, the best first", _letters_table(comparison, measure, order))


def _letters_table(comparison: Comparison, measure: str, order: Sequence[int]) -> Table:
    beaten = comparison.letters(measure)
    means = [one.figure(measure).mean for one in comparison.evaluations]
    lettered = len(comparison.labels) <= LETTERS
    wins, losses = _verdicts(comparison, measure)
    rows = [
        (
            *((letter(place),) if lettered else ()),
            comparison.labels[place],
            number(means[place]),
            str(wins[comparison.labels[place]]),
            str(losses[comparison.labels[place]]),
            *((" ".join(beaten[comparison.labels[place]]) or "-",) if lettered else ()),
        )
        for place in order
    ]
    heads = ("run", "mean", "better than", "worse than", *(("these",) if lettered else ()))
    return Table((("", *heads) if lettered else heads), tuple(rows), frozenset({"run", "these"}))


def _verdicts(comparison: Comparison, measure: str) -> tuple[dict[str, int], dict[str, int]]:
    """Count for each run the runs that it is better, and worse, than."""
    wins, losses = dict.fromkeys(comparison.labels, 0), dict.fromkeys(comparison.labels, 0)
    for one in comparison.of(measure):
        if one.verdict in {BETTER, WORSE}:
            ahead, behind = (one.run, one.baseline) if one.verdict == BETTER else (one.baseline, one.run)
            wins[ahead] += 1
            losses[behind] += 1
    return wins, losses


def movers_table(one: Contrast) -> Titled:
    """Return the queries that a run helped and hurt most by one measure."""
    movers = (*one.helped, *one.hurt)
    known = has_ranks(movers)
    names = (shorten(one.baseline, NAME), shorten(one.run, NAME))
    heads = ("query", *names, "change") + (("ranks before", "ranks after") if known else ())
    rows = [
        (
            mover.query, number(mover.before), number(mover.after), signed(mover.change),
            *(stood(mover) if known else ()),
        )
        for mover in movers
    ]  # fmt: skip
    table = Table(heads, tuple(rows), frozenset({"ranks before", "ranks after"}))
    return Titled(f"{one.run} against {one.baseline} by {one.measure}", table)
