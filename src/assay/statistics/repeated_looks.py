"""The same queries night after night, against one baseline: a test that holds at every look."""

import numpy as np

from assay.core.estimates import Significance
from assay.core.judged import Flags, Floats, Ints
from assay.errors import ParameterError
from assay.statistics.difference import ENUMERATED
from assay.statistics.flips import drawn_signs, sign_patterns
from assay.statistics.products import product
from assay.statistics.units import Units, units_of_pairs


def repeated_test(
    differences: Floats,
    *,
    horizon: int = 30,
    higher_is_better: bool = True,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    flips: int = 19_999,
    seed: int = 0,
) -> Significance:
    r"""Return the one-sided p value of tonight's drop, a p value that may be looked at every night.

    `differences` (run minus baseline) has the shape (queries, nights), the last column is tonight's; NaN is a query
    left out that night. If no night's system differs from the baseline, the chance that *any* of `horizon` nights has
    p <= alpha is at most alpha; after so many the nights begin anew: it holds for each month of 30 nights.

    **What is assumed.** Queries are what is sampled, and the same ones are asked each night. So nights depend on each
    other, and nobody knows how: from the same answers each night, where a second look adds nothing, to another
    system each night, where looks are all but independent. If run and baseline do not differ, a query's row of
    differences could as well have had the other sign, as a whole. So rows are flipped, and a flipped month depends on
    itself from night to night just as the real one does. Nothing else is assumed.

    **How.** Of all flipped months, the observed one among them, each night takes a share alpha / horizon away: those
    that fell furthest that night, of those still there; ties give in equal parts. Tonight is an alarm when all that
    fell as far as the observed month are gone. By night t a share $\alpha t / h$ is gone, and the observed
    month is as likely to be among them as any other. p is the smallest alpha with an alarm tonight. Where nights are
    independent, that is nearly the p value of one night times the horizon. Where they are all alike, what earlier
    nights took stays taken, and by the last night p falls to that of one look.

    Up to 65,536 sign patterns are all tried; otherwise `flips` are drawn by `seed`, for rows in the order of their
    nights: a night that is looked at again among more nights may have another p, within what drawing varies.
    `floor` is the smallest p that tonight could have; `statistic` the mean difference. p is None below 2 units, and
    `why` says so.
    Source: alpha spending (Lan and DeMets 1983) over sign flips of whole rows (Westfall and Young 1993).

    Raises
    ------
    ParameterError
        No night, fewer than 1,000 flips, a horizon below 1.

    >>> import numpy as np
    >>> drop = np.random.default_rng(1).normal(-0.05, 0.14, 50)
    >>> [round(repeated_test(np.tile(drop[:, None], nights)).p, 3) for nights in (1, 10, 30)]
    [0.054, 0.005, 0.002]
    """
    table = _checked(differences, horizon, flips, higher_is_better=higher_is_better)
    seen = units_of_pairs(table[:, -1:], weights, clusters)[0][1]
    if len(seen) < 2:
        why = f"expected 2 independent queries or more, found {len(seen)}"
        return Significance(None, "sign flips", len(seen), 1.0, why=why)
    begun = (table.shape[1] - 1) // horizon * horizon
    places = _places(table[:, begun:], weights, clusters, flips, seed)
    p = _smallest(places, horizon)
    name = "exact" if len(places) != flips + 1 else f"{flips:,} drawn"
    floor = min(1.0, horizon / len(places) / places.shape[1])
    mean = float(seen.mean[0]) if higher_is_better else -float(seen.mean[0])
    return Significance(p, f"sign flips, {name}, one-sided, {horizon} looks", len(seen), floor, mean)


def repeated_alarms(
    differences: Floats,
    *,
    alpha: float = 0.05,
    horizon: int = 30,
    higher_is_better: bool = True,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    flips: int = 19_999,
    seed: int = 0,
) -> Flags:
    """Return for each night, (nights,), whether its p, among all nights given, is at most alpha.

    It is what `repeated_test` says of the nights up to it where all sign patterns are tried, and nearly so where they
    are drawn.

    >>> import numpy as np
    >>> drop = np.random.default_rng(1).normal(-0.05, 0.14, 50)
    >>> repeated_alarms(np.tile(drop[:, None], 4)).tolist()
    [False, True, True, True]
    """
    table = _checked(differences, horizon, flips, higher_is_better=higher_is_better)
    months = (table[:, start : start + horizon] for start in range(0, table.shape[1], horizon))
    return np.concatenate([_alarms(_places(each, weights, clusters, flips, seed), alpha, horizon) for each in months])


def _checked(differences: Floats, horizon: int, flips: int, *, higher_is_better: bool) -> Floats:
    """Return differences of which a fall is bad, or refuse them."""
    table = np.asarray(differences, np.float64)
    if table.ndim != 2 or not table.shape[1]:
        raise ParameterError(f"repeated test: expected the shape (queries, nights), found {table.shape}")
    if horizon < 1 or flips < 1_000:
        msg = f"repeated test: expected 1 look or more and 1,000 flips or more, found {horizon} and {flips}"
        raise ParameterError(msg)
    return table if higher_is_better else -table


def _places(table: Floats, weights: Floats | None, clusters: Ints | None, flips: int, seed: int) -> Ints:
    """Return where each flipped month stands on each night, (months, nights), 0 fell furthest; the last is observed.

    Rows are turned so that the first difference is positive, and sorted by the first night, then by the next: so
    no p value depends on the order of queries. Where signs are drawn, which row gets which depends on all nights.
    """
    rows = Units.of(np.nan_to_num(table), weights, clusters).above
    rows = rows[(rows != 0).any(axis=1)]
    if 2 ** min(len(rows), 64) <= ENUMERATED:
        sums = product(sign_patterns(len(rows), 2 ** len(rows)), rows)
    else:
        first = np.take_along_axis(rows, (rows != 0).argmax(axis=1)[:, None], axis=1)
        turned = rows * np.sign(first)
        turned = turned[np.lexsort(turned.T[::-1])]
        drawn = [product(signs, turned) for signs in drawn_signs(len(turned), flips, seed)]
        sums = np.concatenate([*drawn, rows.sum(axis=0, keepdims=True)])
    order = np.argsort(sums, axis=0)
    apart = np.diff(np.take_along_axis(sums, order, axis=0), axis=0) > 1e-12 * np.abs(rows).sum(axis=0)
    places = np.zeros(sums.shape, np.int64)
    np.put_along_axis(places, order[1:], np.cumsum(apart, axis=0), axis=0)
    return places


def _alarms(places: Ints, alpha: float, horizon: int) -> Flags:
    """Return for each night whether all months that fell as far as the observed one are gone."""
    there = np.ones(len(places))
    taken = alpha / horizon * len(places)
    alarms = np.zeros(places.shape[1], np.bool_)
    for night, standing in enumerate(places.T):
        mass = np.bincount(standing, there)
        fallen = np.cumsum(mass)
        alarms[night] = fallen[standing[-1]] <= taken * (1 + 1e-9)
        left = np.divide(fallen - taken, mass, out=np.zeros_like(mass), where=mass > 0)
        there *= np.clip(left, 0, 1)[standing]
    return alarms


def _smallest(places: Ints, horizon: int) -> float:
    """Return the smallest alpha, within a millionth, with an alarm on the last night."""
    low, high = 0.0, 1.0
    if not _alarms(places, high, horizon)[-1]:
        return 1.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if _alarms(places, middle, horizon)[-1] else (middle, high)
    return high
