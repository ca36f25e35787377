"""Dicts of dicts: only the judged items are looked up; the ranking itself is never built."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.core.gold import Gold
from assay.core.judged import Floats, Judged, Notes
from assay.core.policy import Policy
from assay.core.run import MappingRows, Run
from assay.engines.exclusions import Exclusions
from assay.engines.refusals import extra_queries, no_number
from assay.engines.resolve import Found, assemble

SHORT = 128
"""Up to this many items Python's sort is faster than NumPy's calls."""
SHORT_LIST, FEW_QUERIES = 48, 1000
"""Many lists that are shorter than this on average are faster as one frame than one by one."""


def takes_mapping(scores: Mapping[str, Mapping[str, float]], exclusions: Exclusions) -> bool:
    """Tell whether the mapping is best read as it stands: text ids, nothing to take out, no crowd of short lists."""
    if len(scores) > FEW_QUERIES and sum(map(len, scores.values())) < SHORT_LIST * len(scores):
        return False
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
    extra = tuple(sorted(scores.keys() - set(gold.queries)))
    return _finish(reader, gold, retrieved, extra, sum(map(len, scores.values())))


def _finish(reader: "_Reader", gold: Gold, retrieved: Any, extra: tuple[str, ...], rows: int) -> Judged:
    if extra and reader.policy.extra == "error":
        raise extra_queries(reader.run, extra)
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
        groups: dict[float, Mapping[str, int]] = {}
        for (row, item), score, (above, tied) in zip(judged, own, _count(values, own), strict=True):
            if tied > 1 and score not in groups:
                groups[score] = self._places(answers, values == score)
            before = groups[score][item] if tied > 1 else 0
            self.found.append((code, row, above + before + 1, above, tied))

    def _values(self, query: str, answers: Mapping[str, float]) -> Floats:
        """Return the scores of one query as numbers, shape (items,)."""
        try:
            values = np.fromiter(answers.values(), np.float64, len(answers))
        except (TypeError, ValueError):
            raise MappingRows(self.run.name, {query: answers}).wrong_score() from None
        if self.policy.precision == "float32":
            with np.errstate(over="ignore"):  # what is too large for 32 bits is infinite
                values = values.astype(np.float32).astype(np.float64)
        wrong = np.isnan(values)
        if wrong.any():
            self.nan += int(wrong.sum())
            if self.policy.nan == "error":
                raise no_number(self.run, query, list(answers)[int(np.flatnonzero(wrong)[0])])
            values = np.where(wrong, -np.inf, values)
        return values

    def _places(self, answers: Mapping[str, float], tied: Any) -> Mapping[str, int]:
        """Return how many of the tied items stand before each of them."""
        ids = list(answers)
        group = [ids[place] for place in np.flatnonzero(tied)]
        if self.policy.ties != "order":
            group.sort(reverse=self.policy.ties != "id-asc")
        return {item: place for place, item in enumerate(group)}


def _count(values: Floats, own: list[float]) -> list[tuple[int, int]]:
    """Return for each score how many values lie above it and on it."""
    size = len(values)
    if size <= SHORT:
        rising = sorted(values.tolist())
        return [(size - bisect_right(rising, x), bisect_right(rising, x) - bisect_left(rising, x)) for x in own]
    ordered = np.sort(values)
    not_above, below = ordered.searchsorted(own, side="right"), ordered.searchsorted(own)
    return [(size - n, n - b) for n, b in zip(not_above.tolist(), below.tolist(), strict=True)]
