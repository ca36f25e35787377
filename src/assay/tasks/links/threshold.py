"""`threshold_links`: populate a graph with predicted triples that are right as often as wanted."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.links_threshold import Calibration, LabelledCut, LinkThreshold, LinkThresholds
from assay.core.progress import Progress
from assay.errors import ParameterError, RunError
from assay.report.amounts import counted, percent
from assay.statistics.calibration import isotonic
from assay.statistics.threshold import Cut, cut_at, fewest, threshold
from assay.tasks.links.admitted import Admitted, Asked, admitted, split_of
from assay.tasks.links.calibration import calibrations_of
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.keys import among, unique_rows
from assay.tasks.links.models.base import Model

POOL = 200_000
"""So many candidates with the highest scores are looked at in a closed world."""
MOST = 1_000
"""So many admitted triples are listed."""
ALL = "all"


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Scored triples that are known to be right or wrong; each field has the shape (labels,)."""

    relation: Ints
    scores: Floats
    right: Flags

    @classmethod
    def of(cls, graph: KnowledgeGraph, model: Model, split: str, wrong: Any) -> "Labels":
        """Score the triples of a split and wrong ones, shape (triples, 3); what some split holds is not wrong."""
        given = np.asarray(wrong)
        if given.ndim != 2 or given.shape[1] != 3 or given.dtype.kind not in "iu":
            msg = f"negatives: expected rows of head, relation and tail as numbers, found an array of {given.shape}"
            raise ParameterError(msg)
        model.check(given[:, [0, 2]], given[:, 1])
        negatives = unique_rows(given.astype(np.int64))
        negatives = negatives[~among(negatives, graph.triples())]
        positives = _positives(graph, split)
        triples = np.concatenate([positives, negatives])
        scores = model.asked("tail", *triples.T)
        if not np.isfinite(scores).all():
            raise RunError(f"model {model.name}: expected finite scores of labelled triples, found others")
        return cls(triples[:, 1], scores, np.arange(len(triples)) < len(positives))

    def only(self, relation: int) -> "Labels":
        """Return the labels of one relation."""
        here = self.relation == relation
        return Labels(self.relation[here], self.scores[here], self.right[here])

    def pair(self) -> tuple[Floats, Flags]:
        """Return the scores, and which of them are right."""
        return self.scores, self.right

    def one_sided(self, precision: float) -> bool:
        """Tell whether the labels reach the precision whatever the score: then they say nothing of a threshold."""
        return bool(len(self.right)) and float(self.right.mean()) >= precision


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """The cut of one group, by the labels it was chosen by and by others."""

    group: str
    labels: Labels
    chosen: Cut | None
    checked: Cut | None

    @property
    def floor(self) -> float:
        """The score from which on triples are admitted; infinity for none."""
        return self.chosen.score if self.chosen else np.inf


def threshold_links(
    graph: KnowledgeGraph,
    model: Model,
    *,
    negatives: Any = None,
    check_negatives: Any = None,
    closed: bool = False,
    precision: float = 0.9,
    confidence: float = 0.95,
    by_relation: bool = False,
    most: int = MOST,
    pairs: Any = None,
    progress: Progress | None = None,
) -> LinkThresholds:
    """Find the score above which predicted triples are right as often as wanted, and what that admits.

    Candidates are all tails of each (head, relation) that train holds, or of the `pairs`. A threshold is the lowest
    score whose precision over labels has a lower bound (exact, one-sided, the search paid for) of at least `precision`.

    Parameters
    ----------
    negatives, check_negatives
        Triples that are known to be wrong, numbers of shape (triples, 3): those to choose by, with the right ones of
        valid (of test without valid); and those to check by, with the right ones of test.
    closed
        Instead: whatever no split holds is wrong, and what valid or test hold is right. A graph that lacks facts has a
        higher precision than this says.
    precision, confidence
        What is wanted, and how sure.
    by_relation
        A threshold for each relation as well; the triples listed are then those above their own.
    most
        How many admitted triples to list.
    pairs
        The questions (head, relation, ?) whose tails are candidates, numbers of shape (pairs, 2), as `pairs_of`
        makes them. None: those that train holds.
    progress
        Told how many questions are done, and of how many.

    Raises
    ------
    ParameterError
        No labels of either kind, both kinds, a precision or confidence outside 0 to 1.

    >>> from assay.tasks.links.models import DistMult
    >>> graph = KnowledgeGraph.from_arrays([[9, 0, 1]], test=[[9, 0, tail] for tail in range(30, 40)], entities=45)
    >>> model = DistMult(np.arange(45.0)[:, None], np.array([[1.0]]))
    >>> wrong = np.array([[9, 0, tail] for tail in range(2, 30)])
    >>> found = threshold_links(graph, model, negatives=wrong, precision=0.5, confidence=0.9)
    >>> found.overall.score, found.overall.admitted, found.overall.held
    (270.0, 5, 10)
    """
    if closed == (negatives is not None):
        raise ParameterError(
            "threshold: expected either labelled negatives or the closed world, found both or none",
            hint="--negatives FILE names triples that are wrong.",
        )
    search = _Search(graph, model, Asked.of(graph, pairs), precision, confidence, progress)
    labels = _closed(search) if closed else _labelled(graph, model, negatives)
    check = None if check_negatives is None or closed else _checking(graph, model, check_negatives)
    calibrations = () if closed else calibrations_of(*labels.pair(), check.pair() if check else None)
    thresholds, found = search.overall(labels, check, most)
    if by_relation:
        own, found = search.by_relation(labels, check, most)
        thresholds += own
    return LinkThresholds(
        model=model.name,
        graph=graph.name,
        precision=precision,
        confidence=confidence,
        labels="closed-world" if closed else "labelled",
        thresholds=thresholds,
        calibrations=calibrations,
        triples=_listed(graph, found, None if closed else labels),
        facts=search.facts(),
        notices=tuple(_notices(labels, check, calibrations, closed=closed)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """What is searched for, and where."""

    graph: KnowledgeGraph
    model: Model
    asked: Asked
    precision: float
    confidence: float
    progress: Progress | None = None

    def overall(self, labels: Labels, check: Labels | None, most: int) -> tuple[tuple[LinkThreshold, ...], Admitted]:
        """Return the threshold over all triples, and what it admits."""
        cut = self.cut(ALL, labels, check)
        every = np.arange(self.graph.relations.len())
        found = admitted(self.model, self.asked, np.full(len(every), cut.floor), most, self.progress)
        return (self.threshold(cut, found, every),), found

    def by_relation(
        self, labels: Labels, check: Labels | None, most: int
    ) -> tuple[tuple[LinkThreshold, ...], Admitted]:  # fmt: skip
        """Return a threshold for each relation that has labels, and what they admit together."""
        names = self.graph.relations
        cuts = {
            one: self.cut(str(names[one]), labels.only(one), check.only(one) if check else None)
            for one in np.unique(labels.relation).tolist()
        }
        floors = np.full(names.len(), np.inf)
        for relation, cut in cuts.items():
            floors[relation] = cut.floor
        found = admitted(self.model, self.asked, floors, most, self.progress)
        return tuple(self.threshold(cut, found, np.array([one])) for one, cut in cuts.items()), found

    def cut(self, group: str, labels: Labels, check: Labels | None) -> _Found:
        """Choose a score by labels, and look at it by others."""
        chosen = None
        if not labels.one_sided(self.precision):
            chosen = threshold(labels.scores, labels.right, self.precision, self.confidence)
        checked = cut_at(check.scores, check.right, chosen.score, self.confidence) if chosen and check else None
        return _Found(group, labels, chosen, checked)

    def threshold(self, cut: _Found, found: Admitted, relations: Ints) -> LinkThreshold:
        """Return the threshold of a group of relations with what it admits."""
        labels, chosen = cut.labels, cut.chosen
        new, held, known = found.counts[:, relations].sum(axis=1).tolist() if chosen else (0, 0, 0)
        return LinkThreshold(
            group=cut.group,
            positives=int(labels.right.sum()),
            negatives=int((~labels.right).sum()),
            score=chosen.score if chosen else None,
            chosen=_shown(chosen),
            checked=_shown(cut.checked),
            candidates=int(np.isin(self.asked.relation, relations).sum()) * self.model.entities,
            admitted=new,
            held=held,
            known=known,
            why="" if chosen else _why(labels, self.precision, self.confidence),
        )

    def facts(self) -> dict[str, Any]:
        """Return what was asked, and how much."""
        questions, entities = len(self.asked.head), self.model.entities
        asked = "given" if self.asked.given else "train"
        return {"questions": questions, "entities": entities, "candidates": questions * entities, "asked": asked}


def _labelled(graph: KnowledgeGraph, model: Model, negatives: Any) -> Labels:
    split = "valid" if "valid" in graph.splits else "test"
    return Labels.of(graph, model, split, negatives)


def _checking(graph: KnowledgeGraph, model: Model, negatives: Any) -> Labels:
    if "valid" not in graph.splits:
        raise ParameterError("threshold: expected valid to choose by and test to check by, found test only")
    return Labels.of(graph, model, "test", negatives)


def _positives(graph: KnowledgeGraph, split: str) -> Ints:
    if split not in graph.splits or not len(graph.splits[split]):
        raise ParameterError(f"{graph.name}: expected triples of {split} that are right, found none")
    return graph.triples(split)


def _closed(search: _Search) -> Labels:
    """Return the candidates with the highest scores that train does not hold, right where valid or test hold them."""
    floors = np.full(search.graph.relations.len(), -np.inf)
    found = admitted(search.model, search.asked, floors, POOL, search.progress)
    triples, scores = found.triples, found.scores
    if found.cut:
        within = scores > scores.min(initial=np.inf)
        triples, scores = triples[within], scores[within]
    return Labels(triples[:, 1], scores, among(triples, search.graph.triples("valid", "test")))


def _why(labels: Labels, precision: float, confidence: float) -> str:
    """Say why there is no threshold."""
    many, least = len(labels.right), fewest(precision, confidence)
    if many < least:
        return f"{counted(many, 'label')}; {least} without an error are needed"
    if labels.one_sided(precision):
        return f"{int(labels.right.sum())} of {counted(many, 'label')} are right: they do not tell right from wrong"
    return "no score has so high a lower bound"


def _shown(cut: Cut | None) -> LabelledCut | None:
    return None if cut is None else LabelledCut(cut.labels, cut.right, cut.low)


def _listed(graph: KnowledgeGraph, found: Admitted, labels: Labels | None) -> pl.DataFrame:
    """Return the admitted triples by name, with the probability that labels give their score."""
    rows = found.triples
    two = labels is not None and labels.right.any() and not labels.right.all()
    chance = isotonic(labels.scores, labels.right).of(found.scores) if two and labels is not None else None
    return pl.DataFrame({
        "head": graph.entities.gather(rows[:, 0]).cast(pl.String),
        "relation": graph.relations.gather(rows[:, 1]).cast(pl.String),
        "tail": graph.entities.gather(rows[:, 2]).cast(pl.String), "score": found.scores,
        "probability": pl.Series(chance if chance is not None else [None] * len(rows), dtype=pl.Float64),
        "split": pl.Series(split_of(graph, rows), dtype=pl.String),
    })  # fmt: skip


def _notices(
    labels: Labels, check: Labels | None, calibrations: tuple[Calibration, ...], *, closed: bool
) -> Iterator[str]:  # fmt: skip
    if closed:
        yield "Closed world: triples that no split holds count as wrong. If some are right, the precision is higher."
        return
    share = labels.right.mean() if len(labels.right) else 0.0
    yield (
        f"Of the labels {percent(share, 0)} are right. Among all candidates far fewer are: the precision holds for "
        "triples like the labelled ones. Judge a sample of the admitted triples before they are added."
    )
    if check is None:
        yield "No other labels check the threshold."
    if not calibrations:
        yield "No calibration: it takes right and wrong labels."
