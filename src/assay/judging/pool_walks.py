"""In which order pairs are judged: rank by rank, move to front, Thompson sampling.

A walk is told of each pair whether it is relevant (1), not (0) or not judged yet (PENDING), and yields the numbers of
pairs. It depends on nothing but that, the rankings and the seed: with more judgments it takes the same way as far as
they go, so a pool can be continued at any time by walking again.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.judging.pool_rankings import PENDING, Rankings

HIGHEST = 100
"""The priority with which runs begin when the one that finds moves to the front."""


def by_rank(rankings: Rankings) -> Ints:
    """Return all pairs by their best rank; within a rank in turns of the queries, those of more runs first.

    >>> places = {"query": ["q", "q", "q"], "item": ["a", "b", "b"], "run": [0, 0, 1], "rank": [1, 2, 1]}
    >>> by_rank(Rankings(("r", "s"), pl.DataFrame(places))).tolist()
    [1, 0]
    """
    pairs = rankings.pairs.with_row_index("pair").sort(
        "query", "rank", "runs", "item", descending=[False, False, True, False]
    )
    turn = pl.int_range(pl.len()).over("query", "rank")
    return pairs.with_columns(turn=turn).sort("rank", "turn", "query")["pair"].to_numpy().astype(np.int64)


def move_to_front(lists: Sequence[Sequence[int]], told: Sequence[int]) -> Iterator[int]:
    """Walk one query: the run in front gives its next item; when that is not relevant, the run falls behind.

    Every run begins with the same priority, each item that is not relevant lowers that of its run by one, and the
    highest is in front; of equal ones the run that is there already stays, else the first by name. An item without a
    judgment lowers it too. Source: Cormack, Palmer & Clarke 1998, Efficient construction of large test collections.

    >>> list(move_to_front([[0, 1, 2], [3, 4]], [1, 0, 0, 1, 1]))
    [0, 1, 3, 4, 2]
    """
    rows, priority = _Rows(lists), [HIGHEST] * len(lists)
    run = 0
    while rows.open:
        best = max(priority[one] for one in rows.open)
        if run not in rows.open or priority[run] < best:
            run = next(one for one in rows.open if priority[one] == best)
        pair = rows.next(run)
        if pair is not None:
            yield pair
            priority[run] -= told[pair] != 1


def thompson(lists: Sequence[Sequence[int]], told: Sequence[int], random: np.random.Generator) -> Iterator[int]:
    r"""Walk one query: each time the run whose drawn chance to be relevant is highest gives its next item.

    The chance of a run is drawn from Beta(1 + relevant, 1 + not relevant), which counts the items that it gave; an
    item without a judgment counts for nothing yet. Source: Thompson 1933; Losada, Parapar & Barreiro 2016, Feeling
    lucky? Multi-armed bandits for ordering judgements in pooling-based evaluation.

    >>> sorted(thompson([[0, 1], [1, 2]], [1, 0, 0], np.random.default_rng(0)))
    [0, 1, 2]
    """
    rows, runs = _Rows(lists), len(lists)
    seen = np.ones((2, runs))
    while rows.open:
        drawn = random.beta(seen[1], seen[0])
        run = max(rows.open, key=drawn.__getitem__)
        pair = rows.next(run)
        if pair is not None:
            yield pair
            if told[pair] != PENDING:
                seen[told[pair], run] += 1


def in_turns(walks: Mapping[str, Iterator[int]]) -> Iterator[int]:
    """Go one step in each walk, in order, again and again: each query gets the same."""
    left = list(walks.values())
    while left:
        going = []
        for walk in left:
            pair = next(walk, None)
            if pair is not None:
                yield pair
                going.append(walk)
        left = going


def where_found(walks: Mapping[str, Iterator[int]], told: Sequence[int], random: np.random.Generator) -> Iterator[int]:
    """Go a step in the walk that is likely to find: Thompson sampling over queries, as over the runs of one."""
    left = list(walks.values())
    seen = np.ones((2, len(left)))
    while left:
        at = int(random.beta(seen[1], seen[0]).argmax())
        pair = next(left[at], None)
        if pair is None:
            del left[at]
            seen = np.delete(seen, at, axis=1)
            continue
        yield pair
        if told[pair] != PENDING:
            seen[told[pair], at] += 1


def walk(
    rankings: Rankings, strategy: str, told: Sequence[int], *, share: str = "equal", seed: int = 0
) -> Iterator[int]:
    """Yield all pairs in the order of a strategy: depth, mtf or bandit."""
    if strategy == "depth":
        return iter(by_rank(rankings).tolist())
    walks = {
        query: move_to_front(lists, told) if strategy == "mtf" else thompson(lists, told, chance(seed, query))
        for query, lists in rankings.lists.items()
    }
    return in_turns(walks) if share == "equal" else where_found(walks, told, chance(seed, ""))


def chance(seed: int, query: str) -> np.random.Generator:
    """Return the randomness of one query, which no other query has a part in."""
    own = hashlib.blake2b(query.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return np.random.default_rng([seed, int.from_bytes(own)])


class _Rows:
    """The rankings of one query: what each run has not given yet, and no other has."""

    def __init__(self, lists: Sequence[Sequence[int]]) -> None:
        self._left = [iter(row) for row in lists]
        self._given: set[int] = set()
        self.open = [run for run, row in enumerate(lists) if row]

    def next(self, run: int) -> int | None:
        """Return the next item of a run that was not given; close the run that has none."""
        pair = next((one for one in self._left[run] if one not in self._given), None)
        if pair is None:
            self.open.remove(run)
        else:
            self._given.add(pair)
        return pair
