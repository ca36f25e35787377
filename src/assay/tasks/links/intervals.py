"""How sure the figures of links are: intervals from resampled questions, or Student's where there are very many."""

from dataclasses import replace

import numpy as np

from assay.core.evaluation import Evaluation
from assay.evaluate.estimating import with_intervals
from assay.report.amounts import counted

MANY = 5_000
"""From so many questions on the mean is normal enough: resampling them would take long and give the same ends."""


def with_link_intervals(evaluation: Evaluation, level: float, seed: int = 0) -> Evaluation:
    """Return the evaluation with an interval at each figure; triples with the same question are one unit.

    Raises
    ------
    ParameterError
        A level that does not lie between 0 and 1.
    """
    clusters = [sample.clusters for sample in evaluation.samples.values() if sample.clusters is not None]
    units = max((len(np.unique(one)) for one in clusters), default=0)
    if units < MANY:
        return with_intervals(evaluation, level, seed)
    from assay.statistics.interval import intervals

    names, samples = list(evaluation.samples), list(evaluation.samples.values())
    found = intervals(samples, level=level, method="t", bounds=[one.bounds for one in samples], seed=seed)
    known = dict(zip(names, found, strict=True))
    return replace(
        evaluation,
        figures=tuple(replace(figure, interval=known.get(figure.name)) for figure in evaluation.figures),
        notices=(*evaluation.notices, f"intervals take each of the {counted(units, 'question')} as one unit."),
        options=replace(evaluation.options, interval=level, seed=seed),
    )
