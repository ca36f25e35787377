"""How true and proposed clusters share records: the one table that all figures of clusters are made of."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from assay.core.judged import Floats, Ints
from assay.errors import InputError

UNLABELLED = -1
"""The true cluster of a record without a label."""


def pairs(sizes: Ints) -> Ints:
    """Return how many pairs are within groups of these sizes, same shape.

    >>> pairs(np.array([0, 1, 2, 5])).tolist()
    [0, 0, 1, 10]
    """
    return sizes * (sizes - 1) // 2


@dataclass(frozen=True, eq=False)
class Contingency:
    """Cells of shape (cells,): `shared` records are in true cluster `true` and in proposed cluster `proposed`.

    Cells are sorted by both and hold at least one record. `true_sizes` and `proposed_sizes`, of shape (clusters,),
    count records with a label (0 for a number that no such record has); `whole_sizes` count those without, too.
    """

    true: Ints
    proposed: Ints
    shared: Ints
    true_sizes: Ints
    proposed_sizes: Ints
    whole_sizes: Ints

    @cached_property
    def records(self) -> int:
        """The number of records with a label."""
        return int(self.true_sizes.sum())

    @cached_property
    def true_clusters(self) -> int:
        """The number of true clusters."""
        return int(np.count_nonzero(self.true_sizes))

    @cached_property
    def proposed_clusters(self) -> int:
        """The number of proposed clusters with a labelled record."""
        return int(np.count_nonzero(self.proposed_sizes))

    @cached_property
    def true_size(self) -> Ints:
        """The size of the true cluster of each cell, shape (cells,)."""
        return self.true_sizes[self.true]

    @cached_property
    def proposed_size(self) -> Ints:
        """The size of the proposed cluster of each cell, shape (cells,)."""
        return self.proposed_sizes[self.proposed]

    @cached_property
    def squared(self) -> Floats:
        """The square of what each cell shares, shape (cells,)."""
        return self.shared.astype(np.float64) ** 2


def tabulate(truth: Ints, proposed: Ints) -> Contingency:
    """Return the table of the same records' true and proposed clusters, as small numbers, shapes (records,).

    A true cluster below 0 is a record without a label.

    Raises
    ------
    InputError
        Different numbers of records, or no record with a label.

    >>> table = tabulate(np.array([0, 0, 1, -1]), np.array([0, 1, 1, 1]))
    >>> table.shared.tolist(), table.proposed_sizes.tolist(), table.whole_sizes.tolist()
    ([1, 1, 1], [1, 2], [1, 3])
    """
    if truth.shape != proposed.shape:
        raise InputError(f"clusters: expected a proposed cluster for {len(truth):,} records, found {len(proposed):,}")
    known = truth >= 0
    if not known.any():
        raise InputError(
            "clusters: expected records with a true and a proposed cluster, found no labelled record",
            hint="compare how the records are named in both.",
        )
    whole = np.bincount(proposed)
    if not known.all():
        truth, proposed = truth[known], proposed[known]
    key, shared = _count(truth * np.int64(len(whole)) + proposed)
    sizes = np.bincount(truth), np.bincount(proposed, minlength=len(whole))
    return Contingency(key // len(whole), key % len(whole), shared, *sizes, whole)


def _count(keys: Ints) -> tuple[Ints, Ints]:
    """Return the different keys, ascending, and how often each occurs."""
    ordered = np.sort(keys)
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    return ordered[last], np.diff(last, prepend=-1)


@dataclass(frozen=True, eq=False)
class Aligned:
    """The records of both sides, `true` and `proposed` holding the number of each one's cluster, shapes (records,).

    `true_names` and `proposed_names` hold the clusters' names by number; records that were not proposed have numbers
    beyond. `missing` says how many those are, `unlabelled` how many records have no label.
    """

    record: pl.Series
    true: Ints
    proposed: Ints
    true_names: pl.Series
    proposed_names: pl.Series
    missing: int

    @cached_property
    def unlabelled(self) -> int:
        """The number of records without a label."""
        return int(np.count_nonzero(self.true < 0))

    def table(self) -> Contingency:
        """Return how the clusters share records."""
        return tabulate(self.true, self.proposed)


def align(truth: pl.DataFrame, proposed: pl.DataFrame) -> Aligned:
    """Bring two frames `record, entity` together by record.

    Records of which `truth` says nothing (or null) have no label; labelled records of which `proposed` says nothing
    are clusters of their own.

    Raises
    ------
    InputError
        A frame without the columns, a record named twice, or ids of different kinds.

    >>> aligned = align(
    ...     pl.DataFrame({"record": ["a", "b", "c"], "entity": ["x", "x", "y"]}),
    ...     pl.DataFrame({"record": ["b", "a", "d"], "entity": [1, 1, 1]}),
    ... )
    >>> aligned.unlabelled, aligned.missing, aligned.table().shared.tolist()
    (1, 1, [2, 1])
    """
    for name, frame in (("truth", truth), ("proposed", proposed)):
        check_clusters(name, frame)
    if truth["record"].dtype != proposed["record"].dtype:
        kinds = f"{truth['record'].dtype} and {proposed['record'].dtype}"
        raise InputError(f"clusters: expected records named by the same kind of value in both, found {kinds}")
    if truth["record"].equals(proposed["record"]):
        both = truth.select("record", "entity", proposed["entity"].alias("given"))
    else:
        given = proposed.select("record", pl.col("entity").alias("given"))
        both = truth.select("record", "entity").join(given, on="record", how="full", coalesce=True)
    true, true_names = number(both["entity"])
    given_to, proposed_names = number(both["given"])
    alone = given_to < 0
    given_to[alone] = len(proposed_names) + np.arange(np.count_nonzero(alone))
    missing = int(np.count_nonzero(alone & (true >= 0)))
    return Aligned(both["record"], true, given_to, true_names, proposed_names, missing)


def check_clusters(place: str, frame: pl.DataFrame) -> None:
    """Refuse what is no frame of clusters.

    Raises
    ------
    InputError
        A column is absent, or a record is named twice or not at all.
    """
    absent = [column for column in ("record", "entity") if column not in frame.columns]
    if absent:
        raise InputError(f"{place}: expected the columns record and entity, found {', '.join(frame.columns)}")
    record = frame["record"]
    if record.null_count():
        raise InputError(f"{place}: expected a record in each row, found {record.null_count():,} rows without")
    if record.n_unique() < len(record):
        twice = frame.filter(record.is_duplicated())["record"].min()
        raise InputError(
            f"{place}: expected each record once, found {twice!r} again",
            hint="a record belongs to one cluster; keep one row for each.",
        )


def number(names: pl.Series) -> tuple[Ints, pl.Series]:
    """Return the place of each name among the sorted different names, -1 for null; and those names.

    Small whole numbers are their own places, so that some places may be empty.

    >>> codes, names = number(pl.Series(["b", None, "a", "b"]))
    >>> codes.tolist(), names.to_list()
    ([1, -1, 0, 1], ['a', 'b'])
    """
    if _small(names):
        codes = names.fill_null(UNLABELLED).to_numpy().astype(np.int64)
        return codes, pl.Series(np.arange(codes.max(initial=-1) + 1))
    different = names.drop_nulls().unique().sort()
    if not len(different):
        return np.full(len(names), UNLABELLED, np.int64), different
    places = pl.Series(np.arange(len(different)))
    found = names.replace_strict(different, places, default=UNLABELLED, return_dtype=pl.Int64)
    return found.to_numpy().astype(np.int64), different


def _small(names: pl.Series) -> bool:
    """Tell whether names are whole numbers of 0 and more, none much larger than how many there are."""
    if not names.dtype.is_integer() or names.null_count() == len(names):
        return False
    low, high = names.min(), names.max()
    return isinstance(low, int) and isinstance(high, int) and low >= 0 and high < 2 * len(names)
