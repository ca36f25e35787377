"""Notices: the sentences that a reader of the numbers should know, shown with each evaluation."""

from collections.abc import Iterator, Sequence

from assay.audit.inverted import suspect_inverted
from assay.core.facts import RunAudit
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.measures.base import Measure
from assay.report.amounts import counted, percent

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
    missing, extra, empty = len(audit.missing_queries), len(audit.extra_queries), int((judged.wanted(rel) == 0).sum())
    if missing:
        of, other = f"of {counted(judged.queries, 'gold query')}", "skip" if policy.missing == "zero" else "zero"
        who, it = counted(missing, f"{of} has", f"{of} have"), _it(policy.missing, missing)
        yield f"{who} no answer; {it} (missing={other} changes that)."
    if extra:
        has = "query of the run has no gold; it is", "queries of the run have no gold; they are"
        yield f"{counted(extra, *has)} ignored."
    if empty:
        who = counted(empty, "gold query has", "gold queries have")
        yield f"{who} no item of grade {rel:g} or more; {_it(policy.empty, empty)} in a mean."


def _it(rule: str, many: int) -> str:
    """Say what a rule of the policy does with one query, or with several.

    >>> _it("zero", 1), _it("skip", 2)
    ('it counts as 0', 'they are left out')
    """
    one, more = {
        "zero": ("counts as 0", "count as 0"),
        "one": ("counts as 1", "count as 1"),
        "skip": ("is left out", "are left out"),
        "error": ("is an error", "are an error"),
    }[rule]
    return f"it {one}" if many == 1 else f"they {more}"


def _about_rows(audit: RunAudit) -> Iterator[str]:
    if audit.duplicates:
        has = "row repeats an item of its query; it was", "rows repeat an item of their query; they were"
        yield f"{counted(audit.duplicates, *has)} dropped before ranking."
    if audit.nan:
        has = "score is no number; that item is", "scores are no number; those items are"
        yield f"{counted(audit.nan, *has)} ranked last."
    if audit.excluded:
        yield f"{counted(audit.excluded, 'row was', 'rows were')} excluded before ranking."
    if audit.self_matches:
        has = "row names its own query as item; it was", "rows name their own query as item; they were"
        yield f"{counted(audit.self_matches, *has)} dropped before ranking."


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
        yield f"only {percent(share, 0)} of the first {k} {UNJUDGED}"
    graded = [str(measure) for measure in measures if getattr(measure, "max_rel", 0) is None]
    if graded:
        yield f"{', '.join(graded)}: the highest grade is {judged.top_grade:g}, taken from the gold (max_rel= sets it)."
    if suspect_inverted(judged, gold):
        yield "the grades may be inverted: low grades are ranked above high ones. Is 1 the best grade here?"
