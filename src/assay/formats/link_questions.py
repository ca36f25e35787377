"""Files about the questions of link prediction: which are asked, and which entities may be answers."""

import os
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assay.errors import FormatError, InputError, UnknownNameError
from assay.formats.delimited import Header, names_of, records
from assay.formats.lines import shown
from assay.formats.source import Source
from assay.formats.triple_lines import LONGEST, NAMES
from assay.formats.triples import Triples

SIDES = ("head", "tail")
"""The order of the two lists that OpenKE gives each relation."""
COLUMNS = {
    "head": NAMES["head"], "relation": NAMES["relation"], "side": ("side", "position", "role"),
    "entity": ("entity", "candidate", "name", "id"),
}  # fmt: skip
"""What a column may be called; case does not matter."""
CANDIDATES = ("relation", "side", "entity")
PAIRS = ("head", "relation")

OPENKE = {"relation": pl.Int64, "side": pl.String, "entity": pl.Int64, "line": pl.Int64}


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Entities that may stand at one side of a relation.

    `rows` has the columns relation, side and entity, as names or as numbers, with the line of each. `empty` are the
    relations (numbers) and sides of lists that hold none.
    """

    rows: Triples
    empty: tuple[tuple[int, str], ...] = ()

    @property
    def are_numbers(self) -> bool:
        """Whether relations and entities are given by their numbers alone."""
        return self.rows.table["entity"].dtype == pl.Int64


def read_candidates(path: str | os.PathLike[str]) -> Candidates:
    """Read which entities may be heads and tails of which relations.

    OpenKE's type_constrain.txt: the number of relations; then two lines for each, its heads before its tails, with
    the number of the relation, how many entities follow, and their numbers. Or a table (TSV, CSV, Parquet, Arrow)
    with the columns relation, side (head or tail) and entity.

    Raises
    ------
    InputError
        A file that cannot be read, or that is neither; the message says which line.
    """
    source = Source.open(path)
    count = source.head.partition(b"\n")[0].strip()
    if count.isdigit() and len(count) <= LONGEST:
        return _openke(source)
    rows = _table(source, CANDIDATES)
    sides = rows.table["side"].str.strip_chars().str.to_lowercase()
    wrong = (~sides.is_in(SIDES)).arg_true()
    if len(wrong):
        row = int(wrong[0])
        unknown = UnknownNameError.of("side", str(rows.table["side"][row]), SIDES)
        raise InputError(f"{rows.where(row)}: {unknown.message}", hint=unknown.hint)
    return Candidates(Triples(rows.table.with_columns(side=sides), rows.place, rows.format, rows.lines))


def read_pairs(path: str | os.PathLike[str]) -> Triples:
    """Read the questions (head, relation, ?): a table with the columns head and relation, TSV, CSV, Parquet or Arrow.

    Raises
    ------
    InputError
        A file that cannot be read, or without these columns.
    """
    return _table(Source.open(path), PAIRS)


def _table(source: Source, wanted: Sequence[str]) -> Triples:
    """Return the wanted columns of a table with names, and the line of each row."""
    from assay.formats.binary import read_binary

    frame, lines = read_binary(source), None
    if frame is None:
        frame, lines = _text(source)
    lowered = {name.strip().lower(): name for name in reversed(frame.columns)}
    found = {column: next((lowered[name] for name in COLUMNS[column] if name in lowered), None) for column in wanted}
    absent = [column for column, name in found.items() if name is None]
    if absent:
        msg = f"{source.path}: expected a first line with the names {', '.join(wanted)}, found {frame.columns}"
        raise InputError(msg, hint=f"no column is called {absent[0]}.")
    columns = [_column(frame[str(name)], column, source.path) for column, name in found.items()]
    rows = Triples(pl.DataFrame(columns), source.path, "table", lines)
    _require_cells(rows)
    return rows


def _column(given: pl.Series, name: str, place: str) -> pl.Series:
    """Return a column as names or, where they are whole, as numbers."""
    if given.dtype.is_nested() or given.dtype.is_float() or (name == "side" and given.dtype != pl.String):
        msg = f"{place}: expected names or whole numbers as {name}, found {given.dtype}"
        raise InputError(msg)
    return given.cast(pl.Int64 if given.dtype.is_integer() else pl.String).alias(name)


def _text(source: Source) -> tuple[pl.DataFrame, pl.Series]:
    first = source.head.partition(b"\n")[0]
    separator = max("\t,;", key=lambda mark: first.count(mark.encode()))
    header = Header(names_of(source, separator), {}, separator, source.path)
    if len(set(header.names)) < len(header.names):
        msg = f"{source.path}: expected a first line with a name for each column, found {list(header.names)}"
        raise InputError(msg)
    read = list(records([source.read().partition(b"\n")[2]], header, 2))
    schema = dict.fromkeys(header.names, pl.String)
    lines = pl.Series([line for line, _ in read], dtype=pl.Int64)
    return pl.DataFrame([row for _, row in read], schema=schema, orient="row"), lines


def _require_cells(rows: Triples) -> None:
    """Raise unless there are rows, and each of their cells holds something."""
    if not rows.table.height:
        msg = f"{rows.place}: expected rows below the line of names, found none"
        raise InputError(msg)
    for name in rows.table.columns:
        column = rows.table[name]
        empty = column.is_null() | (column == "" if column.dtype == pl.String else False)
        if empty.any():
            row = int(empty.arg_true()[0])
            raise InputError(f"{rows.where(row)}: expected a value as {name}, found an empty cell")


def _openke(source: Source) -> Candidates:
    """Read OpenKE's type_constrain.txt."""
    lines = [(at, line.split()) for at, line in enumerate(source.read().split(b"\n"), 1) if line.strip()]
    relations, read = int(lines[0][1][0]), lines[1:]
    if len(read) != 2 * relations:
        expected = f"expected two lines for each of {relations:,} relations, as this line says"
        raise FormatError.at(source.path, lines[0][0], expected, f"found {len(read):,} lines")
    rows: list[tuple[int, str, int, int]] = []
    empty = []
    for place, (at, cells) in enumerate(read):
        side = SIDES[place % 2]
        relation, *entities = _numbers(source.path, at, cells)
        if side == "tail" and relation != int(read[place - 1][1][0]):
            expected = f"expected the tails of relation {int(read[place - 1][1][0])}, whose heads stand above"
            raise FormatError.at(source.path, at, expected, f"found relation {relation}")
        empty += [] if entities else [(relation, side)]
        rows += [(relation, side, entity, at) for entity in entities]
    table = pl.DataFrame(rows, schema=OPENKE, orient="row")
    return Candidates(Triples(table.drop("line"), source.path, "openke", table["line"]), tuple(empty))


def _numbers(place: str, line: int, cells: Sequence[bytes]) -> list[int]:
    """Return the relation and the entities of a line, of which there are as many as it says."""
    wrong = next((cell for cell in cells if not cell.isdigit() or len(cell) > LONGEST), None)
    if wrong is not None:
        raise FormatError.at(place, line, "expected whole numbers", f"found {shown(wrong)}")
    relation, *rest = map(int, cells)
    if not rest or rest[0] != len(rest) - 1:
        many = f"{rest[0]:,}" if rest else "a count of"
        expected = f"expected a relation, a count and {many} entities"
        raise FormatError.at(place, line, expected, f"found {max(len(rest) - 1, 0):,} entities")
    return [relation, *rest[1:]]
