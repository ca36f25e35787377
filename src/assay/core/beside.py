"""`Beside`: what stands beside the figures of several runs, where it was asked for or is known."""

from dataclasses import dataclass
from typing import Any

from assay.core.costs import CostFigure
from assay.core.health import Health
from assay.core.slices import Slicing


@dataclass(frozen=True, slots=True)
class Beside:
    """Figures by groups of queries, the health of the gold, what queries cost."""

    slices: tuple[Slicing, ...] = ()
    health: Health | None = None
    costs: tuple[CostFigure, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return a block for each that there is."""
        blocks: dict[str, Any] = {
            "slices": [slicing.to_dict() for slicing in self.slices],
            "health": self.health.to_dict() if self.health else None,
            "costs": [cost.to_dict() for cost in self.costs],
        }
        return {name: block for name, block in blocks.items() if block}
