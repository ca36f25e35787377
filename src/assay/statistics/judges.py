"""Krippendorff's alpha: how alike do any number of people label the same things, whoever labelled which."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from assay.core.judged import Floats

Level = Literal["nominal", "ordinal", "interval", "ratio"]
"""How much labels say: what is equal, what is more, by how much, how many times as much."""
LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(labels: Iterable[Sequence[Any]], level: Level = "nominal") -> float | None:
    r"""Return Krippendorff's alpha of the labels that each thing got, of any number of people.

    $$ \alpha = 1 - \frac{D_o}{D_e}, \quad D_o = \frac 1 n \sum_u \sum_{i \ne j} \frac{\delta^2(a_{ui}, a_{uj})}{m_u-1},
    \quad D_e = \frac{1}{n (n - 1)} \sum_{i \ne j} \delta^2(a_i, a_j) $$

    over ordered pairs, within a thing u of $m_u$ labels and among all n labels of things that have two or more. 1 for
    full agreement, 0 for that of chance, below it for less; None of fewer than two things or where only one label was
    given: nothing was told apart. `level` says how far labels lie apart (`distances`); labels are numbers, but for
    nominal, which takes anything that can be told apart. Source: Krippendorff 2004, "Content analysis", ch. 11.

    >>> krippendorff_alpha([(1, 1), (1, 1), (0, 0), (1, 0)])
    0.533...
    >>> round(krippendorff_alpha([(1, 1), (1, 2), (3, 3), (2, 3)], "ordinal"), 3)
    0.708
    """
    pairable = [tuple(one) for one in labels if len(one) > 1]
    if len(pairable) < 2:
        return None
    known = list(dict.fromkeys(label for one in pairable for label in one))
    ordered = known if level == "nominal" else sorted(known)
    place = {label: number for number, label in enumerate(ordered)}
    counts = np.zeros((len(pairable), len(ordered)))
    for row, one in enumerate(pairable):
        np.add.at(counts[row], [place[label] for label in one], 1)
    values = np.arange(len(ordered)) if level == "nominal" else np.array(ordered)
    alpha = float(alpha_of(coincidences(counts), values.astype(np.float64), level))
    return None if np.isnan(alpha) else alpha


def coincidences(counts: Floats) -> Floats:
    """Return how often each two labels meet in one thing, each thing weighing as many as it has labels.

    `counts` says how often each thing got each label, of shape (things, labels); the result is symmetric, of shape
    (labels, labels). A thing of fewer than two labels adds nothing.
    """
    several = counts[counts.sum(axis=1) > 1]
    parts = several / (several.sum(axis=1, keepdims=True) - 1)
    return np.asarray(parts.T @ several - np.diag(parts.sum(axis=0)))


def alpha_of(met: Floats, values: Floats, level: Level) -> Floats:
    """Return alpha of coincidences of shape (..., labels, labels), as (...); NaN where it is undefined.

    `values` are the labels as numbers, rising, of shape (labels,).
    """
    totals = met.sum(axis=-1)
    apart = distances(totals, values, level)
    observed = (met * apart).sum(axis=(-2, -1))
    expected = (totals[..., :, None] * totals[..., None, :] * apart).sum(axis=(-2, -1))
    undefined = np.full(np.shape(expected), np.nan)
    return np.asarray(1 - np.divide((totals.sum(axis=-1) - 1) * observed, expected, out=undefined, where=expected > 0))


def distances(totals: Floats, values: Floats, level: Level) -> Floats:
    r"""Return how far each two labels lie apart, squared, of shape (labels, labels) or, ordinal, (..., labels, labels).

    Nominal: 1 for different ones. Interval: the squared difference. Ratio: the squared difference over sum, 0 for two
    zeros. Ordinal: by how many labels lie between them, of all that were given (`totals`, of shape (..., labels)):
    $$ \delta^2_{ck} = \Bigl(\sum_{g=c}^{k} n_g - \frac{n_c + n_k}{2}\Bigr)^2 $$
    """
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "ordinal":
        middle = np.cumsum(totals, axis=-1) - totals / 2
        return np.asarray((middle[..., :, None] - middle[..., None, :]) ** 2)
    apart = values[:, None] - values[None, :]
    if level == "ratio":
        whole = values[:, None] + values[None, :]
        apart = np.divide(apart, whole, out=np.zeros_like(apart), where=whole != 0)
    return np.asarray(apart**2)
