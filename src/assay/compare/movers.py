"""Movers: the queries that a run helped or hurt most, and where their relevant items stood before and after."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.compare.contrasts import TIE
from assay.compare.pairing import Values
from assay.core.comparison import Contrast, Mover
from assay.core.evaluation import Evaluation
from assay.core.judged import Floats

SHOWN = 5
"""Of so many relevant items the ranks are kept."""

Ranks = Mapping[str, tuple[tuple[float, float], ...]]
"""Rank and grade of the relevant items of each query, best first."""


def with_movers(
    contrasts: Iterable[Contrast],
    values: Sequence[Values],
    labels: tuple[str, ...],
    many: int,
    evaluations: Sequence[Evaluation],
) -> list[Contrast]:
    """Return the contrasts, each with its `many` most helped and most hurt queries."""
    by_name = {one.figure.name: one for one in values}
    places = {label: place for place, label in enumerate(labels)}
    found = [_moved(one, by_name[one.measure], places, many) for one in contrasts]
    wanted: dict[str, set[str]] = {}
    for one in found:
        for label in (one.run, one.baseline):
            wanted.setdefault(label, set()).update(mover.query for mover in (*one.helped, *one.hurt))
    ranks = {label: relevant_ranks(evaluations[places[label]], queries) for label, queries in wanted.items()}
    return [_ranked(one, ranks[one.baseline], ranks[one.run]) for one in found]


def relevant_ranks(evaluation: Evaluation, queries: set[str]) -> Ranks:
    """Return ranks and grades of the relevant items of some queries, best first, of each query at most 5.

    They are empty where the evaluation was read from a file: it then holds no ranks.
    """
    judged, rel = evaluation.judged, evaluation.options.rel
    if judged is None:
        return {}
    hits = judged.hits.relevant(1 if rel is None else rel)
    names = judged.names.to_list()
    found: dict[str, list[tuple[float, float]]] = {query: [] for query in queries}
    for query, rank, grade in zip(hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist(), strict=True):
        if names[query] in found:
            found[names[query]].append((rank, grade))
    return {query: tuple(sorted(ranks)[:SHOWN]) for query, ranks in found.items()}


def _moved(contrast: Contrast, values: Values, places: Mapping[str, int], many: int) -> Contrast:
    """Return the contrast with its movers, without ranks."""
    if values.why or not many:
        return contrast
    before, after = (values.numbers[:, places[name]] for name in (contrast.baseline, contrast.run))
    gain = after - before if contrast.higher_is_better else before - after
    return replace(
        contrast,
        helped=_movers(values.queries, before, after, gain, many),
        hurt=_movers(values.queries, before, after, -gain, many),
    )


def _movers(queries: Sequence[str], before: Floats, after: Floats, gain: Floats, many: int) -> tuple[Mover, ...]:
    """Return the queries of largest gain; of equal ones the first by id."""
    moved = np.flatnonzero(gain > TIE)
    order = moved[np.argsort(-np.round(gain[moved], 12), kind="stable")][:many]
    return tuple(Mover(queries[place], float(before[place]), float(after[place])) for place in order.tolist())


def _ranked(contrast: Contrast, before: Ranks, after: Ranks) -> Contrast:
    """Return the contrast with the ranks of its movers."""

    def filled(movers: tuple[Mover, ...]) -> tuple[Mover, ...]:
        sides = [(one, before.get(one.query, ()), after.get(one.query, ())) for one in movers]
        return tuple(
            replace(
                one, ranks_before=_all(0, old), ranks_after=_all(0, new),
                grades_before=_all(1, old), grades_after=_all(1, new),
            )
            for one, old, new in sides
        )  # fmt: skip

    return replace(contrast, helped=filled(contrast.helped), hurt=filled(contrast.hurt))


def _all(part: int, found: Sequence[tuple[float, float]]) -> tuple[float, ...]:
    return tuple(one[part] for one in found)
