"""Tables of text with a line of names: the columns that are wanted, read in blocks or row by row."""

import csv
import io
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Self

import polars as pl

from assay.core.columns import DETAILED_COLUMNS, RUN_COLUMNS, recognise
from assay.core.costs import cost_columns, cost_table
from assay.errors import FormatError, RunError
from assay.formats.base import Kind
from assay.formats.blocks import holds_nothing
from assay.formats.compression import seems_packed
from assay.formats.lines import NUMBER, shown
from assay.formats.numbering import LARGEST_RANK
from assay.formats.pipeline import BLOCK, block_within, in_order, pieces
from assay.formats.source import Source, not_utf8

BATCH = 1 << 17
TEXTS = frozenset({"query", "item", "group", "click", "session"})
SEVERAL = "a file of several judges is no gold yet: assay gold adjudicate makes one grade of what they say."
Block = tuple[bytes, pl.DataFrame | None, int]


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    """The first line of a table: all names, and which column is the query, the item, the number."""

    names: tuple[str, ...]
    places: dict[str, int]
    separator: str
    place: str

    @classmethod
    def of(cls, source: Source, separator: str, kind: Kind) -> "Header":
        """Read the names and recognise them.

        Raises
        ------
        InputError
            No column for the query, the item, or (of a run) the score or rank.
        """
        names = names_of(source, separator)
        found = recognise(names, DETAILED_COLUMNS if kind == "gold" else RUN_COLUMNS, source.path)
        if kind == "run" and not found.keys() & {"score", "rank"}:
            msg = f"{source.path}: expected a column for the score or the rank, found {list(names)}"
            raise RunError(msg, hint="name the column in the first line.")
        return cls(names, {column: names.index(name) for column, name in found.items()}, separator, source.path)

    @property
    def schema(self) -> dict[str, type[pl.DataType]]:
        """The types of the columns that are wanted."""
        return {column: pl.String if column in TEXTS else pl.Float64 for column in self.places}


def names_of(source: Source, separator: str) -> tuple[str, ...]:
    """Return the cells of the first line; none if it cannot be split."""
    line = source.head.partition(b"\n")[0].strip(b"\r").decode(errors="replace")
    try:
        return tuple(name.strip() for name in next(csv.reader([line], delimiter=separator), []))
    except csv.Error:
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class DelimitedRows:
    """Rows of a table of text with a header, read anew each time they are asked for."""

    source: Source
    header: Header
    kind: Kind
    size: int = BLOCK

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield the wanted columns, block by block.

        Raises
        ------
        FormatError
            At the first row with another number of columns, without an id, or with a number that is none.
        """
        empty = True
        for rows in self.frames():
            empty = False
            yield _finished(rows, self.kind)
        if empty:
            raise holds_nothing(self.source.path, gold=self.kind == "gold")

    def within(self, memory: int) -> Self:
        """Return the same rows in blocks that take less memory while they are read."""
        return replace(self, size=block_within(memory, self.size))

    def lines(self, query: str, item: str) -> list[int]:
        """Return the lines, from 1, on which a pair stands."""
        places = self.header.places["query"], self.header.places["item"]
        with closing(_body(self.source, self.size)) as read:
            found = records(read, self.header, 2)
            return [line for line, row in found if (row[places[0]], row[places[1]]) == (query, item)]

    def costs(self) -> pl.DataFrame | None:
        """Return what each query cost, read anew; None where no column says it."""
        names = list(self.header.names)
        costs = cost_columns(names).values()
        if not costs:
            return None
        places = [self.header.places["query"], *map(names.index, costs)]
        with closing(_body(self.source, self.size)) as read:
            cells = dict.fromkeys(tuple(row[place] for place in places) for _, row in records(read, self.header, 2))
        table = pl.DataFrame(list(cells), schema=dict.fromkeys(["query", *costs], pl.String), orient="row")
        return cost_table(table, self.source.path)

    def frames(self) -> Iterator[pl.DataFrame]:
        """Yield the wanted columns as they are read.

        Blocks are parsed up to the first quote, and what follows row by row: only that knows where a row ends.
        """
        before = 1
        quoted: list[bytes] = []
        with closing(_body(self.source, self.size)) as read:
            for block, frame, lines in in_order(_until_quote(read, quoted), partial(_parse, header=self.header)):
                yield from [frame] if frame is not None else _read_rows([block], self.header, before + 1)
                before += lines
            yield from _read_rows(chain(quoted, read), self.header, before + 1)


def _finished(rows: pl.DataFrame, kind: Kind) -> pl.DataFrame:
    """Make the columns of gold (a row without a grade column counts 1) or of a run."""
    if kind == "gold":
        return rows if "grade" in rows.columns else rows.with_columns(grade=pl.lit(1.0))
    score = pl.col("score") if "score" in rows.columns else -pl.col("rank")
    position = {"position": pl.col("rank").cast(pl.Int64)} if "rank" in rows.columns else {}
    return rows.select("query", "item", score=score, **position)


def _body(source: Source, size: int) -> Generator[bytes]:
    """Yield what follows the header, in pieces that end at a line end."""
    with closing(pieces(source, size)) as read:
        below = next(read, b"").partition(b"\n")[2]
        if below:
            yield below
        yield from read


def _until_quote(read: Iterator[bytes], quoted: list[bytes]) -> Generator[bytes]:
    """Yield pieces until one holds a quote, which is put aside."""
    for piece in read:
        if b'"' in piece:
            quoted.append(piece)
            return
        yield piece


def _parse(block: bytes, header: Header) -> Block:
    odd = seems_packed(block) or b"\0" in block or block.count(b"\r") != block.count(b"\r\n")
    frame = None if odd else _csv(block, header)
    return (b"" if frame is not None else block), frame, block.count(b"\n")


def _csv(block: bytes, header: Header) -> pl.DataFrame | None:
    """Parse a block without quotes; None if a row has too few or too many columns, or something is missing."""
    names = [f"column {place}" for place in range(len(header.names))]
    wanted = {column: names[place] for column, place in header.places.items()}
    kinds = {wanted[column]: kind for column, kind in header.schema.items()}
    schema = {name: kinds.get(name, pl.String) for name in names}
    try:
        frame = pl.read_csv(block, separator=header.separator, has_header=False, quote_char=None, schema=schema)
    except pl.exceptions.PolarsError:
        return None
    if frame[names[-1]].null_count() or any(frame[name].null_count() for name in wanted.values()):
        return None
    rows = frame.select(**{column: pl.col(name) for column, name in wanted.items()})
    if "rank" in wanted and not _whole(rows["rank"]):
        return None
    return rows


def _whole(ranks: pl.Series) -> bool:
    return bool(((ranks.abs() <= LARGEST_RANK) & (ranks == ranks.floor())).all())


def records(blocks: Iterable[bytes], header: Header, first: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each record that is not blank, with the line on which it ends; the blocks begin on line `first`."""
    reader = csv.reader(_text_lines(blocks, header.place, first), delimiter=header.separator)
    try:
        for row in reader:
            line = first + reader.line_num - 1
            if row and len(row) != len(header.names):
                expected = f"expected {len(header.names)} columns ({' '.join(header.names)})"
                quoted = shown(header.separator.join(row).encode())
                raise FormatError.at(header.place, line, expected, f"found {len(row)}: {quoted}")
            if row:
                yield line, row
    except csv.Error as error:
        line = first + reader.line_num - 1
        raise FormatError.at(header.place, line, "expected a table", f"found an error: {error}") from None


def _text_lines(blocks: Iterable[bytes], place: str, line: int) -> Iterator[str]:
    for block in blocks:
        for text in io.BytesIO(block):
            try:
                yield text.decode()
            except UnicodeDecodeError as error:
                raise not_utf8(place, line, text[error.start : error.start + 1]) from None
            line += 1


def _read_rows(blocks: Iterable[bytes], header: Header, first: int) -> Iterator[pl.DataFrame]:
    """Read row by row, as exactly as can be, and word the error of the first row that is wrong."""
    hint = SEVERAL if {"judge", "assessor", "annotator", "rater"} & {*map(str.lower, header.names)} else None
    rows = (
        tuple(_value(column, row[place], (header.place, line), hint) for column, place in header.places.items())
        for line, row in records(blocks, header, first)
    )
    while batch := list(islice(rows, BATCH)):
        yield pl.DataFrame(dict(zip(header.places, zip(*batch, strict=True), strict=True)), schema=header.schema)


def _is_rank(number: float) -> bool:
    return abs(number) <= LARGEST_RANK and number.is_integer()


def _value(column: str, text: str, at: tuple[str, int], hint: str | None = None) -> str | float:
    if column in TEXTS:
        if not text:
            raise FormatError.at(*at, f"expected a {column}", "found nothing in its column")
        return text
    number = text.strip()
    if not number and column == "score":
        return float("nan")
    what = "a whole number" if column == "rank" else "a number"
    if not NUMBER.fullmatch(number.encode()) or (column == "rank" and not _is_rank(float(number))):
        raise FormatError.at(*at, f"expected {what} as {column}", f"found {shown(text.encode())}", hint=hint)
    return float(number)
