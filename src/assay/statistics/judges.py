"""How alike do people label the same things."""

import math
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain


def krippendorff_alpha(labels: Iterable[Sequence[Hashable]]) -> float | None:
    r"""Return Krippendorff's alpha of nominal labels: those that each thing got, of any number of people.

    $$ \alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac 1 n \sum_u \frac{\#\{(i, j): a_{ui} \ne a_{uj}\}}{m_u - 1},
    \quad D_e = \frac{\#\{(i, j): a_i \ne a_j\}}{n (n - 1)} $$

    over ordered pairs, within a thing u of $m_u$ labels and among all n labels of things that have two or more. 1 for
    full agreement, 0 for that of chance, below it for less; None of fewer than two things or where only one label was
    given: nothing was told apart. Source: Krippendorff 2004, "Content analysis", ch. 11.

    >>> krippendorff_alpha([(1, 1), (1, 1), (0, 0), (1, 0)])
    0.533...
    """
    pairable = [tuple(one) for one in labels if len(one) > 1]
    every = list(chain.from_iterable(pairable))
    expected = _unlike(every) / (len(every) - 1) if len(pairable) > 1 else 0
    if not expected:
        return None
    observed = math.fsum(_unlike(one) / (len(one) - 1) for one in pairable)
    return 1 - observed / expected


def _unlike(labels: Sequence[Hashable]) -> int:
    """Return how many ordered pairs of labels differ."""
    return len(labels) ** 2 - sum(labels.count(label) ** 2 for label in set(labels))
