"""The table of an evaluation for the terminal; the same without colours for a pipe or a file."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len

from assay.core.beside import Beside
from assay.core.evaluation import Evaluation
from assay.report.drawing import wrapped
from assay.report.grid import SCREEN, Cell, Grid, footing, heading, number
from assay.report.names import numbered, shorten, visible

LEAST_NAME = 8
"""Columns below which a name of a run says too little to stand over figures."""
GAP = "  "
BOLD = "\x1b[1m{}\x1b[0m"


@dataclass(frozen=True, slots=True)
class _Table:
    """Cells under heads, set to the right; names before them. Rich draws the same in a hundred times the time."""

    corner: str
    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]

    def draw(self, width: int, *, colour: bool) -> str:
        """Return the lines; names, then heads, are cut short where the table would be wider than the terminal."""
        heads, names = list(self.heads), [self.corner, *(name for name, _ in self.rows)]
        cells = [max(cell_len(row[place].marked) for _, row in self.rows) for place in range(len(heads))]
        first = max(map(cell_len, names))
        over = (
            first + sum(len(GAP) + max(size, cell_len(head)) for size, head in zip(cells, heads, strict=True)) - width
        )
        if over > 0:
            names = [shorten(name, max(LEAST_NAME, first - over)) for name in names]
            room = (width - max(map(cell_len, names))) // len(heads) - len(GAP)
            heads = [shorten(head, max(size, room)) for head, size in zip(heads, cells, strict=True)]
        sizes = [max(map(cell_len, names)), *map(max, cells, map(cell_len, heads))]
        lines = [_line(sizes, names[0], [(head, True) for head in heads], bold=True, colour=colour)]
        lines.append("─" * (sum(sizes) + len(GAP) * len(heads)))
        for name, (_, row) in zip(names[1:], self.rows, strict=True):
            lines.append(_line(sizes, name, [(cell.marked, cell.best) for cell in row], colour=colour))
        return "\n".join(lines)


def _line(
    sizes: Sequence[int], name: str, cells: Sequence[tuple[str, bool]], *, colour: bool, bold: bool = False
) -> str:
    """Return one line; bold texts are so where colours are wanted."""
    first = name + " " * (sizes[0] - cell_len(name))
    others = [
        " " * (size - cell_len(text)) + (BOLD.format(text) if colour and strong else text)
        for size, (text, strong) in zip(sizes[1:], cells, strict=True)
    ]
    return GAP.join([BOLD.format(first) if colour and bold else first, *others]).rstrip()


def render(
    evaluations: Sequence[Evaluation], beside: Beside | None = None, *, width: int = 80, colour: bool = False
) -> str:
    """Return the whole table as text, no line wider than `width`, and below it what stands beside the figures."""
    grid = Grid.of(evaluations)
    tables = (*_tables(grid, width), *_leaders(grid, width))
    drawn = "\n\n".join(table.draw(width, colour=colour) for table in tables) + "\n"
    table = f"{wrapped(heading(evaluations), width)}\n\n{drawn}\n{notes(footing(evaluations), width)}\n"
    below = [] if beside is None else _below(beside, evaluations[0].figures[0].name, width, colour=colour)
    return "\n".join([table, *below])


def _below(beside: Beside, measure: str, width: int, *, colour: bool) -> Iterator[str]:
    """Yield costs, slices and the health of the gold, those that there are."""
    if beside.costs:
        from assay.report import costs

        yield costs.render(beside.costs, measure, width=width, colour=colour)
    if beside.slices:
        from assay.report import slices

        yield from (slices.render(slicing, width, colour=colour) for slicing in beside.slices)
    if beside.health:
        from assay.report import health

        yield health.render(beside.health, width=width, colour=colour)


def notes(lines: Iterator[str], width: int) -> str:
    """Return lines below a table."""
    return "\n".join(wrapped(line, width) for line in lines)


def per_query(evaluations: Sequence[Evaluation], *, width: int = 80) -> str:
    """Return a plain line for each query and measure, runs side by side where they fit.

    Otherwise the lines of one run follow those of the other, under its name.
    """
    grid = Grid.of(evaluations)
    counted = {figure.name: figure.summed for figure in evaluations[0].figures}
    keys, columns = _values(evaluations)
    first = max([len("query"), *(len(visible(query)) for query, _ in keys)])
    second = max(len("measure"), *(len(name) for name in counted))
    sizes = [max(8, len(name)) for name in grid.runs]
    if first + second + sum(size + 2 for size in sizes) + 2 <= width or len(sizes) == 1:
        groups = [list(range(len(sizes)))]
    else:
        groups = [[column] for column in range(len(sizes))]
    lines = []
    for group in groups:
        heads = "".join(f"  {grid.runs[i]:>{sizes[i]}}" for i in group)
        lines.append(f"{'query':{first}}  {'measure':{second}}{heads}")
        for query, name in keys:
            shown = (number(columns[i].get((query, name)), counted=counted[name]) for i in group)
            cells = "".join(f"  {text:>{sizes[i]}}" for text, i in zip(shown, group, strict=True))
            lines.append(f"{visible(query):{first}}  {name:{second}}{cells}")
    return "\n".join(lines) + "\n\n"


def _values(evaluations: Sequence[Evaluation]) -> tuple[list[tuple[str, str]], list[dict[tuple[str, str], Any]]]:
    """Return the pairs of query and measure in their order, and the values of each run by pair."""
    columns = [{(q, m): value for _, m, q, value in one.scores.table.iter_rows()} for one in evaluations]
    order = {figure.name: place for place, figure in enumerate(evaluations[0].figures)}
    keys = dict.fromkeys(key for column in columns for key in column)
    return sorted(keys, key=lambda key: (key[0].encode(), order[key[1]])), columns


def _tables(grid: Grid, width: int) -> Iterator[_Table]:
    """Yield tables: measures as rows where all runs fit beside each other, else runs as rows."""
    first = max(len(name) for name in (*grid.measures, "measure"))
    figure = max(len(cell.marked) for row in grid.cells for cell in row)
    room = (width - first - 2) // len(grid.runs) - 2
    longest = max(map(len, grid.runs))
    if room >= max(figure, min(longest, LEAST_NAME)) and _distinct(grid.runs, room):
        heads = [shorten(name, room) for name in grid.runs]
        rows = [(name, list(row)) for name, row in zip(grid.measures, grid.cells, strict=True)]
        yield _Table("measure", heads, rows)
        return
    yield from _upright(grid, width, figure)


def _upright(grid: Grid, width: int, figure: int) -> Iterator[_Table]:
    """Yield tables with runs as rows, as many measures in each as fit."""
    names = _fitting(grid.runs, width - figure - 4)
    first = max(map(len, [*names, "run"]))
    size = max(figure, *(len(name) for name in grid.measures)) + 2
    step = max(1, (width - first - 2) // size)
    for start in range(0, len(grid.measures), step):
        part = slice(start, start + step)
        columns = list(zip(*grid.cells[part], strict=True))
        yield _Table("run", list(grid.measures[part]), list(zip(names, map(list, columns), strict=True)))


def _leaders(grid: Grid, width: int) -> Iterator[_Table]:
    """Yield a table of the best of each measure, where there are more runs than a screen shows."""
    leaders = list(grid.leaders()) if len(grid.runs) > SCREEN else []
    if leaders:
        room = width - max(len(measure) for measure, *_ in leaders) - max(len(text) for _, text, *_ in leaders) - 6
        rows = []
        for measure, text, run, others in leaders:
            more = f" and {others:,} more" if others else ""
            rows.append((measure, [Cell(text), Cell(shorten(run, max(LEAST_NAME, room - len(more))) + more)]))
        yield _Table("measure", ["best", "run"], rows)


def _fitting(names: Sequence[str], most: int) -> list[str]:
    """Return names as short as they can be and still differ, at most `most` columns wide."""
    for size in (most // 3, most // 2, most):
        if _distinct(names, size):
            return [shorten(name, size) for name in names]
    return numbered([shorten(name, most - 6) for name in names])


def _distinct(names: Sequence[str], width: int) -> bool:
    return len({shorten(name, width) for name in names}) == len(names)
