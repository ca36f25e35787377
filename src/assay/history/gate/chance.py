"""Could a drop be chance: the test of one measure in one scope, for one look or for many."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.core.estimates import Interval, Significance
from assay.core.history import Recorded
from assay.core.hits import Flags, Floats
from assay.history.gate.paired import TIE, Paired
from assay.history.gate.settings import Limits, Scope, Settings
from assay.statistics.confidence_sequence import confidence_sequence, fall_evidence
from assay.statistics.gate_test import drop_test
from assay.statistics.repeated_looks import repeated_test

USUAL_CUTOFF = 10
"""How deep the share of judged items is taken for a measure without a cutoff."""
FLIPS, LOOKS_FLIPS, MOST_FLIPS = 10_000, 19_999, 200_000
"""So many sign flips are drawn for one look and for many, and at most: more where a large family needs them."""

Nights = Mapping[str, Floats]
"""The values of earlier looks by measure, shape (looks, queries)."""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """What is held against what: the baseline (None: no figure is compared) and now, queries of slices, earlier looks.

    `names` maps a measure as the settings write it to its name in the evaluations. `nights` are None where each look
    stands for itself; their queries are those of now, or of the baseline where each night is `fresh`. `seed` is where
    chance starts.
    """

    before: Recorded | None
    now: Recorded
    settings: Settings
    slices: Mapping[str, frozenset[str]]
    names: Mapping[str, str]
    nights: Nights | None = None
    seed: int = 0

    @property
    def looks(self) -> int:
        """How many looks were taken before this one."""
        return 0 if self.nights is None else max((len(each) for each in self.nights.values()), default=0)

    @property
    def tests(self) -> int:
        """How many tests there may be."""
        return sum(len(scope.limits) for scope in self.settings.scopes)

    def inside(self, scope: Scope, queries: tuple[str, ...] | None = None) -> Flags:
        """Return for each query of now, or of others, whether it lies in a scope; shape (queries,)."""
        wanted = self.slices.get(scope.name)
        asked = self.now.queries if queries is None else queries
        return np.array([wanted is None or query in wanted for query in asked], np.bool_)

    def pair(self, name: str, scope: Scope) -> Paired:
        """Return a measure before and now in a scope."""
        return Paired.of(self.before, self.now, name).only(self.inside(scope))


def judged_cutoff(limits: Limits) -> int:
    """Return how deep the share of judged items is taken for a measure: to its cutoff, else to 10."""
    found: int = getattr(limits.measure, "k", None) or USUAL_CUTOFF
    return found


def drop_chance(material: Material, scope: Scope, limits: Limits, whole: Paired) -> Significance:
    """Return the one-sided p of a measure that did not fall; with earlier looks, one that holds at every look."""
    up, settings, shared = limits.measure.higher_is_better, material.settings, whole.shared()
    if material.nights is None or not len(shared.queries):
        return drop_test(
            shared.differences, test="t" if settings.test == "t" else "flips", higher_is_better=up,
            weights=shared.weights, clusters=shared.clusters, flips=_flips(material, FLIPS, 1), seed=material.seed,
        )  # fmt: skip
    if settings.is_fresh:
        return fall_evidence(_fresh(material, scope, limits, shared), bounds=_bounds(limits), higher_is_better=up)
    earlier = material.nights[material.names[str(limits.measure)]][:, material.inside(scope)][:, whole.there]
    looks = np.vstack([earlier - shared.before, shared.differences]).T
    looks[np.abs(looks) <= TIE] = 0.0
    return repeated_test(
        looks, horizon=settings.horizon, higher_is_better=up, weights=shared.weights, clusters=shared.clusters,
        flips=_flips(material, LOOKS_FLIPS, settings.horizon), seed=material.seed,
    )  # fmt: skip


def least_chance(material: Material, units: int) -> float:
    """Return the smallest p that this look could give for so many queries, if every one of them fell."""
    settings = material.settings
    if settings.test != "flips":
        return 0.0
    if material.nights is None:
        return max(0.5**units, 0.5 / (_flips(material, FLIPS, 1) + 1))
    patterns = min(2.0**units, _flips(material, LOOKS_FLIPS, settings.horizon) + 1)
    return min(1.0, settings.horizon / patterns / (material.looks % settings.horizon + 1))


def looks_interval(material: Material, scope: Scope, limits: Limits, shared: Paired, level: float) -> Interval:
    """Return where the mean change of all fresh looks may lie; it holds at every look."""
    return confidence_sequence(_fresh(material, scope, limits, shared), level=level, bounds=_bounds(limits))


def _fresh(material: Material, scope: Scope, limits: Limits, shared: Paired) -> list[Floats]:
    """Return the differences of each look since counting began, tonight's last."""
    name, before, nights = material.names[str(limits.measure)], material.before, material.nights
    if before is None or nights is None:
        return [shared.differences]
    begun = material.looks // material.settings.horizon * material.settings.horizon
    earlier = (nights[name][begun:] - before.values[name])[:, material.inside(scope, before.queries)]
    return [*earlier, shared.differences]


def _bounds(limits: Limits) -> tuple[float, float]:
    """Return the bounds of differences."""
    low, high = limits.measure.bounds
    return low - high, high - low


def _flips(material: Material, usual: int, looks: int) -> int:
    """Return how many sign flips let the smallest p of a whole family come to half of alpha."""
    needed = 2 * looks * material.tests / material.settings.alpha
    return max(usual, min(int(needed), MOST_FLIPS))
