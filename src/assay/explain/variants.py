"""`Variant`: one ranking as it might be instead; a measure sees all of them at once, each as a query."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.facets import Facets
from assay.core.judged import Floats, Hits, Judged
from assay.evaluate import Gathering, Judging, Plan, compute

AT_ONCE = 256
"""So many variants are measured in one call."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """The judged items of a ranking, the grades of the gold (falling), and how many items are ranked."""

    hits: Hits
    ideal: Floats
    retrieved: int


class Given(Judging):
    """Judged ranks that are there already, under the policy they are asked for."""

    def __init__(self, judged: Judged) -> None:
        self.judged = judged

    def under(self, policy: object) -> Judged:
        """Return the judged ranks."""
        del policy
        return self.judged


def values_of(plan: Plan, judged: Judged) -> Floats:
    """Return the value of each query as `evaluate` has it, shape (queries,); NaN where it is undefined."""
    policy = plan.policy.but(missing="zero", empty="skip")
    return compute(replace(plan, policy=policy), Given(judged), Gathering()).values


def measure(plan: Plan, judged: Judged, variants: Sequence[Variant]) -> Floats:
    """Return the value of each variant of the one query in `judged`, shape (variants,); NaN: undefined."""
    parts = [variants[start : start + AT_ONCE] for start in range(0, len(variants), AT_ONCE)]
    return np.concatenate([np.zeros(0), *(values_of(plan, _joined(part, judged, plan)) for part in parts)])


def _joined(variants: Sequence[Variant], judged: Judged, plan: Plan) -> Judged:
    """Return variants as queries side by side."""
    many = len(variants)
    retrieved = np.array([variant.retrieved for variant in variants], np.int64)
    judgments = judged.judgments if plan.measure.needs_facets else None
    stride = 0 if judgments is None else int(judgments.row.max(initial=-1)) + 1
    numbers = np.repeat(np.arange(many), [len(variant.ideal) for variant in variants])
    top = max(judged.top_grade, *(float(variant.ideal.max(initial=0.0)) for variant in variants))
    return replace(
        judged,
        names=pl.Series([str(number) for number in range(many)]),
        hits=_hits([variant.hits for variant in variants], stride),
        ideal=Hits.ranked(many, numbers, np.concatenate([variant.ideal for variant in variants])),
        retrieved=retrieved,
        answered=(retrieved > 0) | judged.answered[0],
        candidates=None if judged.candidates is None else np.repeat(judged.candidates, many),
        whole_top=top,
        judgments=None if judgments is None else _repeated(judgments, many, stride),
    )


def _hits(parts: Sequence[Hits], stride: int) -> Hits:
    """Return the hits of several queries as one table; rows of the gold are moved by `stride` for each query."""
    number = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    names = ("grade", "rank", "above", "tied")
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    row = None
    if stride:
        row = np.concatenate([part.row for part in parts if part.row is not None]) + number * stride
    return Hits(len(parts), number, row=row, **columns)


def _repeated(judgments: Facets, many: int, stride: int) -> Facets:
    """Return the judgments of one query once for each variant."""
    number = np.repeat(np.arange(many), len(judgments))
    every = judgments.where(np.tile(np.arange(len(judgments)), many))
    return replace(every, query=number, row=every.row + number * stride)
