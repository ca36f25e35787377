"""What blocking keeps: the true pairs among the candidates, how few candidates that took, and who loses the rest."""

import polars as pl

from assay.core.entities_candidates import BlockingFigures, ScorerFigures
from assay.core.entities_pairs import PairFigures
from assay.tasks.entities.pairs import judge_pairs, normalise_pairs
from assay.tasks.entities.records import Listing
from assay.tasks.entities.setting import Setting
from assay.tasks.entities.truth import Truth


def candidate_pairs(listing: Listing, members: pl.DataFrame | None = None) -> pl.DataFrame:
    """Return candidates as pairs of records, as they come: columns left and right.

    Where candidates are clusters, each record of a cluster is one; `members` has the columns record and entity.
    """
    if listing.kind == "pairs":
        return listing.table.select("left", "right")
    pairs = listing.table.select(left="record", right="candidate")
    if members is None:
        return pairs
    named = members.select(right="entity", member="record")
    return pairs.join(named, on="right", maintain_order="left").select("left", right="member")


def judge_blocking(truth: Truth, setting: Setting, pairs: pl.DataFrame) -> BlockingFigures:
    r"""Judge a set of candidate pairs, each counted once whatever its direction.

    With B the distinct candidate pairs, D the true pairs and E all pairs that are asked for:

    $$ PC = \frac{|D \cap B|}{|D|}, \quad PQ = \frac{|D \cap B|}{|B|}, \quad RR = 1 - \frac{|B|}{|E|}, \quad
    F = \frac{2 \cdot PC \cdot RR}{PC + RR} $$

    Pairs with a record without a label take no part in PC and PQ; PQ's bounds have them all wrong, or all right. E
    holds the pairs of all records that are known: those in the files, and in the list of sources.
    Source: Christen 2012, Data Matching, ch. 7. JedAI's PQ divides by rows, with every repeat counted.

    >>> from assay.tasks.entities.records import as_listing
    >>> from assay.tasks.entities.setting import settle
    >>> entities, offered = {"a": "e", "b": "e", "c": "f"}, {"a": ["b", "c"]}
    >>> setting, true, lists = settle(as_listing(entities), [as_listing(offered)], "dedupe")
    >>> found = judge_blocking(Truth.of(true, setting), setting, candidate_pairs(lists[0]))
    >>> found.pair_completeness, found.pair_quality, round(found.reduction_ratio, 4)
    (1.0, 0.5, 0.3333)
    """
    judged = _judged(truth, setting, pairs)
    counts, left = judged.counts, judged.left_out
    found, size = counts.true_positives, counts.proposed + left.unlabelled
    completeness = _share(found, counts.true)
    possible = setting.possible
    reduction = 1 - size / possible if possible else None
    return BlockingFigures(
        rows=pairs.height,
        distinct=size,
        redundant=left.proposed_repeats,
        own=left.proposed_self,
        within=left.proposed_within,
        unlabelled=left.unlabelled,
        found=found,
        true_pairs=counts.true,
        possible=possible,
        pair_completeness=completeness,
        pair_quality=_share(found, counts.proposed),
        quality_low=_share(found, size),
        quality_high=_share(found + left.unlabelled, size),
        reduction_ratio=reduction,
        f_score=_harmonic(completeness, reduction),
    )


def judge_scorer(
    truth: Truth, setting: Setting, blocked: pl.DataFrame, scored: pl.DataFrame, threshold: float | None
) -> ScorerFigures:
    """Say where true pairs are lost: in blocking, or by the scorer among what blocking kept.

    `blocked` and `scored` have the columns left and right, `scored` also score unless each of its pairs is a match;
    without a threshold all scored pairs are.
    """
    kept, seen = (normalise_pairs(one)[0] for one in (blocked, scored))
    matched = seen if threshold is None else seen.filter(pl.col("score") >= threshold)
    reached = matched.join(kept, on=["left", "right"], how="semi")
    through, found, both = (_judged(truth, setting, one).counts for one in (kept, matched, reached))
    return ScorerFigures(
        threshold=threshold,
        true_pairs=through.true,
        blocked=through.true_positives,
        found=found.true_positives,
        found_blocked=both.true_positives,
        beyond=seen.join(kept, on=["left", "right"], how="anti").height,
        blocking_recall=_share(through.true_positives, through.true),
        scorer_recall=_share(both.true_positives, through.true_positives),
        end_to_end_recall=_share(found.true_positives, through.true),
    )


def _judged(truth: Truth, setting: Setting, pairs: pl.DataFrame) -> PairFigures:
    """Hold pairs without their scores against the truth."""
    return judge_pairs(truth.given, pairs.select("left", "right"), sources=setting.sources, link=setting.link)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _harmonic(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other > 0 else 0.0
