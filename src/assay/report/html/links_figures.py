"""The figures of one way of ranking as tables: by side, as averages of averages, under each tie rule."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from assay.core.links import TIES, LinkFigure, LinkResult
from assay.report.amounts import counted
from assay.report.html.views import Cell, Column, Table
from assay.report.html.wording import interval, real
from assay.report.links import MULTI_ANSWER, is_list
from assay.report.names import visible

MACRO: Mapping[str, tuple[str, Callable[[LinkFigure], float | None]]] = MappingProxyType({
    "by query": ("the mean of each different question, then their mean", lambda figure: figure.by_query),
    "by relation": ("the mean of each relation, then their mean", lambda figure: figure.by_relation),
})  # fmt: skip
"""Averages beside the mean over all ranks: what they are, and where they stand."""
RULES: Mapping[str, str] = MappingProxyType({
    "optimistic": "a true entity stands before those that tie with it: greater + 1",
    "realistic": "a true entity has the mean rank of those that tie: greater + 1 + equal/2",
    "pessimistic": "a true entity stands behind those that tie with it: greater + 1 + equal",
    "expected": "the exact mean of the measure over all orders of what ties",
})  # fmt: skip


def named(figure: LinkFigure) -> str:
    """Return the measure as it was asked for: MRR, where its canonical name is RR."""
    return visible(figure.requested)


def shown(figure: LinkFigure) -> str:
    """Return a figure with its interval, where it has one."""
    return f"{real(figure.mean)} {interval(figure.interval)}".rstrip()


def values_table(result: LinkResult, caption: str) -> Table:
    """Return a row for each measure: over all, with interval; by side; averages of averages."""
    each = "lists" if is_list(result) else "ranks"
    macro = {name: about for name, about in MACRO.items() if _known(result, name)}
    sure = any(figure.interval is not None for figure in result.figures)
    columns = (
        Column("measure", words=True), Column("mean", f"over all {each} alike"),
        *([Column("interval")] if sure else []),
        *(Column(side, f"asked for the {side}") for side in result.sides),
        *(Column(name, about) for name, (about, _) in macro.items()), Column(each), Column("undefined"),
    )  # fmt: skip
    rows = tuple(
        (
            Cell(named(one)), Cell(real(one.mean), best=True), *([Cell(interval(one.interval) or "-")] if sure else []),
            *(Cell(real(result.figure(one.name, side).mean)) for side in result.sides),
            *(Cell(real(value(one))) for _, value in macro.values()),
            Cell(f"{one.queries:,}"), Cell(f"{one.undefined:,}"),
        )
        for one in result.figures
    )  # fmt: skip
    return Table(caption, columns, rows)


def ties_table(result: LinkResult) -> Iterator[Table]:
    """Yield the figures under each of the four tie rules, where anything ties."""
    if not result.tied:
        return
    columns = (Column("measure", words=True), *(Column(rule, RULES[rule]) for rule in TIES))
    rows = tuple((Cell(named(one)), *(Cell(real(one.ties.get(rule))) for rule in TIES)) for one in result.figures)
    yield Table(f"By tie rule: {result.tied:,} of {counted(result.ranks, 'true entity')} tie", columns, rows)


def _known(result: LinkResult, name: str) -> bool:
    """Tell whether an average says something: the mean of lists is one over questions already."""
    repeats = name == "by query" and result.protocol == MULTI_ANSWER
    return not repeats and any(MACRO[name][1](figure) is not None for figure in result.figures)
