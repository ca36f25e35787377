"""The simplified dynamic Bayesian network: people read down to their last click, which satisfied them."""

from typing import ClassVar

from assay.judging.clicks.cells import Cells, Until
from assay.judging.clicks.model import ClickModel, Estimates, divided


class Sdbn(ClickModel):
    r"""How often an item that is looked at is clicked, times how often a click on it is the last.

    $$ a = \frac{clicks}{examined}, \quad s = \frac{last\ clicks}{clicks}, \quad relevance = a \cdot s $$

    All down to the last click is looked at; a search without a click was looked through to its end. The product is
    the share of last clicks among the times an item was looked at; `attraction` and `satisfaction` are its parts.
    What stands below the last click tells nothing, which makes low ranks look a little better than they are.
    Source: Chapelle and Zhang 2009.
    """

    name: ClassVar[str] = "sdbn"
    meaning: ClassVar[str] = "people read down to the click that satisfies them: attraction times satisfaction"
    until: ClassVar[Until | None] = "last"

    def estimate(self, cells: Cells) -> Estimates:
        """Return the product for each pair, and its parts."""
        examined, clicks, last = (cells.by_pair(name) for name in ("examined", "clicks", "ends"))
        more = {"attraction": divided(clicks, examined), "satisfaction": divided(last, clicks)}
        return Estimates(divided(last, examined), examined, examined, more=more)
