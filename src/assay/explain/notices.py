"""Notices: what a reader of an explanation should know before reading it."""

from collections.abc import Iterator

from assay.evaluate import Plan
from assay.explain.instead import lowest_relevant
from assay.explain.ranking import Ranking
from assay.measures.base import SMALLEST_GAIN

IN_THE_MEAN = {"zero": "The mean counts it as 0.", "one": "The mean counts it as 1.", "skip": "The mean leaves it out."}


def notices_of(ranking: Ranking, plan: Plan, value: float | None, *, undefined: bool) -> Iterator[str]:
    """Yield a sentence for each thing that is not as one would think.

    `undefined` tells that the measure has no value for some ranking that is cut short.
    """
    answered = bool(ranking.judged.answered[0])
    if not answered:
        yield from _unanswered(plan)
    if value is None and (answered or plan.policy.missing != "skip"):
        yield _undefined(ranking, plan)
    if ranking.shared and (ranking.tied > 1).any():
        yield "Tied items share what their places contribute: all their orders are equally likely (ties expected)."
    if plan.policy.ties == "realistic" and (ranking.tied > 1).any():
        yield "Tied items have their mean rank (ties realistic)."
    if undefined:
        yield f"{plan.measure} has no value until the ranking holds what it needs: such a part of it counts as 0."
    if plan.measure.needs_facets:
        yield f"{plan.measure} reads more than one grade of an item: what one more would change is not told."


def _unanswered(plan: Plan) -> Iterator[str]:
    if plan.policy.missing == "skip":
        yield "The run does not answer this query, and the policy leaves it out (missing skip)."
    elif plan.measure.worst is not None and not plan.measure.summed:
        yield f"The run does not answer this query: its value is the worst there is, {plan.measure.worst:g}."
    else:
        yield "The run does not answer this query."


def _undefined(ranking: Ranking, plan: Plan) -> str:
    if plan.measure.defined(ranking.judged)[0]:
        name = type(plan.measure).name
        return f"{plan.measure} has no value for this ranking; assay measures {name} says when it has one."
    lowest = lowest_relevant(plan)
    wanted = "above 0" if lowest == SMALLEST_GAIN else f"of at least {lowest:g}"
    why = f"{plan.measure} has no value: the gold holds no relevant item for this query (a grade {wanted})."
    mean = IN_THE_MEAN["skip"] if plan.measure.worst is None else IN_THE_MEAN.get(plan.policy.empty, "")
    return f"{why} {mean}".rstrip()
