"""How many of the exact neighbours an approximate index finds."""

import numpy as np

from assay.core.judged import Floats, Ints
from assay.core.neighbours import IndexQuality
from assay.evaluate import evaluate
from assay.tasks.neighbours.exact import neighbours_in
from assay.tasks.neighbours.metrics import Space
from assay.tasks.neighbours.rankings import gold_of, run_of
from assay.tasks.neighbours.vectors import Vectors


def index_quality(
    vectors: Vectors,
    space: Space,
    rows: Ints,
    found: Ints,
    k: int,
    *,
    exact: tuple[Ints, Floats] | None = None,
    name: str = "index",
) -> IndexQuality:
    r"""Return recall@k of an index: the share of the k exact neighbours within its first k places.

    `rows` (queries,) are the rows that were asked, `found` (queries, places) what the index answered, best first,
    -1 for an empty place; `exact` the k exact neighbours and their scores, if known. The query itself is taken out
    first, then the list is cut at k; an item that comes again, or that is none of the vectors, leaves its place
    empty. An item exactly as near as the k-th is as good as the k-th. The measure is the core's RCap@k, hits over
    min(k, R), by a gold of the exact neighbours and those as near.

    >>> table = Vectors.of([[0.0], [1.0], [2.0], [4.0]])
    >>> answers = np.array([[0, 1, 1], [0, 2, -1]])
    >>> quality = index_quality(table, Space.of(table.matrix, "l2"), np.array([0, 1]), answers, 2)
    >>> quality.evaluation.mean, quality.own, quality.repeated, quality.short
    ({'RCap@2': 0.75}, 1, 1, 1)
    """
    own = found == rows[:, None]
    order = np.argsort(own, axis=1, kind="stable")[:, :k]
    kept = np.take_along_axis(np.where(own, -1, found), order, axis=1)
    unknown = (kept < -1) | (kept >= len(vectors))
    repeated = _repeated(kept) & ~unknown
    kept = np.where(unknown | repeated, -1, kept)
    nearest, scores = neighbours_in(space, rows, k) if exact is None else exact
    least = np.nanmin(scores, axis=1)
    near = space.scores(np.asarray(space.vectors[rows], np.float64), kept) >= least[:, None]
    gold = gold_of(
        vectors.names,
        rows,
        np.hstack([nearest, np.where(near, kept, -1)]),
        np.ones((len(rows), k + kept.shape[1]), np.bool_),
    )
    evaluation = evaluate(gold, run_of(vectors.names, rows, kept, name=name), f"RCap@{k}")
    wanted = min(k, len(vectors) - 1)
    return IndexQuality(
        evaluation,
        own=int(own.any(axis=1).sum()),
        repeated=int(repeated.sum()),
        unknown=int(unknown.sum()),
        short=int(((kept >= 0).sum(axis=1) < wanted).sum()),
    )


def _repeated(ids: Ints) -> np.ndarray:
    """Tell which places hold an item that stands before them in the same list."""
    order = np.argsort(ids, axis=1, kind="stable")
    sorted_ids = np.take_along_axis(ids, order, axis=1)
    again = np.zeros(ids.shape, np.bool_)
    again[:, 1:] = (sorted_ids[:, 1:] == sorted_ids[:, :-1]) & (sorted_ids[:, 1:] != -1)
    out = np.zeros(ids.shape, np.bool_)
    np.put_along_axis(out, order, again, axis=1)
    return out
