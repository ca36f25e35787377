"""Triples of a knowledge graph: tables of text, OpenKE's numbers, Parquet, RDF; read with the line of each."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.errors import FormatError, InputError, UnknownNameError
from assay.formats.source import Source
from assay.formats.triple_lines import ENDS, read_openke, read_text, triple_columns

BINARY = {b"PAR1": "parquet", b"ARROW1": "arrow"}


@dataclass(frozen=True, slots=True, eq=False)
class Triples:
    """Triples as a file or a frame holds them, none left out.

    `table` has the columns head, relation, tail and, where it is given, time. Head, relation and tail are names
    (text) or row numbers (whole numbers). `lines` says on which line of `place` each stands, where there are lines.
    `literals` counts the statements of an RDF file whose object is no entity; they are no links and are not here.
    `labels` are the rdfs:labels that an RDF file gives its entities and relations.
    """

    table: pl.DataFrame
    place: str
    format: str
    lines: pl.Series | None = None
    literals: int = 0
    labels: Mapping[str, str] = field(default_factory=dict)

    def where(self, row: int) -> str:
        """Name the file and the line of a row, for messages."""
        return f"{self.place}, row {row + 1}" if self.lines is None else f"{self.place}, line {self.lines[row]}"


def read_triples(path: str | os.PathLike[str], format: str | None = None) -> Triples:  # noqa: A002 - as --format
    """Read a file of triples, plain or packed; without a format its content tells.

    Raises
    ------
    InputError
        No such file, nothing in it, a line that is no triple.
    UnknownNameError
        A format that does not exist.
    """
    source = Source.open(path)
    name = recognised(source) if format is None else format
    if name not in FORMATS:
        raise UnknownNameError.of("format of triples", name, FORMATS)
    found = FORMATS[name](source)
    if not found.table.height:
        msg = f"{source.path}: expected triples, found none"
        raise InputError(msg)
    return found


def recognised(source: Source) -> str:
    """Tell the format by the beginning of the file, and by its name where that says nothing.

    A first line that is one whole number begins a file of OpenKE; `<`, `@prefix` and the endings .nt and .ttl
    are RDF; else the first line decides between tabs, commas and blanks.
    """
    known = next((name for magic, name in BINARY.items() if source.head.startswith(magic)), None)
    ending = source.suffixes[-1] if source.suffixes else ""
    if known or ending in ENDS:
        return known or ENDS[ending]
    first = source.head.lstrip().partition(b"\n")[0].strip()
    if first.isdigit():
        return "openke"
    if first.startswith(b"<") and first.endswith(b"."):
        return "ntriples"
    if first.lower().startswith((b"@prefix", b"@base", b"prefix ", b"base ")):
        return "turtle"
    return "tsv" if b"\t" in first else "csv" if first.count(b",") >= 2 else "blanks"


def frame_triples(frame: pl.DataFrame, place: str, format: str = "frame") -> Triples:  # noqa: A002
    """Make triples of a frame: columns by their names, or by their order if none of the names is known.

    Raises
    ------
    InputError
        Too few columns, a cell without value, a column that is neither text nor whole numbers.
    """
    places = triple_columns(frame.columns)
    if places is None and frame.width not in {3, 4}:
        msg = f"{place}: expected columns called head, relation and tail, found {frame.columns}"
        raise InputError(msg, hint="three or four columns without known names are read in that order.")
    places = places or dict(zip(("head", "relation", "tail", "time"), range(frame.width), strict=False))
    table = frame.select(_cells(frame.to_series(at), name, place) for name, at in places.items())
    return Triples(table, place, format)


def _cells(column: pl.Series, name: str, place: str) -> pl.Series:
    """Return a column as text or as whole numbers."""
    if empty := column.null_count():
        row = int(column.is_null().arg_true()[0]) + 1
        raise FormatError(f"{place}, row {row}: expected a {name}, found an empty cell ({empty:,} in the column)")
    kind = column.dtype
    if kind.is_integer() and name != "time":
        return column.cast(pl.Int64).alias(name)
    if kind.is_float() and name != "time":
        msg = f"{place}: expected names or whole numbers as {name}, found numbers with a fraction ({kind})"
        raise InputError(msg, hint="cast the column to integers first.")
    return column.cast(pl.String).alias(name)


def _text(separator: str | None) -> Callable[[Source], Triples]:
    """Make the reader of tables parted by a mark; None means blanks."""

    def read(source: Source) -> Triples:
        table, lines = read_text(source, separator)
        return Triples(table, source.path, {"\t": "tsv", ",": "csv"}.get(separator or "", "blanks"), lines)

    return read


def _openke(source: Source) -> Triples:
    table, lines = read_openke(source)
    return Triples(table, source.path, "openke", lines)


def _binary(source: Source) -> Triples:
    from assay.formats.binary import read_binary

    frame = read_binary(source)
    if frame is None:
        msg = f"{source.path}: expected a Parquet or Arrow file, found something else"
        raise FormatError(msg, hint="without --format the content tells what it is.")
    return frame_triples(frame, source.path, "parquet")


def _rdf(name: str) -> Callable[[Source], Triples]:
    def read(source: Source) -> Triples:
        from assay.formats.rdf import read_links

        links = read_links(source, name)
        return Triples(links.table, source.path, name, None, links.literals, links.labels)

    return read


FORMATS: Mapping[str, Callable[[Source], Triples]] = {
    "tsv": _text("\t"), "csv": _text(","), "blanks": _text(None), "openke": _openke,
    "parquet": _binary, "arrow": _binary, "ntriples": _rdf("ntriples"), "turtle": _rdf("turtle"),
}  # fmt: skip
"""All formats of triples, by name."""
