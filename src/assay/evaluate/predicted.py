"""`predicted`: one run judged by a machine for all queries and by people for a few; what would people say of all."""

from typing import Any

import numpy as np

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.predicted import PredictedFigure
from assay.core.profiles import Profile
from assay.errors import InputError, OverlapError, UndefinedError, UnsupportedError
from assay.evaluate.evaluate import DEFAULT, evaluate
from assay.evaluate.standard import Measures
from assay.inputs import as_gold, as_run


def predicted(
    human: Any,
    machine: Any,
    run: Any,
    measures: Measures = DEFAULT,
    *,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    weights: Any = None,
    exclude: Any = None,
    level: float = 0.95,
) -> tuple[PredictedFigure, ...]:
    """Estimate each measure as human judgments of all queries would give it, with an interval.

    Parameters
    ----------
    human, machine
        Two golds, of people and of a machine such as a language model. A query is judged by people if it stands in
        `human`; these queries should be a random sample of those of `machine`, which holds all. Per query, both may
        judge other items and differ in depth: what counts is the value of the measure.
    run, measures, policy, profile, rel, weights, exclude
        As in `evaluate`; the conventions are the same for both golds, weights and clusters are of all queries.
    level
        The confidence of the intervals.

    Raises
    ------
    OverlapError
        The golds share no query.
    InputError
        A query judged by people that the machine has not judged.
    UnsupportedError
        A measure whose figure is no mean over queries.

    >>> run = {f"q{n}": ["a", "b", "c"] for n in range(6)}
    >>> machine = {f"q{n}": {"a": 1, "b": n % 2, "d": 1} for n in range(6)}
    >>> human = {query: machine[query] for query in ("q0", "q1", "q3", "q4")}
    >>> (figure,) = predicted(human, machine, run, "P@2")
    >>> round(figure.predicted.estimate, 3), figure.predicted.queries_human, figure.predicted.queries_machine
    (0.75, 4, 6)
    """
    people, all_judged = as_gold(human), as_gold(machine)
    _require_all(people, all_judged)
    answers = as_run(run, all_judged)
    options: dict[str, Any] = {
        "policy": policy, "profile": profile, "rel": rel, "weights": weights, "exclude": exclude,
    }  # fmt: skip
    few, many = (evaluate(gold, answers, measures, **options) for gold in (people, all_judged))
    return tuple(_figure(few, many, figure.name, len(people.queries), level) for figure in many.figures)


def _require_all(people: Gold, machine: Gold) -> None:
    """Refuse golds that do not fit: the machine judges all queries, people some of them."""
    absent = people.queries.filter(~people.queries.is_in(machine.queries.implode()))
    if len(absent) == len(people.queries):
        found = f"found {people.queries[0]!r} in {people.name} and {machine.queries[0]!r} in {machine.name}"
        raise OverlapError(f"predicted: expected queries judged by both people and the machine, {found}")
    if len(absent):
        found = f"found none for {len(absent)}, such as {absent[0]!r}"
        msg = f"{machine.name}: expected judgments for each query of {people.name}, {found}"
        raise InputError(msg, hint="the machine has to judge all queries, people some of them.")


def _figure(few: Evaluation, many: Evaluation, name: str, judged: int, level: float) -> PredictedFigure:
    from assay.statistics.predicted import predicted as combined

    figure, sample, said = many.figure(name), many.samples.get(name), few.samples.get(name)
    if sample is None or said is None or sample.aggregate is not None:
        msg = f"{name}: expected a mean over queries, found a figure of another kind"
        raise UnsupportedError(msg, hint="predicted estimates means of one value for each query.")
    known = dict(zip(said.queries, said.values.tolist(), strict=True))
    human = np.array([known.get(query, np.nan) for query in sample.queries], np.float64)
    left = judged - int((~np.isnan(human)).sum())
    if left == judged:
        raise UndefinedError(f"{name}: expected a value by people and machine for some query, found none")
    mean = combined(
        sample.values, human, weights=sample.weights, clusters=sample.clusters, level=level, bounds=sample.bounds
    )
    return PredictedFigure(many.name, name, figure.requested, mean, left, figure.higher_is_better)
