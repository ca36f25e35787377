"""`drift`: what became of vectors between two versions, by name."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from assay.core.estimates import Interval
from assay.core.evaluation import Figure
from assay.core.judged import Floats, Ints
from assay.core.neighbours import Drift, Moved, TypeDrift
from assay.core.progress import Progress
from assay.core.sample import Sample
from assay.errors import InputError, MissingExtraError, ParameterError
from assay.report.amounts import counted
from assay.tasks.neighbours.exact import exact_neighbours
from assay.tasks.neighbours.label_files import as_labels
from assay.tasks.neighbours.metrics import Metric
from assay.tasks.neighbours.overlap import overlaps
from assay.tasks.neighbours.procrustes import displacements
from assay.tasks.neighbours.rankings import FULL_BOOTSTRAP, require_level
from assay.tasks.neighbours.retraining import retraining
from assay.tasks.neighbours.vectors import Vectors

LEAST = 3
SHOWN = 5
"""How many neighbours gained and lost are named."""


def drift(
    old: Any,
    new: Any,
    *,
    types: Any = None,
    names: Any = None,
    new_names: Any = None,
    key: str | None = None,
    k: int = 10,
    metric: Metric = "cosine",
    twin: Any = None,
    task: tuple[Any, Any] | None = None,
    moved: int = 10,
    interval: float | None = 0.95,
    seed: int = 0,
    progress: Progress | None = None,
) -> Drift:
    """Hold two versions of vectors against each other.

    Neighbours are looked for among the items that both versions have, so that new items alone change nothing.

    Parameters
    ----------
    old, new, names, new_names
        Files, arrays or `Vectors`, joined by the names of the rows; `new_names` are those of `names` if None.
        `key` names the array in files of several.
    types
        A type for each item of the old version (`as_labels`): drift by type.
    k, metric
        How many neighbours, and by which metric: "cosine", "dot" or "l2".
    twin, task
        What `retraining` needs: vectors of the old version trained again, named as the old ones; and the values of
        the task with the old and the new vectors.
    moved
        How many of the most moved items to name, by displacement.
    progress
        Called while neighbours are looked for, version by version, with the number of items done, and of all.

    Raises
    ------
    AssayError
        Versions with fewer than three names in common, and all that the readers refuse.

    >>> old = np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0], [0.1, 0.9]])
    >>> found = drift(old, -old, k=1)
    >>> found.figures[0].mean, found.moved[0].displacement < 1e-12
    (1.0, True)
    """
    require_level(interval)
    before = Vectors.of(old, names, key=key, name="old")
    after = Vectors.of(new, names if new_names is None else new_names, key=key, name="new")
    again = None if twin is None else Vectors.of(twin, names, key=key, name="twin")
    versions = [one for one in (before, after, again) if one is not None]
    shared = _shared(versions, k, moved)
    tables = [_matched(one, shared) for one in versions]
    near = [exact_neighbours(table, None, k, metric, progress=progress)[0] for table in tables]
    overlap, jaccard = overlaps(*near[:2])
    moves = displacements(tables[0], tables[1], metric)
    kinds = None if types is None else _types(types, before, shared)
    table = _table(shared, overlap, jaccard, moves, kinds)
    figures, said = _figures(table, k, interval, seed)
    return Drift(
        before.facts(), after.facts(), metric, k, len(shared), figures, table,
        types=() if kinds is None else _by_type(table),
        moved=_most_moved(table, near, moved),
        retraining=retraining(overlap, None if again is None else overlaps(near[0], near[2])[0], task, seed=seed),
        notices=(*_notices(versions, len(shared), moves), *said),
    )  # fmt: skip


def _shared(versions: list[Vectors], k: int, moved: int) -> pl.Series:
    """Return the names that all versions have, sorted."""
    for name, value in {"k": k, "moved": moved}.items():
        if value < 1:
            msg = f"{name}: expected a number of at least 1, found {value}"
            raise ParameterError(msg)
    names = versions[0].names
    for other in versions[1:]:
        names = names.filter(names.is_in(other.names.implode()))
    if len(names) < LEAST:
        some = f"{versions[0].names[0]!r} and {versions[-1].names[0]!r}"
        msg = f"{versions[0].name}: expected {LEAST} names or more that all versions have, found {len(names)}"
        raise InputError(msg, hint=f"rows are joined by name; the first are {some}.")
    if k >= len(names) - 1:
        msg = f"k: expected fewer neighbours than the {len(names) - 1:,} others that each item has, found {k:,}"
        raise ParameterError(msg, hint="where all others are neighbours, none can change.")
    return names.sort()


def _matched(vectors: Vectors, shared: pl.Series) -> Floats:
    rows = np.array([vectors.place[name] for name in shared.to_list()], np.int64)
    return np.asarray(vectors.matrix[rows], np.float64)


def _types(types: Any, old: Vectors, shared: pl.Series) -> list[str | None]:
    labels = as_labels(types, old)
    return [labels[old.place[name]] for name in shared.to_list()]


def _table(
    shared: pl.Series, overlap: Floats, jaccard: Floats, moves: Floats, kinds: list[str | None] | None
) -> pl.DataFrame:
    table = pl.DataFrame({"name": shared, "overlap": overlap, "jaccard": jaccard, "displacement": moves})
    table = table.with_columns(pl.col("displacement").fill_nan(None))
    return table if kinds is None else table.with_columns(type=pl.Series(kinds, dtype=pl.String))


def _figures(table: pl.DataFrame, k: int, level: float | None, seed: int) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
    """Return the means over all items, each with its interval, and what is to be said where there can be none."""
    shown = {
        f"Overlap@{k}": ("overlap", 1.0),
        f"Jaccard@{k}": ("jaccard", 1.0),
        "displacement": ("displacement", math.inf),
    }
    figures: list[Figure] = []
    said: tuple[str, ...] = ()
    for name, (column, highest) in shown.items():
        part = table.drop_nulls(column)
        sample = Sample(part["name"], part[column].to_numpy(), bounds=(0.0, highest))
        found, said = _interval(sample, level, seed)
        mean = math.fsum(sample.values) / len(sample) if len(sample) else None
        figures.append(
            Figure(name, name, mean, len(sample), table.height - len(sample), column != "displacement", interval=found)
        )
    return tuple(figures), said


def _interval(sample: Sample, level: float | None, seed: int) -> tuple[Interval | None, tuple[str, ...]]:
    from assay.statistics.interval import interval

    if level is None or len(sample) < 2:
        return None, ()
    try:
        method: Any = "auto" if len(sample) <= FULL_BOOTSTRAP else "t"
        return interval(sample, level=level, method=method, seed=seed), ()
    except MissingExtraError as error:
        return None, (f"no intervals: {error.message}",)


def _by_type(table: pl.DataFrame) -> tuple[TypeDrift, ...]:
    """Return the drift of each type, the least kept first."""
    means = table.drop_nulls("type").group_by("type").agg(
        pl.len(), pl.col("overlap").mean(), pl.col("displacement").mean()
    )  # fmt: skip
    return tuple(TypeDrift(*row) for row in means.sort("overlap", "type").iter_rows())


def _most_moved(table: pl.DataFrame, near: list[Ints], many: int) -> tuple[Moved, ...]:
    """Return the items that moved farthest, of equal ones first the one that kept fewer neighbours."""
    rows = table.with_row_index("row").drop_nulls("displacement")
    rows = rows.sort("displacement", "overlap", "name", descending=[True, False, False]).head(many)
    names = table["name"]

    def named(ids: Ints, others: Ints) -> tuple[str, ...]:
        return tuple(str(names[int(one)]) for one in ids if one >= 0 and one not in others)[:SHOWN]

    return tuple(
        Moved(name, displacement, overlap, named(near[1][row], near[0][row]), named(near[0][row], near[1][row]))
        for row, name, displacement, overlap in rows.select("row", "name", "displacement", "overlap").iter_rows()
    )


def _notices(versions: list[Vectors], shared: int, moves: Floats) -> Iterator[str]:
    """Yield what a reader of the figures should know of the versions."""
    for one in versions:
        if len(one) > shared:
            yield (
                f"{len(one) - shared:,} of {counted(len(one), 'vector')} of {one.name} are not in "
                "all versions and left out."
            )
    sizes = [one.matrix.shape[1] for one in versions[:2]]
    if sizes[0] != sizes[1]:
        yield f"the versions have {sizes[0]} and {sizes[1]} dimensions; the smaller is filled with zeros."
    if (zeros := int(np.isnan(moves).sum())) > 0:
        yield f"{counted(zeros, 'item has', 'items have')} a vector of zeros in a version: they have no displacement."
