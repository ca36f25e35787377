"""`Predictions`: a saved list of scored triples as a model."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
import polars as pl

from assay.core.columns import SCORE, recognise
from assay.core.frames import is_frame, to_polars
from assay.core.judged import Floats, Ints
from assay.engines.blocks import Batch, Matrix
from assay.errors import FormatError, InputError
from assay.formats.binary import read_binary
from assay.formats.compression import seems_packed
from assay.formats.source import Source
from assay.formats.triple_lines import NAMES
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Side

COLUMNS = {name: NAMES[name] for name in ("head", "relation", "tail")} | {"score": SCORE}
SEPARATORS = "\t,; "


@dataclass(frozen=True, eq=False)
class Predictions(Model):
    """Scored triples, each once: candidates of a question that are not listed come after all that are.

    `triples` are numbers of shape (rows, 3), head, relation, tail; `values` their scores, shape (rows,), higher is
    better. What is not listed has one score below the lowest of the list, so it ties: a target outside the list has the
    mean rank of all that are outside. A list of tails answers questions for heads only as far as it happens to.

    >>> rows = pl.DataFrame({"head": ["a", "a"], "relation": ["r", "r"], "tail": ["b", "a"], "score": [0.9, 0.2]})
    >>> model = Predictions.of(rows, pl.Series(["a", "b", "c"]), pl.Series(["r"]))
    >>> model.by_the_book([0, 0, 0], [0, 0, 0], [0, 1, 2]).tolist()
    [0.2, 0.9, -0.8]
    """

    triples: Ints
    values: Floats
    number_of_entities: int
    number_of_relations: int
    name: str = "predictions"

    def __post_init__(self) -> None:
        self.check(self.triples[:, [0, 2]], self.triples[:, 1])

    @classmethod
    def of(cls, given: Any, entities: pl.Series, relations: pl.Series) -> Self:
        """Read a file (CSV, TSV, Parquet, Arrow) or take a frame with the columns head, relation, tail, score.

        `entities` and `relations` are the names in the order of their numbers, as a graph has them. A text file
        without a line of names has the four columns in this order.

        Raises
        ------
        InputError
            A column that is missing, a name that is unknown, a triple with two scores, a score that is no number.
        """
        place = os.fspath(given) if isinstance(given, str | os.PathLike) else "predictions"
        table = to_polars(given) if is_frame(given) else _read(Source.open(place))
        found = recognise(table.columns, COLUMNS, place)
        rows = _numbered(table.select(pl.col(name).alias(column) for column, name in found.items()), place)
        rows = _looked_up(rows, {"head": entities, "relation": relations, "tail": entities}, place)
        rows = rows.unique(maintain_order=True)
        twice = rows.select("head", "relation", "tail").is_duplicated()
        if twice.any():
            head, relation, tail, _ = rows.row(int(twice.arg_true()[0]))
            triple = f"({entities[head]}, {relations[relation]}, {entities[tail]})"
            msg = f"{place}: expected one score for each triple, found several for {triple}"
            raise InputError(msg)
        triples = rows.select("head", "relation", "tail").to_numpy().astype(np.int64)
        return cls(triples, rows["score"].to_numpy(), entities.len(), relations.len())

    @property
    def entities(self) -> int:
        """How many entities there are, listed or not."""
        return self.number_of_entities

    @property
    def relations(self) -> int:
        """How many relations there are."""
        return self.number_of_relations

    def batches(self, side: Side, entity: Ints, relation: Ints) -> Iterator[Batch]:
        """Yield one batch, whose scores are spread out some rows at a time."""
        self.check(entity, relation)

        def score(places: Ints) -> Matrix:
            return self._scores(side, entity[places], relation[places])

        yield Batch(np.arange(len(entity), dtype=np.int64), "scores", score=score)

    def by_the_book(self, head: Ints, relation: Ints, tail: Ints) -> Floats:
        """Return the score of each triple, listed or not."""
        listed = {tuple(row): value for row, value in zip(self.triples.tolist(), self.values.tolist(), strict=True)}
        wanted = zip(*(np.asarray(numbers).tolist() for numbers in (head, relation, tail)), strict=True)
        return np.array([listed.get(row, self._below) for row in wanted], np.float64)

    @property
    def _below(self) -> float:
        """The score of what is not listed."""
        lowest = float(np.nanmin(self.values)) if np.any(~np.isnan(self.values)) else 0.0
        return min(lowest - 1.0, float(np.nextafter(lowest, -np.inf)))

    def _scores(self, side: Side, entity: Ints, relation: Ints) -> Floats:
        keys, order, answers = self._by_side[side]
        wanted = entity * self.relations + relation
        first, last = (np.searchsorted(keys, wanted, side=end) for end in ("left", "right"))
        rows = np.repeat(np.arange(len(entity)), last - first)
        within = np.arange(len(rows)) - np.repeat(np.cumsum(last - first) - (last - first), last - first)
        places = order[np.repeat(first, last - first) + within]
        scores = np.full((len(entity), self.entities), self._below)
        scores[rows, answers[places]] = self.values[places]
        return scores

    @cached_property
    def _by_side(self) -> dict[str, tuple[Ints, Ints, Ints]]:
        """For each side the sorted numbers of the questions, the rows they stand in, and the answer of each row."""
        sides = {}
        for side, asked, answer in (("tail", 0, 2), ("head", 2, 0)):
            keys = self.triples[:, asked] * self.relations + self.triples[:, 1]
            order = np.argsort(keys, kind="stable").astype(np.int64)
            sides[side] = (keys[order], order, self.triples[:, answer])
        return sides


def _read(source: Source) -> pl.DataFrame:
    """Read a table of text, with or without a line of names, or a binary one."""
    binary = read_binary(source)
    if binary is not None:
        return binary
    first = source.head.partition(b"\n")[0].decode(errors="replace").rstrip("\r")
    separator = max(SEPARATORS, key=first.count)
    cells = [cell.strip().lower() for cell in first.split(separator)]
    named = all(any(cell in known for cell in cells) for known in COLUMNS.values())
    if not named and len(cells) != len(COLUMNS):
        expected = f"expected {len(COLUMNS)} columns ({' '.join(COLUMNS)})"
        raise FormatError.at(source.path, 1, expected, f"found {len(cells)}: {first[:80]!r}")
    schema = cells if named else list(COLUMNS)
    content = source.read()
    if seems_packed(content):
        msg = f"{source.path}: expected a table of text, found bytes that are packed within"
        raise FormatError(msg, hint="unpack it first; else begin with a line of names.")
    quote = '"' if separator in ",;" else None
    try:
        return pl.read_csv(
            content, separator=separator, has_header=False, skip_rows=int(named), quote_char=quote,
            schema=dict.fromkeys(schema, pl.String),
        )  # fmt: skip
    except pl.exceptions.PolarsError as error:
        said = str(error).partition("\n")[0]
        msg = f"{source.path}: expected {len(schema)} columns in every line, found an error: {said}"
        raise FormatError(msg) from None


def _numbered(rows: pl.DataFrame, place: str) -> pl.DataFrame:
    """Make the scores numbers."""
    scores = rows["score"].cast(pl.Float64, strict=False)
    if scores.null_count():
        row = int(scores.is_null().arg_true()[0])
        msg = f"{place}, row {row + 1}: expected a score, found {rows['score'][row]!r}"
        raise FormatError(msg)
    return rows.with_columns(scores)


def _looked_up(rows: pl.DataFrame, names: dict[str, pl.Series], place: str) -> pl.DataFrame:
    """Replace names by their numbers."""
    for column, known in names.items():
        given = rows[column].cast(pl.String)
        places = pl.DataFrame({"name": known.cast(pl.String)}).with_row_index("number")
        numbers = given.to_frame("name").join(places, on="name", how="left", maintain_order="left")["number"]
        if numbers.null_count():
            row = int(numbers.is_null().arg_true()[0])
            kind = "relation" if column == "relation" else "entity"
            msg = f"{place}, row {row + 1}: expected the name of one of {known.len():,} {kind}s, found {given[row]!r}"
            hint = "predictions name entities and relations as the triples do."
            raise InputError(msg.replace("entitys", "entities"), hint=hint)
        rows = rows.with_columns(numbers.cast(pl.Int64).alias(column))
    return rows
