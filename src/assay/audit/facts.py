"""Facts about a gold standard and a judged run: what is counted for every evaluation."""

from collections.abc import Iterable

import numpy as np

from assay.audit.identifiers import EXAMPLES, likely_cause
from assay.core.facts import GoldFacts, RunAudit
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.run import Run
from assay.errors import OverlapError


def facts_of(gold: Gold, rel: float | None = None) -> GoldFacts:
    """Count what a gold standard holds; `relevant` are the judgments of at least grade rel, by default 1."""
    per_query = gold.ideal.relevant(1 if rel is None else rel).count()
    return GoldFacts(
        name=gold.name,
        path=gold.origin.path if gold.origin else None,
        digest=gold.origin.digest if gold.origin else lambda: None,
        queries=len(gold.queries),
        judgments=len(gold),
        relevant=int(per_query.sum()),
        grades=gold.grades(),
        unjudged_queries=gold.unjudged,
        format=gold.origin.format if gold.origin else None,
        empty_queries=tuple(gold.queries.gather(np.flatnonzero(per_query == 0))),
    )


def audit_of(judged: Judged, cutoffs: Iterable[int | None]) -> RunAudit:
    """Count what was noticed about a run, at each cutoff that is reported."""
    reported = sorted(set(cutoffs), key=lambda k: (k is None, k or 0))
    notes = judged.notes
    tied = judged.hits.where(judged.hits.tied > 1)
    return RunAudit(
        missing_queries=tuple(judged.names[np.flatnonzero(~judged.answered)]),
        extra_queries=notes.extra_queries,
        duplicates=notes.duplicates,
        nan=notes.nan,
        excluded=notes.excluded,
        self_matches=notes.self_matches,
        queries_with_ties=int((tied.count() > 0).sum()),
        ties_across_cutoff={k: int(judged.tied_across(k).sum()) for k in reported},
        judged_at={k: _judged_share(judged, k) for k in reported if k is not None},
    )


def require_overlap(run: Run, gold: Gold, judged: Judged) -> None:
    """Raise OverlapError where gold and run have no query in common, naming examples of both sides."""
    if judged.answered.any() or not judged.notes.run_queries:
        return
    theirs = ", ".join(repr(query) for query in judged.notes.extra_queries[:EXAMPLES])
    ours = ", ".join(repr(query) for query in gold.queries[:EXAMPLES])
    place = run.origin.path if run.origin else run.name
    msg = f"{place}: expected queries of the gold such as {ours}, found none of them but {theirs}"
    hint = (
        likely_cause(gold.queries.to_list(), list(judged.notes.extra_queries))
        or "are these files of the same collection?"
    )
    raise OverlapError(msg, hint=hint)


def _judged_share(judged: Judged, k: int) -> float | None:
    """Return the mean over answered queries of the share of judged items within the first k places."""
    shown = np.minimum(judged.retrieved, k)
    there = shown > 0
    if not there.any():
        return None
    return float((judged.top(k).judged().count()[there] / shown[there]).mean())
