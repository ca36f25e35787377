"""`health`: the verb. Gold and runs in, how far the gold carries their figures out."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assay.audit.facts import require_overlap
from assay.core.frames import is_frame
from assay.core.gold import Gold
from assay.core.health import Health
from assay.core.policy import Policy
from assay.core.profiles import Profile
from assay.core.run import Run
from assay.errors import ParameterError, UnknownNameError
from assay.evaluate import DEFAULT, Gathering, Judging, Measures, Plan
from assay.evaluate.plan import conventions_of, plans_of
from assay.health.figures import figure_health
from assay.health.left_out import agreements, left_out
from assay.health.work import can_be_narrowed, work_list
from assay.inputs import as_gold, as_loads, as_pairs, as_run
from assay.measures import parse_many
from assay.report.names import labels


def health(
    gold: Any,
    runs: Any,
    measures: Measures = DEFAULT,
    *,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    weights: Any = None,
    exclude: Any = None,
    depth: int | None = None,
    work: int | None = None,
    work_runs: Sequence[str] | None = None,
    work_measure: Any = None,
) -> Health:
    """Say how far the gold standard carries the figures of one run or several.

    Parameters
    ----------
    gold, measures, policy, profile, rel, weights, exclude
        As for `evaluate`.
    runs
        One run as for `evaluate`, or a list of them.
    depth
        How deep a run counts as having found an item, by default to each measure's cutoff, to 100 without one.
    work
        How many unjudged items to propose for judging.
    work_runs, work_measure
        The one or two runs and the measure for which they are proposed: by default the first two, and the first
        that has a work-list.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> gold = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
    >>> found = health(gold, {"q1": ["x", "a", "b"], "q2": ["a", "y"]}, "P@2", work=1)
    >>> figure = found.figures[0]
    >>> figure.mean, figure.bounds.low, figure.bounds.high, figure.judged, figure.ceiling
    (0.5, 0.5, 1.0, 0.5, 0.5)
    >>> found.work[0].query, found.work[0].item, found.work[0].gain
    ('q1', 'x', 0.25)
    """
    _require_count("depth", depth, least=1)
    _require_count("work", work, least=0)
    gold = as_gold(gold)
    conventions = conventions_of(policy, profile)
    plans = plans_of(parse_many(measures), conventions, gold, rel)
    gathering = Gathering(None if weights is None else as_loads(weights, gold).weights)
    names, judgings = _judgings(gold, runs, exclude, conventions.policy)
    several = len(judgings) > 1
    lost = tuple(left_out(plans, judgings, gathering, names, depth)) if several else ()
    asked = plans if work_measure is None else plans_of(parse_many(work_measure), conventions, gold, rel)
    about = next((plan for plan in asked if can_be_narrowed(plan.measure)), asked[0])
    chosen = {name: judgings[names.index(name)] for name in _pair(names, work_runs)}
    return Health(
        figures=tuple(
            figure_health(plan, judging, gathering, name)
            for name, judging in zip(names, judgings, strict=True)
            for plan in plans
        ),
        left_out=lost,
        tau=agreements(lost) if several else None,
        depth=depth,
        **(_work(about, chosen, gathering, work) if work else {}),
    )


def worklist(
    gold: Any,
    runs: Any,
    measure: Any = "AP",
    most: int = 20,
    *,
    policy: Policy | None = None,
    profile: str | Profile | None = None,
    rel: float | None = None,
    weights: Any = None,
    exclude: Any = None,
) -> Health:
    """Name up to `most` unjudged items whose judgment could move the figure of a run most, or the difference of two.

    The result holds the work-list and nothing else; everything is as in `health`, and so are the parameters.

    >>> found = worklist({"q": {"a": 1}}, [{"q": ["a", "x"]}, {"q": ["y", "a"]}], "P@1", 5)
    >>> [(one.item, one.gain, one.ranks) for one in found.work], found.work_measure
    ([('y', 1.0, (None, 1.0))], 'P@1')
    """
    _require_count("most", most, least=1)
    gold = as_gold(gold)
    conventions = conventions_of(policy, profile)
    plans = plans_of(parse_many(measure), conventions, gold, rel)
    if len(plans) != 1:
        msg = f"measure: expected one to judge items for, found {len(plans)} in {measure!r}"
        raise ParameterError(msg)
    names, judgings = _judgings(gold, runs, exclude, conventions.policy)
    if len(names) > 2:
        msg = f"runs: expected one run or two, found {len(names)}"
        raise ParameterError(msg)
    gathering = Gathering(None if weights is None else as_loads(weights, gold).weights)
    return Health((), **_work(plans[0], dict(zip(names, judgings, strict=True)), gathering, most))


def _work(plan: Plan, chosen: Mapping[str, Judging], gathering: Gathering, most: int) -> dict[str, Any]:
    """Return the work-list and what it is for."""
    items = work_list(plan, list(chosen.values()), gathering, most)
    return {"work": items, "work_runs": tuple(chosen), "work_measure": str(plan.measure)}


def _judgings(gold: Gold, runs: Any, exclude: Any, policy: Policy) -> tuple[list[str], list[Judging]]:
    """Return a label for each run, no two alike, and the runs ready to be judged."""
    alone = isinstance(runs, str | os.PathLike | Mapping | Run) or callable(runs) or is_frame(runs)
    given: Iterable[Any] = [runs] if alone else runs
    pairs = as_pairs(exclude)
    judgings = [Judging(as_run(run, gold), gold, pairs) for run in given]
    if not judgings:
        msg = "runs: expected one or more, found none"
        raise ParameterError(msg)
    for judging in judgings:
        require_overlap(judging.run, gold, judging.under(policy))
    origins = [judging.run.origin for judging in judgings]
    paths = [origin.path if origin else None for origin in origins]
    return labels([judging.run.name for judging in judgings], paths), judgings


def _pair(names: Sequence[str], wanted: Sequence[str] | None) -> Sequence[str]:
    """Return the runs that the work-list is for."""
    if wanted is None:
        return names[:2]
    for name in wanted:
        if name not in names:
            raise UnknownNameError.of("run", name, names)
    if len(wanted) not in {1, 2} or len(set(wanted)) < len(wanted):
        msg = f"work_runs: expected one run or two, found {', '.join(wanted) or 'none'}"
        raise ParameterError(msg)
    return wanted


def _require_count(name: str, value: int | None, *, least: int) -> None:
    if value is not None and value < least:
        msg = f"{name}: expected a whole number of at least {least}, found {value!r}"
        raise ParameterError(msg)
