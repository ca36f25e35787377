"""Pooled lists: the triples predicted for many questions in one list by score, "9 of the top 10 are right".

And OGB's Hits@K, which counts true triples against one shared list of negatives. Neither is a measure of single
questions, and both have names of their own. Scores of different questions must be comparable: a model that is not
calibrated across questions fills the top with those it scores high.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from assay.core.evaluation import Evaluation, Figure
from assay.core.frames import to_polars
from assay.core.gold import Gold
from assay.core.links import TIES, LinkFigure, LinkResult, SharedNegatives
from assay.core.policy import Policy, Ties
from assay.core.run import Run
from assay.errors import InputError, ParameterError, RunError, UnknownNameError
from assay.evaluate import Measures, evaluate
from assay.measures import parse_many
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.top import top_triples

POOLED = "P@{1,3,10,100} AP"
"""What is measured of a pooled list when nothing is asked for."""
PLACES = "P@{1,3,10,100}"
"""The same for a model, of which only the first places are known."""
DEFAULT = Protocol()
Given = Literal["head", "relation", "tail"]
COLUMNS = ("head", "relation", "tail")
ALL = "all"


def evaluate_pooled(
    graph: KnowledgeGraph,
    predictions: Any,
    measures: Measures = POOLED,
    *,
    given: Given | None = None,
    split: str = "test",
    known: Sequence[str] = ("train", "valid"),
    ties: Ties = "expected",
    name: str = "predictions",
) -> Evaluation:
    """Judge predicted triples as one list by score: P@10 is the share of the first 10 that are right.

    Parameters
    ----------
    graph
        The triples of `split` are right; those of the `known` splits are taken out of the list.
    predictions
        A frame with the columns head, relation, tail and score; names, or numbers of entities and relations. Or a
        model: then the best answers of each tail question of the split, as many as the largest cutoff needs. A triple
        that is predicted twice counts once, with its higher score.
    given
        "relation": one list for each relation, as in (?, hasCEO, ?), and the mean over relations; "head" and "tail"
        likewise. None: a single list of all triples.
    ties
        Triples with equal scores: "expected" gives the mean over all their orders.

    Returns
    -------
    Evaluation
        Its queries are the lists. AP is divided by all right triples, those that were not predicted included.

    Raises
    ------
    InputError
        Predictions without one of the columns, or with a number that is none of an entity.
    ParameterError
        A measure without a cutoff, of a model: it would need every triple that there could be.

    >>> graph = KnowledgeGraph.from_arrays([[3, 0, 4]], test=[[0, 0, 1], [2, 0, 1]])
    >>> scored = pl.DataFrame({"head": [0, 2, 3], "relation": [0, 0, 0], "tail": [1, 0, 4], "score": [0.9, 0.5, 0.99]})
    >>> evaluate_pooled(graph, scored, "P@{1,2}").mean
    {'P@1': 1.0, 'P@2': 0.5}
    """
    if given is not None and given not in get_args(Given):
        raise UnknownNameError.of("given", str(given), get_args(Given))
    if isinstance(predictions, Model):
        predictions = _of_model(graph, predictions, measures, split, known)
    found = predicted_names(graph, to_polars(predictions), name)
    right = _named(graph, graph.triples(split))
    if right.is_empty():
        raise ParameterError(f"pooled: expected triples of split {split}, found none")
    others = [one for one in known if one != split]
    before = _named(graph, graph.triples(*others)) if others else right.clear()
    gold = Gold.from_frame(_listed(right, given).with_columns(grade=1), name=f"{graph.name}, {split}, pooled")
    run = Run.from_frame(_listed(found, given).with_columns(found["score"]), name=name)
    policy = Policy(ties=ties, duplicates="best")
    return evaluate(gold, run, measures, policy=policy, exclude=_listed(before, given) if len(before) else None)


def pooled_result(
    graph: KnowledgeGraph, model: Model, given: Given | None = None, measures: Measures = PLACES, *,
    protocol: Protocol = DEFAULT,
) -> LinkResult:  # fmt: skip
    """Return the pooled list of a model (or one for each of what is given) under the four tie rules.

    The list holds the answers to the tail questions of the split, best first.
    """
    known = [one for one in protocol.known if one != protocol.split]
    found = _of_model(graph, model, measures, protocol.split, known)
    kinds: dict[str, Evaluation] = {}
    for kind in TIES:
        ties: Any = kind
        kinds[kind] = evaluate_pooled(
            graph, found, measures, given=given, split=protocol.split, known=known, ties=ties, name=model.name
        )
    rule = "expected" if protocol.ties == "realistic" else protocol.ties
    own, judged = kinds[rule], kinds[rule].judged
    lengths = np.zeros(1, np.int64) if judged is None else judged.retrieved
    return LinkResult(
        protocol="pooled" if given is None else f"pooled by {given}",
        meaning=f"{'one list' if given is None else f'one list for each {given}'} of the best tails of all questions",
        figures=tuple(_figure(one, kinds, rule) for one in own.figures),
        sides={},
        queries=own.queries,
        ranks=0 if judged is None else len(judged.hits),
        tied=0 if judged is None else int((judged.hits.tied > 1).sum()),
        candidates=(int(lengths.min()), int(np.median(lengths)), int(lengths.max())),
        evaluation=own,
    )


def _figure(one: Figure, kinds: Mapping[str, Evaluation], rule: str) -> LinkFigure:
    return LinkFigure(
        one.name, one.requested, one.mean, one.queries, one.undefined,
        {kind: evaluation[one.name] for kind, evaluation in kinds.items()},
        higher_is_better=one.higher_is_better, rule=rule,
    )  # fmt: skip


def _of_model(
    graph: KnowledgeGraph, model: Model, measures: Measures, split: str, known: Sequence[str]
) -> pl.DataFrame:
    """Return the best answers of a model, as many as the first places of a pooled list can hold."""
    cutoffs = {str(one.measure): getattr(one.measure, "k", None) for one in parse_many(measures)}
    endless = [name for name, cutoff in cutoffs.items() if cutoff is None]
    if endless:
        msg = f"pooled: expected measures with a cutoff for a model, found {', '.join(endless)}"
        raise ParameterError(msg, hint="P@100, for instance; or hand over all scored triples.")
    protocol = Protocol(split=split, sides=("tail",), known=(*known, split))
    return top_triples(graph, model, max(cutoff for cutoff in cutoffs.values() if cutoff), protocol=protocol)


def predicted_names(graph: KnowledgeGraph, predictions: pl.DataFrame, place: str) -> pl.DataFrame:
    """Return predictions with the names of entities and relations as text.

    Raises InputError for a column that is missing and for a number that is none of an entity or a relation.
    """
    for column in (*COLUMNS, "score"):
        if column not in predictions.columns:
            msg = f"{place}: expected the columns head, relation, tail and score, found {predictions.columns}"
            raise InputError(msg)
    names = {"head": graph.entities, "relation": graph.relations, "tail": graph.entities}
    columns = {column: _names(predictions[column], names[column], f"{place}, {column}") for column in COLUMNS}
    return predictions.select(pl.col("score").cast(pl.Float64)).with_columns(**columns)


def _names(column: pl.Series, names: pl.Series, place: str) -> pl.Series:
    if not column.dtype.is_integer():
        return column.cast(pl.String)
    numbers = column.to_numpy()
    if len(numbers) and not 0 <= numbers.min() <= numbers.max() < len(names):
        raise InputError(
            f"{place}: expected numbers from 0 to {len(names) - 1}, found {numbers.min()} to {numbers.max()}"
        )
    return names.gather(column).cast(pl.String)


def _named(graph: KnowledgeGraph, triples: np.ndarray[Any, np.dtype[np.int64]]) -> pl.DataFrame:
    return pl.DataFrame({
        "head": graph.entities.gather(triples[:, 0]).cast(pl.String),
        "relation": graph.relations.gather(triples[:, 1]).cast(pl.String),
        "tail": graph.entities.gather(triples[:, 2]).cast(pl.String),
    })  # fmt: skip


def _listed(triples: pl.DataFrame, given: Given | None) -> pl.DataFrame:
    """Return the list that each triple stands in, and its name there."""
    asked = pl.lit(ALL) if given is None else pl.col(given)
    return triples.select(query=asked, item=pl.format("({}, {}, {})", *COLUMNS))


def shared_negatives(positive: ArrayLike, negative: ArrayLike, k: Sequence[int] = (10, 50, 100)) -> SharedNegatives:
    r"""Return OGB's Hits@K: the share of true triples above the K-th best of one shared list of negatives.

    $$ Hits@K = \frac{1}{|P|} \sum_{p \in P} [\, s_p > s_{(K)} \,] $$

    `positive` and `negative` are scores, shapes (positives,) and (negatives,); a tie counts as a miss. With fewer
    than K negatives OGB gives 1, and so does this, with a notice. Not the Hits@K of link prediction, which ranks each
    true triple among the candidates of its own question.
    Source: Hu et al. 2020, Open Graph Benchmark (ogbl-ddi, ogbl-ppa, ogbl-collab).

    Raises
    ------
    RunError
        A score that is no number.
    ParameterError
        No scores, or a K below 1.

    >>> shared_negatives([0.8, 0.9, 0.4, 0.5, 0.3], [0.7, 0.45, 0.2, 0.1, 0.6], k=[3]).hits
    {3: 0.6}
    """
    found = [np.asarray(scores, np.float64).ravel() for scores in (positive, negative)]
    for what, scores in zip(("positive", "negative"), found, strict=True):
        if np.isnan(scores).any():
            raise RunError(f"{what} scores: expected numbers, found {int(np.isnan(scores).sum())} that are none")
    true, false = found
    if not len(true) or not len(k) or min(k) < 1:
        raise ParameterError(f"OGB's Hits@K: expected positives and K of at least 1, found {len(true)} and K {list(k)}")
    best = np.sort(false)[::-1]
    hits = {one: float((true > best[one - 1]).mean()) if one <= len(best) else 1.0 for one in k}
    short = [one for one in k if one > len(best)]
    notices = tuple(f"OGB-Hits@{one} is 1 by OGB's rule: there are only {len(best)} negatives." for one in short)
    return SharedNegatives(hits, len(true), len(false), notices)
