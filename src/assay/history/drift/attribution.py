"""Which queries, slices and causes the change of a figure comes from; contributions add up to it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from assay.core.history import Recorded
from assay.core.history_drift import CAUSES, Attribution, CausePart, Mover, SlicePart
from assay.core.hits import Floats
from assay.history.drift.causes import Loss, Scene
from assay.history.drift.change import Sides
from assay.history.gate.paired import TIE

WORST = 10
PLACES = 10
"""So many items of each of the worst queries are kept."""


@dataclass(frozen=True, eq=False)
class _Losses:
    """The queries that both have: what each changed, and what share of the mean it is."""

    sides: Sides
    differences: Floats
    weights: Floats
    up: bool


def attribution(scene: Scene, sides: Sides, *, up: bool, worst: int = WORST) -> Attribution:
    """Attribute a change over the shared queries.

    A query gives its share of all weights times its change, a slice the sum of its queries; each query that lost has
    one cause.
    """
    differences = sides.now - sides.before
    differences[np.abs(differences) <= TIE] = 0.0
    given = _Losses(sides, differences, sides.old_weights / sides.old_weights.sum(), up)
    movers = sorted(_movers(scene, given), key=lambda one: (-abs(one.contribution), one.query.encode()))
    causes = [
        CausePart(cause, len(some), math.fsum(one.contribution for one in some))
        for cause in CAUSES
        if (some := [one for one in movers if one.cause == cause])
    ]
    better = differences > 0 if up else differences < 0
    gained = math.fsum((given.weights * differences)[better].tolist())
    return Attribution(
        math.fsum((given.weights * differences).tolist()), len(movers), tuple(movers[:worst]), tuple(causes),
        CausePart("gained", int(better.sum()), gained), tuple(_slices(scene.new, given)),
    )  # fmt: skip


def _movers(scene: Scene, given: _Losses) -> Iterator[Mover]:
    """Yield the queries that lost."""
    worse = given.differences < 0 if given.up else given.differences > 0
    for at in np.flatnonzero(worse).tolist():
        query, sides = given.sides.queries[at], given.sides
        places = scene.places(query)
        cause, evidence = Loss(scene, query, abs(float(given.differences[at])), _by_gold(given, at), places).why
        contribution = float(given.weights[at] * given.differences[at])
        yield Mover(
            query, float(sides.before[at]), float(sides.now[at]), contribution, cause, evidence, places[:PLACES]
        )


def _by_gold(given: _Losses, at: int) -> float | None:
    """Return how much of the loss of a query the gold makes; None where it is not known."""
    sides, way = given.sides, -1 if given.up else 1
    found = [] if sides.again is None else [sides.again[at] - sides.before[at]]
    found += [] if sides.back is None else [sides.now[at] - sides.back[at]]
    return way * float(np.mean(found)) if found else None


def _slices(new: Recorded, given: _Losses) -> Iterator[SlicePart]:
    """Yield each slice of each column, the one that lost most first; a query without a value is in one of its own."""
    for column, groups in new.groups.items():
        labels = np.array([groups.get(query, "") for query in given.sides.queries])
        parts = [_slice(column, str(value), labels == value, given) for value in np.unique(labels)]
        yield from sorted(parts, key=lambda one: (one.contribution if given.up else -one.contribution, one.value))


def _slice(column: str, value: str, inside: Floats, given: _Losses) -> SlicePart:
    kept = np.asarray(inside, np.bool_)
    weights = given.weights[kept]
    before, now = (
        float((weights * values[kept]).sum() / weights.sum()) for values in (given.sides.before, given.sides.now)
    )
    return SlicePart(column, value, int(kept.sum()), float(weights.sum()), before, now)
