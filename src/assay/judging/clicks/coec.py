"""Clicks over expected clicks: how much more an item was clicked than is usual at the ranks where it stood."""

from typing import ClassVar

from assay.judging.clicks.cells import Cells
from assay.judging.clicks.model import ClickModel, Estimates, divided


class Coec(ClickModel):
    r"""The clicks of an item by those that the average item would have had at the same ranks.

    $$ COEC(q, d) = \frac{\sum_r clicks_r(q, d)}{\sum_r shown_r(q, d) \cdot CTR_r} $$

    CTR_r is the rate of rank r over all queries. 1 is as usual; there is no upper end. Undefined where no item was
    ever clicked at these ranks. It takes the rate of a rank for the attention it gets: where good items stand on top,
    part of their goodness is taken from them. Source: Zhang and Jones 2007.
    """

    name: ClassVar[str] = "coec"
    meaning: ClassVar[str] = "clicks by what is usual at those ranks; 1 is usual"
    ratio: ClassVar[bool] = True

    def estimate(self, cells: Cells) -> Estimates:
        """Return the ratio of each pair; its units are expected clicks."""
        usual = divided(cells.by_rank("clicks"), cells.by_rank("shown"))
        expected = cells.by_pair(cells.column("shown") * usual[cells.rank])
        return Estimates(divided(cells.by_pair("clicks"), expected), cells.by_pair("shown"), expected)
