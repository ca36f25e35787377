"""A link predictor judged, for the terminal and for tables: the standard protocol first, each other under its name."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import polars as pl

from assay.core.links import TIES, LinkFigure, LinkResult, LinksEvaluation
from assay.core.slices import SliceFigure, Slicing
from assay.report import links_worst
from assay.report.amounts import counted, percent
from assay.report.comparison import bracket
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.names import visible

MULTI_ANSWER = "multi-answer"
"""The protocol whose queries are lists of answers: it has a table of its own."""
SHOWN = 20
"""Of so many groups of a breakdown the terminal shows the figures; all other forms hold those of all groups."""

AVERAGES = "mean counts every rank alike (micro); by query and by relation are means of their means (macro)."

FRAME: dict[str, type[pl.DataType]] = {
    "model": pl.String, "protocol": pl.String, "side": pl.String, "breakdown": pl.String, "group": pl.String,
    "measure": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64,
    **dict.fromkeys(TIES, pl.Float64), "by_query": pl.Float64, "by_relation": pl.Float64,
    "queries": pl.Int64, "undefined": pl.Int64,
}  # fmt: skip
"""The columns of the long form: side is both where all sides count, breakdown and group are null for all triples."""


def render(found: LinksEvaluation, *, width: int = 80, colour: bool = False) -> str:
    """Return the whole evaluation as text, no line wider than `width`."""
    parts = [
        wrapped(_heading(found), width),
        *_result(found.filtered, "FILTERED", width, colour=colour),
        *_others(found, width, colour=colour),
        *_lists(found, width, colour=colour),
        *(_breakdown(slicing, width, colour=colour) for slicing in found.breakdowns),
        *([links_worst.render(found.worst, width, colour=colour)] if found.worst else []),
        "HOW TO READ THIS\n" + listed(_reading(found), width),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: LinksEvaluation) -> pl.DataFrame:
    """Return the long form: a row for each protocol, side and measure, then for each group of a breakdown."""
    rows: list[dict[str, Any]] = []
    for result in found.results:
        for side, figures in {"both": result.figures, **result.sides}.items():
            rows += [_row(found.model, result.protocol, side, figure) for figure in figures]
    rows += [
        {
            "model": found.model, "protocol": found.filtered.protocol, "side": "both", "breakdown": slicing.column,
            "group": one.group, "measure": one.measure, "mean": one.mean, "low": one.interval.low,
            "high": one.interval.high, "queries": one.queries,
        }
        for slicing in found.breakdowns
        for one in slicing.figures
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=FRAME)


def _row(model: str, protocol: str, side: str, figure: LinkFigure) -> dict[str, Any]:
    interval = figure.interval
    return {
        "model": model, "protocol": protocol, "side": side, "measure": figure.name, "mean": figure.mean,
        "low": interval and interval.low, "high": interval and interval.high, **figure.ties,
        "by_query": figure.by_query, "by_relation": figure.by_relation, "queries": figure.queries,
        "undefined": figure.undefined,
    }  # fmt: skip


def _heading(found: LinksEvaluation) -> str:
    graph, protocol = found.graph, found.protocol
    sides = " and ".join(f"for its {side}" for side in protocol["sides"])
    size = f"{counted(graph['entities'], 'entity')}, {counted(graph['relations'], 'relation')}"
    asked = f"{counted(graph['asked'], 'triple')} of {protocol['split']}, each asked {sides}"
    ranks = f"{counted(found.filtered.ranks, 'rank')} of true entities"
    questions = counted(found.filtered.queries, "different question")
    return f"{visible(found.model)} on {visible(str(graph['name']))}: {size}; {asked}: {ranks}, {questions}"


def _result(result: LinkResult, title: str, width: int, *, colour: bool) -> Iterator[str]:
    """Yield one way of ranking: its figures over all sides and by side, and what the tie rules make of them."""
    sure = any(figure.interval is not None for figure in result.figures)
    macro = [name for name, known in _MACRO.items() if name not in _spare(result) and any(map(known, result.figures))]
    heads = ("measure", "mean", *(["[interval]"] if sure else []), *result.sides, *macro)
    rows = [
        (
            figure.name, number(figure.mean), *([bracket(figure.interval)] if sure and figure.interval else []),
            *(number(result.figure(figure.name, side).mean) for side in result.sides),
            *(number(_MACRO[name](figure)) for name in macro),
        )
        for figure in result.figures
    ]  # fmt: skip
    table = Table(heads, tuple(rows)).fitted(width, ("by query", "by relation", *result.sides))
    yield f"{wrapped(f'{title}, {result.meaning}', width)}\n{table.draw(colour=colour)}"
    yield from _ties(result, width, colour=colour)


_MACRO: dict[str, Callable[[LinkFigure], float | None]] = {
    "by query": lambda figure: figure.by_query, "by relation": lambda figure: figure.by_relation,
}  # fmt: skip


def _spare(result: LinkResult) -> set[str]:
    """Name the averages that say nothing new: the mean of lists is one over queries already."""
    return {"by query"} if result.protocol == MULTI_ANSWER else set()


def _ties(result: LinkResult, width: int, *, colour: bool) -> Iterator[str]:
    """Yield the share of ties, and the figures under each tie rule where there are any."""
    low, middle, high = result.candidates
    what = "Length of a list" if result.protocol.startswith("pooled") else "Candidates of a question"
    spread = f"{what}: {low:,} to {high:,}, median {middle:,}."
    if not result.tied:
        yield wrapped(f"No true entity ties with another candidate: all tie rules agree. {spread}", width)
        return
    share = f"{result.tied:,} of {counted(result.ranks, 'true entity')} ({percent(result.tied_share)}) tie with others."
    rows = tuple((one.name, *(number(one.ties.get(kind)) for kind in TIES)) for one in result.figures)
    table = Table(("measure", *TIES), rows).fitted(width)
    yield f"{wrapped(f'BY TIE RULE: {share} {spread}', width)}\n{table.draw(colour=colour)}"


def _others(found: LinksEvaluation, width: int, *, colour: bool) -> Iterator[str]:
    """Yield the other ways of ranking triple by triple, side by side."""
    others = [result for result in found.results[1:] if not is_list(result)]
    if not others:
        return
    rows = tuple(
        (figure.name, *(number(result.figure(figure.name).mean) for result in others))
        for figure in others[0].figures
    )  # fmt: skip
    table = Table(("measure", *(result.protocol for result in others)), rows)
    means = listed((f"{one.protocol}: {one.meaning}{_outside(one)}." for one in others), width)
    yield f"OTHER WAYS OF RANKING, other numbers\n{table.fitted(width).draw(colour=colour)}\n{means}"


def _outside(result: LinkResult) -> str:
    if not result.outside:
        return ""
    without = ", ".join(figure.name for figure in result.figures if figure.undefined)
    left_out = f", left out of {without}" if without else ""
    return f" ({counted(result.outside, 'true entity is', 'true entities are')} none of them: misses{left_out})"


def _lists(found: LinksEvaluation, width: int, *, colour: bool) -> Iterator[str]:
    for result in found.results:
        if is_list(result):
            yield from _result(result, result.protocol.upper(), width, colour=colour)


def is_list(result: LinkResult) -> bool:
    """Tell whether queries are lists with many right answers, of which there are other measures than of single ones."""
    return result.protocol == MULTI_ANSWER or result.protocol.startswith(("pooled", "ogb"))


def _breakdown(slicing: Slicing, width: int, *, colour: bool) -> str:
    """Return one breakdown: groups as rows, as many measures as fit."""
    figures: dict[str, dict[str, SliceFigure]] = {}
    for one in slicing.figures:
        figures.setdefault(one.group, {})[one.measure] = one
    shown = list(slicing.groups)[:SHOWN]
    measures = list(dict.fromkeys(one.measure for one in slicing.figures))
    first = measures[0]
    sure = any(one.interval.low is not None for one in slicing.figures)
    rows = tuple(
        (
            group, f"{slicing.groups[group]:,}", number(figures[group][first].mean),
            *([bracket(figures[group][first].interval, 3)] if sure else []),
            *(number(figures[group][name].mean) for name in measures[1:]),
        )
        for group in shown
    )  # fmt: skip
    table = Table(("group", "ranks", first, *(["[interval]"] if sure else []), *measures[1:]), rows)
    lines = [f"BY {visible(slicing.column)}".upper(), table.fitted(width, measures[:0:-1]).draw(colour=colour)]
    if len(shown) < len(slicing.groups):
        lines.append(
            wrapped((f"The {SHOWN} largest of {counted(len(slicing.groups), 'group')}; -o csv or json has all."), width)
        )
    if slicing.unassigned:
        lines.append(wrapped(f"Without a group: {slicing.unassigned:,} ranks.", width))
    return "\n".join(lines)


def _reading(found: LinksEvaluation) -> Iterator[str]:
    """Say how the figures are to be read: the ranks, the averages, the conventions."""
    ties, known = found.protocol["ties"], ", ".join(found.protocol["known"])
    if ties == "realistic":
        yield (
            "A true entity has the rank greater + 1 + equal/2: greater and equal count the candidates that score "
            "higher than it and alike (ties realistic)."
        )
    else:
        yield f"Tied entities are ranked by the rule {ties}."
    yield f"Filtered: answers known from {known} are no candidates."
    yield AVERAGES
    yield from about_measures(found.filtered.figures)
    yield from links_worst.reading(found.worst)
    yield from about_lists([result.protocol for result in found.results])
    interval = next((one.interval for one in found.filtered.figures if one.interval), None)
    if interval:
        yield (
            f"[{percent(interval.level, None)} interval]: what other questions of this kind "
            "could have given; triples with "
            "the same question count as one unit."
        )
    yield "Protocol: " + ", ".join(f"{name} {_said(value)}" for name, value in found.protocol.items()) + "."


def about_measures(figures: Sequence[LinkFigure]) -> Iterator[str]:
    """Say how the measures are to be read."""
    names = {figure.name for figure in figures}
    if "RR" in names:
        yield "RR, of which the mean is the MRR, and HR@k (Hits@k): higher is better, 1 is perfect."
    lower = [figure.name for figure in figures if not figure.higher_is_better]
    if lower:
        yield f"Lower is better: {', '.join(lower)}."
    if "AMRI" in names:
        yield "AMRI: 1 is perfect, 0 is a random order, whatever the number of candidates."


def about_lists(protocols: Sequence[str]) -> Iterator[str]:
    """Say how figures of lists are to be read."""
    if MULTI_ANSWER in protocols:
        yield (
            "multi-answer: one list for each question; the mean is over questions, and over all orders of tied "
            "answers. With one right answer P@10 is at most 0.1. Never compare it with figures per triple."
        )
    if any(protocol.startswith("pooled") for protocol in protocols):
        yield "pooled: P@10 is the share of the 10 highest scored triples that are right; known ones are left out."


def _said(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)
