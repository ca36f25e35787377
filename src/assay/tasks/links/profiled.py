"""Profiles of tools that judge link predictors: their protocol, and OGB's Hits@K, which nobody else has."""

from dataclasses import replace
from typing import Any

import numpy as np

from assay.core.judged import Flags, Floats, Ints
from assay.core.links import LinkFigure, LinkResult, LinksEvaluation
from assay.core.profiles import PROFILES
from assay.errors import UnknownNameError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.models.predictions import Predictions
from assay.tasks.links.pooled import shared_negatives
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.questions import kept

SHARED = "ogb-shared-negatives"
OGB_HITS = (20, 50, 100)
"""The cutoffs of ogbl-ddi, ogbl-collab and ogbl-ppa."""
LINK_PROFILES = tuple(name for name, profile in PROFILES.items() if profile.links is not None)
NEEDS_NEGATIVES = (
    "OGB's Hits@K needs scored triples that no split holds, true and wrong ones in one file of --scores: found none."
)


def protocol_like(profile: str | None, **said: Any) -> Protocol:
    """Return the protocol of a tool, by the name of its profile; what is said outright (and is not None) wins.

    Raises
    ------
    UnknownNameError
        A profile of no tool that judges link predictors.

    >>> protocol_like("pykeen").unseen, protocol_like("pykeen", unseen="keep").unseen
    ('drop', 'keep')
    """
    if profile is not None and profile not in LINK_PROFILES:
        raise UnknownNameError.of("profile of link prediction", profile, LINK_PROFILES)
    fields = {} if profile is None else dict(PROFILES[profile].links or {})
    return Protocol(**fields | {name: value for name, value in said.items() if value is not None})


def with_profile(
    found: LinksEvaluation, profile: str, graph: KnowledgeGraph, model: Model, protocol: Protocol
) -> LinksEvaluation:
    """Return the evaluation under the name of a profile, whose summary is one of the notices.

    With "ogb" and predictions that hold wrong triples too, OGB's Hits@K stands beside the other ways of ranking.
    """
    more = shared_result(graph, model, protocol) if profile == "ogb" else None
    said = [f"Profile {profile}. {PROFILES[profile].summary}"]
    if profile == "ogb":
        said += [NEEDS_NEGATIVES] if more is None else _too_few(more.candidates[0])
    first, *others = found.results
    if first.evaluation is not None:
        notices = (*first.evaluation.notices, *said)
        first = replace(first, evaluation=replace(first.evaluation, profile=profile, notices=notices))
    results = (first, *others) if more is None else (first, *others, more)
    return replace(found, results=results, notices=(*found.notices, *said))


def _too_few(negatives: int) -> list[str]:
    rule = "is 1 by OGB's rule: there are only"
    return [f"OGB-Hits@{k} {rule} {negatives:,} negatives." for k in OGB_HITS if negatives < k]


def shared_result(graph: KnowledgeGraph, model: Model, protocol: Protocol) -> LinkResult | None:
    """Return OGB's Hits@K of predictions: true triples of the split against all listed triples that no split holds.

    A true triple that is not listed is a miss. None of a model that is no list, or of a list without a wrong triple.
    """
    if not isinstance(model, Predictions):
        return None
    right = graph.splits[protocol.split][kept(graph, protocol, protocol.split)]
    wrong = ~_held(graph, model.triples)
    if not wrong.any():
        return None
    scores = [model.by_the_book(*right.T), model.values[wrong]]
    if protocol.nan == "worst":
        scores = [np.where(np.isnan(one), -np.inf, one) for one in scores]
    positive, negative = scores
    figures = _figures(positive, negative)
    many = len(negative)
    return LinkResult(
        protocol=SHARED,
        meaning="true triples above the K-th best of one list of wrong ones, a tie is a miss: OGB's Hits@K, not HR@K",
        figures=figures, sides={}, queries=1, ranks=len(positive),
        tied=int(np.isin(positive, negative).sum()), candidates=(many, many, many),
    )  # fmt: skip


def _held(graph: KnowledgeGraph, triples: Ints) -> Flags:
    """Flag the triples that some split of the graph holds, shape (rows,)."""
    entities, relations = graph.entities.len(), graph.relations.len()

    def keys(rows: Ints) -> Ints:
        numbers: Ints = (rows[:, 0] * relations + rows[:, 1]) * entities + rows[:, 2]
        return numbers

    held: Flags = np.isin(keys(triples), keys(np.concatenate(list(graph.splits.values()))))
    return held


def _figures(positive: Floats, negative: Floats) -> tuple[LinkFigure, ...]:
    """Return the Hits@K under each tie rule; OGB's own is the pessimistic one."""
    hits = shared_negatives(positive, negative, OGB_HITS).hits
    best = np.sort(negative)
    greater = len(best) - np.searchsorted(best, positive, side="right")
    equal = len(best) - np.searchsorted(best, positive, side="left") - greater
    figures = []
    for k in OGB_HITS:
        ties = {
            "optimistic": greater < k, "realistic": greater + 1 + equal / 2 <= k, "pessimistic": greater + equal < k,
            "expected": np.clip(k - greater, 0, equal + 1) / (equal + 1),
        }  # fmt: skip
        name = f"OGB-Hits@{k}"
        shown = {kind: float(values.mean()) for kind, values in ties.items()}
        figures.append(LinkFigure(name, name, hits[k], len(positive), 0, shown, rule="pessimistic"))
    return tuple(figures)
