"""When to stop looking for what is relevant: rules of e-discovery and of systematic reviews."""

import math
from collections.abc import Sequence

import numpy as np

from assay.core.gold_recall import StoppingRule
from assay.core.judged import Flags
from assay.report.amounts import counted
from assay.statistics.finite import at_most
from assay.statistics.proportion import clopper_pearson

KNEE = 156, 150
"""The slope ratio at which the knee rule stops: the first, less as many as are relevant, at most the second."""
SLOPE = 6.0
"""The slope ratio of the budget rule."""


def by_elusion(found: int, relevant: int, drawn: int, left: int, *, target: float, level: float) -> StoppingRule:
    r"""Test by a sample of what was not judged whether the recall is below the target.

    If it were, at least $K = \lfloor R (1 - t) / t \rfloor + 1$ relevant items would be among those left; the rule says
    stop if so few in the sample are then no likelier than 1 - level.
    Source: Callaghan & Müller-Hansen 2020, Statistical stopping criteria for automated screening in systematic
    reviews.

    >>> [by_elusion(100, 0, drawn, 1000, target=0.9, level=0.95).stop for drawn in (500, 50)]
    [True, False]
    """
    source = "Callaghan & Müller-Hansen 2020"
    least = math.floor(found * (1 - target) / target + 1e-9) + 1
    if least > left:
        return StoppingRule(
            "elusion test", stop=True, why=f"only {counted(left, 'item is', 'items are')} left", source=source
        )
    p = at_most(relevant, drawn, left, least)
    why = f"were recall below {target:g}, so few relevant ones in the sample had p = {p:.3g}"
    return StoppingRule("elusion test", stop=p <= 1 - level, why=why, source=source)


def by_bound(lowest: float, target: float) -> StoppingRule:
    """Ask whether the smallest recall that a sample with unequal chances is compatible with reaches the target.

    >>> by_bound(0.96, 0.95).stop
    True
    """
    why = f"by the sample recall is at least {lowest:.3f}"
    return StoppingRule("elusion bound", stop=lowest >= target, why=why, source="Korn & Graubard 1998")


def by_control(known: int, of: int, target: float, level: float) -> StoppingRule:
    r"""Ask how many relevant items of a random sample of everything have been found: j of r.

    Stop when the smallest recall that is compatible with it reaches the target: the first j with
    $P(Bin(r, t) \ge j) \le 1 - level$.
    Source: Lewis, Yang & Frieder 2021, Certifying one-phase technology-assisted reviews (QBCB).

    >>> by_control(58, 58, 0.95, 0.95).stop, by_control(59, 59, 0.95, 0.95).stop
    (False, True)
    """
    source = "Lewis, Yang & Frieder 2021"
    low = clopper_pearson(known / of, of, 2 * level - 1)[0] if of and known else 0.0
    why = f"{known:,} of {of:,} relevant ones of the control sample were found: recall is at least {low:.3f}"
    return StoppingRule("control sample", stop=low >= target, why=why, source=source)


def by_knee(rows: Sequence[Flags]) -> StoppingRule:
    r"""Ask whether the curve of relevant items has gone flat in each query.

    With R relevant among s judged, the knee i is where the curve is furthest above the straight line to its end, and
    $$ \rho = \frac{R_i / i}{(R_s - R_i + 1) / (s - i)}; $$ stop from 156 - min(R_s, 150) on.
    Source: Cormack & Grossman 2016, Engineering quality and reliability in technology-assisted review.

    >>> import numpy as np
    >>> by_knee([np.repeat([True, False], [200, 2000])]).stop
    True
    """
    flat = [slope_ratio(row) >= KNEE[0] - min(int(row.sum()), KNEE[1]) for row in rows]
    why = f"the curve has gone flat in {sum(flat):,} of {counted(len(flat), 'query')}"
    return StoppingRule("knee", stop=all(flat), why=why, source="Cormack & Grossman 2016")


def by_budget(rows: Sequence[Flags], collection: int) -> StoppingRule:
    """Ask whether as much was judged as a random search for ten relevant items would have taken, and the curve is flat.

    Stop where 10 N / R of N items were judged and the slope ratio is 6, or three quarters of all.
    Source: Cormack & Grossman 2016.

    >>> import numpy as np
    >>> by_budget([np.repeat([True, False], [100, 900])], 5000).stop
    True
    """

    def enough(row: Flags) -> bool:
        found = int(row.sum())
        spent = found > 0 and len(row) >= 10 * collection / found
        return bool(len(row) >= 0.75 * collection or (spent and slope_ratio(row) >= SLOPE))

    done = [enough(row) for row in rows]
    why = f"enough was judged of {counted(collection, 'item')} in {sum(done):,} of {counted(len(done), 'query')}"
    return StoppingRule("budget", stop=all(done), why=why, source="Cormack & Grossman 2016")


def slope_ratio(row: Flags) -> float:
    """Return how much steeper the curve is before its knee than after it; 0 where it has no knee.

    >>> import numpy as np
    >>> slope_ratio(np.array([True, True, False, False]))
    2.0
    """
    found, judged = np.cumsum(row), len(row)
    if judged < 2 or not found[-1]:
        return 0.0
    places = np.arange(1, judged + 1)
    above = found * judged - places * found[-1]
    knee = int(np.argmax(above))
    if above[knee] <= 0:
        return 0.0
    after = judged - knee - 1
    return float(found[knee] / places[knee] / ((found[-1] - found[knee] + 1) / after))
