"""`evaluate_vectors`: the quality of vectors, as far as what is known about them allows to tell."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.judged import Floats, Ints
from assay.core.neighbours import Clustering, IndexQuality, LabelQuality, NeighbourQuality, VectorFacts
from assay.core.progress import Progress
from assay.errors import InputError, ParameterError
from assay.evaluate import evaluate
from assay.inputs import as_gold
from assay.report.amounts import counted
from assay.tasks.neighbours.adapters import answers_of
from assay.tasks.neighbours.clustering import clustering
from assay.tasks.neighbours.exact import neighbours_in
from assay.tasks.neighbours.hubs import hubness
from assay.tasks.neighbours.index import index_quality
from assay.tasks.neighbours.kmeans import kmeans
from assay.tasks.neighbours.label_files import Labels, as_labels
from assay.tasks.neighbours.labels import label_quality
from assay.tasks.neighbours.metrics import Metric, Space
from assay.tasks.neighbours.rankings import require_level, run_of, with_intervals
from assay.tasks.neighbours.vectors import Vectors


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is known about the items, to hold the vectors against; all may be None."""

    labels: Any = None
    similar: Any = None
    index: Any = None
    clusters: Any = None


def evaluate_vectors(
    vectors: Any,
    *,
    names: Any = None,
    labels: Any = None,
    similar: Any = None,
    index: Any = None,
    clusters: Any = None,
    key: str | None = None,
    k: int = 10,
    metric: Metric = "cosine",
    queries: int | None = None,
    interval: float | None = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> NeighbourQuality:
    """Judge vectors by their nearest neighbours.

    Parameters
    ----------
    vectors, names
        A file, an array of shape (rows, d), or `Vectors`; and a file or a list with the names of the rows. `key`
        names the array in a file of several.
    labels
        A label for each item (`as_labels`): neighbours should have the same. Items are also clustered, into as many
        clusters as there are labels, and the clusters held against the labels.
    similar
        Gold similar sets, anything that is gold: query, item and grade, by the names of the rows.
    index
        An approximate index, live or its results (`answers_of`): how many exact neighbours does it find?
    clusters
        Clusters of the items instead of k-means, given as labels are.
    k, metric
        How many neighbours (all others, where there are fewer), and by which metric: "cosine", "dot" or "l2".
    queries
        How many items are asked, drawn by `seed`; None: all. Hubs are counted only if all are asked.
    interval
        The confidence of intervals; None: no intervals.
    progress
        Called while neighbours are looked for, with the number of items that are done, and of all.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> table = [[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]]
    >>> found = evaluate_vectors(table, labels=["a", "a", "b", "b"], k=1)
    >>> found.labels.evaluation["P@1"], found.clustering.adjusted_rand
    (1.0, 1.0)
    """
    require_level(interval)
    given = Vectors.of(vectors, names, key=key)
    _require(given, k, queries)
    wanted_k, k = k, min(k, len(given) - 1)
    space = Space.of(given.matrix, metric)
    asking = _Asking(given, space, k, interval, seed)
    facts = given.facts()
    rows = _drawn(given, queries, seed)
    directed = rows[space.lengths[rows] > 0] if metric == "cosine" else rows
    nearest = neighbours_in(space, directed, k, progress=progress)
    if clusters is not None and labels is None:
        msg = "clusters: expected labels to hold them against, found none"
        raise ParameterError(msg)
    wanted = Wanted(None if labels is None else as_labels(labels, given), similar, index, clusters)
    found = asking.answer(wanted, directed, nearest)
    hubs = hubness(given.names, nearest[0]) if k < len(given) - 1 and len(rows) == len(given) else None
    notices = (*_notices(facts, given, wanted_k, len(rows), metric), *found.pop("notices"))
    return NeighbourQuality(facts, metric, k, len(directed), seed, hubs=hubs, notices=notices, **found)


@dataclass(frozen=True, slots=True, eq=False)
class _Asking:
    """What all questions share."""

    vectors: Vectors
    space: Space
    k: int
    level: float | None
    seed: int

    def answer(self, wanted: Wanted, rows: Ints, nearest: tuple[Ints, Floats]) -> dict[str, Any]:
        """Return the answers to all questions that were asked, and notices."""
        labels = None if wanted.labels is None else self._labels(rows, nearest[0], wanted.labels)
        similar = None if wanted.similar is None else self._similar(wanted.similar)
        index = None if wanted.index is None else self._index(wanted.index, rows, nearest)
        parts: list[Any] = [labels, similar, index]
        said = dict.fromkeys(line for part in parts if part is not None for line in part[1])
        return {
            "labels": labels and labels[0],
            "similar": similar and similar[0],
            "index": index and index[0],
            "clustering": None if wanted.labels is None else self._clustering(wanted.labels, wanted.clusters),
            "notices": tuple(said),
        }

    def _labels(self, rows: Ints, ids: Ints, labels: Labels) -> tuple[LabelQuality, tuple[str, ...]]:
        found = label_quality(self.vectors, rows, ids, labels)
        evaluation, said = with_intervals(found.evaluation, self.level, self.seed)
        return replace(found, evaluation=evaluation), said

    def _index(self, index: Any, rows: Ints, nearest: tuple[Ints, Floats]) -> tuple[IndexQuality, tuple[str, ...]]:
        asked, answers = answers_of(index, self.vectors, rows, self.k)
        exact = nearest if np.array_equal(asked, rows) else None
        found = index_quality(self.vectors, self.space, asked, answers, self.k, exact=exact)
        evaluation, said = with_intervals(found.evaluation, self.level, self.seed)
        return replace(found, evaluation=evaluation), said

    def _similar(self, similar: Any) -> tuple[Evaluation, tuple[str, ...]]:
        """Return the evaluation of the neighbours of the gold's queries."""
        gold = as_gold(similar)
        rows = _rows_of(gold, self.vectors)
        depth = min(max(100, self.k), len(self.vectors) - 1)
        run = run_of(self.vectors.names, rows, neighbours_in(self.space, rows, depth)[0], name=self.vectors.name)
        k = self.k
        found = evaluate(gold, run, f"P@{k} R@{k} F1@{k} HR@{k} RR AP nDCG@{k}")
        found, said = with_intervals(found, self.level, self.seed)
        absent = len(gold.queries) - len(rows)
        return found, (
            *said,
            *(
                [
                    (
                        f"{counted(absent, 'query of the gold has', 'queries of the gold have')} no "
                        "vector and count as missed."
                    )
                ]
                if absent
                else []
            ),
        )

    def _clustering(self, labels: Labels, clusters: Any) -> Clustering:
        if clusters is not None:
            return clustering(as_labels(clusters, self.vectors), labels)
        known = np.array([label is not None for label in labels])
        types = [label for label in labels if label is not None]
        many = len(set(types))
        found = kmeans(self.vectors.matrix[known], many, metric=self.space.metric, seed=self.seed)
        return clustering(found.tolist(), types, method="k-means", seed=self.seed)


def _require(vectors: Vectors, k: int, queries: int | None) -> None:
    for name, value in {"k": k, "queries": queries}.items():
        if value is not None and value < 1:
            msg = f"{name}: expected a number of at least 1, found {value}"
            raise ParameterError(msg)
    if len(vectors) < 2:
        msg = f"{vectors.name}: expected two vectors or more, found {len(vectors)}"
        raise InputError(msg)


def _drawn(vectors: Vectors, queries: int | None, seed: int) -> Ints:
    """Return the rows that are asked, whatever the order of the rows."""
    if queries is None or queries >= len(vectors):
        return np.arange(len(vectors))
    order = vectors.names.arg_sort().to_numpy().astype(np.int64)
    return np.sort(order[np.random.default_rng(seed).choice(len(vectors), queries, replace=False)])


def _rows_of(gold: Gold, vectors: Vectors) -> Ints:
    """Return the rows of the gold's queries that have a vector."""
    rows = [vectors.place[query] for query in gold.queries.to_list() if query in vectors.place]
    if not rows:
        msg = f"{gold.name}: expected queries that are names of the vectors such as {vectors.names[0]!r}, found none"
        raise InputError(msg, hint="--names gives the names of the rows of a matrix.")
    return np.array(rows, np.int64)


def _notices(facts: VectorFacts, vectors: Vectors, k: int, asked: int, metric: str) -> Iterable[str]:
    """Yield what a reader of the figures should know of the vectors."""
    if facts.zeros and metric == "cosine":
        yield (
            f"{counted(facts.zeros, 'vector is', 'vectors are')} zero: under cosine they have no "
            "direction and are not asked."
        )
    if facts.copies:
        yield (
            f"{counted(facts.copies, 'vector is a copy', 'vectors are copies')} of an earlier one; of "
            "equally near ones the lower row comes first."
        )
    others = len(vectors) - 1
    if k >= others:
        fewer = f", not the {k:,} asked for" if k > others else ""
        yield (
            f"each vector has only {others:,} others{fewer}: all of them are its neighbours, so that labels of "
            "neighbours are those of any items, and hubs are not counted."
        )
    if k < others and asked < len(vectors):
        yield f"{asked:,} of {counted(len(vectors), 'vector')} were asked: hubs are not counted."
