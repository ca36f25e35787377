"""Judged ranks as trec_eval makes them: its tie rule, its cuts, its queries."""

from dataclasses import dataclass, replace

import numpy as np

from assay.cli.trec_eval.arguments import NOTHING_CODE, Arguments, ExitError
from assay.core.gold import Gold
from assay.core.judged import Flags, Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge

PREFERENCES = ("prefs", "qrels_prefs")
"""The forms of judgments that hold preferences: all of them are judged, those of a level below 0 too."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """The judged ranks of the queries that are evaluated, and what summaries need of all queries.

    A mean is over `queries`; `missing` judged queries have no answers. `relevant` is the number of judgments
    above 0, which is the summary of num_rel with -c, whatever -l says; None where that is a sum.
    """

    judged: Judged
    queries: int
    missing: int
    relevant: int | None

    @property
    def absent(self) -> Flags:
        """Flag the evaluated queries for which the run holds nothing, shape (queries,)."""
        return ~self.judged.answered


def rank(gold: Gold, run: Run, arguments: Arguments) -> Ranked:
    """Judge the run and keep what the arguments ask for.

    Raises
    ------
    ExitError
        No query is left.
    """
    whole = judge(run, gold, _policy(arguments))
    kept = whole.answered.copy()
    if arguments.complete and arguments.version_of != "9":
        kept[:] = True
    if arguments.query is not None:
        kept &= (whole.names == arguments.query).to_numpy()
    if not kept.any():
        raise ExitError(NOTHING_CODE, "trec_eval: No queries with both results and relevance info")
    judged = whole if kept.all() else whole.select(kept)
    if arguments.complete and arguments.version_of == "10":
        # trec_eval gives a query without answers one answer, an unknown document
        judged = replace(judged, retrieved=np.where(judged.answered, judged.retrieved, 1))
    if arguments.most is not None:
        judged = _cut(judged, arguments.most)
    queries = whole.queries if arguments.complete else judged.queries
    counted = arguments.complete and arguments.version_of != "documented"
    return Ranked(
        judged.condensed() if arguments.judged_only and arguments.rel_format not in PREFERENCES else judged,
        queries,
        missing=int((~whole.answered).sum()),
        relevant=int((gold.table["grade"] > 0).sum()) if counted else None,
    )


def _policy(arguments: Arguments) -> Policy:
    """Return the conventions: with preferences trec_eval orders equal scores by rising ids."""
    rising = arguments.rel_format in PREFERENCES and arguments.version_of != "documented"
    return Policy(
        ties="id-asc" if rising else "id-desc",
        precision="float32" if arguments.version_of == "9" else "float64",
        nan="worst",
    )


def _cut(judged: Judged, most: int) -> Judged:
    """Keep the first places of each query, and forget the rest."""
    return replace(judged, hits=judged.top(most), retrieved=np.minimum(judged.retrieved, most))
