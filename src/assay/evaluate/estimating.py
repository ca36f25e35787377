"""How sure each figure is: its interval, and what a reader of the interval should know."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from assay.core.estimates import Interval
from assay.core.evaluation import Evaluation
from assay.core.sample import Sample
from assay.errors import ParameterError
from assay.report.amounts import counted


def with_intervals(evaluation: Evaluation, level: float, seed: int = 0) -> Evaluation:
    """Return the evaluation with an interval at each figure, all from the same resampled queries; sums have none.

    Raises
    ------
    ParameterError
        A level that does not lie between 0 and 1, a seed below 0.
    """
    from assay.statistics.interval import intervals

    if not 0 < level < 1:
        msg = f"interval: expected a confidence between 0 and 1, found {level:g}"
        raise ParameterError(msg, hint="0.95 is usual.")
    if seed < 0:
        msg = f"seed: expected a whole number of at least 0, found {seed}"
        raise ParameterError(msg)
    names = list(evaluation.samples)
    samples = [evaluation.samples[name] for name in names]
    found = intervals(samples, level=level, bounds=[sample.bounds for sample in samples], seed=seed)
    known = dict(zip(names, found, strict=True))
    return replace(
        evaluation,
        figures=tuple(replace(figure, interval=known.get(figure.name)) for figure in evaluation.figures),
        notices=(*evaluation.notices, *_notices(known, clustered=any(s.clusters is not None for s in samples))),
        options=replace(evaluation.options, interval=level, seed=seed),
    )


def estimate(sample: Sample, **options: Any) -> Interval:
    """Return the interval of one figure."""
    from assay.statistics.interval import interval

    return interval(sample, **options)


def _notices(known: dict[str, Interval], *, clustered: bool) -> Iterator[str]:
    """Yield what is known to make intervals rough: few units, skewed values; and what the units are."""
    if clustered:
        yield (
            "intervals take each of the "
            f"{counted(max(one.units for one in known.values()), 'cluster')} of queries as one unit."
        )
    few = [interval.units for interval in known.values() if "few" in interval.warnings]
    if few:
        yield f"{counted(min(few), 'query is', 'queries are')} few: the intervals are rough."
    skewed = [name for name, interval in known.items() if "skewed" in interval.warnings]
    if skewed:
        names = ", ".join(skewed)
        yield f"a few queries make much of the mean (skewness of 2 or more): intervals may be too short for {names}."
