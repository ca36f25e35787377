"""The checks of a gate: each measure in each scope held against the baseline and its limits, if that can be said."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.core.estimates import Interval
from assay.core.gate import BLOCKED, DROP, FEW, FLOOR, JUDGED, PASSED, UNDECIDED, UNDEFINED, Check, Fallen, Loss
from assay.core.hits import Flags
from assay.history.gate.chance import Material, drop_chance, judged_cutoff, least_chance, looks_interval
from assay.history.gate.paired import DECIMALS, TIE, Paired, mean_of
from assay.history.gate.settings import Limits, Scope
from assay.statistics.gate_test import Verdict, Watched, decide
from assay.statistics.interval import difference_intervals
from assay.statistics.units import Units

WORST = 10
"""So many of the queries that lost most are named."""


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One measure in one scope, and its values there: of all queries now, and of those with a value on both sides.

    `there` (queries of now,) flags the latter; `least` is the smallest p that this look could give them.
    """

    scope: Scope
    limits: Limits
    name: str
    whole: Paired
    shared: Paired
    there: Flags
    judged: float | None
    least: float
    watched: Watched

    @property
    def is_up(self) -> bool:
        """Whether higher is better."""
        return self.limits.measure.higher_is_better

    @property
    def figure(self) -> float | None:
        """The value now, over all queries that have one."""
        return mean_of(self.whole.now, self.whole.weights)

    @property
    def units(self) -> int:
        """How many queries, or groups of queries that belong together, can be paired."""
        return _units(self.shared)


@dataclass(frozen=True, slots=True)
class Family:
    """All tests of a gate together: how many, at least how many queries each needs, and at which look."""

    tests: int
    fewest: int
    look: str

    @classmethod
    def of(cls, material: Material, tests: int) -> "Family":
        """Describe so many tests; those of fresh nights gather, so that no number of queries is too small."""
        settings = material.settings
        fewest = 0 if settings.is_fresh else math.ceil(math.log2(max(tests, 1) / settings.alpha))
        if material.nights is None:
            return cls(tests, fewest, "")
        return cls(tests, fewest, f" at look {material.looks % settings.horizon + 1} of {settings.horizon}")


def checks_of(material: Material) -> tuple[tuple[Check, ...], int]:
    """Return every check, in the order of the file, and how many tests were corrected together."""
    asked = [_question(material, scope, limits) for scope in material.settings.scopes for limits in scope.limits]
    decided = decide([one.watched for one in asked])
    family = Family.of(material, decided.family)
    found = zip(asked, decided.verdicts, _intervals(material, asked), strict=True)
    return tuple(_check(one, verdict, interval, family) for one, verdict, interval in found), decided.family


def floors_of(material: Material) -> tuple[Check, ...]:
    """Return the checks whose figure is beyond its limit, which needs no baseline."""
    checks, _ = checks_of(replace(material, before=None, nights=None))
    return tuple(one for one in checks if one.decision == BLOCKED)


def fallen_of(material: Material) -> tuple[Fallen, ...]:
    """Return the queries that lost all where a guard looks, those that block first; each query once by a measure."""
    found: dict[tuple[str, str], Fallen] = {}
    for scope in sorted(material.settings.scopes, key=lambda one: one.guard != "block"):
        if scope.guard in {"name", "block"}:
            for one in _fallen(material, scope):
                found.setdefault((one.measure, one.query), one)
    return tuple(sorted(found.values(), key=lambda one: (not one.blocks, one.measure, one.query.encode())))


def _fallen(material: Material, scope: Scope) -> Iterator[Fallen]:
    """Yield the queries of one scope that have the worst value now, or none, and had a better one."""
    for limits in scope.limits:
        if _is_judged(scope, _judged(material, scope, limits)):
            name, up = material.names[str(limits.measure)], limits.measure.higher_is_better
            pair, worst = material.pair(name, scope), 0.0 if up else limits.measure.bounds[1]
            had = pair.before > worst + TIE if up else pair.before < worst - TIE
            for at in np.flatnonzero(pair.vanished | (had & (np.abs(pair.now - worst) <= TIE))).tolist():
                now = None if pair.vanished[at] else worst
                yield Fallen(scope.name, name, pair.queries[at], float(pair.before[at]), scope.guard == "block", now)


def _question(material: Material, scope: Scope, limits: Limits) -> Question:
    name, inside = material.names[str(limits.measure)], material.inside(scope)
    whole = material.pair(name, scope)
    shared = whole.shared()
    test = drop_chance(material, scope, limits, whole)
    drop = _drop(shared, up=limits.measure.higher_is_better)
    there = inside.copy()
    there[inside] = whole.there
    return Question(
        scope, limits, name, whole, shared, there, _judged(material, scope, limits),
        least_chance(material, _units(shared)),
        Watched(drop, test, max_drop=limits.max_drop, alpha=material.settings.alpha),
    )  # fmt: skip


def _units(shared: Paired) -> int:
    return len(Units.of(shared.differences, shared.weights, shared.clusters))


def _judged(material: Material, scope: Scope, limits: Limits) -> float | None:
    """Return the share of judged items in a scope, where it is asked for."""
    if scope.min_judged is None:
        return None
    depth = material.names[f"Judged@{judged_cutoff(limits)}"]
    return mean_of(material.now.values[depth][material.inside(scope)], None)


def _is_judged(scope: Scope, judged: float | None) -> bool:
    return scope.min_judged is None or (judged is not None and judged >= scope.min_judged - TIE)


def _drop(shared: Paired, *, up: bool) -> float | None:
    change = mean_of(shared.differences, shared.weights)
    if change is None:
        return None
    return round(-change if up else change, DECIMALS) + 0.0


def _check(one: Question, verdict: Verdict, interval: Interval, family: Family) -> Check:
    up, differences, units = one.is_up, one.shared.differences, one.units
    least = max(one.scope.min_queries, family.fewest)
    least_p = None if verdict.test.p is None else min(1.0, one.least * family.tests)
    is_few = units < least or (verdict.large and least_p is not None and least_p > verdict.alpha)
    decision, reasons = _decided(one, verdict, least, is_few=is_few)
    worse, better = (differences < 0, differences > 0) if up else (differences > 0, differences < 0)
    return Check(
        one.scope.name, one.name, decision, reasons,
        mean_of(one.shared.before, one.shared.weights), mean_of(one.shared.now, one.shared.weights), one.figure,
        None if verdict.drop is None else (-verdict.drop if up else verdict.drop) + 0.0,
        interval, verdict.test, units, least, one.limits.max_drop, one.limits.limit, one.judged,
        one.scope.min_judged, up, int(worse.sum()), int(better.sum()), _worst(one.shared, up=up),
        int(one.whole.vanished.sum()), one.shared.clusters is not None, least_p,
        _why(one, verdict, family, least_p) if decision == UNDECIDED else "",
    )  # fmt: skip


def _decided(one: Question, verdict: Verdict, least: int, *, is_few: bool) -> tuple[str, tuple[str, ...]]:
    """Return what is decided, and why: too little judged says nothing; a limit needs no test; a drop needs queries."""
    few = (FEW,) if is_few else ()
    if not _is_judged(one.scope, one.judged):
        return UNDECIDED, (JUDGED, *few)
    blocks = [DROP] if verdict.blocked and not few else []
    blocks += [FLOOR] if _is_beyond(one) else []
    if blocks:
        return BLOCKED, tuple(blocks)
    is_unsaid = one.figure is None or (verdict.test.p is None and verdict.drop) or one.whole.vanished.any()
    unsaid = (*few, UNDEFINED) if is_unsaid and one.units >= least else few
    return (UNDECIDED, unsaid) if unsaid else (PASSED, ())


def _is_beyond(one: Question) -> bool:
    """Tell whether a figure is beyond its limit."""
    limit, figure = one.limits.limit, one.figure
    if limit is None or figure is None:
        return False
    return figure < limit - TIE if one.is_up else figure > limit + TIE


def _why(one: Question, verdict: Verdict, family: Family, least_p: float | None) -> str:
    """Say what is undefined: values that went, or a p that could not have been small enough."""
    gone = int(one.whole.vanished.sum())
    if gone:
        return f"{gone:,} of {gone + len(one.shared.queries):,} queries that had a value have none now"
    if least_p is not None and least_p > verdict.alpha:
        tests = "1 test" if family.tests == 1 else f"{family.tests:,} tests"
        return f"no p below {least_p:.2g} can come out{family.look}, over {tests}"
    return verdict.why or "no query has a value"


def _intervals(material: Material, asked: Sequence[Question]) -> list[Interval]:
    """Return where each true change may lie, with the confidence that fits a one-sided test."""
    now, level = material.now, 1 - 2 * material.settings.alpha
    if level <= 0:
        return [Interval(None, None, 0.0, "none", 0)] * len(asked)
    if material.nights is not None and material.settings.is_fresh:
        return [looks_interval(material, one.scope, one.limits, one.shared, level) for one in asked]
    changes = np.full((len(now.queries), len(asked)), np.nan)
    for column, one in enumerate(asked):
        changes[one.there, column] = one.shared.differences
    widths = [high - low for one in asked for low, high in [one.limits.measure.bounds]]
    return difference_intervals(
        changes, weights=now.weights, clusters=now.clusters, level=level, bounds=[(-one, one) for one in widths],
        seed=material.seed,
    )  # fmt: skip


def _worst(shared: Paired, *, up: bool) -> tuple[Loss, ...]:
    """Return the queries that lost most; of equal ones the first by id."""
    losses = -shared.differences if up else shared.differences
    order = np.argsort(-np.round(losses, 10), kind="stable")
    worst: Sequence[int] = [at for at in order.tolist() if losses[at] > 0][:WORST]
    return tuple(Loss(shared.queries[at], float(shared.before[at]), float(shared.now[at])) for at in worst)
