"""The health of the gold for the terminal: what surrounds each figure, who needed its own finds, what to judge next."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from assay.core.health import FigureHealth, Health, LeftOut
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import numbered, shorten, visible

OUTER = "~"
"""What marks a bound that no judging can pass and perhaps none reaches."""
SPARE = ("ceiling", "ties", "condensed", "place without", "place")
"""What is left out first where there is no room."""
LONGEST = 16
"""The most columns for the name of a run over the ranks of items."""


def render(health: Health, *, width: int = 80, colour: bool = False) -> str:
    """Return the health of the gold as text, no line wider than `width`."""
    parts = [wrapped(_title(health), width)]
    parts += [_drawn(title, table, width, colour=colour) for title, table in _figure_tables(health.figures)]
    if health.left_out:
        parts.append(wrapped(_question(health), width))
        parts += [_drawn(title, table, width, colour=colour) for title, table in _left_out_tables(health)]
    if health.work:
        parts.append(_drawn(_task(health), _work_table(health), width, colour=colour))
    parts.append("HOW TO READ THIS\n" + listed(_reading(health), width))
    return "\n\n".join(parts) + "\n"


def render_work(health: Health, *, width: int = 80, colour: bool = False) -> str:
    """Return the work-list alone as text, no line wider than `width`."""
    if not health.work:
        runs = " and ".join(map(visible, health.work_runs))
        none = f"Nothing to judge: no unjudged item near the top of {runs} could move {health.work_measure}."
        return wrapped(none, width) + "\n"
    return _drawn(_task(health), _work_table(health), width, colour=colour) + "\n"


def work_frame(health: Health) -> pl.DataFrame:
    """Return the work-list as a frame: query, item, gain, and a column for the rank in each run.

    >>> work_frame(Health((), work_runs=("a",), work_measure="AP")).columns
    ['query', 'item', 'gain', 'rank in a']
    """
    columns: dict[str, Any] = {name: [getattr(one, name) for one in health.work] for name in ("query", "item", "gain")}
    columns |= {
        f"rank in {visible(run)}": pl.Series([one.ranks[place] for one in health.work], dtype=pl.Float64)
        for place, run in enumerate(health.work_runs)
    }
    return pl.DataFrame(columns)


def _drawn(title: str, table: Table, width: int, *, colour: bool) -> str:
    drawn = table.fitted(width, SPARE).draw(colour=colour)
    return f"{wrapped(title, width)}\n{drawn}" if title else drawn


def _title(health: Health) -> str:
    runs = list(dict.fromkeys(one.run for one in health.figures))
    of = visible(runs[0]) if len(runs) == 1 else f"{len(runs)} runs"
    return f"HEALTH OF THE GOLD for {of}: how far it carries each figure"


def _figure_tables(figures: Sequence[FigureHealth]) -> Iterator[tuple[str, Table]]:
    """Yield one table with a row for each measure of a single run, or a table for each measure of several."""
    heads = ("value", "judged", "lowest", "highest", "condensed", "ceiling", "ties")
    if len({one.run for one in figures}) == 1:
        yield "", Table(("measure", *heads), tuple((one.measure, *_figure(one)) for one in figures))
        return
    for measure in dict.fromkeys(one.measure for one in figures):
        rows = [one for one in figures if one.measure == measure]
        yield measure, Table(("run", *heads), tuple((visible(one.run), *_figure(one)) for one in rows))


def _figure(one: FigureHealth) -> tuple[str, ...]:
    mark = "" if one.bounds.exact else OUTER
    low, high = (number(bound, counted=one.summed) for bound in (one.bounds.low, one.bounds.high))
    return (
        number(one.mean, counted=one.summed),
        percent(one.judged),
        low if low == UNDEFINED else mark + low,
        high if high == UNDEFINED else mark + high,
        number(one.condensed, counted=one.summed),
        number(one.ceiling),
        percent(one.tied),
    )


def _question(health: Health) -> str:
    depth = f"its first {counted(health.depth, 'place')}" if health.depth else "the measure's cutoff, or 100 places"
    return f"LEAVING ONE RUN OUT: each run judged without the items that it alone has within {depth}"


def _left_out_tables(health: Health) -> Iterator[tuple[str, Table]]:
    heads = ("run", "value", "without", "change", "found alone", "place", "place without")
    for measure in dict.fromkeys(one.measure for one in health.left_out):
        rows = tuple(_left_out(one) for one in health.left_out if one.measure == measure)
        tau = (health.tau or {}).get(measure)
        alike = "" if tau is None else f"; the order of the runs agrees with tau {tau:.2f}"
        yield f"{measure}{alike}", Table(heads, rows)


def _left_out(one: LeftOut) -> tuple[str, ...]:
    change = UNDEFINED if one.mean is None or one.without is None else f"{one.without - one.mean:+.4f}"
    return (
        visible(one.run), number(one.mean), number(one.without), change, f"{one.unique:,}", str(one.place),
        str(one.place_without),
    )  # fmt: skip


def _task(health: Health) -> str:
    runs = " and ".join(map(visible, health.work_runs))
    moved = f"the difference between {runs}" if len(health.work_runs) > 1 else f"the figure of {runs}"
    return f"JUDGE NEXT: unjudged items that could move {moved} by {health.work_measure} most, and where they stand"


def _work_table(health: Health) -> Table:
    names = numbered([shorten(visible(run), LONGEST) for run in health.work_runs])
    heads = ("item", "query", "moves by", *(f"in {name}" for name in names))
    rows = tuple(
        (
            visible(one.item),
            visible(one.query),
            f"{one.gain:.5f}",
            *(UNDEFINED if rank is None else f"{rank:g}" for rank in one.ranks),
        )
        for one in health.work
    )
    return Table(heads, rows, frozenset({"query"}))


def _reading(health: Health) -> Iterable[str]:
    """Yield what each column says."""
    yield "judged: of the items within the measure's cutoff, how many the gold holds a judgment of."
    yield "lowest, highest: what the value could become once every unjudged item in the rankings is judged."
    if any(not one.bounds.exact for one in health.figures):
        yield f"{OUTER} marks a bound that no judging can pass, and perhaps none reaches."
    yield "condensed: the value when unjudged items are taken out of the rankings."
    yield "ceiling: the best value that any ranking could have by this gold."
    yield "ties: of the queries, how many have a value that depends on the order of items with equal scores."
    if health.left_out:
        yield (
            "without: the value a run would have, had it not helped to find what is judged; much lower means that "
            "a new run would be judged unfairly. found alone: relevant items that no other run has."
        )
    if health.work:
        yield "moves by: how far judging this one item could move it, if all other unjudged items are not relevant."
