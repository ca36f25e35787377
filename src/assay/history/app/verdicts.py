"""Whether the newest evaluation of a suite fell against its baseline: one look, paired, query by query."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.core.history import Recorded, Suite
from assay.history.app.visits import Desk
from assay.history.gate.paired import Paired
from assay.report.amounts import percent
from assay.statistics.gate_test import Watched, decide

ALPHA = 0.05
FEW_JUDGED = 0.8
"""Below this share of judged items among the first, a figure says more of the gold than of the answers."""
KEPT = 1000
"""So many verdicts are remembered."""
FINE, FELL, NONE, FEW, OTHER, OPEN = (
    "fine", "fell", "no baseline", "few judged", "not comparable", "cannot tell",
)  # fmt: skip
STATES = (FELL, FEW, OTHER, OPEN, NONE, FINE)
"""The states, those that ask for somebody first."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The state of a suite, why it is so, and by how much each measure changed over the shared queries.

    `fell` names the measures that fell; `changes` are now less baseline, None where there is no query to compare.
    """

    state: str
    why: str
    fell: frozenset[str] = frozenset()
    changes: Mapping[str, float | None] = field(default_factory=dict)


def verdict(desk: Desk, suite: Suite) -> Verdict:
    """Return the state of a suite, remembered for each pair of newest evaluation and baseline."""
    if suite.baseline is None:
        return Verdict(NONE, "No evaluation is pinned.")
    key = suite.newest.id, suite.baseline.id
    found: Verdict | None = desk.verdicts.get(key)
    if found is None:
        if len(desk.verdicts) >= KEPT:
            desk.verdicts.clear()
        found = desk.verdicts[key] = _verdict(desk, suite.newest, suite.baseline)
    return found


def _verdict(desk: Desk, newest: Recorded, baseline: Recorded) -> Verdict:
    if newest.id == baseline.id:
        return Verdict(FINE, "It is the baseline.")
    if None not in {newest.made.gold, baseline.made.gold} and newest.made.gold != baseline.made.gold:
        return Verdict(OTHER, "The gold is not that of the baseline.")
    now, before = desk.store.get(newest.id), desk.store.get(baseline.id)
    found = {
        one.measure: Paired.of(before, now, one.measure).shared()
        for one in now.figures
        if not one.slice and one.of_queries and {one.measure} <= now.values.keys() & before.values.keys()
    }
    better = {one.measure: one.higher_is_better for one in now.figures if not one.slice}
    watched = [_watched(pair, higher=better[measure]) for measure, pair in found.items()]
    decision = decide(watched)
    signs = {measure: -1 if better[measure] else 1 for measure in found}
    changes = {
        measure: None if one.drop is None else signs[measure] * one.drop
        for measure, one in zip(found, watched, strict=True)
    }
    fell = frozenset(
        measure for measure, one in zip(found, decision.verdicts, strict=True) if one.blocked
    )  # fmt: skip
    return _said(newest, fell, changes, is_open=not any(one.test.p is not None for one in decision.verdicts))


def _watched(pair: Paired, *, higher: bool) -> Watched:
    return Watched.of(
        pair.differences, alpha=ALPHA, test="t", higher_is_better=higher, weights=pair.weights, clusters=pair.clusters
    )


def _said(newest: Recorded, fell: frozenset[str], changes: Mapping[str, float | None], *, is_open: bool) -> Verdict:
    if fell:
        return Verdict(FELL, f"{', '.join(sorted(fell))} fell beyond chance.", fell, changes)
    judged = [one for one in newest.figures if not one.slice and one.measure.startswith("Judged@")]
    if judged and judged[0].mean is not None and judged[0].mean < FEW_JUDGED:
        why = f"{percent(judged[0].mean, 0)} of the items that {judged[0].measure} looks at are judged."
        return Verdict(FEW, why, fell, changes)
    if is_open:
        return Verdict(OPEN, "There are too few values of queries to compare.", fell, changes)
    return Verdict(FINE, "No measure fell beyond chance.", fell, changes)
