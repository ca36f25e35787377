"""`Laboratory`: the value of one measure under any setting, each computed once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import polars as pl

from assay.core.difference import QueryChange
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import FrameRows, Run
from assay.difference.faults import FAULTS
from assay.errors import AssayError, UnsupportedError
from assay.evaluate import Gathering, Judging, Plan, compute
from assay.measures.base import Measure

EXACT = 1e-12


@dataclass(frozen=True, slots=True)
class Setting:
    """A measure, a policy and the known faults of other tools that are copied."""

    measure: Measure
    policy: Policy
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """The figure of a run and the value of each query in it."""

    mean: float | None
    values: Mapping[str, float | None]

    def equals(self, other: "Outcome") -> bool:
        """Tell whether the figure and every query agree."""
        return (
            near(self.mean, other.mean, EXACT)
            and self.values.keys() == other.values.keys()
            and all(near(value, other.values[query], EXACT) for query, value in self.values.items())
        )

    def changes_to(self, other: "Outcome") -> tuple[QueryChange, ...]:
        """Return the queries whose value differs there, largest change first."""
        queries = sorted({*self.values, *other.values}, key=str.encode)
        changes = (QueryChange(query, self.values.get(query), other.values.get(query)) for query in queries)
        return tuple(sorted((one for one in changes if one.size > EXACT), key=lambda one: -one.size))


@dataclass(eq=False)
class Laboratory:
    """One gold standard and one run, held against each other under many settings."""

    gold: Gold
    run: Run
    _judgings: dict[tuple[str, ...], Judging] = field(default_factory=dict)
    _outcomes: dict[Setting, Outcome | None] = field(default_factory=dict)

    @cached_property
    def rows(self) -> pl.DataFrame:
        """All rows of the run."""
        return self.run.frame()

    def measure(self, setting: Setting) -> Outcome | None:
        """Return the outcome under a setting, or None where it cannot be computed."""
        if setting not in self._outcomes:
            try:
                self._outcomes[setting] = self.require(setting)
            except AssayError:
                self._outcomes[setting] = None
        return self._outcomes[setting]

    def require(self, setting: Setting) -> Outcome:
        """Return the outcome under a setting; raises what evaluation raises."""
        judging, measure = self._prepared(setting)
        policy = setting.policy.but(unjudged="drop") if measure.judged_only else setting.policy
        result = compute(Plan(measure, str(measure), policy, special=False), judging, Gathering())
        values = [None if math.isnan(value) else value for value in result.values.tolist()]
        return Outcome(result.figure.mean, dict(zip(result.queries, values, strict=True)))

    def _prepared(self, setting: Setting) -> tuple[Judging, Measure]:
        """Return the inputs and the measure with the faults built in."""
        if not setting.faults:
            return self._judging((), self.gold, self.run), setting.measure
        gold, rows, measure = self.gold, self.rows, setting.measure
        for name in setting.faults:
            if not FAULTS[name].concerns(gold, rows, measure):
                msg = f"{measure}: {name} needs what this measure or these inputs lack"
                raise UnsupportedError(msg)
            gold, rows, measure = FAULTS[name].build(gold, rows, measure)
        key = (*setting.faults, str(setting.measure))
        return self._judging(key, gold, replace(self.run, rows=FrameRows(rows))), measure

    def _judging(self, key: tuple[str, ...], gold: Gold, run: Run) -> Judging:
        if key not in self._judgings:
            self._judgings[key] = Judging(run, gold, None)
        return self._judgings[key]


def near(one: float | None, other: float | None, tolerance: float) -> bool:
    """Tell whether two values are equal within a tolerance; undefined equals undefined."""
    if one is None or other is None:
        return one is other
    return abs(one - other) <= tolerance
