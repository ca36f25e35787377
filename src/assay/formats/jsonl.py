"""JSON Lines: one object for each row, or one for each query with its items in a list."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from typing import BinaryIO, ClassVar

import polars as pl

from assay.core.columns import QUERY
from assay.core.costs import NAMES as COSTS
from assay.core.costs import cost_columns, cost_table
from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import AssayError
from assay.formats.base import Blocks, Format, Kind
from assay.formats.blocks import holds_nothing
from assay.formats.documents import add, parsed, taken
from assay.formats.mapping import guess_json
from assay.formats.pipeline import pieces
from assay.formats.shapes import MANY, Table
from assay.formats.source import Source, not_utf8
from assay.formats.words import as_whole

SIZE = 1 << 22
NAMES = "|".join(QUERY).encode()
NAMED = re.compile(rb'\{\s*("[^"]*"\s*:\s*("([^"\\]|\\.)*"|[^"{}\[\]]*)\s*,\s*)*"(%s)"\s*:\s*["\d]' % NAMES)

COSTLY = re.compile(
    rb'"(%s)"\s*:' % "|".join(name for names in COSTS.values() for name in names).encode(), re.IGNORECASE
)
Cells = tuple[tuple[str, str | None], ...]
"""The query of an object and what it cost, by kind."""


class Jsonl(Format):
    """One JSON object in each line."""

    name = "jsonl"
    description = 'JSON Lines: {"query", "item", "grade" or "score" or "rank"} or {"query", "items": [...]}'
    suffixes = ("jsonl", "ndjson")
    aliases = ("ndjson",)
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b'{"query": "q1", "items": {"a": 1, "b": 0}}\n{"query": "q2", "item": "c", "grade": 2}\n',
        "run": (
            b'{"query": "q1", "items": [{"item": "a", "score": 2.5}, ["b", 1]]}\n'
            b'{"query": "q2", "item": "c", "score": 0.1}\n'
        ),
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """A first line that begins an object, with the suffix, a query in it, or another object below."""
        del kind
        lines = source.head.lstrip().split(b"\n", 2)
        if not lines[0].startswith(b"{") or lines[0].strip() == b"{":
            return False
        suffix = bool(source.suffixes) and source.suffixes[-1] in self.suffixes
        return suffix or bool(NAMED.match(lines[0])) or (len(lines) > 1 and lines[1].startswith(b"{"))

    def guess(self, source: Source) -> Kind | None:
        """Names of keys may tell."""
        return guess_json(source.head)

    def read_gold(self, source: Source) -> Gold:
        """Read judgments; a query without items is unjudged."""
        rows = LineRows(source)
        table = Table("gold")
        frames = list(rows.fill(table))
        if not frames:
            raise holds_nothing(source.path, gold=True)
        origin = self.origin(source, rows.lines)
        return Gold(pl.concat(frames), name=source.stem, origin=origin, unjudged=tuple(table.unjudged))

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run; its rows stream."""
        rows = LineRows(source)
        return Run(name, rows, self.origin(source, rows.lines), cost_source=rows.costs)

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write one object for each judgment."""
        _write(blocks, out, "grade")

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write one object for each answer, with a rank where the input gave a position."""
        del name
        _write(blocks, out, "score")


@dataclass(frozen=True, slots=True, eq=False)
class LineRows:
    """Rows of JSON Lines, read anew each time they are asked for."""

    source: Source
    size: int = SIZE

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield query, item, score (and position), block by block."""
        empty = True
        for rows in self.fill(Table("run")):
            empty = False
            yield rows
        if empty:
            raise holds_nothing(self.source.path, gold=False)

    def fill(self, table: Table) -> Iterator[pl.DataFrame]:
        """Yield the rows of each block of lines as the table makes them."""
        line = 1
        with closing(pieces(self.source, self.size)) as blocks:
            for block in blocks:
                self._add(table, block, line)
                line += block.count(b"\n")
                rows = taken(table, self.source.path)
                if rows.height:
                    yield rows

    def _add(self, table: Table, block: bytes, first: int) -> None:
        """Add the values of a block; what is wrong first is said first, be it the JSON or its shape."""
        values: list[tuple[int, object]] = []
        broken = None
        for line, text in enumerate(block.split(b"\n"), first):
            try:
                if text.strip():
                    values.append((line, self._value(text, line)))
            except AssayError as error:
                broken = error
                break
        if not values or not table.add_alike([value for _, value in values]):
            for line, value in values:
                add(table, value, self.source.path, line)
        if broken:
            raise broken

    def lines(self, query: str, item: str) -> list[int]:
        """Return the lines, from 1, on which a pair stands."""
        wanted = {item.encode(errors="replace"), json.dumps(item)[1:-1].encode()}
        found, first = [], 1
        with closing(pieces(self.source, self.size)) as blocks:
            for block in blocks:
                for number, text in enumerate(block.split(b"\n"), first):
                    if any(word in text for word in wanted) and (query, item) in self._rows(text, number):
                        found.append(number)
                first += block.count(b"\n")
        return found

    def costs(self) -> pl.DataFrame | None:
        """Return what each query cost, by the keys of its objects, read anew; None where none says it."""
        found: dict[Cells, None] = {}
        line = 1
        with closing(pieces(self.source, self.size)) as blocks:
            for block in blocks:
                if COSTLY.search(block):
                    lines = enumerate(block.split(b"\n"), line)
                    found |= dict.fromkeys(_costs(self._plain(text, at)) for at, text in lines if COSTLY.search(text))
                line += block.count(b"\n")
        rows = [dict(cells) for cells in found if cells]
        columns = dict.fromkeys((name for row in rows for name in row), pl.String)
        return cost_table(pl.DataFrame(rows, schema=columns), self.source.path) if rows else None

    def _plain(self, text: bytes, line: int) -> object:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return self._value(text, line)

    def _rows(self, text: bytes, line: int) -> set[tuple[str, str]]:
        table = Table("gold")
        try:
            add(table, self._value(text, line), self.source.path, line)
        except AssayError:
            return set()
        return set(zip(table.queries, table.items, strict=True))

    def _value(self, text: bytes, line: int) -> object:
        try:
            return parsed(text.decode(), self.source.path, line)
        except UnicodeDecodeError as error:
            raise not_utf8(self.source.path, line, text[error.start : error.start + 1]) from None


def _costs(value: object) -> Cells:
    """Return the query of an object and what it cost, as text; nothing of an object that names no query or no cost."""
    if not isinstance(value, dict):
        return ()
    held = ((column, value[key]) for column, key in _cost_keys(tuple(value)))
    return tuple((column, None if cell is None else str(cell)) for column, cell in held)


@lru_cache(MANY)
def _cost_keys(names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return under which of these keys the query and its costs stand; none without either."""
    lowered = {name.lower(): name for name in reversed(names)}
    query = next((lowered[name] for name in QUERY if name in lowered), None)
    costs = cost_columns(list(names))
    return () if query is None or not costs else (("query", query), *costs.items())


def _write(blocks: Blocks, out: BinaryIO, number: str) -> None:
    out.writelines(
        _by_polars(block, number) if block[number].is_finite().all() else _by_row(block, number) for block in blocks
    )


def _by_polars(block: pl.DataFrame, number: str) -> bytes:
    whole = (block[number] == block[number].floor()).all() and (block[number].abs() < 2.0**53).all()
    table = block.with_columns(pl.col(number).cast(pl.Int64)) if whole else block
    text = io.BytesIO()
    table.rename({"position": "rank"}, strict=False).write_ndjson(text)
    return text.getvalue()


def _by_row(block: pl.DataFrame, number: str) -> bytes:
    """Write rows as Python does, which knows NaN and Infinity."""
    ranks = block["position"].to_list() if "position" in block.columns else None
    columns = zip(block["query"].to_list(), block["item"].to_list(), block[number].to_list(), strict=True)
    texts = (
        f'{{"query": {json.dumps(query)}, "item": {json.dumps(item)}, "{number}": {json.dumps(as_whole(value))}'
        for query, item, value in columns
    )
    ends = ("}\n" for _ in range(block.height)) if ranks is None else (f', "rank": {rank}}}\n' for rank in ranks)
    return "".join(text + end for text, end in zip(texts, ends, strict=True)).encode()
