"""What there is to say about a gold standard and a run together: do they speak of the same things?"""

from collections.abc import Iterator

import polars as pl

from assay.audit.gold_findings import inverted
from assay.audit.identifiers import NearMiss, near_miss
from assay.audit.inverted import looks_inverted, suspect_inverted
from assay.audit.run_findings import place_of
from assay.core.audit import Finding
from assay.core.facts import RunAudit
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.run import Run
from assay.report.amounts import percent

EXAMPLES = 5
ENOUGH = 10
"""A run that finds none of fewer gold items than this may just be bad."""
MOSTLY = 0.5


def pair_findings(gold: Gold, run: Run, rows: pl.DataFrame, judged: Judged, audit: RunAudit) -> Iterator[Finding]:
    """Yield what is noteworthy about a run held against the gold."""
    yield from _about_queries(gold, run, rows, judged, audit)
    if judged.answered.any():
        yield from _about_items(gold, run, rows)
        yield from _about_judged(run, audit)
        yield from _about_decisive_ties(run, audit)
    if suspect_inverted(judged, gold) and not looks_inverted(gold):
        why = "this run ranks items of lower grades above those of higher ones, and grade for grade they are rarer"
        yield inverted(place_of(run), why)


def _about_queries(gold: Gold, run: Run, rows: pl.DataFrame, judged: Judged, audit: RunAudit) -> Iterator[Finding]:
    missing, extra = audit.missing_queries, audit.extra_queries
    miss = near_miss(gold.queries, rows["query"].unique())
    cause = f"The ids differ only by {miss.change}." if miss else ""
    if not judged.answered.any() and rows.height:
        yield Finding(
            "error",
            "no-common-query",
            "gold and run have no query in common",
            cause or "Are these files of the same collection?",
            miss.examples if miss else (f"{gold.queries[0]!r} (gold) and {min(extra)!r} (run)",),
            place_of(run),
        )
        return
    if miss:
        yield Finding(
            "warning",
            "similar-query-ids",
            f"gold queries that would have an answer but for {miss.change}: {miss.count}",
            "Ids are compared as they are.",
            miss.examples,
            place_of(run),
        )
    yield from _missing_and_extra(gold, run, missing, extra)


def _missing_and_extra(gold: Gold, run: Run, missing: tuple[str, ...], extra: tuple[str, ...]) -> Iterator[Finding]:
    if missing:
        yield Finding(
            "warning",
            "missing-queries",
            f"gold queries without an answer: {len(missing)} of {len(gold.queries)}",
            "They score 0 in a mean over all gold queries; missing='skip' leaves them out, as trec_eval without -c.",
            tuple(sorted(missing)[:EXAMPLES]),
            place_of(run),
        )
    if extra:
        yield Finding(
            "note",
            "extra-queries",
            f"queries of the run without gold: {len(extra)}",
            "They are ignored.",
            tuple(sorted(extra)[:EXAMPLES]),
            place_of(run),
        )


def _about_items(gold: Gold, run: Run, rows: pl.DataFrame) -> Iterator[Finding]:
    ours = gold.table.select("item").unique()["item"]
    theirs = rows.select("item").unique()["item"]
    found = int(ours.is_in(theirs.implode()).sum())
    miss = near_miss(ours, theirs)
    if not found:
        yield _no_common_item(run, ours, theirs, miss)
        return
    title = f"items of the gold that occur in the run: {found} of {len(ours)}"
    yield Finding("note", "items-found", title, place=place_of(run))
    if miss:
        yield Finding(
            "warning",
            "similar-item-ids",
            f"items of the gold that would occur in the run but for {miss.change}: {miss.count}",
            "Ids are compared as they are, so such items count as not judged.",
            miss.examples,
            place_of(run),
        )


def _no_common_item(run: Run, ours: pl.Series, theirs: pl.Series, miss: NearMiss | None) -> Finding:
    sure = miss is not None or len(ours) >= ENOUGH
    return Finding(
        "error" if sure else "warning",
        "no-common-item",
        f"items of the gold that occur in the run: none of {len(ours)}",
        f"The ids differ only by {miss.change}." if miss else "Do both name items the same way?",
        miss.examples if miss else (f"{ours.min()!r} (gold) and {theirs.min()!r} (run)",),
        place_of(run),
    )


def _about_judged(run: Run, audit: RunAudit) -> Iterator[Finding]:
    shares = {k: share for k, share in audit.judged_at.items() if share is not None}
    if not shares or min(shares.values()) == 1:
        return
    shown = ", ".join(f"{percent(1 - share)} at k = {k}" for k, share in shares.items())
    few = [k for k, share in shares.items() if share < MOSTLY]
    yield Finding(
        "warning" if few else "note",
        "unjudged",
        f"share of items not judged: {shown}",
        "Such items count as not relevant"
        + (f"; beyond k = {few[0]} most of what is shown is unknown. " if few and few[0] > min(shares) else ". ")
        + "Look at Judged@k beside each number.",
        place=place_of(run),
    )


def _about_decisive_ties(run: Run, audit: RunAudit) -> Iterator[Finding]:
    decided = {k: count for k, count in audit.ties_across_cutoff.items() if count and k is not None}
    whole = audit.ties_across_cutoff.get(None, 0)
    if not whole:
        return
    by = "".join(f", {count} at k = {k}" for k, count in decided.items())
    yield Finding(
        "warning",
        "decisive-ties",
        f"queries in which items of different grades have the same score: {whole}",
        f"The tie rule decides some values there{by}. --ties range shows by how much.",
        place=place_of(run),
    )
