"""JSON in one piece: `{query: {item: number}}`, `{query: [items]}`, or a list of the objects of JSON Lines.

A key that stands twice is kept twice, so that an item given two grades is not lost in silence.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, ClassVar

import polars as pl

from assay.core.gold import Gold
from assay.core.run import Run
from assay.formats.base import Blocks, Format, Kind
from assay.formats.blocks import holds_nothing
from assay.formats.documents import add, parsed, taken
from assay.formats.shapes import Table
from assay.formats.source import Source
from assay.formats.words import as_whole


class Json(Format):
    """A JSON document."""

    name = "json"
    description = "JSON: {query: {item: grade or score}}, {query: [items]}, or a list of objects"
    suffixes = ("json",)
    aliases = ("mapping",)
    examples: ClassVar[dict[Kind, bytes]] = {
        "gold": b'{"q1": {"a": 1, "b": 0}, "q2": {"c": 2}}\n',
        "run": b'{"q1": {"a": 2.5, "b": 1}, "q2": {"c": 0.1}}\n',
    }

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """The first character says it."""
        del kind
        return source.head.lstrip()[:1] in {b"{", b"["}

    def guess(self, source: Source) -> Kind | None:
        """Names of keys may tell; numbers do not."""
        return guess_json(source.head)

    def read_gold(self, source: Source) -> Gold:
        """Read judgments; a query without items is unjudged."""
        table = _table(source, "gold")
        rows = taken(table, source.path)
        if not rows.height:
            raise holds_nothing(source.path, gold=True)
        return Gold(rows, name=source.stem, origin=self.origin(source), unjudged=tuple(table.unjudged))

    def read_run(self, source: Source, name: str) -> Run:
        """Read a run."""
        return Run(name, MappingFile(source), self.origin(source))

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write `{query: {item: grade}}`."""
        _write(pl.concat(blocks), out, "grade")

    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write `{query: {item: score}}`; scores say the order, a position is lost."""
        del name
        _write(pl.concat(blocks), out, "score")


@dataclass(frozen=True, slots=True, eq=False)
class MappingFile:
    """Rows of a JSON document, read anew each time they are asked for."""

    source: Source

    def blocks(self) -> Iterator[pl.DataFrame]:
        """Yield one frame with all rows."""
        rows = taken(_table(self.source, "run"), self.source.path)
        if not rows.height:
            raise holds_nothing(self.source.path, gold=False)
        yield rows


def guess_json(head: bytes) -> Kind | None:
    """Tell gold from a run by the keys of objects."""
    keys = head.lower()
    if any(f'"{key}"'.encode() in keys for key in ("grade", "relevance", "rel", "label", "relevant", "positives")):
        return "gold"
    runs = ("score", "rank", "ranking", "results", "hits", "retrieved", "ranked")
    return "run" if any(f'"{key}"'.encode() in keys for key in runs) else None


def _table(source: Source, kind: Kind) -> Table:
    table = Table(kind)
    add(table, parsed(source.text(), source.path), source.path, None)
    return table


def _write(rows: pl.DataFrame, out: BinaryIO, number: str) -> None:
    groups = rows.group_by("query", maintain_order=True).agg("item", number)
    before = "{"
    for query, items, numbers in groups.iter_rows():
        held = dict(zip(items, map(as_whole, numbers), strict=True))
        text = json.dumps(held) if len(held) == len(items) else _with_repeats(items, numbers)
        out.write(f"{before}{json.dumps(query)}: {text}".encode())
        before = ",\n "
    out.write(b"}\n")


def _with_repeats(items: list[str], numbers: list[float]) -> str:
    """Write an object in which an item stands twice, as the rows have it."""
    pairs = zip(items, map(as_whole, numbers), strict=True)
    return "{" + ", ".join(f"{json.dumps(item)}: {json.dumps(number)}" for item, number in pairs) + "}"
