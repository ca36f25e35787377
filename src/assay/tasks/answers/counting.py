"""Questions become figures: shares with Wilson's interval, P, R and F1 under each convention with the bootstrap's."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from assay.core.answers_evaluation import COUNTS, ConventionFigures, Count, Estimate, QuestionOutcome
from assay.core.estimates import Interval
from assay.core.judged import Floats
from assay.core.sample import Sample
from assay.statistics.interval import interval
from assay.statistics.proportion import wilson
from assay.tasks.answers.conventions import Column, Convention, Score
from assay.tasks.answers.rows import Overlap

PARTS = ("precision", "recall", "f1")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of one system: what came of it, in every unit and under every convention."""

    outcome: QuestionOutcome
    overlap: Mapping[str, Overlap]
    scores: Mapping[str, Score]


def counted(questions: Sequence[QuestionOutcome], weights: Floats | None, level: float | None) -> tuple[Count, ...]:
    """Return the counts of a system; the last three are of the questions that the convention has a figure for."""
    loads = [1.0] * len(questions) if weights is None else weights.tolist()
    return tuple(_count(name, questions, loads, level, weighted=weights is not None) for name in COUNTS)


def _count(
    name: str, questions: Sequence[QuestionOutcome], loads: Sequence[float], level: float | None, *, weighted: bool
) -> Count:
    judged = list(COUNTS).index(name) > list(COUNTS).index("empty")
    of = [(one, load) for one, load in zip(questions, loads, strict=True) if one.f1 is not None or not judged]
    some = [(one, load) for one, load in of if _is(name, one)]
    total = math.fsum(load for _, load in of)
    demand = math.fsum(load for _, load in some) / total if weighted and total else None
    return Count(name, len(some), len(of), _wilson(len(some), len(of), level), demand)


def _is(name: str, one: QuestionOutcome) -> bool:
    executed = one.outcome == "answered"
    whole = executed and one.recall == 1
    return {
        "executed": executed,
        "empty": one.empty,
        "answerable": executed and bool(one.recall),
        "fully answered": whole,
        "exactly": whole and one.precision == 1,
    }.get(name, one.outcome == name)


def _wilson(count: int, of: int, level: float | None) -> Interval | None:
    if level is None or not of:
        return None
    low, high = wilson(count / of, of, level)
    return Interval(low, high, level, "wilson", of)


def figures(
    convention: Convention, asked: Sequence[Asked], weights: Floats, level: float | None, seed: int
) -> ConventionFigures:
    """Return P, R and F1 over all questions that have a figure under a convention."""
    scores = [one.scores[convention.name] for one in asked]
    column = Column.of(convention, scores, [one.overlap[convention.unit] for one in asked], weights)
    found = column.together()
    parts = (_estimate(column, part, getattr(found, part), level, seed) for part in PARTS)
    return ConventionFigures(convention.name, len(column), *parts)


def _estimate(column: Column, part: str, value: float | None, level: float | None, seed: int) -> Estimate:
    if level is None or value is None or len(column) < 2:
        return Estimate(value)
    names = pl.Series([str(place) for place in range(len(column))])
    weights = None if len(set(column.weights.tolist())) < 2 else column.weights
    mean = column.convention.together == "means" or (column.convention.together == "f1-of-means" and part != "f1")
    if mean:
        sample = Sample(names, getattr(column, part), weights, bounds=(0.0, 1.0))
    else:  # no mean of questions: each resample is counted anew, by the places that it draws
        places = np.arange(len(column), dtype=np.float64)
        sample = Sample(names, places, aggregate=lambda drawn, _: getattr(column.together(drawn), part))
    return Estimate(value, interval(sample, level=level, seed=seed))
