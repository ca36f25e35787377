"""`evaluate_links`: a graph and a link predictor in, measures under every way of ranking out, never mixed."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.audit.facts import audit_of
from assay.core.evaluation import Evaluation, Figure
from assay.core.facts import GoldFacts, Options
from assay.core.judged import Flags
from assay.core.links import LinkResult, LinksEvaluation
from assay.core.policy import Policy
from assay.core.scores import Scores
from assay.evaluate import Measures, Plan
from assay.evaluate.estimating import estimate
from assay.measures import parse_many
from assay.report.amounts import counted, percent
from assay.tasks.links.breakdowns import breakdowns_of
from assay.tasks.links.figures import Measured, in_lists, measured, plans_of
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.intervals import with_link_intervals
from assay.tasks.links.judged import (
    MEANINGS,
    MULTI_ANSWER,
    LinkRanks,
    protocols_of,
    ranks_per_query,
    ranks_per_triple,
)
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import Ranking, rank
from assay.tasks.links.worst import ABOVE, WORST, worst_triples

LINKS = "MRR MR HR@{1,3,10} AMRI"
"""The measures per triple when none is asked for."""
ANSWERS = "P@{1,3,10} R@{1,3,10} F1@10 AP nDCG@10 RR HR@10"
"""The measures of lists with many right answers when none is asked for."""
DEFAULT = Protocol()


@dataclass(frozen=True, slots=True)
class Asked:
    """What an evaluation of links is asked for, beside the ranking itself."""

    measures: Measures | None = None
    interval: float | None = None
    seed: int = 0

    def plans(self, protocol: str, policy: Policy) -> list[Plan]:
        """Return the measures under one way of ranking: those that were asked for, or those that suit it."""
        usual = ANSWERS if protocol == MULTI_ANSWER else LINKS
        plans = plans_of(parse_many(usual if self.measures is None else self.measures), policy)
        return [in_lists(plan) for plan in plans] if protocol == MULTI_ANSWER else plans


def evaluate_links(
    graph: KnowledgeGraph,
    model: Any,
    measures: Measures | None = None,
    *,
    protocol: Protocol = DEFAULT,
    by: Iterable[str] = (),
    types: Mapping[str, Iterable[str]] | None = None,
    interval: float | None = None,
    seed: int = 0,
    worst: int = WORST,
    above: int = ABOVE,
    **counting: Any,
) -> LinksEvaluation:
    r"""Judge a link predictor by the triples of a split: where do the true entities stand among all?

    With greater and equal counted over the candidates, the "realistic" rank is greater + 1 + equal/2. The first
    result is the filtered one per triple, the standard of the field; raw, time-aware, type-constrained ranks and
    multi-answer lists stand beside it under their names.

    Parameters
    ----------
    graph, model
        Triples by split; and a model, as `assay.tasks.links.models` has them.
    measures
        Names such as "MRR HR@10"; they are then shown under every way of ranking. Else "MRR MR HR@{1,3,10} AMRI" per
        triple and P, R, F1, AP, nDCG for lists of many answers.
    protocol
        The conventions; printed with the result.
    by, types
        Breakdowns: "relation", "side", "category" (1-1 to N-N), "degree" of the true entity in train, "type" of the
        true entity by the mapping `types`.
    interval, seed
        The confidence of intervals, from resampled questions: triples with the same question are one unit.
    worst, above
        How many of the triples with the lowest rank to name, and how many of the answers above each.
    **counting
        As for `rank`: constrained candidates, the size of a block.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong.
    """
    ranking = rank(graph, model, protocol, **counting)
    wanted: dict[str, Any] = {"by": by, "types": types, "interval": interval, "seed": seed, "worst": worst}
    return evaluate_ranking(ranking, measures, **wanted, model=model, above=above)


def evaluate_ranking(
    ranking: Ranking,
    measures: Measures | None = None,
    *,
    by: Iterable[str] = (),
    types: Mapping[str, Iterable[str]] | None = None,
    interval: float | None = None,
    seed: int = 0,
    worst: int = WORST,
    model: Model | None = None,
    above: int = ABOVE,
) -> LinksEvaluation:
    """Judge ranks that are counted already; the parameters and errors are those of `evaluate_links`.

    Only with the `model` that was ranked is it known which answers stand above the worst triples.
    """
    asked = Asked(measures, interval, seed)
    results = [_result(ranking, protocol, asked) for protocol in protocols_of(ranking)]
    if "list_greater" in ranking.table.columns:
        results.append(_result(ranking, MULTI_ANSWER, asked))
    filtered = results[0].evaluation
    return LinksEvaluation(
        model=ranking.model,
        results=tuple(results),
        protocol=ranking.protocol.to_dict(),
        graph=graph_facts(ranking),
        dropped=ranking.dropped,
        breakdowns=breakdowns_of(ranking, filtered, by, types=types, level=interval, seed=seed) if filtered else (),
        worst=worst_triples(ranking, worst, model=model, above=above),
        notices=(*(filtered.notices if filtered else ()), *_said_of(model)),
    )


def _said_of(model: Model | None) -> tuple[str, ...]:
    return () if model is None or model.notice is None else (model.notice,)


def evaluation_of(ranking: Ranking, protocol: str = "filtered", measures: Measures | None = None) -> Evaluation:
    """Return ranks under one protocol as an evaluation like any other: for comparisons, slices and reports."""
    plans = Asked(measures).plans(protocol, policy_of(ranking.protocol))
    ranks = _ranks(ranking, protocol)
    return _evaluation(ranking, protocol, ranks, measured(ranks, plans))


def _ranks(ranking: Ranking, protocol: str) -> LinkRanks:
    if protocol == MULTI_ANSWER:
        return ranks_per_query(ranking)
    return ranks_per_triple(ranking, protocol)  # type: ignore[arg-type]


def _result(ranking: Ranking, protocol: str, asked: Asked) -> LinkResult:
    """Return one way of ranking: over all sides, and over each."""
    plans = asked.plans(protocol, policy_of(ranking.protocol))
    ranks = _ranks(ranking, protocol)
    found = measured(ranks, plans)
    evaluation = _evaluation(ranking, protocol, ranks, found)
    if asked.interval is not None:
        evaluation = with_link_intervals(evaluation, asked.interval, asked.seed)
    figures = [one.figure(ranks) for one in found]
    sides: dict[str, Flags] = {"tail": ranks.tail, "head": ~ranks.tail} if len(ranking.protocol.sides) > 1 else {}
    candidates = ranks.judged.retrieved
    return LinkResult(
        protocol=protocol,
        meaning=_meaning(ranking, protocol),
        figures=tuple(replace(one, interval=evaluation.figure(one.name).interval) for one in figures),
        sides={side: tuple(one.figure(ranks, chosen) for one in found) for side, chosen in sides.items()},
        queries=len(np.unique(ranks.query)),
        ranks=len(ranks.judged.hits) + int(ranks.outside.sum()),
        tied=int((ranks.judged.hits.tied > 1).sum()),
        candidates=(int(candidates.min()), int(np.median(candidates)), int(candidates.max())),
        outside=int(ranks.outside.sum()),
        evaluation=evaluation,
    )


def _meaning(ranking: Ranking, protocol: str) -> str:
    named = f", by {ranking.candidates}" if protocol == "typed" and ranking.candidates else ""
    return f"{MEANINGS[protocol]}{named}"


def policy_of(protocol: Protocol) -> Policy:
    """Return the policy of the core that a protocol of links is."""
    return Policy(ties=protocol.ties, nan=protocol.nan)


def _evaluation(ranking: Ranking, protocol: str, ranks: LinkRanks, found: Sequence[Measured]) -> Evaluation:
    """Return the ranks as an evaluation like any other, for comparisons, slices and reports."""
    judged, policy = ranks.judged, policy_of(ranking.protocol)
    answers, notes = len(judged.ideal), judged.notes
    audit = audit_of(judged.under(policy), [one.plan.cutoff for one in found])
    results = [one.own for one in found]
    figures: tuple[Figure, ...] = tuple(result.figure for result in results)
    return Evaluation(
        name=ranking.model,
        gold=GoldFacts(
            f"{ranking.graph.name}, {ranking.protocol.split}, {protocol}", None, fingerprint(ranking, protocol),
            judged.queries, answers, answers, {1.0: answers},
        ),
        policy=policy,
        profile=None,
        figures=figures,
        scores=Scores.of(ranking.model, {one.figure.name: (one.queries, one.values) for one in results}),
        audit=replace(audit, judged_at={}),
        notices=tuple(_notices(ranking, ranks)),
        queries=judged.queries,
        rows=notes.rows,
        options=Options(),
        samples={one.figure.name: one.sample for one in results if one.sample is not None},
        judged=judged,
        estimator=estimate,
    )  # fmt: skip


def fingerprint(ranking: Ranking, protocol: str) -> Callable[[], str]:
    """Return a function that makes the SHA-256 of what a ranking was asked: triples, names and protocol."""

    def digest() -> str:
        graph, card = ranking.graph, ranking.protocol.to_dict()
        made = hashlib.sha256(repr((protocol, sorted(card.items()))).encode())
        for split in sorted(graph.splits):
            triples = graph.splits[split]
            made.update(f"{split} {triples.shape}".encode())
            made.update(np.ascontiguousarray(triples, "<i8").tobytes())
        if protocol == "typed":
            made.update(ranking.table.select("typed_candidates", "typed_inside").write_csv().encode())
        for names in (graph.entities, graph.relations):
            made.update("\n".join(map(str, names)).encode("utf-8", "surrogatepass"))
        return made.hexdigest()

    return digest


def graph_facts(ranking: Ranking) -> dict[str, Any]:
    """Return the counts of a graph and of what was asked of it."""
    graph = ranking.graph
    asked = ranking.table.height // max(len(ranking.protocol.sides), 1)
    return {
        "name": graph.name,
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        "triples": {split: len(rows) for split, rows in graph.splits.items()},
        "asked": asked,
        "unseen": int(unseen_of(ranking).sum()) // max(len(ranking.protocol.sides), 1),
    }


def unseen_of(ranking: Ranking) -> Flags:
    """Flag the rows with an entity or a relation that no training triple holds, shape (rows,)."""
    entities, relations = ranking.graph.seen()
    head, relation, tail = (ranking.table[name].to_numpy() for name in ("head", "relation", "tail"))
    unseen: Flags = ~(entities[head] & entities[tail] & relations[relation])
    return unseen


def _notices(ranking: Ranking, ranks: LinkRanks) -> Iterator[str]:
    """Say what a reader of the figures should know."""
    protocol = ranking.protocol
    tied, every = int((ranks.judged.hits.tied > 1).sum()), len(ranks.judged.hits)
    if tied * 20 > every:
        said = f"{tied:,} of {counted(every, 'true entity')} tie with other candidates ({percent(tied / every, 0)})"
        yield f"{said}: read the figures under the other tie rules as well."
    if protocol.split not in protocol.known:
        yield f"{protocol.split} is not among the known splits: other right answers stay among the candidates."
    if ranking.dropped:
        said = f"{counted(ranking.dropped, 'triple is', 'triples are')} left out"
        yield f"{said}: train does not hold an entity or relation of theirs."
    unseen = int(unseen_of(ranking).sum())
    if unseen:
        said = counted(unseen, "question holds", "questions hold")
        yield f"{said} an entity or relation that train does not; they are kept."
    if ranks.outside.any():
        yield (
            f"{counted(int(ranks.outside.sum()), 'true entity is', 'true entities are')} not among their "
            "candidates: misses, without a rank."
        )
    if ranking.nan:
        yield f"{counted(ranking.nan, 'score is', 'scores are')} no numbers; they count as the worst."
