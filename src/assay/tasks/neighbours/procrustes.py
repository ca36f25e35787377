"""How far vectors moved between two versions, once one is turned onto the other."""

import numpy as np

from assay.core.judged import Floats
from assay.tasks.neighbours.metrics import Metric


def displacements(old: Floats, new: Floats, metric: Metric = "cosine") -> Floats:
    r"""Return how far each vector moved, shape (rows,), after the rotation that brings both versions closest.

    $$ \min_{R^\top R = I} \lVert A R - B \rVert_F, \quad R = U V^\top \text{ where } A^\top B = U S V^\top $$

    Two trainings turn the whole space by chance, which changes no neighbour; the rotation (or reflection) takes that
    out. "cosine": vectors are made unit vectors, and the displacement is 1 minus the cosine, from 0 to 2; NaN for a
    vector of zeros. "dot" and "l2": the distance over the root mean square length of the old vectors (0 or more); for
    "l2" both versions are centred first. Versions of different dimension are filled with zeros.
    Source: Schönemann 1966; Hamilton, Leskovec and Jurafsky 2016 for words.

    >>> old = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> bool(np.abs(displacements(old, old @ np.array([[0.0, 1.0], [-1.0, 0.0]]))).max() < 1e-12)
    True
    """
    size = max(old.shape[1], new.shape[1])
    a, b = _prepared(old, size, metric), _prepared(new, size, metric)
    left, _, right = np.linalg.svd(a.T @ b)
    turned = a @ (left @ right)
    if metric == "cosine":
        moved = 1 - np.einsum("rd,rd->r", turned, b)
        directed = old.any(axis=1) & new.any(axis=1)
        return np.asarray(np.where(directed, np.clip(moved, 0, 2), np.nan))
    scale = float(np.sqrt(np.einsum("rd,rd->r", a, a).mean()))
    return np.asarray(np.linalg.norm(turned - b, axis=1) / (scale or 1.0))


def _prepared(vectors: Floats, size: int, metric: Metric) -> Floats:
    filled = np.zeros((len(vectors), size))
    filled[:, : vectors.shape[1]] = vectors
    if metric == "l2":
        return np.asarray(filled - filled.mean(axis=0))
    if metric == "cosine":
        lengths = np.linalg.norm(filled, axis=1, keepdims=True)
        return np.asarray(filled / np.where(lengths > 0, lengths, 1.0))
    return filled
