"""`found`: what each strategy would have found in a known gold standard, judgment by judgment."""

from itertools import islice
from typing import Any

import numpy as np

from assay.core.policy import Policy
from assay.core.pool import Found, Share
from assay.inputs import as_gold, as_pairs
from assay.judging.pool_rankings import Rankings
from assay.judging.pool_walks import walk
from assay.judging.pools import opened

WALKS = ("depth", "mtf", "bandit")
POINTS = 10


def found(
    runs: Any,
    gold: Any,
    *,
    depth: int = 100,
    budget: int | None = None,
    rel: float = 1,
    share: Share = "equal",
    seed: int = 0,
    policy: Policy | None = None,
    exclude: Any = None,
) -> Found:
    """Simulate judging: each pair gets the grade that a known gold standard gives it; 0 where it gives none.

    Ten budgets up to `budget` (default: all pairs within the depth) are told; everything else is as in `pool`.

    >>> curve = found([{"q": ["a", "b", "c"]}, {"q": ["c", "a"]}], {"q": {"a": 1, "b": 0, "c": 1}}, budget=2)
    >>> curve.budgets, curve.relevant["depth"], curve.of
    ((1, 2), (1, 2), 2)
    """
    rankings = Rankings.of(opened(runs), depth, policy or Policy(), as_pairs(exclude))
    told = rankings.told(as_gold(gold), rel, unjudged=0)
    last = min(budget or len(told), len(told))
    budgets = sorted({last * part // POINTS for part in range(1, POINTS + 1)} - {0})
    relevant = {}
    for strategy in WALKS:
        order = list(islice(walk(rankings, strategy, told, share=share, seed=seed), last))
        so_far = np.cumsum(np.array(told, np.int64)[order])
        relevant[strategy] = tuple(so_far[np.array(budgets, np.int64) - 1].tolist())
    return Found(tuple(budgets), relevant, sum(told))
