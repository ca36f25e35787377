"""`Judging`: each proposal held against the truth by all that its kind allows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl

from assay.core.entities_candidates import BlockingFigures
from assay.core.entities_evaluation import ProposalResult
from assay.core.entities_pairs import PairFigures
from assay.core.evaluation import Evaluation
from assay.errors import ParameterError
from assay.evaluate import Measures, evaluate_all
from assay.report.amounts import counted
from assay.tasks.entities.blocking import candidate_pairs, judge_blocking, judge_scorer
from assay.tasks.entities.candidates import Questions, by_sources, lists_of, run_of, without_own
from assay.tasks.entities.clustered import chosen, cluster_evaluation
from assay.tasks.entities.clusters import judge_clusters
from assay.tasks.entities.conventions import RANKED, UNRANKED
from assay.tasks.entities.pairs import judge_pairs
from assay.tasks.entities.records import Listing
from assay.tasks.entities.request import Ranked, Request
from assay.tasks.entities.setting import Setting
from assay.tasks.entities.truth import Truth


@dataclass(frozen=True, slots=True, eq=False)
class Judging:
    """What all proposals share."""

    truth: Truth
    setting: Setting
    request: Request
    threshold: float | None
    blocked: Listing | None = None
    members: Listing | None = None

    def results(self, given: Sequence[Listing]) -> tuple[tuple[ProposalResult, ...], list[Ranked]]:
        """Return the result of each proposal in order, and those with candidates in groups of the same measures."""
        self._require(given)
        asking = [one for one in given if one.kind != "clusters"]
        made: dict[int, ProposalResult] = {}
        groups = []
        for scored in (True, False):
            some = [one for one in asking if one.scored is scored]
            if some:
                found, group = self._ranked(some, asking, RANKED if scored else UNRANKED)
                made |= {id(one): result for one, result in zip(some, found, strict=True)}
                groups.append(group)
        names = chosen(None if asking or self.request.rankings else self.request.measures)
        made |= {id(one): self._clusters(one, names) for one in given if one.kind == "clusters"}
        return tuple(made[id(one)] for one in given), groups

    def _require(self, given: Sequence[Listing]) -> None:
        if self.threshold is not None and not any(one.kind == "pairs" and one.scored for one in given):
            msg = f"threshold: expected pairs with a score to hold against it, found {given[0].kind} without"
            raise ParameterError(msg)
        if self.blocked is not None and (self.blocked.kind == "clusters" or all(o.kind != "pairs" for o in given)):
            msg = "blocked: expected lists or pairs that blocking kept, beside pairs of a scorer, found other kinds"
            raise ParameterError(msg)
        if self.members is not None and (self.members.kind != "clusters" or all(o.kind != "lists" for o in given)):
            msg = "members: expected clusters (record, entity), beside lists of which they are candidates"
            raise ParameterError(msg)

    def _ranked(
        self, some: Sequence[Listing], every: Sequence[Listing], usual: str
    ) -> tuple[list[ProposalResult], Ranked]:
        """Judge lists or pairs record by record, and by their pairs."""
        request, lists = self.request, [self._lists(one) for one in some]
        asking = Questions.of(self.truth, self.setting, every)
        if self.members is not None:
            asking = asking.of_clusters(self.members.table)
        gold, runs = asking.gold(lists), [run_of(one, table) for one, table in zip(some, lists, strict=True)]
        measures = usual if request.measures is None else request.measures
        options = request.options(asking.units())
        found = evaluate_all(gold, runs, measures, **request.figures(), **options)
        results = [
            self._result(one, table, evaluation, asking, measures)
            for one, table, evaluation in zip(some, lists, found, strict=True)
        ]
        return results, Ranked(gold, runs, measures, options, found)

    def _lists(self, listing: Listing) -> pl.DataFrame:
        lists = lists_of(listing, self.setting)
        return without_own(lists, self.members.table) if listing.clustered and self.members else lists

    def _result(
        self, listing: Listing, lists: pl.DataFrame, evaluation: Evaluation, asking: Questions, measures: Measures
    ) -> ProposalResult:
        between = () if listing.clustered else by_sources(asking, self.setting, lists, measures)
        pairs = self._pairs(listing) if listing.kind == "pairs" else None
        scorer = None
        if pairs is not None and self.blocked is not None:
            at = pairs.threshold if pairs.curve is None or pairs.threshold is not None else pairs.curve.best.threshold
            scorer = judge_scorer(self.truth, self.setting, candidate_pairs(self.blocked), listing.table, at)
        kind = "lists" if listing.kind == "lists" else "scored pairs" if listing.scored else "pairs"
        evaluation = _said(evaluation, asking)
        return ProposalResult(
            kind, evaluation, replace(asking.figures(lists), by_sources=between), self._blocking(listing), scorer, pairs
        )

    def _blocking(self, listing: Listing) -> BlockingFigures:
        """Judge the candidates that blocking kept, or those that the proposal itself holds."""
        kept = listing if self.blocked is None else self.blocked
        members = self.members.table if kept.clustered and self.members else None
        return judge_blocking(self.truth, self.setting, candidate_pairs(kept, members))

    def _pairs(self, listing: Listing) -> PairFigures:
        table = listing.table.select("left", "right", *(["score"] if listing.scored else []))
        known = self.setting.records if self.setting.sources is None else None
        return judge_pairs(
            self.truth.given, table, records=known, sources=self.setting.sources, link=self.setting.link,
            threshold=self.threshold if listing.scored else None,
        )  # fmt: skip

    def _clusters(self, listing: Listing, names: Sequence[str]) -> ProposalResult:
        """Judge clusters, all figures from one table."""
        proposed = listing.table.select("record", "entity")
        found = judge_clusters(
            self.truth.clusters, proposed, sources=self.setting.sources, link=self.setting.link
        )  # fmt: skip
        evaluation = cluster_evaluation(listing, self.truth, self.request, names)
        return ProposalResult("clusters", evaluation, clusters=found)


def _said(evaluation: Evaluation, asking: Questions) -> Evaluation:
    """Return the evaluation with what is said of records without a match: they count in P@k alone."""
    lone = len(asking.asked) - asking.matches["query"].n_unique()
    notices = [one for one in evaluation.notices if "no item of grade" not in one]
    if lone:
        notices.append(
            f"{lone:,} of {counted(len(asking.asked), 'record')} have no true match: nothing "
            "found in P@k, left out elsewhere."
        )
    return replace(evaluation, notices=tuple(notices))
