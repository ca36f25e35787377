"""Whether neighbours have the same label: P@k, beside what chance would give and what sizes allow."""

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.neighbours import LabelFigure, LabelQuality
from assay.errors import InputError
from assay.evaluate import evaluate
from assay.tasks.neighbours.label_files import Labels
from assay.tasks.neighbours.rankings import gold_of, run_of
from assay.tasks.neighbours.vectors import Vectors


def label_quality(vectors: Vectors, rows: Ints, ids: Ints, labels: Labels) -> LabelQuality:
    r"""Return P@1, P@k and HR@k of neighbours, relevant where they have the label of the query.

    `rows` (queries,) are the rows asked, `ids` (queries, k) their neighbours, `labels` one for each row or None.
    A query without a label, or the only one with its label, is not asked; a neighbour without one is not right.
    Chance is the mean of (n_c - 1)/(n - 1) over the queries, with n_c items of the label among n; the ceiling
    is the mean of min(k, n_c - 1)/k.

    Raises
    ------
    InputError
        No label that two items have.

    >>> near = np.array([[1], [0], [1]])
    >>> found = label_quality(Vectors.of([[1.0], [1.0], [2.0]]), np.arange(3), near, ["a", "a", "b"])
    >>> found.evaluation.mean, found.chance, found.alone
    ({'P@1': 1.0, 'HR@1': 1.0}, 0.5, 1)
    """
    names, codes = _codes(labels)
    sizes = np.bincount(codes[codes >= 0], minlength=len(names))
    of_query = codes[rows]
    several = (of_query >= 0) & (sizes[of_query] > 1)
    if not several.any():
        msg = "labels: expected a label that two items or more have, found none"
        raise InputError(msg)
    asked, near, code = rows[several], ids[several], of_query[several]
    same = (codes[np.maximum(near, 0)] == code[:, None]) & (near >= 0)
    k, others = ids.shape[1], sizes[code] - 1
    judged, right = _with_one_right(asked, near, same, codes)
    evaluation = evaluate(
        gold_of(vectors.names, asked, judged, right, name="labels"),
        run_of(vectors.names, asked, near, name=vectors.name),
        list(dict.fromkeys(["P@1", f"P@{k}", f"HR@{k}"])),
    )
    return LabelQuality(
        evaluation,
        chance=float((others / (len(vectors) - 1)).mean()),
        ceiling=float((np.minimum(k, others) / k).mean()),
        unlabelled=int((codes < 0).sum()),
        alone=int((sizes == 1).sum()),
        labels=_by_label(names, code, same.sum(axis=1) / k, others / (len(vectors) - 1)),
    )


def _codes(labels: Labels) -> tuple[list[str], Ints]:
    """Return the labels in order, and the number of each row's label, -1 for none."""
    names = sorted({label for label in labels if label is not None})
    number = {name: place for place, name in enumerate(names)}
    return names, np.array([-1 if label is None else number[label] for label in labels], np.int64)


def _with_one_right(rows: Ints, near: Ints, same: np.ndarray, codes: Ints) -> tuple[Ints, np.ndarray]:
    """Return the judged items, with a further right one where none was found, so that no query is empty."""
    order = np.argsort(codes, kind="stable")
    start = np.searchsorted(codes[order], codes[rows])
    other = np.where(order[start] == rows, order[np.minimum(start + 1, len(order) - 1)], order[start])
    more = np.where(same.any(axis=1), -1, other)
    return np.column_stack([near, more]), np.column_stack([same, more >= 0])


def _by_label(names: list[str], code: Ints, precision: Floats, chance: Floats) -> tuple[LabelFigure, ...]:
    """Return the figure of each label, the worst first."""
    found = [
        LabelFigure(name, int(some.sum()), float(precision[some].mean()), float(chance[some].mean()))
        for place, name in enumerate(names)
        if (some := code == place).any()
    ]
    return tuple(sorted(found, key=lambda one: (one.precision, one.label)))
