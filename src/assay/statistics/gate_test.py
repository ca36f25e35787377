"""The gate's decision: a drop blocks when it is larger than allowed and not chance, over all that is watched."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from assay.core.estimates import Significance
from assay.core.judged import Floats, Ints
from assay.errors import ParameterError
from assay.statistics.difference import significance
from assay.statistics.many import Correction, adjust
from assay.statistics.units import Units, units_of_pairs


def drop_test(
    differences: Floats,
    *,
    test: Literal["t", "flips"] = "t",
    higher_is_better: bool = True,
    weights: Floats | None = None,
    clusters: Ints | None = None,
    flips: int = 10_000,
    seed: int = 0,
) -> Significance:
    r"""Return the one-sided p value of differences (run minus baseline), shape (queries,): could the drop be chance?

    Small where the mean got worse; NaN is a query left out. Tests and units are those of `significance`: half its p
    where the mean got worse, and what is left to 1 where it got better. Where no query differs p is 1. Where all
    differ by as much, t says nothing and signs do: $2^{-n}$ for a drop, 1 for a rise.

    `statistic` is t, or the mean of flips, below 0 for a drop. p is None below 2 units, and `why` says so.

    Raises
    ------
    ParameterError
        Fewer than 100 flips.
    UnknownNameError
        A test that does not exist.
    MissingExtraError
        t without SciPy.

    >>> import numpy as np
    >>> round(drop_test(np.array([-0.3, -0.1, -0.2, 0.1, -0.4])).p, 4)
    0.0523
    >>> drop_test(np.array([-0.3, -0.1, -0.2, 0.1, -0.4]), test="flips").p
    0.09375
    """
    signed = np.asarray(differences if higher_is_better else -differences, np.float64)
    units = _units(signed, weights, clusters)
    if len(units) >= 2 and units.constant[0]:
        return _alike(units)
    found = significance(signed, test=test, weights=weights, clusters=clusters, flips=flips, seed=seed)[0]
    return _one_sided(found)


@dataclass(frozen=True, slots=True)
class Watched:
    """One figure that a gate watches, of one measure on one slice: its drop, the test of it, and what is allowed.

    `drop` is how much worse the mean is (below 0: better), None without queries. It blocks when it is larger than
    `max_drop` and significant at the level `alpha`.
    """

    drop: float | None
    test: Significance
    max_drop: float = 0.0
    alpha: float = 0.05

    @classmethod
    def of(cls, differences: Floats, *, max_drop: float = 0.0, alpha: float = 0.05, **options: Any) -> Self:
        """Watch differences (run minus baseline), shape (queries,); options are those of `drop_test`.

        >>> import numpy as np
        >>> Watched.of(np.array([-0.3, -0.1, -0.2, 0.1, -0.4])).drop
        0.18...
        """
        units = _units(differences, options.get("weights"), options.get("clusters"))
        better = 1 if options.get("higher_is_better", True) else -1
        drop = -better * float(units.mean[0]) if len(units) else None
        return cls(drop, drop_test(differences, **options), max_drop, alpha)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a gate says of one figure: `blocked` when the drop is both `large` and `significant`.

    `test.adjusted` is p corrected over the family. `why` says why nothing can be said.
    """

    drop: float | None
    max_drop: float
    alpha: float
    test: Significance
    large: bool
    significant: bool

    @property
    def blocked(self) -> bool:
        """Whether this figure alone stops the gate."""
        return self.large and self.significant

    @property
    def why(self) -> str:
        """Why the test is undefined; nothing where it is not."""
        return self.test.why


@dataclass(frozen=True, slots=True)
class Decision:
    """What a gate says of all it watches, in the order given; `family` tests were corrected together.

    `undefined` are the places of figures without a test; they are in no family and never block.
    """

    verdicts: tuple[Verdict, ...]

    @property
    def blocked(self) -> bool:
        """Whether any figure stops the gate."""
        return any(verdict.blocked for verdict in self.verdicts)

    @property
    def undefined(self) -> tuple[int, ...]:
        """The places of figures that have no test."""
        return tuple(place for place, verdict in enumerate(self.verdicts) if verdict.test.p is None)

    @property
    def family(self) -> int:
        """How many tests were corrected together."""
        return len(self.verdicts) - len(self.undefined)


def decide(watched: Sequence[Watched], *, correction: Correction = "holm") -> Decision:
    """Return which drops block: larger than allowed, and significant after correction over all that is watched.

    With Holm, if nothing changed, the chance that a gate blocks at all is at most alpha (the largest, where they
    differ), however many figures it watches and however they depend on each other. Undefined tests leave the family.

    Raises
    ------
    ParameterError
        An alpha outside 0 to .5, or a max_drop below 0.
    UnknownNameError
        A correction that does not exist.

    >>> import numpy as np
    >>> fallen, same = np.array([-0.3, -0.1, -0.2, -0.1, -0.4]), np.zeros(5)
    >>> found = decide([Watched.of(fallen, max_drop=0.01), Watched.of(same), Watched.of(fallen[:1])])
    >>> found.blocked, found.family, found.undefined, round(found.verdicts[0].test.adjusted, 4)
    (True, 2, (2,), 0.0196)
    """
    for figure in watched:
        _require(figure)
    adjusted = adjust([figure.test.p for figure in watched], correction)
    return Decision(tuple(_verdict(figure, p) for figure, p in zip(watched, adjusted, strict=True)))


def _verdict(figure: Watched, adjusted: float | None) -> Verdict:
    """Say what of one figure is too much."""
    return Verdict(
        figure.drop,
        figure.max_drop,
        figure.alpha,
        dataclasses.replace(figure.test, adjusted=adjusted),
        large=figure.drop is not None and figure.drop > figure.max_drop,
        significant=adjusted is not None and adjusted <= figure.alpha,
    )


def _units(differences: Floats, weights: Floats | None, clusters: Ints | None) -> Units:
    """Return the independent units of the queries that have a difference."""
    return units_of_pairs(differences[:, None], weights, clusters)[0][1]


def _one_sided(found: Significance) -> Significance:
    """Return the p value of a drop alone, from that of a difference."""
    if found.p is None or found.statistic is None:
        return found
    p = found.p / 2 if found.statistic < 0 else 1 - found.p / 2
    return dataclasses.replace(found, p=p, floor=found.floor / 2, method=f"{found.method}, one-sided")


def _alike(units: Units) -> Significance:
    """Return what signs say of differences that do not vary."""
    fell, least = float(units.mean[0]) < 0, 0.5 ** len(units)
    return Significance(least if fell else 1.0, "signs, one-sided", len(units), least, float(units.mean[0]))


def _require(figure: Watched) -> None:
    """Refuse what no gate can hold to."""
    if not 0 < figure.alpha <= 0.5:
        raise ParameterError(f"gate: expected an alpha above 0 and up to 0.5, found {figure.alpha:g}")
    if not (figure.max_drop >= 0 and math.isfinite(figure.max_drop)):
        msg = f"gate: expected a max_drop of 0 or more, found {figure.max_drop:g}"
        raise ParameterError(msg, hint="0.01 lets the mean fall by one hundredth.")
