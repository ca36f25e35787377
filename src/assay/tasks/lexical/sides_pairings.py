"""Two systems held against each other: how alike their lists are, and who wins which query."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
import polars as pl

from assay.compare.contrasts import TIE
from assay.compare.pairing import Values
from assay.core.comparison import Mover
from assay.core.judged import Floats
from assay.core.lexical_sides import Pairing
from assay.statistics.agreement import rbo

SEEN = 100
"""So many places are looked at for the rank-biased overlap: below them lie less than 0.003 % of its weight."""

Lists = Mapping[str, list[str]]
"""The items of each query, best first."""


def pairings(
    lists: Sequence[pl.DataFrame], systems: Sequence[str], values: Values, cutoff: int, shown: int
) -> Iterator[Pairing]:
    """Yield each pair of systems, in their order; `lists` are ranked items, `values` those of the first measure."""
    ranked = [_ranked(one) for one in lists]
    for first, second in combinations(range(len(systems)), 2):
        shared = sorted(ranked[first].keys() & ranked[second].keys())
        pairs = [(ranked[first][query], ranked[second][query]) for query in shared]
        wins, losses = _changes(values, first, second)
        yield Pairing(
            systems[first],
            systems[second],
            _mean([_jaccard(a[:cutoff], b[:cutoff]) for a, b in pairs]),
            _mean([rbo(a, b).extrapolated or 0.0 for a, b in pairs]),
            len(shared),
            len(wins),
            _compared(values, first, second) - len(wins) - len(losses),
            len(losses),
            tuple(losses[:shown]),
            tuple(wins[:shown]),
        )


def leads(values: Values) -> tuple[int, ...]:
    """Return on how many queries each system alone is the best."""
    if values.why:
        return (0,) * len(values.figures)
    numbers = _upwards(values)
    best = np.fmax.reduce(np.where(np.isnan(numbers), -np.inf, numbers), axis=1, initial=-np.inf)
    at_best = numbers >= best[:, None] - TIE
    return tuple((at_best & (at_best.sum(axis=1) == 1)[:, None]).sum(axis=0).tolist())


def _ranked(rows: pl.DataFrame) -> Lists:
    """Return the first items of each query."""
    seen = rows.filter(pl.col("rank") <= SEEN).group_by("query", maintain_order=True).agg("item")
    return dict(zip(seen["query"].to_list(), seen["item"].to_list(), strict=True))


def _jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    a, b = set(first), set(second)
    return len(a & b) / len(a | b)


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None


def _upwards(values: Values) -> Floats:
    """Return the values so that more is better."""
    return values.numbers if values.figure.higher_is_better else -values.numbers


def _compared(values: Values, first: int, second: int) -> int:
    """Count the queries with a value in both systems."""
    return int((~np.isnan(values.numbers[:, [first, second]]).any(axis=1)).sum()) if not values.why else 0


def _changes(values: Values, first: int, second: int) -> tuple[list[Mover], list[Mover]]:
    """Return the queries on which the second does better, and those on which the first does, most changed first."""
    if values.why:
        return [], []
    gain = np.nan_to_num(_upwards(values)[:, second] - _upwards(values)[:, first])
    found: list[list[Mover]] = []
    for sign in (1, -1):
        moved = [place for place in np.argsort(-sign * gain, kind="stable") if sign * gain[place] > TIE]
        found.append(
            [
                Mover(values.queries[place], float(values.numbers[place, first]), float(values.numbers[place, second]))
                for place in moved
            ]
        )
    return found[0], found[1]
