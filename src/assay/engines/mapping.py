"""Dicts of dicts: only the judged items are looked up; the ranking itself is never built."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.core.gold import Gold
from assay.core.judged import Floats, Judged, Notes
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.exclusions import Exclusions
from assay.engines.gold_index import index_of
from assay.engines.resolve import Found, assemble
from assay.errors import RunError

SHORT = 128
"""Up to this many items Python's sort is faster than NumPy's calls."""
FEW = 12
"""Up to this many judged items in a ranking, counting each is faster than sorting the scores once."""


def takes_mapping(scores: Mapping[str, Mapping[str, float]], exclusions: Exclusions) -> bool:
    """Tell whether the mapping can be read as it stands: text ids, nothing to take out."""
    keys: list[object] = [*scores, *(next(iter(items), "") for items in scores.values())]
    return not exclusions and all(isinstance(key, str) for key in keys)


def judge_mapping(run: Run, scores: Mapping[str, Mapping[str, float]], gold: Gold, policy: Policy) -> Judged:
    """Rank the judged items of each query among its scores."""
    reader = _Reader(run, policy)
    items = gold.table["item"].to_list()
    starts = np.searchsorted(gold.codes, np.arange(len(gold.queries) + 1)).tolist()
    retrieved = np.zeros(len(gold.queries), np.int64)
    for code, query in enumerate(gold.queries):
        answers = scores.get(query)
        if answers:
            retrieved[code] = len(answers)
            judged = [(row, items[row]) for row in range(starts[code], starts[code + 1]) if items[row] in answers]
            reader.read(code, query, answers, judged)
    known = index_of(gold).numbers if len(scores) > len(gold.queries) else gold.queries.to_list()
    extra = tuple(sorted(query for query in scores if query not in set(known)))
    return _finish(reader, gold, retrieved, extra, sum(map(len, scores.values())))


def _finish(reader: "_Reader", gold: Gold, retrieved: Any, extra: tuple[str, ...], rows: int) -> Judged:
    if extra and reader.policy.extra == "error":
        names = ", ".join(map(repr, extra[:3]))
        msg = f"{reader.run.name}: expected only queries with gold, found {len(extra)} without: {names}"
        raise RunError(msg, hint="extra='ignore' leaves them out.")
    code, gold_row, rank, above, tied = np.array(reader.found, np.int64).reshape(-1, 5).T
    found = Found(code, gold_row, rank, above, tied, retrieved)
    notes = Notes(rows=rows, run_queries=int((retrieved > 0).sum()) + len(extra), extra_queries=extra, nan=reader.nan)
    return assemble(gold, found, retrieved > 0, notes)


@dataclass(eq=False)
class _Reader:
    """Collects (query number, gold row, rank, above, tied) of each judged item."""

    run: Run
    policy: Policy
    found: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    nan: int = 0

    def read(self, code: int, query: str, answers: Mapping[str, float], judged: list[tuple[int, str]]) -> None:
        """Rank the judged items of one query."""
        values = self._values(query, answers)
        if not judged:
            return
        if self.policy.precision == "float32" or self.nan:
            place = {item: number for number, item in enumerate(answers)}
            own = [float(values[place[item]]) for _, item in judged]
        else:
            own = [float(answers[item]) for _, item in judged]
        for (row, item), score, (above, tied) in zip(judged, own, _count(values, own), strict=True):
            before = 0 if tied == 1 else self._before(answers, values == score, item)
            self.found.append((code, row, above + before + 1, above, tied))

    def _values(self, query: str, answers: Mapping[str, float]) -> Floats:
        """Return the scores of one query as numbers, shape (items,)."""
        try:
            values = np.fromiter(answers.values(), np.float64, len(answers))
        except (TypeError, ValueError):
            pairs: list[tuple[str, object]] = list(answers.items())
            item, score = next((i, s) for i, s in pairs if not isinstance(s, int | float))
            msg = f"{self.run.name}: expected a number as score of item {item!r} for query {query!r}, found {score!r}"
            raise RunError(msg) from None
        if self.policy.precision == "float32":
            values = values.astype(np.float32).astype(np.float64)
        wrong = np.isnan(values)
        if wrong.any():
            self.nan += int(wrong.sum())
            if self.policy.nan == "error":
                item = list(answers)[int(np.flatnonzero(wrong)[0])]
                msg = f"{self.run.name}: expected a number as score of item {item!r} for query {query!r}, found NaN"
                raise RunError(msg, hint="nan='worst' ranks such items last.")
            values = np.where(wrong, -np.inf, values)
        return values

    def _before(self, answers: Mapping[str, float], tied: Any, item: str) -> int:
        """Return how many of the tied items stand before this one."""
        ids = list(answers)
        others = [ids[place] for place in np.flatnonzero(tied)]
        if self.policy.ties == "order":
            return others.index(item)
        if self.policy.ties == "id-asc":
            return sum(other < item for other in others)
        return sum(other > item for other in others)


def _count(values: Floats, own: list[float]) -> list[tuple[int, int]]:
    """Return for each score how many values lie above it and on it."""
    size = len(values)
    if size <= SHORT:
        rising = sorted(values.tolist())
        return [(size - bisect_right(rising, x), bisect_right(rising, x) - bisect_left(rising, x)) for x in own]
    if len(own) <= FEW:
        return [(int(np.count_nonzero(values > x)), int(np.count_nonzero(values == x))) for x in own]
    ordered = np.sort(values)
    right = np.searchsorted(ordered, own, side="right")
    left = np.searchsorted(ordered, own, side="left")
    return [(size - int(r), int(r - l)) for r, l in zip(right, left, strict=True)]  # noqa: E741 - left, right
