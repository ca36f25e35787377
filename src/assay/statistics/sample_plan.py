"""How many units to look at so that a share is known well enough, and what that costs."""

import math

from assay.errors import ParameterError
from assay.statistics.share_intervals import margin_of

MOST = 1 << 40
"""Beyond so many units none is enough."""


def units_needed(
    margin: float,
    share: float,
    level: float = 0.95,
    method: str = "wilson",
    population: int | None = None,
) -> int:
    r"""Return the fewest units, drawn one by one, whose interval reaches at most `margin` to either side.

    `share` is what is expected to be found. Of a population of N, without replacement,
    $$ n = n_0 / (1 + (n_0 - 1)/N) $$ units do. Design effects multiply the result.

    Raises
    ------
    ParameterError
        A margin that is not above 0 and below 0.5, a share outside 0 to 1, a population below 1, a level outside
        0 to 1, or Wald's interval, which nobody should plan by: at a share of 1 a single unit were enough.
    UnknownNameError
        A method that does not exist.

    >>> units_needed(0.05, 0.5), units_needed(0.05, 0.9), units_needed(0.05, 0.9, population=1000)
    (381, 141, 124)
    """
    _check(margin, share, method, population)
    most = 1
    while margin_of(method, share, most, level) > margin:
        most *= 2
        if most > MOST:
            raise ParameterError(f"margin: expected one that some sample reaches, found {margin:g}")
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if margin_of(method, share, middle, level) <= margin else (middle, most)
    return most if population is None else math.ceil(most / (1 + (most - 1) / population) - 1e-9)


def design_effect(alike: float, units: float) -> float:
    r"""Return by how much more units are needed when so many (on average) come from one cluster.

    $$ 1 + (\bar m - 1) \rho $$

    with the intraclass correlation ρ, how alike the units of a cluster are: 0 not at all, 1 entirely.

    >>> design_effect(0.5, 3)
    2.0
    """
    return 1 + (units - 1) * alike


def alikeness(effect: float, units: float) -> float | None:
    """Return the intraclass correlation that a design effect came from, within 0 and 1; None of single units.

    >>> alikeness(2.0, 3)
    0.5
    """
    return None if units <= 1 else min(1.0, max(0.0, (effect - 1) / (units - 1)))


def _check(margin: float, share: float, method: str, population: int | None) -> None:
    if not 0 < margin < 0.5:
        raise ParameterError(f"margin: expected a number above 0 and below 0.5, found {margin:g}")
    if not 0 <= share <= 1:
        raise ParameterError(f"expected share: expected a number from 0 to 1, found {share:g}")
    if population is not None and population < 1:
        raise ParameterError(f"population: expected at least 1, found {population}")
    require_sound(method)


def require_sound(method: str) -> None:
    """Refuse Wald's interval, which has no width where all units agree and so would end any sample.

    Raises
    ------
    ParameterError
        It is that one.
    """
    if method == "wald":
        raise ParameterError("interval: expected one to plan or stop by, found wald", hint="wilson is usual.")
