"""`compare_rag`: which retrieval system brings more of what answers need, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from assay.compare import compare, compare_evaluations
from assay.compare.settings import Settings
from assay.core.comparison import Comparison
from assay.core.policy import Policy
from assay.evaluate import Measures
from assay.tasks.rag.evaluate import evaluate_several, grouped
from assay.tasks.rag.matching import Matching
from assay.tasks.rag.questions import Several, several

COMPARED = "Complete@10 Deducible@10 R@10 AP nDCG@10"
"""The measures that are compared when none is asked for."""


def compare_rag(
    systems: Iterable[Any] | Mapping[str, Any],
    measures: Measures = COMPARED,
    *,
    gold: Any = None,
    unit: str | None = None,
    match: str | Matching = "id",
    threshold: float | None = None,
    **options: Any,
) -> Comparison:
    """Hold retrieval systems against each other, question by question.

    The parameters are those of `evaluate_rag`, tokens among them, and of `compare`: baseline, pairs, test,
    correction, alpha, level, margin, movers, by and so on.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> rows = [{"id": n, "retrieved": ["a"], "needed": ["a", "b"]} for n in range(6)]
    >>> better = [row | {"retrieved": ["b", "a"]} for row in rows]
    >>> compare_rag({"old": rows, "new": better}, "R@2").contrasts[0].difference
    0.5
    """
    found = several(systems, gold=gold, unit=unit, match=match, threshold=threshold)
    return compare_several(found, measures, **options)


def compare_several(
    found: Several,
    measures: Measures = COMPARED,
    *,
    by: Any = None,
    policy: Policy | Mapping[str, str] | None = None,
    tokens: Sequence[int] | None = None,
    **options: Any,
) -> Comparison:
    """Compare systems that are read already; the parameters and errors are those of `compare_rag`."""
    if tokens is not None:
        statistics = {one.name: options.pop(one.name) for one in fields(Settings) if one.name in options}
        judged = evaluate_several(found, measures, policy=policy, tokens=tokens, **options)
        return compare_evaluations(judged.evaluations, gold=found.gold, by=grouped(found, by), **statistics)
    terms = options if options.get("profile") else options | {"policy": found.policy(policy)}
    return compare(found.gold, found.runs, measures, by=grouped(found, by), **terms)
