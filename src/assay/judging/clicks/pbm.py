"""The position-based model: a click needs a look at the rank and an item that attracts, each by its own chance."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypedDict

import numpy as np

from assay.core.clicks import Fit
from assay.core.hits import Flags
from assay.core.judged import Floats
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.em import STEPS, TOLERANCE, maximised
from assay.judging.clicks.model import ClickModel, Estimates
from assay.judging.clicks.propensity import comparable, conditional, of_ranks
from assay.report.amounts import counted


class Terms(TypedDict):
    """How far EM goes."""

    steps: int
    tolerance: float


OFTEN = 20
"""θ is looked for among pairs shown so often: of rarer ones each click makes an α of its own, and θ goes wrong."""


@dataclass(frozen=True)
class Pbm(ClickModel):
    r"""How likely an item is clicked by someone who looks at it.

    $$ P(click) = \theta_r \cdot \alpha_{qd} $$

    Both are found by expectation and maximisation, θ among pairs shown at least 20 times: with an α to fit for each of
    many rare pairs the likeliest θ is far too high at low ranks. Where those pairs do not reach all ranks, θ is that
    of the likelihood of clicks given how many each pair got, which rare pairs cannot mislead. Or `propensities` give
    θ. Only products are seen, so θ of the rank most looked at is set to 1: α is the chance of a click there. A pair
    that stood only at ranks that no clicked item ties to the rest is undefined. EM ends when a step moves no θ, and α
    in the mean over impressions, by more than `tolerance`, or after `steps`.

    Source: Richardson, Dominowska and Ragno 2007; Craswell, Zoeter, Taylor and Ramsey 2008.
    """

    propensities: Mapping[int, float] | None = None
    steps: int = STEPS
    tolerance: float = TOLERANCE

    name: ClassVar[str] = "pbm"
    meaning: ClassVar[str] = "a click needs a look at the rank, by its chance, and an item that attracts"

    def estimate(self, cells: Cells) -> Estimates:
        """Return the attraction of each pair; it is worth the looks that its ranks got."""
        terms: Terms = {"steps": self.steps, "tolerance": self.tolerance}
        if self.propensities is None:
            theta, fit, notices = _looks(cells, terms)
            (_, alpha), _ = maximised(cells, np.nan_to_num(theta), known=True, **terms)
        else:
            theta, notices = of_ranks(cells, self.propensities), []
            (_, alpha), fit = maximised(cells, theta, known=True, **terms)
        if not fit.converged:
            notices.append(
                f"The fit stopped after {counted(fit.steps, 'step')}, at which something still "
                f"moved by {fit.change:.2g}."
            )
        examined = cells.by_pair(cells.column("shown") * np.nan_to_num(theta)[cells.rank])
        alpha = np.where(cells.by_pair(np.isfinite(theta)[cells.rank].astype(np.float64)) > 0, alpha, np.nan)
        return Estimates(alpha, examined, _worth(cells, theta, alpha, examined), theta, fit=fit, notices=tuple(notices))

    def settings(self) -> dict[str, Any]:
        """Return how far EM goes, and whether propensities were given."""
        return {"propensities": "given" if self.propensities else "em", "steps": self.steps,
                "tolerance": self.tolerance}  # fmt: skip


def _looks(cells: Cells, terms: Terms) -> tuple[Floats, Fit, list[str]]:
    """Return θ of each rank, NaN where it cannot be told, how EM ended, and what is to be said."""
    tied, often = comparable(cells), cells.of_pairs(cells.by_pair("shown") >= OFTEN)
    theta, fit = conditional(cells)
    if set(often.ranks[comparable(often)]) >= set(cells.ranks[tied]):
        reached = np.isin(cells.ranks, often.ranks)
        (found, _), fit = maximised(often, theta[reached], known=False, **terms)
        theta = np.full(len(tied), np.nan)
        theta[reached] = found
    notices = [] if tied.all() else [_apart(cells, tied)]
    return np.where(tied, theta / max(float(theta[tied].max()), 1e-300), np.nan), fit, notices


def _apart(cells: Cells, tied: Flags) -> str:
    """Say which ranks cannot be compared, and what that costs."""
    apart = cells.ranks[~tied]
    lost = int((cells.by_pair(tied[cells.rank].astype(np.float64)) == 0).sum())
    named = ", ".join(map(str, apart[:8])) + (" …" if len(apart) > 8 else "")
    return (
        f"Ranks {named} share no clicked item with the others: how likely they are looked at cannot be told, and "
        f"{counted(lost, 'pair')} shown only there have no grade."
    )


def _worth(cells: Cells, theta: Floats, alpha: Floats, examined: Floats) -> Floats:
    r"""Return how many plain trials each α is worth, by Fisher's information: Σ n θ (1 − α) / (1 − θ α).

    α is taken with half a click and half a miss more, so that none is 0 or 1. That θ is itself an estimate is not
    counted.
    """
    soft = (np.nan_to_num(alpha) * examined + 0.5) / (examined + 1)
    look, attract = np.nan_to_num(theta)[cells.rank], soft[cells.pair]
    return cells.by_pair(cells.column("shown") * look * (1 - attract) / (1 - look * attract))
