"""What an approximate index found: from a live faiss, hnswlib or usearch index, an array, a file, or a run."""

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.judged import Ints
from assay.core.run import Run
from assay.errors import InputError
from assay.formats.compression import require_proportion_within
from assay.tasks.neighbours.vectors import Vectors

BATCH = 1_024
IDS = ("ids", "labels", "indices", "neighbors", "neighbours", "keys", "I")
"""What the array of ids is called in an npz file, where there are several."""


def answers_of(given: Any, vectors: Vectors, rows: Ints, k: int) -> tuple[Ints, Ints]:
    """Return which rows were asked and what was found for each, shapes (queries,) and (queries, places).

    A live index is asked for k + 1 neighbours of each of the `rows`, since it holds the queries themselves: faiss and
    usearch by `search(vectors, k)`, hnswlib by `knn_query(vectors, k)`, a callable by itself. An array has a list for
    each of the rows, or for each vector. A file is npy or npz with such an array, or a run of names.

    Raises
    ------
    InputError
        None of these, or ids that do not fit.

    >>> table = Vectors.of([[0.0], [1.0]])
    >>> answers_of(lambda asked, k: np.tile([0, 1], (len(asked), 1)), table, np.array([1]), 1)[1].tolist()
    [[0, 1]]
    """
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        if path.suffix.lower() not in {".npy", ".npz"}:
            from assay.formats import read_run

            return _of_run(read_run(path), vectors)
        given = _loaded(path)
    if isinstance(given, Run):
        return _of_run(given, vectors)
    if hasattr(given, "knn_query") or callable(getattr(given, "search", None)) or callable(given):
        return rows, _asked(given, vectors, rows, k + 1)
    ids = _ids(given, "index")
    if len(ids) == len(rows):
        return rows, ids
    if len(ids) == len(vectors):
        return rows, ids[rows]
    msg = f"index: expected a list for each of {len(vectors):,} vectors, found {len(ids):,}"
    raise InputError(msg)


def _asked(index: Any, vectors: Vectors, rows: Ints, k: int) -> Ints:
    """Return what a live index answers, in batches."""
    k = min(k, len(vectors))
    found = []
    for start in range(0, len(rows), BATCH):
        table = np.ascontiguousarray(vectors.matrix[rows[start : start + BATCH]], np.float32)
        if hasattr(index, "knn_query"):
            answer = index.knn_query(table, k=k)[0]
        elif callable(getattr(index, "search", None)):
            answer = index.search(table, k)
        else:
            answer = index(table, k)
        found.append(_ids(_keys(answer), "index"))
    return np.concatenate(found) if found else np.zeros((0, k), np.int64)


def _keys(answer: Any) -> Any:
    """Return the ids of an answer: its `keys` (usearch), the second of a pair (faiss: distances, ids), or itself."""
    keys = getattr(answer, "keys", None)
    if keys is not None and not callable(keys):
        table = np.array(keys)
        counts = getattr(answer, "counts", None)
        if counts is None or table.ndim != 2:
            return np.atleast_2d(table)
        return np.where(np.arange(table.shape[1]) < np.asarray(counts)[:, None], table.astype(np.int64), -1)
    return answer[1] if isinstance(answer, tuple) and len(answer) == 2 else answer


def _ids(given: Any, place: str) -> Ints:
    """Return ids as whole numbers of shape (queries, places); keys beyond int64, which mark empty places, are -1."""
    table = np.asarray(given)
    if table.ndim != 2 or table.dtype.kind not in "iu":
        msg = f"{place}: expected whole numbers of shape (queries, places), found {table.dtype} of shape {table.shape}"
        raise InputError(msg, hint="ids are the rows of the vectors, -1 for an empty place.")
    return (
        np.where(table > np.iinfo(np.int64).max, -1, table).astype(np.int64)
        if table.dtype == np.uint64
        else table.astype(np.int64)
    )


def _loaded(path: Path) -> Any:
    try:
        if zipfile.is_zipfile(path):
            require_proportion_within(str(path), path)
        with path.open("rb") as file:
            return _chosen(np.load(file, allow_pickle=False), path)
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - what NumPy raises for a damaged file is of many kinds
        msg = f"{path}: expected an array of ids, found an error: {error}"
        raise InputError(msg) from None


def _chosen(found: Any, path: Path) -> Any:
    if isinstance(found, np.ndarray):
        return found
    whole = [name for name in found.files if found[name].ndim == 2 and found[name].dtype.kind in "iu"]
    name = next((name for name in IDS if name in whole), whole[0] if len(whole) == 1 else None)
    if name is None:
        msg = f"{path}: expected an array of ids called one of {', '.join(IDS)}, found {', '.join(found.files)}"
        raise InputError(msg)
    return found[name]


def _of_run(run: Run, vectors: Vectors) -> tuple[Ints, Ints]:
    """Return the lists of a run; an item that is none of the vectors has the number behind the last."""
    place = pl.DataFrame({"name": vectors.names, "row": np.arange(len(vectors))})
    frame = run.frame().with_row_index("at")
    by = "position" if "position" in frame.columns else "at"
    frame = frame.sort("query", -pl.col("score").fill_nan(float("-inf")), by, maintain_order=True)
    frame = frame.join(
        place.rename({"row": "asked"}), left_on="query", right_on="name", how="inner", maintain_order="left"
    )
    frame = frame.join(place, left_on="item", right_on="name", how="left", maintain_order="left")
    if not frame.height:
        msg = f"{run.name}: expected queries that are names of the vectors such as {vectors.names[0]!r}, found none"
        raise InputError(msg)
    asked = frame["asked"].to_numpy()
    starts = np.flatnonzero(np.r_[True, asked[1:] != asked[:-1]])
    inside = np.arange(len(asked)) - np.repeat(starts, np.diff(np.r_[starts, len(asked)]))
    out = np.full((len(starts), int(inside.max()) + 1), -1, np.int64)
    out[np.repeat(np.arange(len(starts)), np.diff(np.r_[starts, len(asked)])), inside] = frame["row"].fill_null(
        len(vectors)
    )
    return asked[starts].astype(np.int64), out
