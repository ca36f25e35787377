"""Hubs: items that are neighbours of very many others, and anti-hubs, which are nobody's."""

import math

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.core.neighbours import Hub, Hubness


def hubness(names: pl.Series, ids: Ints, shown: int = 5) -> Hubness:
    r"""Return how unevenly items stand in the lists of neighbours of all items, `ids` of shape (items, k).

    $$ S = \frac{\sum_i (N_i - \bar N)^3 / n}{(\sum_i (N_i - \bar N)^2 / n)^{3/2}} $$

    N_i counts the lists that item i stands in. S is 0 where the counts lie evenly around their mean; above 1 a few
    items crowd the lists. Source: Radovanović, Nanopoulos and Ivanović 2010, JMLR 11.

    >>> found = hubness(pl.Series(["a", "b", "c"]), np.array([[1], [0], [1]]))
    >>> found.hubs[0], found.anti_hubs, found.skewness
    (Hub(name='b', times=2), 0.3333333333333333, 0.0)
    """
    times = np.bincount(ids[ids >= 0], minlength=len(names))
    apart = times - times.mean()
    spread = float((apart**2).mean())
    order = np.lexsort((np.arange(len(times)), -times))
    most = times[order[: max(1, math.ceil(len(times) / 100))]].sum()
    return Hubness(
        skewness=float((apart**3).mean() / spread**1.5) if spread > 0 else None,
        anti_hubs=float((times == 0).mean()),
        crowded=float(most / max(1, times.sum())),
        hubs=tuple(Hub(str(names[int(row)]), int(times[row])) for row in order[:shown]),
    )
