"""`compare_entities`: which of several proposals is better, record by record, and how sure that is."""

from collections.abc import Mapping
from typing import Any

from assay.compare import compare_evaluations
from assay.core.comparison import Comparison
from assay.errors import ParameterError
from assay.evaluate import Measures
from assay.tasks.entities.evaluate import Inputs, judge_entities, listings_of
from assay.tasks.entities.request import Request

COMPARED = "Complete@10 R@10 P@10 AP"
"""What is compared of ranked candidates when nothing is asked for: each further measure makes every test harder."""
CLUSTERED = "B3-F1 B3-P B3-R"
"""What is compared of clusters when nothing is asked for, by the first above all: precision favours records apart."""


def compare_entities(
    truth: Any,
    proposals: Any,
    measures: Measures | None = None,
    *,
    conventions: Mapping[str, str] | None = None,
    weights: Any = None,
    exclude: Any = None,
    by: Any = None,
    mode: str | None = None,
    sources: Any = None,
    members: Any = None,
    **statistics: Any,
) -> Comparison:
    """Hold proposals against each other by the same truth, record by record.

    Lists and scored pairs are compared by measures of their rankings, pairs by what they found of each record,
    clusters by B-cubed of each record. Records of one true entity count as one unit in intervals and tests.

    Parameters
    ----------
    truth, measures, conventions, weights, exclude, by, mode, sources, members
        As for `evaluate_entities`.
    proposals
        Two or more, of a kind that has a measure in common.
    **statistics
        Those of `assay.compare`: baseline, pairs, test, correction, alpha, level, flips, resamples, seed, margin,
        movers.

    Raises
    ------
    ParameterError
        Fewer than two proposals, or proposals without a measure in common.

    >>> truth = {f"{name}{i}": name for name in "abcdefgh" for i in (1, 2)}
    >>> apart, merged = ({record: record for record in truth}, dict.fromkeys(truth, "all"))
    >>> compare_entities(truth, [apart, truth])["proposal 2", "B3-F1"].verdict
    'better'
    """
    given = listings_of(proposals)
    if len(given) < 2:
        msg = f"compare: expected two proposals or more, found {len(given)}"
        raise ParameterError(msg, hint="assay entities evaluate GOLD PROPOSED judges a single one.")
    usual = COMPARED if all(one.scored for one in given) else None
    usual = CLUSTERED if all(one.kind == "clusters" for one in given) else usual
    request = Request(usual if measures is None else measures, conventions or {}, weights, exclude)
    found = judge_entities(truth, given, Inputs(mode, sources, members), request)
    return compare_evaluations(found.evaluation.evaluations, by=found.columns(by), **statistics)
