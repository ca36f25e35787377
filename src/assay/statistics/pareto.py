"""Which systems are worth their cost: those that no other beats in quality without costing more."""

import numpy as np
from numpy.typing import ArrayLike

from assay.core.judged import Flags


def front(quality: ArrayLike, cost: ArrayLike) -> Flags:
    """Flag the Pareto front of systems by quality (higher is better) and cost (lower is better), shapes (systems,).

    A system is on it unless another is at least as good and at most as dear, and better or cheaper. Equal systems
    are on it together. A system whose quality or cost is unknown (NaN) is not on it and beats none.

    >>> front([0.50, 0.60, 0.55, 0.60], [1.0, 3.0, 4.0, 5.0]).tolist()
    [True, True, False, False]
    """
    good, dear = np.asarray(quality, np.float64), np.asarray(cost, np.float64)
    as_good, as_cheap = good[:, None] >= good, dear[:, None] <= dear
    beats = as_good & as_cheap & ((good[:, None] > good) | (dear[:, None] < dear))
    return np.asarray(~(beats.any(axis=0) | np.isnan(good) | np.isnan(dear)))
