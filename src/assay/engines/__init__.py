"""Where ranks are counted. An engine joins gold to a run; it can never change a number."""

import polars as pl

from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import local
from assay.engines.head import head, lies_elsewhere

__all__ = ["head", "judge"]


def judge(run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None = None) -> Judged:
    """Join gold to a run: the rank of each judged item that was retrieved.

    The engine that owns the rows counts; rows in files and in memory are counted in this process. `exclude` holds
    pairs (query, item) that are taken out of every ranking before ranks are given.

    Raises
    ------
    RunError
        What the policy calls an error: duplicates, scores that are no number, queries without gold.
    """
    if lies_elsewhere(run):
        from assay.engines.frames import judge_frame

        return judge_frame(run, gold, policy, exclude)
    return local.judge(run, gold, policy, exclude)
