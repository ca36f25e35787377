"""Cost beside quality: what the answers of each run cost, and which runs no other beats in both."""

from assay.core.costs import CostFigure
from assay.core.dossier import Dossier
from assay.report.html import charts
from assay.report.html.views import Cell, Chart, Choice, Column, Section, Table
from assay.report.names import visible

UNITS = {"latency": "latency (seconds)", "tokens": "tokens", "price": "price"}


def section(dossier: Dossier) -> Section:
    """Return the section "Cost"; it is empty where no cost is known."""
    costs = dossier.costs or (dossier.comparison.costs if dossier.comparison is not None else ())
    if not costs:
        return Section("cost", "Cost", ())
    return Section("cost", "Cost", (_chart(dossier, costs), _table(costs)))


def _chart(dossier: Dossier, costs: tuple[CostFigure, ...]) -> Chart:
    kinds = tuple(dict.fromkeys(_unit(one.cost) for one in costs))
    figures = {f.name: f.higher_is_better for f in dossier.evaluations[0].figures}
    means = {label: one.mean for label, one in zip(dossier.labels, dossier.evaluations, strict=True)}
    rows = []
    for measure, higher in figures.items():
        for kind in kinds:
            points = [
                (one.run, one.mean, mean)
                for one in costs
                if _unit(one.cost) == kind and (mean := means[one.run][measure]) is not None
            ]
            points.sort(key=lambda point: point[1])
            rows += [(measure, kind, visible(r), c, m, _unbeaten((c, m), points, higher=higher)) for r, c, m in points]
    return Chart(
        "cost", "Quality and cost",
        "Each run by what a query costs (to the right: more) and by its mean (up: more).",
        "The dashed line joins the runs that no other run beats in both; all others cost more than they need to.",
        charts.costs(), ("measure", "kind", "run", "cost", "mean", "best"), tuple(rows),
        (Choice("measure", "Measure", tuple(figures)), Choice("kind", "Cost", kinds)),
        paint="run", legend=len(dossier.labels) > 1,
    )  # fmt: skip


def _unbeaten(point: tuple[float, float], others: list[tuple[str, float, float]], *, higher: bool) -> bool:
    """Tell whether no other run is at least as good in both, and better in one."""
    sign = 1 if higher else -1
    cost, mean = point[0], sign * point[1]
    return not any(c <= cost and sign * m >= mean and (c < cost or sign * m > mean) for _, c, m in others)


def _unit(cost: str) -> str:
    return UNITS.get(cost, visible(cost))


def _amount(value: float) -> str:
    """Write an amount of any size.

    >>> _amount(0.01234567), _amount(20000.0)
    ('0.01235', '20,000')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _table(costs: tuple[CostFigure, ...]) -> Table:
    heads = ("run", "cost", "mean", "median", "95th percentile", "total", "queries", "unbeaten")
    columns = tuple(Column(head, words=head in {"run", "cost", "unbeaten"}) for head in heads)
    rows = tuple(
        tuple(
            map(Cell, (
                visible(one.run), _unit(one.cost), *map(_amount, (one.mean, one.median, one.p95, one.total)),
                f"{one.queries:,}", "yes" if one.best else "",
            ))
        )
        for one in costs
    )  # fmt: skip
    return Table("Cost of a query", columns, rows)
