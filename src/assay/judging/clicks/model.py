"""`ClickModel`: what every model of clicks says about itself, and what it makes of a counted log."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.core.clicks import Fit
from assay.core.judged import Floats
from assay.judging.clicks.cells import Cells, Until


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """What a model says of each pair, arrays of the shape (pairs,).

    `raw` is the estimate itself, NaN where it is undefined. `examined` is how often the item was looked at, as far as
    the model can tell: below a minimum there is no grade. `units` is how many plain trials the estimate is worth: by
    it the estimate is pulled to the mean and its interval made. `propensity`, shape (ranks,), is how likely each rank
    is looked at. `more` are further numbers of each pair.
    """

    raw: Floats
    examined: Floats
    units: Floats
    propensity: Floats | None = None
    more: Mapping[str, Floats] = field(default_factory=dict)
    fit: Fit | None = None
    notices: tuple[str, ...] = ()


class ClickModel(ABC):
    """One model of why people click.

    `ratio`: its estimates are ratios without an upper end. `until`: it follows searches to their first or last click.
    `ranked`: it needs ranks.
    """

    name: ClassVar[str]
    meaning: ClassVar[str]
    ratio: ClassVar[bool] = False
    until: ClassVar[Until | None] = None
    ranked: ClassVar[bool] = True

    @abstractmethod
    def estimate(self, cells: Cells) -> Estimates:
        """Return what the model makes of a counted log."""

    def settings(self) -> dict[str, Any]:
        """Return the settings of this model as plain data."""
        return {}


def divided(numbers: Floats, by: Floats) -> Floats:
    """Divide, giving NaN where there is nothing to divide by.

    >>> divided(np.array([1.0, 1.0]), np.array([2.0, 0.0])).tolist()
    [0.5, nan]
    """
    return np.asarray(np.divide(numbers, by, out=np.full(len(numbers), np.nan), where=by > 0))
