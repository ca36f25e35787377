"""How what is known of queries goes with how well they are answered."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assay.core.evaluation import Evaluation
from assay.core.lexical_diagnosis import QueryDiagnosis, Related
from assay.statistics.correlation import correlation
from assay.statistics.many import adjust
from assay.tasks.lexical.diagnosis.predictors import PREDICTORS

SHARED = {
    "coverage": "its words in its relevant documents",
    "weighted": "the same, rare words weigh more",
    "plain": "the same, without stemming",
    "unknown": "its words that no document has",
    "relevant": "its relevant documents, counted",
}
"""What is known of a query only with relevance judgments, `unknown` aside."""
UNJUDGED = ("unknown",)


def relations(queries: Sequence[QueryDiagnosis], evaluation: Evaluation, *, level: float) -> tuple[Related, ...]:
    """Return how each figure of a query goes with each measure, over queries.

    The p values are adjusted by Holm for all figures that are held against one measure.
    """
    found: list[Related] = []
    for measure in evaluation.figures:
        values = [one.values.get(measure.name) for one in queries]
        made = [_related(name, queries, measure.name, values, level) for name in (*SHARED, *PREDICTORS)]
        ps = adjust([one.p for one in made], "holm")
        found += [replace(one, adjusted=p) for one, p in zip(made, ps, strict=True)]
    return tuple(found)


def _related(
    name: str, queries: Sequence[QueryDiagnosis], measure: str, values: Sequence[float | None], level: float
) -> Related:  # fmt: skip
    known = [getattr(one, name) if name in SHARED else one.predictors[name] for one in queries]
    found = correlation(np.array(known, np.float64), np.array(values, np.float64), level=level)
    meaning = SHARED[name] if name in SHARED else PREDICTORS[name].meaning
    judged = name in SHARED and name not in UNJUDGED
    figures = found.to_dict()
    return Related(name, meaning, measure, judged, queries=figures.pop("things"), adjusted=None, **figures)
