"""McNemar's test: of the queries whose answer changed between right and wrong, did more get lost than gained?"""

from typing import get_args

from assay.core.estimates import Significance
from assay.errors import ParameterError, UnknownNameError
from assay.statistics.control_limits import Side
from assay.statistics.distributions import beta_share


def mcnemar(lost: int, gained: int, *, side: Side = "both") -> Significance:
    r"""Return the exact p value of paired yes-or-no answers: `lost` turned wrong, `gained` turned right.

    If nothing changed, each query that turned is as likely to be lost as gained; queries that did not turn say
    nothing. With b lost, c gained and n = b + c,

    $$ p_{fall} = P(X \ge b), \quad p_{rise} = P(X \ge c), \quad X \sim \mathrm{Binomial}(n, 1/2) $$

    and "both" is twice the smaller one, at most 1. It equals sign flips of differences that are -1, 0 and 1. Where no
    query turned, p is 1. `statistic` is the share lost of those that turned (None without), `floor` the smallest p
    that so many could give. Source: McNemar 1947, in its exact form.

    Raises
    ------
    ParameterError
        A count below 0.
    UnknownNameError
        A side that does not exist.

    >>> mcnemar(85, 0).p
    5.1698788284564...e-26
    >>> mcnemar(8, 2, side="fall").p
    0.0546875
    """
    if side not in get_args(Side):
        raise UnknownNameError.of("side", side, get_args(Side))
    if lost < 0 or gained < 0:
        raise ParameterError(f"McNemar: expected counts of 0 or more, found {lost} lost and {gained} gained")
    fall, rise = _at_least(lost, gained), _at_least(gained, lost)
    p = {"fall": fall, "rise": rise, "both": min(1.0, 2 * min(fall, rise))}[side]
    turned = lost + gained
    floor = min(1.0, 0.5**turned * (2 if side == "both" else 1))
    return Significance(p, "McNemar, exact", turned, floor, lost / turned if turned else None)


def _at_least(hits: int, others: int) -> float:
    """Return the chance of so many hits or more among fair coins."""
    return beta_share(0.5, hits, others + 1) if hits else 1.0
