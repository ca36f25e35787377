"""Inverse propensity weighting: a click at a rank that is seldom looked at counts for more."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.core.clicks import Fit
from assay.core.judged import Floats
from assay.errors import ParameterError
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.model import ClickModel, Estimates, divided
from assay.judging.clicks.pbm import Pbm
from assay.judging.clicks.propensity import of_ranks

CLIP = 0.05


@dataclass(frozen=True)
class Ipw(ClickModel):
    r"""Clicks, each weighted by one over the chance that its rank is looked at, by impressions.

    $$ \frac{\sum_r clicks_r / \max(\theta_r, clip)}{\sum_r shown_r} $$

    Right in the mean wherever θ is right and not clipped; may exceed 1. θ is given, or that of the position-based
    model. Clipping keeps single clicks from deciding and makes what stands low look worse. `units` is the effective
    sample size: so many plain trials have the same variance. Source: Joachims, Swaminathan and Schnabel 2017.
    """

    propensities: Mapping[int, float] | None = None
    clip: float = CLIP

    name: ClassVar[str] = "ipw"
    meaning: ClassVar[str] = "each click weighted by one over the chance that its rank is looked at"

    def __post_init__(self) -> None:
        if not 0 < self.clip <= 1:
            raise ParameterError(f"clip: expected a propensity above 0 and at most 1, found {self.clip:g}")

    def estimate(self, cells: Cells) -> Estimates:
        """Return the weighted share of each pair; its looks are its effective sample size."""
        theta, fit, notices = self._looks(cells)
        look = np.nan_to_num(theta)[cells.rank]
        weight, known = 1 / np.maximum(look, self.clip), np.isfinite(theta)[cells.rank]
        shown = cells.by_pair(cells.column("shown") * known)
        raw = divided(cells.by_pair(cells.column("clicks") * weight * known), shown)
        units = _effective(cells, look, weight, raw)
        clipped = int(cells.column("shown")[known & (look < self.clip)].sum())
        said = (
            f"{clipped:,} impressions stood at ranks below the clip of {self.clip:g}; what stands there looks worse "
            "than it is."
        )
        return Estimates(raw, units, units, theta, fit=fit, notices=(*notices, *([said] if clipped else [])))

    def settings(self) -> dict[str, Any]:
        """Return the clip, and where propensities are from."""
        return {"propensities": "given" if self.propensities else "em", "clip": self.clip}

    def _looks(self, cells: Cells) -> tuple[Floats, Fit | None, tuple[str, ...]]:
        if self.propensities is not None:
            return of_ranks(cells, self.propensities), None, ()
        found = Pbm().estimate(cells)
        theta = np.full(len(cells.ranks), np.nan) if found.propensity is None else found.propensity
        return theta, found.fit, found.notices


def _effective(cells: Cells, look: Floats, weight: Floats, raw: Floats) -> Floats:
    """Return how many plain trials have the variance of each estimate, at a rate half a click from 0 and 1."""
    shown = cells.column("shown") * (look > 0)
    whole = cells.by_pair(shown)
    soft = (np.clip(np.nan_to_num(raw), 0, 1) * whole + 0.5) / (whole + 1)
    click = look * soft[cells.pair]
    spread = cells.by_pair(shown * weight**2 * click * (1 - click))
    return np.nan_to_num(divided(soft * (1 - soft) * whole**2, spread))
