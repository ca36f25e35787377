"""Logs of what was shown and clicked: CSV, TSV, JSON Lines, Parquet, Arrow; a row is one item that was shown once.

They are read block by block, as often as they are asked for, so that a log may be of any length. The columns are query,
item and click (1 or 0, true or false), and where a model needs them rank (1 is the top) and session (which search a row
belongs to).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import polars as pl

from assay.core.columns import ITEM, QUERY, RANK, recognise
from assay.core.frames import engine_error
from assay.core.progress import Progress
from assay.errors import FormatError, InputError
from assay.formats.binary import opened
from assay.formats.click_rows import FrameRows, LineRows, Rows, TextRows
from assay.formats.datasets import Dataset, digest_of
from assay.formats.delimited import Header, names_of
from assay.formats.documents import parsed
from assay.formats.source import Source

REQUIRED: Mapping[str, tuple[str, ...]] = {
    "query": (*QUERY, "keyword", "search_term"),
    "item": ITEM,
    "click": ("click", "clicked", "clicks", "is_click", "is_clicked"),
}
MORE: Mapping[str, tuple[str, ...]] = {
    "rank": (*RANK, "pos"),
    "session": ("session", "session_id", "sessionid", "search_id", "search", "impression_id", "request_id", "serp_id"),
}
"""What columns of a log may be called; case does not matter."""
CLICKS = {"1": 1, "0": 0, "true": 1, "false": 0, "1.0": 1, "0.0": 0}


@dataclass(frozen=True, slots=True)
class ClickLog:
    """A log of what was shown and clicked, in one part or several.

    `columns` are those that all parts have; `digests` are the SHA-256 of files.

    >>> rows = {"qid": ["q", "q"], "doc_id": ["a", "b"], "position": [1, 2], "clicked": [False, True]}
    >>> log = ClickLog.of(pl.DataFrame(rows))
    >>> log.columns, next(log.blocks()).rows()
    (('query', 'item', 'click', 'rank'), [('q', 'a', 0, 1), ('q', 'b', 1, 2)])
    """

    parts: tuple["Part", ...]
    digests: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What results call the log."""
        return self.parts[0].place if len(self.parts) == 1 else f"{len(self.parts)} files"

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that all parts have."""
        return tuple(name for name in (*REQUIRED, *MORE) if all(name in part.columns for part in self.parts))

    @classmethod
    def of(cls, frame: Any, columns: Mapping[str, str] | None = None, name: str = "clicks") -> Self:
        """Take a table of any library, whose columns may have other names."""
        from assay.core.frames import to_polars

        wide = frame if isinstance(frame, pl.LazyFrame) else to_polars(frame).lazy()
        return cls((_scanned(wide, name, columns),))

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item (text), click (0 or 1) and, where all parts have them, rank (from 1) and session (text).

        Raises
        ------
        InputError
            At the first row with something missing or wrong; the message names the place.
        """
        empty = True
        for part in self.parts:
            for block in part.blocks():
                empty = empty and not block.height
                yield block.select(self.columns)
        if empty:
            raise InputError(f"{self.name}: expected rows of what was shown, found none")


def read_clicks(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    columns: Mapping[str, str] | None = None,
    *,
    progress: Progress | None = None,
) -> ClickLog:
    """Open a log: one file or several, folders or patterns of Parquet files, "-" for standard input.

    `columns` says which column is the query, item, click, rank or session, where names are not recognised.

    Raises
    ------
    InputError
        A file that cannot be read, or that has no column for the query, the item or the click.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise InputError("clicks: expected a log, found none")
    parts = tuple(_part(path, columns, progress) for path in given)
    return ClickLog(parts, {os.fspath(path): None if path == "-" else digest_of(os.fspath(path)) for path in given})


def _part(path: str | os.PathLike[str], columns: Mapping[str, str] | None, progress: Progress | None) -> "Part":
    dataset = Dataset.find(path)
    if dataset is not None:
        return _scanned(dataset.scan(), dataset.path, columns)
    source = Source.open(path, progress)
    if source.head.startswith((b"PAR1", b"ARROW1")):
        scan = pl.scan_parquet if source.head.startswith(b"PAR1") else pl.scan_ipc
        return _scanned(scan(opened(source)), source.path, columns)
    first = source.head.lstrip().partition(b"\n")[0].decode(errors="replace").rstrip("\r")
    if first.startswith("{"):
        found = _columns(list(parsed(first, source.path)), source.path, columns)
        return Part(source.path, tuple(found), LineRows(source, found))
    mark = max("\t,;", key=first.count)
    names = names_of(source, mark)
    found = _columns(list(names), source.path, columns)
    header = Header(names, {column: names.index(name) for column, name in found.items()}, mark, source.path)
    return Part(source.path, tuple(found), TextRows(source, header))


def _columns(names: list[str], place: str, given: Mapping[str, str] | None) -> dict[str, str]:
    """Return under which name each column of a log stands; rank and session may be absent."""
    lowered, said = {name.lower() for name in names}, given or {}
    more = {column: known for column, known in MORE.items() if column in said or lowered & set(known)}
    return recognise(names, {**REQUIRED, **more}, place, said)


def _scanned(frame: pl.LazyFrame, place: str, columns: Mapping[str, str] | None) -> "Part":
    try:
        found = _columns(frame.collect_schema().names(), place, columns)
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise engine_error(place, problem) from problem
    return Part(place, tuple(found), FrameRows(frame.select(**{to: pl.col(name) for to, name in found.items()}), place))


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a log, or one frame."""

    place: str
    columns: tuple[str, ...]
    rows: Rows

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield the rows as a log has them, each checked."""
        for frame in self.rows.frames():
            block = frame.select(_typed(column, frame.schema[column]) for column in self.columns)
            if sum(block.null_count().row(0)):
                self._refuse(frame, block)
            yield block

    def _refuse(self, frame: pl.DataFrame, block: pl.DataFrame) -> None:
        """Raise for the first row in which something is missing or wrong."""
        row = block.select(pl.any_horizontal(pl.all().is_null())).to_series().arg_true()[0]
        column = next(name for name in self.columns if block[name][row] is None)
        value = frame[column].cast(pl.String)[row]
        line = None if value is None else self.rows.line(column, value)
        wanted = {"click": "1 or 0 as click", "rank": "a whole number from 1 on as rank"}.get(
            column, f"{'an' if column == 'item' else 'a'} {column}"
        )
        hint = "the item at the top has rank 1." if column == "rank" else None
        pair = f" in the row of item {frame['item'][row]!r} of query {frame['query'][row]!r}" if line is None else ""
        raise FormatError.at(
            self.place,
            line,
            f"expected {wanted}{pair}",
            "found nothing" if not value else f"found {value!r}",
            hint=hint,
        )


def _typed(column: str, kind: pl.DataType) -> pl.Expr:
    """Return a column as a log has it, null where it is wrong."""
    cell = pl.col(column)
    if column == "click":
        if kind == pl.Boolean:
            return cell.cast(pl.Int8)
        text = cell.cast(pl.String).str.strip_chars().str.to_lowercase()
        return text.replace_strict(CLICKS, default=None, return_dtype=pl.Int8).alias(column)
    if column == "rank":
        number = cell.cast(pl.Float64, strict=False)
        right = (number >= 1) & (number == number.floor()) & (number < 2**31)
        return pl.when(right).then(number).cast(pl.Int32).alias(column)
    text = cell.cast(pl.String)
    return pl.when(text != "").then(text).alias(column)
