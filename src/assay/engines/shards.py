"""`Shards`: a matrix whose rows lie in several places, read a stretch at a time, never as a whole."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from assay.core.hits import Ints
from assay.engines.blocks import Matrix

Change = Callable[[Matrix], Matrix]
SAID = 12
"""So many places are named, at most."""


class Rows(Protocol):
    """Some rows of a matrix: an array, or what is read of a file when it is asked for."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows and their width."""

    @property
    def dtype(self) -> Any:
        """The kind of numbers."""

    def __getitem__(self, key: Any) -> Matrix: ...


@dataclass(frozen=True, eq=False)
class Shards:
    """Rows of one width and kind of numbers, part after part.

    It is read as an array is: a slice or an array of row numbers gives rows, each part being read at most once, in
    the order of the parts; `[:, a:b]` gives shards of these columns. NumPy's functions read the whole of it.
    `places` say where the parts are from. `change` makes of stored rows those that are seen, each from itself
    alone, or, with a `step`, from the rows with which it stands between two multiples of the step: so the result
    never depends on how rows are asked for.

    >>> shards = Shards((np.array([[1.0], [2.0]]), np.array([[3.0]])), ("a.npy", "b.npy"))
    >>> shards.shape, shards[1:3].tolist(), shards[np.array([2, 0])].tolist()
    ((3, 1), [[2.0], [3.0]], [[3.0], [1.0]])
    >>> shards.changed(lambda rows: rows * 10)[:2].tolist()
    [[10.0], [20.0]]
    >>> shards.notice
    '3 rows in 2 files, in this order: a.npy rows 0 to 1; b.npy row 2'
    """

    parts: tuple[Rows, ...]
    places: tuple[str, ...] = ()
    change: Change | None = None
    step: int = 0

    def __len__(self) -> int:
        return self._start[-1]

    @cached_property
    def _start(self) -> list[int]:
        return list(itertools.accumulate((part.shape[0] for part in self.parts), initial=0))

    @cached_property
    def _none(self) -> Matrix:
        """No rows, as they are seen."""
        stored = np.empty((0, *self.parts[0].shape[1:]), self.parts[0].dtype)
        return stored if self.change is None else self.change(stored)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows and their width."""
        return (len(self), *self._none.shape[1:])

    @property
    def dtype(self) -> np.dtype[Any]:
        """The kind of numbers."""
        return self._none.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._none.ndim

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return int(np.prod(self.shape))

    @property
    def spans(self) -> list[slice]:
        """The rows of each part."""
        return [slice(first, last) for first, last in itertools.pairwise(self._start)]

    @property
    def notice(self) -> str:
        """Which rows are from which place."""
        said = [f"{place} {_rows(span)}" for place, span in zip(self.places, self.spans, strict=False)]
        if len(said) > SAID:
            said = [*said[: SAID - 1], "…", said[-1]]
        return f"{len(self):,} rows in {len(self.parts):,} files, in this order: {'; '.join(said)}"

    def changed(self, change: Change, step: int = 0) -> "Shards":
        """Return the rows that a function makes of these; see `change` and `step` of the class."""
        before = self.change
        both = change if before is None else lambda rows: change(before(rows))
        return replace(self, change=both, step=step or self.step)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Matrix:
        del copy
        return np.asarray(self[:], dtype)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple):
            rows, columns = key
            if rows != slice(None):
                return self[rows][:, columns]
            return self.changed(lambda stored: stored[:, columns])
        if not isinstance(key, slice):
            return self._gathered(np.asarray(key, np.int64))
        first, last, by = key.indices(len(self))
        return self._stretch(first, max(first, last)) if by == 1 else self._gathered(np.arange(first, last, by))

    def _stretch(self, first: int, last: int) -> Matrix:
        """Return neighbouring rows."""
        if not self.step:
            return self._seen(first, last)
        begins = range(first - first % self.step, last, self.step)
        chunks = (self._seen(begin, min(begin + self.step, len(self))) for begin in begins)
        return np.concatenate(
            [self._none, *(chunk[max(first - at, 0) : last - at] for at, chunk in zip(begins, chunks, strict=True))]
        )

    def _seen(self, first: int, last: int) -> Matrix:
        """Return neighbouring rows, changed all at once."""
        spans = zip(self.parts, self._start, self._start[1:], strict=False)
        pieces = [
            part[max(first - begin, 0) : last - begin] for part, begin, end in spans if begin < last and end > first
        ]
        if not pieces:
            return self._none
        stored = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        return stored if self.change is None else self.change(stored)

    def _gathered(self, rows: Ints) -> Matrix:
        """Return the rows of these numbers, read in their order."""
        if rows.ndim != 1:
            return self._gathered(rows.reshape(-1)).reshape(*rows.shape, *self.shape[1:])
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            msg = f"rows of shards: expected 0 to {len(self) - 1}, found {rows.min()} to {rows.max()}"
            raise IndexError(msg)
        found = np.empty((len(rows), *self.shape[1:]), self.dtype)
        order = np.argsort(rows, kind="stable")
        begins = list(range(0, len(self), self.step)) if self.step else self._start[:-1]
        ends = np.searchsorted(rows[order], [*begins[1:], len(self)])
        for number, some in enumerate(np.split(order, ends[:-1])):
            if len(some):
                found[some] = self._picked(number, begins[number], rows[some] - begins[number])
        return found

    def _picked(self, number: int, begin: int, rows: Ints) -> Matrix:
        """Return rows of one part or, where rows are changed together, of those between two steps."""
        if self.step:
            return self._seen(begin, min(begin + self.step, len(self)))[rows]
        stored = self.parts[number][rows]
        return stored if self.change is None else self.change(stored)


def _rows(span: slice) -> str:
    last = span.stop - 1
    return f"row {last:,}" if last == span.start else f"rows {span.start:,} to {last:,}"


def spread(length: int, many: int) -> Iterator[range]:
    """Divide numbers from 0 on among so many, as evenly as can be, none without one.

    >>> list(spread(5, 2)), list(spread(2, 9))
    ([range(0, 3), range(3, 5)], [range(0, 1), range(1, 2)])
    """
    size, more = divmod(length, many)
    first = 0
    for number in range(min(length, many)):
        last = first + size + (number < more)
        yield range(first, last)
        first = last
