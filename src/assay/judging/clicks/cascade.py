"""The cascade model: people read from the top and stop at the first click."""

from typing import ClassVar

from assay.judging.clicks.cells import Cells, Until
from assay.judging.clicks.model import ClickModel, Estimates, divided


class Cascade(ClickModel):
    r"""The share of the times an item was looked at in which it was clicked; all down to the first click is looked at.

    $$ \alpha(q, d) = \frac{first\ clicks(q, d)}{examined(q, d)} $$

    A search without a click was looked through to its end; what stands below the first click tells nothing, and
    later clicks do not count. Undefined for an item that always stood below the first click. Source: Craswell,
    Zoeter, Taylor and Ramsey 2008.
    """

    name: ClassVar[str] = "cascade"
    meaning: ClassVar[str] = "people read from the top and stop at the first click"
    until: ClassVar[Until | None] = "first"

    def estimate(self, cells: Cells) -> Estimates:
        """Return the share of each pair."""
        examined, first, clicks = cells.by_pair("examined"), cells.by_pair("ends"), cells.column("clicks").sum()
        later = clicks - first.sum()
        said = (
            f"{later:,.0f} of {clicks:,.0f} clicks came after the first of their search and do not count; sdbn is for "
            "searches with several."
        )
        return Estimates(divided(first, examined), examined, examined, notices=(said,) if later > clicks / 10 else ())
