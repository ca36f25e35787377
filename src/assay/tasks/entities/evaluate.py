"""`evaluate_entities`: proposals held against true entities, each by all that its kind allows."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.entities_evaluation import EntitiesEvaluation, ProposalResult, TruthFacts
from assay.core.evaluation import Evaluation
from assay.core.frames import is_frame
from assay.errors import InputError, UnsupportedError
from assay.evaluate import Measures, evaluate_all
from assay.report.amounts import counted
from assay.tasks.entities.adapters import adapted
from assay.tasks.entities.candidates import run_of
from assay.tasks.entities.conventions import RANKED
from assay.tasks.entities.judging import Judging
from assay.tasks.entities.linking import NIL, answers_of, linking_figures, mentions_of, names_entities
from assay.tasks.entities.records import Listing, as_listing
from assay.tasks.entities.request import Ranked, Request, beside_of, columns_by, slices_by
from assay.tasks.entities.setting import Setting, settle
from assay.tasks.entities.truth import Truth


def evaluate_entities(
    truth: Any,
    proposals: Any,
    measures: Measures | None = None,
    *,
    mode: str | None = None,
    sources: Any = None,
    members: Any = None,
    blocked: Any = None,
    threshold: float | None = None,
    nil: str = NIL,
    conventions: Mapping[str, str] | None = None,
    weights: Any = None,
    exclude: Any = None,
    by: Any = None,
    bounds: bool = False,
    interval: float | None = None,
    seed: int = 0,
) -> EntitiesEvaluation:
    """Judge candidate lists, scored pairs, pairs or clusters of records by the true entities of the records.

    Lists and scored pairs get per-record measures, each record asking for the others of its entity, itself left out,
    and those of blocking; pairs their precision and recall, with scores at every threshold; clusters all figures of
    clusters. P@k is a mean over all labelled records, every other measure one over records with a true match.
    Lists whose candidates are entities of the truth are linked mentions: each asks for its entity, or for NIL.

    Parameters
    ----------
    truth
        Clusters (record, entity; an empty entity is no label) or pairs of the same entity, as `as_listing` takes them.
    proposals
        One of these, or a list of them: clusters, candidate lists, pairs with scores or without.
    measures
        Names such as "R@10 Complete@10 AP", for lists and pairs; for clusters alone, of B3-P, B3-R and B3-F1.
    mode, sources
        "dedupe", "link" (pairs across sources only) or "both", and the source of each record: a file or frame with
        the columns record and source, or `{record: source}`. Without a mode the sources say it (`settle`).
    members
        Clusters (record, entity) that the candidates of lists are, where they are no records.
    blocked
        What blocking kept, lists or pairs: then it is judged by itself, and the scorer by what reached it.
    threshold
        From which score on scored pairs are matches; without one the threshold with the best F1 is shown.
    nil
        What stands for no entity where mentions are linked.
    conventions, weights, exclude, bounds, interval, seed
        As for `assay.evaluate`: fields of the policy said outright, and so on. Bounds are always given where
        candidates carry no label; records of one entity are one unit in intervals.
    by
        Groups of records: "size" of the true entity, "source", or a file or frame with a column record.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> truth = {"a": "e1", "b": "e1", "c": "e2"}
    >>> found = evaluate_entities(truth, {"a": ["b", "c"], "b": ["c"], "c": []}, "P@1 R@1 Complete@1")
    >>> found.evaluations[0].mean, found.results[0].records.without_match
    ({'P@1': 0.3333333333333333, 'R@1': 0.5, 'Complete@1': 0.5}, 1)
    """
    inputs = Inputs(mode, sources, members, blocked, threshold, nil)
    request = Request(measures, conventions or {}, weights, exclude, interval, seed, by, bounds)
    return judge_entities(truth, proposals, inputs, request).evaluation


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What is said of the records beside truth and proposals; the fields are parameters of `evaluate_entities`."""

    mode: str | None = None
    sources: Any = None
    members: Any = None
    blocked: Any = None
    threshold: float | None = None
    nil: str = NIL


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """An evaluation with what it was made of: the runs of proposals with their gold, the truth, who the records are."""

    evaluation: EntitiesEvaluation
    ranked: list[Ranked]
    truth: Truth
    setting: Setting | None

    def rankings(self, what: str) -> Ranked:
        """Return the proposals as runs of the core, where all have rankings that one gold judges.

        Raises
        ------
        UnsupportedError
            Clusters, or lists beside pairs without scores.
        """
        if len(self.ranked) != 1 or len(self.ranked[0].runs) < len(self.evaluation.results):
            kinds = ", ".join(dict.fromkeys(one.kind for one in self.evaluation.results))
            msg = f"{what}: expected lists, or pairs all with scores or all without, found {kinds}"
            raise UnsupportedError(msg, hint="assay entities evaluate judges all of them.")
        return self.ranked[0]

    def columns(self, by: Any) -> Any:
        """Return what records are grouped by, as the core takes it."""
        return columns_by(by, self.truth, self.setting) if by else None


def judge_entities(truth: Any, proposals: Any, inputs: Inputs, request: Request) -> Judged:
    """Judge proposals, and keep what a report or a comparison needs."""
    gold, given = as_listing(truth, None if _is_path(truth) else "truth"), listings_of(proposals)
    if inputs.members is None and inputs.mode is None and names_entities(gold, given, inputs.nil):
        return _mentions(gold, given, request, inputs.nil)
    more = {
        name: as_listing(one, None if _is_path(one) else name)
        for name in ("blocked", "members")
        if (one := getattr(inputs, name)) is not None
    }
    if "members" in more:
        given = [replace(one, clustered=one.kind == "lists") for one in given]
    setting, gold, settled = settle(gold, [*given, *more.values()], inputs.mode, inputs.sources)
    more = dict(zip(more, settled[len(given) :], strict=True))
    found = Truth.of(gold, setting)
    judging = Judging(found.placed(setting), setting, request, inputs.threshold, **more)
    results, ranked = judging.results(settled[: len(given)])
    slices = [one for group in _alike(results) for one in slices_by(group, request.by, found, setting)]
    uncertain = any(one.records and one.records.unlabelled_candidates for one in results)
    healths = [one.health() for one in ranked] if request.bounds or uncertain else []
    said = dict.fromkeys([*setting.notices, *found.notices, *_notices(results)])
    if request.measures is not None and ranked and any(one.kind == "clusters" for one in results):
        said["clusters have no ranking: they are measured by B3-P, B3-R and B3-F1, whatever else was asked for."] = None
    facts = _facts(found, setting, results, gold.kind)
    evaluation = EntitiesEvaluation(results, setting.link, facts, beside_of(slices, healths), tuple(said))
    return Judged(evaluation, ranked, found, setting)


def _mentions(gold: Listing, given: Sequence[Listing], request: Request, nil: str) -> Judged:
    """Judge ranked entities of mentions."""
    asking = mentions_of(gold, nil)
    answers = [answers_of(one, asking, nil) for one in given]
    judgments = asking.gold([table for table, _ in answers])
    runs = [run_of(one, table) for one, (table, _) in zip(given, answers, strict=True)]
    measures, options = RANKED if request.measures is None else request.measures, request.options()
    found = evaluate_all(judgments, runs, measures, **request.figures(), **options)
    results = tuple(
        ProposalResult("mentions", one, linking=linking_figures(asking, run, silent, options, nil))
        for one, run, (_, silent) in zip(found, runs, answers, strict=True)
    )
    ranked = Ranked(judgments, runs, measures, options, found)
    labelled = asking.truth.labelled
    facts = TruthFacts(
        "mentions", gold.table.height, labelled.height, labelled.filter(pl.col("entity") != nil)["entity"].n_unique(),
        None, 1,
    )  # fmt: skip
    beside = beside_of(slices_by(found, request.by, asking.truth, None), [ranked.health()] if request.bounds else [])
    silence = [
        f"{one.evaluation.name}: {counted(one.linking.silent, 'mention has', 'mentions have')} "
        f"no candidate; that says {nil}."
        for one in results
        if one.linking and one.linking.silent
    ]
    evaluation = EntitiesEvaluation(results, "mentions", facts, beside, tuple(silence))
    return Judged(evaluation, [ranked], asking.truth, None)


def listings_of(proposals: Any) -> list[Listing]:
    """Return the proposals as listings; those from memory are named by their place."""
    other = adapted(proposals, "proposal")
    if other is not None:
        return [other]
    alone = isinstance(proposals, str | os.PathLike | Mapping | Listing) or is_frame(proposals)
    given: Iterable[Any] = [proposals] if alone else proposals
    made = list(given)
    if not made:
        msg = "proposals: expected one or more, found none"
        raise InputError(msg)
    names = ["proposal"] if len(made) == 1 else [f"proposal {place}" for place in range(1, len(made) + 1)]
    return [as_listing(one, None if _is_path(one) else name) for one, name in zip(made, names, strict=True)]


def _is_path(given: Any) -> bool:
    return isinstance(given, str | os.PathLike)


def _alike(results: Sequence[ProposalResult]) -> Iterator[list[Evaluation]]:
    """Yield the evaluations with the same measures together."""
    groups: dict[tuple[str, ...], list[Evaluation]] = {}
    for one in results:
        groups.setdefault(tuple(one.evaluation.mean), []).append(one.evaluation)
    yield from groups.values()


def _facts(truth: Truth, setting: Setting, results: Sequence[ProposalResult], kind: str) -> TruthFacts:
    counts = [one.blocking.true_pairs for one in results if one.blocking]
    counts += [one.clusters.pairs.true for one in results if one.clusters]
    labelled = truth.labelled
    return TruthFacts(
        kind, len(setting.records), labelled.height, labelled["entity"].n_unique(),
        counts[0], max(1, setting.known["source"].drop_nulls().n_unique()),
    )  # fmt: skip


def _notices(results: Sequence[ProposalResult]) -> Iterator[str]:
    """Say what a reader of the figures should know: records without a label first."""
    for one in results:
        name, records = one.evaluation.name, one.records
        if records and records.unlabelled:
            yield (
                f"{name}: {counted(records.unlabelled, 'record carries', 'records carry')} no label: "
                "they are not asked, and are "
                f"{records.unlabelled_candidates:,} candidates that count as wrong; bounds say what that could change."
            )
        if one.blocking and one.blocking.within:
            yield (
                f"{name}: {counted(one.blocking.within, 'pair lies', 'pairs lie')} within one source; "
                "only those across are asked for."
            )
        for figures in (one.pairs, one.clusters):
            yield from (f"{name}: {said}" for said in (figures.notices if figures else ()))
