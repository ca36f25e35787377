"""Where the true entities stand: how often at which rank, how many up to each, and those that stand lowest."""

from collections.abc import Iterator

import numpy as np

from assay.core.hits import Floats
from assay.core.links import LinkResult, LinksEvaluation
from assay.core.links_worst import RankedTriple
from assay.report import links_worst
from assay.report.amounts import counted, percent
from assay.report.html import charts
from assay.report.html.views import Block, Cell, Chart, Choice, Column, Section, Table, Text
from assay.report.links import is_list
from assay.report.names import visible

STEPS = (1, 2, 3, 5, 10, 20, 30, 50)
"""The ends of the bins, as decades repeat them: 1, 2, 3, 5, 10, 20, 30, 50, 100, 200 …"""


def drawable(found: LinksEvaluation) -> list[LinkResult]:
    """Return the ways of ranking triple by triple whose ranks are known."""
    every = (one for one in found.results if not is_list(one))
    return [one for one in every if one.evaluation is not None and one.evaluation.judged is not None]


def section(found: LinksEvaluation) -> Section:
    """Return the section "Ranks"; it is empty where single ranks are not known."""
    results = drawable(found)
    return Section("ranks", "Ranks", (_histogram(results), _shares(results)) if results else ())


def ranks_of(result: LinkResult) -> tuple[Floats, Floats]:
    """Return the rank of each true entity by the rule of the evaluation, and how many candidates each question has.

    Shapes (ranks,) and (questions,); a true entity that is not among its candidates has no rank.
    """
    evaluation = result.evaluation
    if evaluation is None or evaluation.judged is None:
        return np.zeros(0), np.zeros(0)
    judged = evaluation.judged.under(evaluation.policy)
    return judged.hits.rank, judged.retrieved.astype(np.float64)


def ends_of(most: float) -> list[int]:
    """Return the last rank of each bin, up to `most`.

    >>> ends_of(14), ends_of(135)
    ([1, 2, 3, 5, 10, 14], [1, 2, 3, 5, 10, 20, 30, 50, 100, 135])
    """
    ends = list(STEPS)
    while ends[-1] < most:
        ends.append(ends[-4] * 10)
    return [*(end for end in ends if end < most), int(most)]


def up_to(ends: list[int], ranks: Floats, candidates: Floats) -> tuple[Floats, Floats]:
    """Return the share of ranks up to each end, and that of ranks drawn by chance; both of shape (ends,).

    >>> found = up_to([1, 2, 4], np.array([1.0, 3.0]), np.array([4.0, 2.0]))
    >>> [share.tolist() for share in found]
    [[0.5, 0.5, 1.0], [0.375, 0.75, 1.0]]
    """
    each = np.array(ends, np.float64)[:, None]
    many = max(len(candidates), 1)
    return (ranks <= each).sum(axis=1) / many, (np.minimum(each, candidates) / candidates).sum(axis=1) / many


def _histogram(results: list[LinkResult]) -> Chart:
    rows: list[tuple[object, ...]] = []
    lines: list[tuple[Cell, ...]] = []
    for result in results:
        ranks, candidates = ranks_of(result)
        ends = ends_of(float(candidates.max(initial=1)))
        shares, chance = up_to(ends, ranks, candidates)
        for place, (share, by_chance) in enumerate(
            zip(np.diff(shares, prepend=0), np.diff(chance, prepend=0), strict=True)
        ):
            name, many = _bin(ends, place), round(float(share) * len(candidates))
            rows.append((result.protocol, name, float(share), float(by_chance), many))
            texts = (result.protocol, name, f"{many:,}", *map(percent, (share, shares[place], by_chance)))
            lines.append(tuple(map(Cell, texts)))
    heads = ("protocol", "rank", "true entities", "share", "up to here", "by chance")
    columns = tuple(Column(head, words=head in {"protocol", "rank"}) for head in heads)
    return Chart(
        "ranks", "At which rank the true entities stand",
        "The share of true entities at each rank; the bins grow with the rank.",
        "The tick says how many would stand there in a random order. A good model has its bars at the top; a bar at "
        "the bottom that is longer than its tick is worse than chance.",
        charts.bars("rank", "ranks"), ("protocol", "rank", "share", "chance", "ranks"), tuple(rows),
        (Choice("protocol", "Protocol", tuple(one.protocol for one in results)),), paint="accent",
        table=Table("The ranks as numbers", columns, tuple(lines), folded=True),
    )  # fmt: skip


def _bin(ends: list[int], place: int) -> str:
    first = ends[place - 1] + 1 if place else 1
    return f"{first:,}" if first == ends[place] else f"{first:,}–{ends[place]:,}"


def _shares(results: list[LinkResult]) -> Chart:
    found = {result.protocol: ranks_of(result) for result in results}
    ends = ends_of(max(float(candidates.max(initial=1)) for _, candidates in found.values()))
    rows: list[tuple[object, ...]] = []
    for place, (protocol, (ranks, candidates)) in enumerate(found.items()):
        shares, chance = up_to(ends, ranks, candidates)
        rows += [
            (protocol, end, f"up to {end:,}", float(share), None if place else float(by_chance))
            for end, share, by_chance in zip(ends, shares, chance, strict=True)
        ]
    return Chart(
        "shares", "Hits@K over K",
        "The share of true entities within the first K places (Hits@K), from K = 1 to all.",
        f"The dashed line is a random order ({results[0].protocol}). The sooner a line rises above it, the better.",
        charts.curves(ends, "chance"), ("run", "k", "name", "mean", "chance"), tuple(rows),
        paint="run", legend=len(results) > 1,
    )  # fmt: skip


def worst(found: LinksEvaluation) -> Section:
    """Return the triples whose true entity stands lowest, each with what the model puts above it."""
    return Section("worst", "Worst triples", tuple(_worst(found)) if found.worst else ())


def _worst(found: LinksEvaluation) -> Iterator[Block]:
    known = any(one.above is not None for one in found.worst)
    heads = ("question", "true answer", "rank", "of", *(("what stands above, best first",) if known else ()))
    columns = tuple(Column(head, words=head not in {"rank", "of"}) for head in heads)
    yield Text(f"The {counted(len(found.worst), 'true entity', 'true entities')} with the lowest filtered rank.")
    rows = tuple(_triple(one)[: len(heads)] for one in found.worst)
    yield Table("Worst ranked", columns, rows, sortable=len(rows) > 1)
    for line in links_worst.reading(found.worst):
        yield Text(line[:1].upper() + line[1:], "legend")


def _triple(one: RankedTriple) -> tuple[Cell, ...]:
    head, relation, tail = map(visible, (one.head, one.relation, one.tail))
    asked, answer = (f"(?, {relation}, {tail})", head) if one.side == "head" else (f"({head}, {relation}, ?)", tail)
    above = ", ".join(f"{visible(answer.entity)} ({answer.split or 'new'})" for answer in one.above or ())
    more = one.greater - sum(not answer.known for answer in one.above or ())
    return (
        Cell(asked), Cell(answer), Cell(f"{one.rank:,.10g}"), Cell(f"{one.candidates:,}"),
        Cell(above or "-", f"and {more:,} more candidates" if above and more > 0 else ""),
    )  # fmt: skip
