"""What remains of p values when there are many: corrections over a family of tests."""

from collections.abc import Callable, Sequence
from typing import Literal, get_args

import numpy as np

from assay.core.judged import Floats
from assay.errors import ParameterError, UnknownNameError

Correction = Literal["holm", "hommel", "bonferroni", "bh", "none"]


def adjust(ps: Sequence[float | None], method: Correction = "holm") -> list[float | None]:
    r"""Return p values that may be read as if there were one test, in the order given.

    "holm", "hommel" and "bonferroni" bound the chance of even one false claim (for claims); "bh", Benjamini and
    Hochberg, bounds the expected share of false ones among those found (for screening). Holm never finds less
    than Bonferroni and needs no assumption; Hommel finds a little more than Holm where tests are independent or
    positively dependent. "none" changes nothing. With p sorted upwards, i from 1 to m:

    $$ Holm_i = \max_{j \le i} \min(1, (m-j+1) p_j), \quad BH_i = \min_{j \ge i} \min(1, m p_j / j) $$

    None is a test that is undefined: it stays None and is not counted in m.
    Raises ParameterError for a p outside [0, 1], UnknownNameError for a method that does not exist.
    Source: Holm 1979; Hommel 1988; Benjamini and Hochberg 1995.

    >>> adjust([0.01, None, 0.04, 0.03], "holm")
    [0.03, None, 0.06, 0.06]
    """
    if method not in get_args(Correction):
        raise UnknownNameError.of("correction", method, get_args(Correction))
    defined = [place for place, p in enumerate(ps) if p is not None]
    family = np.array([ps[place] for place in defined], np.float64)
    if not ((family >= 0) & (family <= 1)).all():
        wrong = family[~((family >= 0) & (family <= 1))][0]
        msg = f"{method}: expected p values from 0 to 1, found {wrong}"
        raise ParameterError(msg, hint="None stands for a test that is undefined.")
    order = np.argsort(family, kind="stable")
    adjusted = np.empty_like(family)
    adjusted[order] = np.minimum(_METHODS[method](family[order]), 1.0) if len(family) else family
    out: list[float | None] = [None] * len(ps)
    for place, p in zip(defined, adjusted.tolist(), strict=True):
        out[place] = p
    return out


def _holm(ps: Floats) -> Floats:
    return np.maximum.accumulate(ps * np.arange(len(ps), 0, -1))


def _bonferroni(ps: Floats) -> Floats:
    return ps * len(ps)


def _benjamini_hochberg(ps: Floats) -> Floats:
    return np.minimum.accumulate((ps * (len(ps) / np.arange(1, len(ps) + 1)))[::-1])[::-1]


def _hommel(ps: Floats) -> Floats:
    """Close Simes' test: p_i is the worst over all sets that hold test i, and only one set of each size matters.

    The worst set of size m around a test holds the m − 1 largest p values; its Simes p is the smallest m × p / place.
    """
    tests = len(ps)
    adjusted = ps.copy()
    for size in range(2, tests + 1):
        largest = size * ps[tests - size + 1 :] / np.arange(2, size + 1)
        simes = largest.min()
        outside = np.minimum(size * ps[: tests - size + 1], simes)
        np.maximum(adjusted[: tests - size + 1], outside, out=adjusted[: tests - size + 1])
        np.maximum(adjusted[tests - size + 1 :], outside[-1], out=adjusted[tests - size + 1 :])
    return adjusted


_METHODS: dict[str, Callable[[Floats], Floats]] = {
    "holm": _holm,
    "hommel": _hommel,
    "bonferroni": _bonferroni,
    "bh": _benjamini_hochberg,
    "none": np.copy,
}
