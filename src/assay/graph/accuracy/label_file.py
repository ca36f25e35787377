"""The label file: a CSV of statements to judge, which people fill by hand or a program does for them.

Columns: `id` (of the statement in this sample), `draw`, `stratum`, `weight`, `subject`, `predicate`, `object`, `judge`
(who labels), `label` (empty to fill), `note`, `design` (the same in every row). Others may stand beside them and are
kept. The id is made of the design and the row: a row that was changed since it was drawn is found out. Cells that a
spreadsheet would compute (= + - @) have an apostrophe before them, which is taken off again.
"""

import csv
import hashlib
import io
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from assay.core.accuracy import Design, Drawn
from assay.errors import FormatError, InputError, ParameterError
from assay.formats.cells import mark_of, read_cells
from assay.formats.source import Source

COLUMNS = (
    "id", "draw", "stratum", "weight", "subject", "predicate", "object", "judge", "label", "note", "design",
)  # fmt: skip
NEEDED = frozenset(COLUMNS) - {"judge", "note"}
RIGHT = frozenset({"1", "1.0", "true", "t", "yes", "y", "right", "correct"})
WRONG = frozenset({"0", "0.0", "false", "f", "no", "n", "wrong", "incorrect"})
OPEN = frozenset({"", "?", "unknown", "unsure", "skip"})
COMPUTED = ("=", "+", "-", "@", "\t", "\r")
"""With what a cell begins that a spreadsheet takes for a formula."""


@dataclass(frozen=True, slots=True)
class LabelFile:
    """A drawn sample and what people said of it.

    `rows` are the statements by id, in the order drawn. `labels` say by judge which statements (by id) are right.
    `cells` are the lines of the file as they were, `columns` its heads.
    """

    path: str
    design: Design
    rows: Mapping[str, Drawn]
    labels: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    columns: tuple[str, ...] = COLUMNS
    cells: tuple[Mapping[str, str], ...] = ()

    @classmethod
    def of(cls, design: Design, drawn: Sequence[Drawn], path: str = "labels") -> Self:
        """Make a file to fill."""
        rows = {identity(design, row): row for row in drawn}
        return cls(path, design, rows, cells=tuple(_cells(design, name, row) for name, row in rows.items()))

    def extended(self, drawn: Sequence[Drawn]) -> "LabelFile":
        """Return the file with the statements that it does not hold yet; no label is touched.

        Raises
        ------
        InputError
            A file that holds statements that are not among those drawn.
        """
        longer = LabelFile.of(self.design, drawn)
        if not self.rows.keys() <= longer.rows.keys():
            raise InputError(
                f"{self.path}: expected the first statements of its design, found others",
                hint="begin a new file, or draw at least as many.",
            )
        new = tuple(row for row in longer.cells if row["id"] not in self.rows)
        return LabelFile(self.path, self.design, longer.rows, self.labels, self.columns, self.cells + new)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return what was drawn as plain data, without labels."""
        from assay._version import __version__

        rows = [{"id": name, **row.to_dict()} for name, row in self.rows.items()]
        return {"assay": __version__, "command": command or [], "design": self.design.to_dict(), "rows": rows}

    def text(self) -> str:
        """Return the file as CSV."""
        out = io.StringIO()
        bare = any("\r" in cell for row in self.cells for cell in row.values())  # quoted only in lines that end so
        writer = csv.DictWriter(out, self.columns, extrasaction="ignore", lineterminator="\r\n" if bare else "\n")
        writer.writeheader()
        for row in self.cells:
            writer.writerow({name: _guarded(cell) for name, cell in row.items()})
        return out.getvalue()


def identity(design: Design, row: Drawn) -> str:
    """Return the id of a statement in a sample: 12 digits of the SHA-256 of both."""
    parts = (design.text, str(row.draw), row.stratum, *row.statement)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def read_labels(path: str | os.PathLike[str]) -> LabelFile:
    """Read a label file as it was written or as a spreadsheet saved it (commas, semicolons or tabs).

    A label is 1, true, yes, right or correct; 0, false, no, wrong or incorrect; or empty, ?, unknown, unsure, skip. A
    statement may stand several times, for several judges; without a name, the file is the judge.

    Raises
    ------
    InputError, FormatError
        No such file; a column that is missing; a row that was changed or taken away since it was drawn; another word as
        a label; two labels of one judge for one statement that differ.
    """
    source = Source.open(path)
    columns, lines = _lines(source)
    missing = [name for name in COLUMNS if name in NEEDED and name not in columns]
    if missing:
        raise InputError(
            f"{source.path}: expected the columns of a label file, found none called {', '.join(missing)}",
            hint="assay graph sample writes such a file.",
        )
    if not lines:
        raise InputError(f"{source.path}: expected statements, found none")
    design = _design(lines[0][1], source.path)
    rows: dict[str, Drawn] = {}
    labels: dict[str, dict[str, bool]] = defaultdict(dict)
    for line, row in lines:
        rows[row["id"]] = _drawn(row, design, source.path, line)
        _take_label(labels[row.get("judge", "").strip() or source.stem], row, source.path, line)
    ordered = dict(sorted(rows.items(), key=lambda pair: pair[1].draw))
    _check_draws(ordered, source.path)
    said = {judge: found for judge, found in labels.items() if found}
    return LabelFile(source.path, design, ordered, said, columns, tuple(row for _, row in lines))


def _lines(source: Source) -> tuple[tuple[str, ...], list[tuple[int, dict[str, str]]]]:
    text = source.text()
    rows = read_cells(text, source.path, mark_of(text))
    _, first = next(rows)
    columns = tuple(name.strip() for name in first)
    return columns, [(line, _named(columns, cells, source.path, line)) for line, cells in rows if any(cells)]


def _named(columns: tuple[str, ...], cells: list[str], place: str, line: int) -> dict[str, str]:
    if len(cells) != len(columns):
        raise FormatError.at(place, line, f"expected {len(columns)} columns", f"found {len(cells)}")
    return {name: _bare(cell) for name, cell in zip(columns, cells, strict=True)}


def _design(row: Mapping[str, str], place: str) -> Design:
    try:
        return Design.of(row["design"])
    except ParameterError as error:
        raise InputError(f"{place}: {error.message}") from None


def _drawn(row: Mapping[str, str], design: Design, place: str, line: int) -> Drawn:
    """Return the statement of a row, if it is as it was drawn."""
    try:
        weight, number = float(row["weight"].replace(",", ".")), int(row["draw"])
    except ValueError:
        found = f"found {row['draw']!r} and {row['weight']!r}"
        raise FormatError.at(place, line, "expected numbers as draw and weight", found) from None
    drawn = Drawn(number, row["stratum"], weight, (row["subject"], row["predicate"], row["object"]))
    if row["design"] != design.text:
        found = f"found another design than in the first row: {row['design']!r}"
        raise FormatError.at(place, line, "expected one design", found, hint="samples are not put together by hand.")
    if row["id"] != identity(design, drawn):
        raise FormatError.at(
            place, line, f"expected the statement as it was drawn under the id {row['id']!r}",
            f"found it changed: {' '.join(drawn.statement)[:80]}", hint="only label, judge and note are to be filled.",
        )  # fmt: skip
    return drawn


def _take_label(known: dict[str, bool], row: Mapping[str, str], place: str, line: int) -> None:
    said = row["label"].strip().lower()
    if said in OPEN:
        return
    if said not in RIGHT | WRONG:
        raise FormatError.at(place, line, "expected right, wrong or nothing as a label", f"found {row['label']!r}")
    right = said in RIGHT
    if known.setdefault(row["id"], right) != right:
        raise FormatError.at(place, line, "expected one label of a judge for a statement", "found two that differ")


def _check_draws(rows: Mapping[str, Drawn], place: str) -> None:
    """Find rows that were taken away: draws count from 1, and the weights of a drawn subject sum to 1."""
    parts: dict[int, float] = defaultdict(float)
    for row in rows.values():
        parts[row.draw] += row.weight
    gap = next((number for number in range(1, len(parts) + 1) if number not in parts), None)
    stratified = any(row.stratum for row in rows.values())
    torn = [] if stratified else [number for number, sum_ in parts.items() if abs(sum_ - 1) > 1e-6]
    if gap is not None or torn:
        number = gap if gap is not None else torn[0]
        raise InputError(
            f"{place}: expected all statements of draw {number}, found that rows are missing",
            hint="a statement that cannot be judged keeps its row; its label stays empty.",
        )


def _cells(design: Design, name: str, row: Drawn) -> dict[str, str]:
    said = {key: str(value) for key, value in row.to_dict().items()}
    return {"id": name, "judge": "", "label": "", "note": "", "design": design.text} | said


def _guarded(cell: str) -> str:
    return f"'{cell}" if cell.startswith((*COMPUTED, "'")) else cell


def _bare(cell: str) -> str:
    return cell.removeprefix("'")
