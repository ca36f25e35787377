"""Click-through rate: clicks by impressions, wherever the item stood."""

from typing import ClassVar

from assay.judging.clicks.cells import Cells
from assay.judging.clicks.model import ClickModel, Estimates, divided


class Ctr(ClickModel):
    r"""The share of the times an item was shown for a query in which it was clicked.

    $$ CTR(q, d) = \frac{clicks(q, d)}{shown(q, d)} $$

    It rewards items for standing high: people look there first.
    """

    name: ClassVar[str] = "ctr"
    meaning: ClassVar[str] = "clicks by impressions; an item that stood high looks better than it is"
    ranked: ClassVar[bool] = False

    def estimate(self, cells: Cells) -> Estimates:
        """Return the rate of each pair."""
        shown = cells.by_pair("shown")
        return Estimates(divided(cells.by_pair("clicks"), shown), shown, shown)
