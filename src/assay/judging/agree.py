"""`agree`: how far judges agree, where they do not, and what that does to the order of systems."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, get_args

import numpy as np

from assay.core.agreement import Agreement, Coefficient, Period
from assay.core.estimates import Interval
from assay.core.labels import Labels
from assay.errors import ParameterError, UnknownNameError
from assay.judging.agreement.coefficients import Draws, Unit, alpha_by_queries, between, overall
from assay.judging.agreement.disputes import disputed, disputed_queries, disputes
from assay.judging.agreement.effect import effects
from assay.judging.agreement.judges import Drift, by_judge, drift
from assay.judging.agreement.panel import Panel
from assay.report.amounts import percent
from assay.statistics.judges import Level

MEASURES = "nDCG@10 AP"
"""The measures by which systems are put into an order, unless others are asked for."""
RESAMPLES = 2_000
SKEWED = 0.8
"""From this share of one grade on, kappa and alpha are low for that alone, however often judges agree."""
WIDER = 1.5
"""From this ratio of widths on, intervals that draw pairs say too much of queries that nobody judged."""
RARE = 1e-4
"""A grade that is given less often may be a slip."""


def agree(
    labels: Labels,
    *,
    level: Level = "ordinal",
    reference: str | None = None,
    scale: Iterable[float] = (),
    over_time: Drift = "auto",
    most: int = 20,
    interval: float | None = 0.95,
    unit: Unit = "pairs",
    resamples: int = RESAMPLES,
    seed: int = 0,
    runs: Sequence[Any] = (),
    measures: Any = MEASURES,
    **options: Any,
) -> Agreement:
    """Say how far judges agree.

    Parameters
    ----------
    labels
        What two judges or more said. A grade below 0 means that the pair was not judged, as in TREC.
    level
        What grades say, for alpha and for the distance of grades: nominal (same or not), ordinal (more or less),
        interval (how much more), ratio.
    reference
        A judge whom the others are held against, instead of each against all others.
    scale
        Grades that count as possible even where nobody gave them (for AC1 and confusions).
    over_time
        The periods in which judges are looked at for drift: guideline (its versions), month, week, day, none, or auto:
        versions where there are several, else the longest of the others of which there are.
    most
        How many disputed pairs and queries to name.
    interval, unit, resamples, seed
        The confidence of intervals, None for none; what the bootstrap draws with replacement: pairs, or queries with
        all their pairs, which is honest where pairs of a query are alike; how many resamples, from what seed.
    runs, measures, options
        Runs to score by each judge's grades, by what measures, under what conventions (as for `evaluate`).

    Raises
    ------
    InputError
        Fewer than two judges, no pair that two of them graded.
    UnknownNameError
        No judge, level or kind of period of that name.
    ParameterError
        A confidence outside 0 to 1, one run.
    MissingExtraError
        An interval without SciPy.

    >>> import polars as pl
    >>> said = {
    ...     "item": list("aabbccdd"),
    ...     "judge": ["ann", "bob"] * 4,
    ...     "grade": [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    ... }
    >>> found = agree(Labels(pl.DataFrame({"query": ["q"] * 8, **said}), "two"), interval=None)
    >>> found.between[0].coefficients["kappa"].value, [one.item for one in found.disputed]
    (0.5, ['c'])
    """
    _check(level, over_time, unit, interval)
    kept, dropped = _graded(labels)
    panel = Panel.of(kept, scale)
    beside = None if reference is None else _place(panel, reference)
    draws = Draws(interval, unit, resamples, seed)
    together = overall(panel, draws)
    periods = tuple(drift(panel, over_time, beside, interval or 0.95))
    width = _width(together[f"alpha_{level}"], alpha_by_queries(panel, level, draws))
    return Agreement(
        name=labels.name, judges=panel.judges, **_counts(panel), level=level, unit=unit, seed=seed, reference=reference,
        overall=together, between=tuple(between(panel, level, draws, beside)), by_judge=tuple(by_judge(panel, beside)),
        drift=periods, **_disputed(panel, level, most),
        effect=tuple(effects(panel, runs, measures, beside, **options)) if runs else (),
        notices=(*_notices(panel, dropped, together), *width, *_drifts(periods)),
    )  # fmt: skip


def _check(level: str, over_time: str, unit: str, interval: float | None) -> None:
    for kind, given, known in (("level", level, Level), ("period", over_time, Drift), ("unit", unit, Unit)):
        if given not in get_args(known):
            raise UnknownNameError.of(kind, given, get_args(known))
    if interval is not None and not 0 < interval < 1:
        msg = f"interval: expected a level between 0 and 1, found {interval}"
        raise ParameterError(msg, hint="0.95 is usual.")


def _graded(labels: Labels) -> tuple[Labels, int]:
    """Return the labels without those below 0, and how many these were."""
    below = (labels.table["grade"] < 0).fill_null(value=False)
    return Labels(labels.table.filter(~below), labels.name), int(below.sum())


def _place(panel: Panel, judge: str) -> int:
    if judge not in panel.judges:
        raise UnknownNameError.of("judge", judge, panel.judges)
    return panel.judges.index(judge)


def _counts(panel: Panel) -> dict[str, Any]:
    """Return how many pairs and queries there are, and the share of each grade."""
    given = panel.counts.sum(axis=0)
    return {
        "pairs": int((panel.counts.sum(axis=1) > 0).sum()),
        "shared": int(panel.shared.sum()),
        "queries": int(panel.query[-1]) + 1,
        "prevalence": dict(zip(panel.scale.tolist(), (given / given.sum()).tolist(), strict=True)),
    }


def _disputed(panel: Panel, level: Level, most: int) -> dict[str, Any]:
    """Return the most disputed pairs and queries."""
    spots = disputes(panel, level)
    return {
        "disputed": tuple(disputed(panel, spots, most)),
        "disputed_queries": tuple(disputed_queries(spots, most)),
    }


def _notices(panel: Panel, dropped: int, found: dict[str, Coefficient]) -> Iterator[str]:
    if dropped:
        yield f"Grades below 0 are left out (pooled, but not judged): {dropped:,}."
    given = panel.counts.sum(axis=0)
    for grade, many in zip(panel.scale.tolist(), given.tolist(), strict=True):
        if 0 < many <= RARE * given.sum():
            yield f"Grade {grade:g} is {many:,.0f} of {given.sum():,.0f} grades: is it on the scale?"
    top = int(np.argmax(given))
    if given[top] >= SKEWED * given.sum() and (found["percent"].value or 0) >= SKEWED:
        yield (
            f"{percent(given[top] / given.sum(), 0)} of all grades are {panel.scale[top]:g}: kappa and alpha are low "
            "for that alone; percent and AC1 say how often judges agree."
        )
    if found["alpha_nominal"].value is None:
        yield "No variation: all shared pairs have one grade, so kappa and alpha are undefined."


def _width(alpha: Coefficient, wider: Interval | None) -> Iterator[str]:
    """Yield that pairs of a query are alike, where drawing queries makes the interval of alpha much wider."""
    ends = alpha.interval
    if ends is None or wider is None or ends.low is None or wider.low is None:
        return
    own, other = (ends.high or 0) - ends.low, (wider.high or 0) - wider.low
    if other > WIDER * own:
        yield (
            f"Pairs of a query are alike: with queries drawn instead of pairs the interval of alpha is "
            f"[{wider.low:.3f}, {wider.high:.3f}], {other / own:.1f} times as wide."
        )


def _drifts(periods: Sequence[Period]) -> Iterator[str]:
    """Yield who agrees with others clearly more or less in the last period than in the first."""
    for one in periods:
        change = one.change
        ends = change.interval if change else None
        if change is None or change.value is None or ends is None or ends.low is None or ends.high is None:
            continue
        if ends.low > 0 or ends.high < 0:
            more = "more" if change.value > 0 else "less"
            yield (
                f"{one.judge} agrees with others {more} in {one.kind} {one.period} than at first: by "
                f"{100 * abs(change.value):.0f} points [{100 * ends.low:+.0f}, {100 * ends.high:+.0f}]."
            )
