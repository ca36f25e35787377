"""What runs cost beside how good they are, for the terminal."""

from collections.abc import Sequence

from assay.core.costs import CostFigure
from assay.report.drawing import Table
from assay.report.names import visible

UNITS = {"latency": "seconds", "tokens": "tokens", "price": "price"}


def render(costs: Sequence[CostFigure], measure: str, *, width: int = 80, colour: bool = False) -> str:
    """Return a table of what a query costs, for each run and kind of cost."""
    drawn = table(costs).fitted(width, ("total", "queries", "median")).draw(colour=colour)
    return f"COST OF A QUERY\n{drawn}\n{note(measure)}\n"


def table(costs: Sequence[CostFigure]) -> Table:
    """Return a row for each run and kind of cost."""
    heads = ("run", "cost", "mean", "median", "95th %", "total", "queries", "front")
    return Table(heads, tuple(_row(figure) for figure in costs), frozenset({"cost"}))


def note(measure: str) -> str:
    """Say what the front is."""
    return f"front yes: no other run is both cheaper and better by {measure}."


def _row(figure: CostFigure) -> tuple[str, ...]:
    numbers = map(_number, (figure.mean, figure.median, figure.p95, figure.total))
    return (visible(figure.run), UNITS[figure.cost], *numbers, f"{figure.queries:,}", "yes" if figure.best else "")


def _number(value: float) -> str:
    """Write four digits, or all before the point.

    >>> _number(0.25), _number(12.3456), _number(1234567.8)
    ('0.25', '12.35', '1,234,568')
    """
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
