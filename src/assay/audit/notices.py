"""Notices: the sentences that a reader of the numbers should know, shown with each evaluation."""

from collections.abc import Iterator, Sequence

from assay.audit.inverted import suspect_inverted
from assay.core.facts import RunAudit
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.measures.base import Measure

FEW_JUDGED = 0.5
UNJUDGED = "items are judged; the rest counts as not relevant."


def notices_of(
    audit: RunAudit, judged: Judged, policy: Policy, measures: Sequence[Measure], gold: Gold, *, rel: float | None
) -> tuple[str, ...]:
    """Return the notices of one evaluation, most serious first; grades of at least rel (by default 1) are relevant."""
    return (
        *_about_queries(audit, judged, policy, 1 if rel is None else rel),
        *_about_rows(audit),
        *_about_ties(audit, policy),
        *_about_judgments(audit, judged, measures, gold),
    )


def _about_queries(audit: RunAudit, judged: Judged, policy: Policy, rel: float) -> Iterator[str]:
    missing = len(audit.missing_queries)
    if missing:
        what = "they score 0" if policy.missing == "zero" else "they are left out"
        other = "skip" if policy.missing == "zero" else "zero"
        yield f"{missing} of {judged.queries} gold queries have no answer; {what} (missing={other} changes that)."
    if audit.extra_queries:
        yield f"{len(audit.extra_queries)} queries of the run have no gold; they are ignored."
    empty = int((judged.wanted(rel) == 0).sum())
    if empty:
        words = {"zero": "count as 0", "one": "count as 1", "skip": "are left out", "error": "are an error"}
        yield f"{empty} gold queries have no item of grade {rel:g} or more; they {words[policy.empty]} in a mean."


def _about_rows(audit: RunAudit) -> Iterator[str]:
    if audit.duplicates:
        yield f"{audit.duplicates} rows repeat an item of their query; they were dropped before ranking."
    if audit.nan:
        yield f"{audit.nan} scores are no number; those items are ranked last."
    if audit.excluded:
        yield f"{audit.excluded} rows were excluded before ranking."
    if audit.self_matches:
        yield f"{audit.self_matches} rows name their own query as item; they were dropped before ranking."


def _about_ties(audit: RunAudit, policy: Policy) -> Iterator[str]:
    decided = {k: count for k, count in audit.ties_across_cutoff.items() if count}
    if decided and policy.ties not in {"expected", "realistic"}:
        whole = decided.pop(None, 0)
        parts = [f"cutoff {k}: {count}" for k, count in decided.items()]
        parts += [f"whole list: {whole}"] if whole else []
        touched = ", ".join(parts)
        yield f"ties decide some values ({policy.ties}); queries touched, by {touched}. --ties range shows by how much."


def _about_judgments(audit: RunAudit, judged: Judged, measures: Sequence[Measure], gold: Gold) -> Iterator[str]:
    low = {k: share for k, share in audit.judged_at.items() if share is not None and share < FEW_JUDGED}
    if low:
        k, share = next(iter(low.items()))
        yield f"only {share:.0%} of the first {k} {UNJUDGED}"
    graded = [str(measure) for measure in measures if getattr(measure, "max_rel", 0) is None]
    if graded:
        yield f"{', '.join(graded)}: the highest grade is {judged.top_grade:g}, taken from the gold (max_rel= sets it)."
    if suspect_inverted(judged, gold):
        yield "the grades may be inverted: low grades are ranked above high ones. Is 1 the best grade here?"
