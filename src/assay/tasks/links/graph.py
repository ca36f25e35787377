"""`KnowledgeGraph`: triples by split, as numbers, and the names behind them."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.frames import is_frame, to_polars
from assay.errors import InputError, UnknownNameError
from assay.formats.triples import Triples, frame_triples, read_triples
from assay.tasks.links.keys import Flags, Ints, first_of_each, unique_rows
from assay.tasks.links.numbering import Names, numbered
from assay.tasks.links.protocol import SPLITS


@dataclass(frozen=True, eq=False)
class KnowledgeGraph:
    """Triples (head, relation, tail) by split; entities and relations are numbered from 0.

    `entities` and `relations` are their names in the order of the numbers; `splits` maps train, valid and test to
    arrays of shape (triples, 3). `times` holds for each split that has them the time of each triple, shape
    (triples,). The numbers are rows of the embedding matrices. `repeats` holds the rows that stood in a split
    before, shape (repeats, 3); `literals` counts RDF statements that are no links; neither is in `splits`.

    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1], [1, 0, 2]], test=[[0, 0, 2]])
    >>> graph.entities.len(), graph.triples("train", "test").shape
    (3, (3, 3))
    """

    entities: pl.Series
    relations: pl.Series
    splits: Mapping[str, Ints]
    times: Mapping[str, Ints] = field(default_factory=dict)
    name: str = "graph"
    repeats: Mapping[str, Ints] = field(default_factory=dict)
    literals: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def read(
        cls,
        train: Any,
        valid: Any = None,
        test: Any = None,
        *,
        format: str | None = None,  # noqa: A002 - as --format
        entities: Names = None,
        relations: Names = None,
        labels: bool = False,
        name: str | None = None,
    ) -> Self:
        """Read the splits of a graph: paths, frames of any library, or arrays of shape (triples, 3 or 4).

        Parameters
        ----------
        train, valid, test
            TSV, CSV or blanks between columns, with or without a line of names (head, relation, tail, time);
            OpenKE's numbers; Parquet or Arrow; N-Triples or Turtle; plain or packed. Arrays and columns of whole
            numbers hold row numbers, text holds names. Each triple of a split is kept once.
        format
            The format of the files, where their content does not tell.
        entities, relations
            What numbers the names: a file (JSON `{name: number}`, OpenKE's entity2id, one name per line), a
            mapping, names in their order, or a count: then the triples hold row numbers. Without it, by first
            appearance, head before tail, train before valid before test. With names, the triples hold names, or
            row numbers where none of their cells is a name.
        labels
            Call the things of RDF files by their rdfs:label, where they have one that no other has, not by their IRI.
        name
            What the graph is called in results; else the folder of the training file.

        Raises
        ------
        InputError
            A file that cannot be read, a line that is no triple, a name that has no number.
        """
        given = {split: one for split, one in zip(SPLITS, (train, valid, test), strict=True) if one is not None}
        read = {split: _as_triples(one, split, format) for split, one in given.items()}
        read = _labelled(read) if labels else read
        return cls._of(read, entities, relations, name or _name_of(train))

    @classmethod
    def from_arrays(
        cls,
        train: Any,
        valid: Any = None,
        test: Any = None,
        *,
        entities: Names = None,
        relations: Names = None,
        name: str = "graph",
    ) -> Self:
        """Make a graph of arrays or lists of (head, relation, tail) or (head, relation, tail, time).

        Numbers are rows; text is names. Without `entities`, there are as many as the highest number says.
        """
        return cls.read(train, valid, test, entities=entities, relations=relations, name=name)

    @classmethod
    def _of(cls, read: Mapping[str, Triples], entities: Names, relations: Names, name: str) -> Self:
        parts = list(read.values())
        things, ends = numbered(parts, ("head", "tail"), entities, "entities")
        kinds, middles = numbered(parts, ("relation",), relations, "relations")
        times = _times(read)
        splits, repeats = {}, {}
        for split, pair, kind in zip(read, ends, middles, strict=True):
            rows = np.column_stack([pair[:, 0], kind[:, 0], pair[:, 1]])
            first = first_of_each(np.column_stack([rows, times[split]]) if split in times else rows)
            splits[split], repeats[split] = rows[first], rows[~first]
            if split in times:
                times[split] = times[split][first]
        literals = {split: part.literals for split, part in read.items() if part.literals}
        return cls(things, kinds, splits, times, name, repeats, literals)

    def triples(self, *splits: str) -> Ints:
        """Return the triples of these splits (without one, of all), each once, sorted; shape (triples, 3).

        Raises
        ------
        UnknownNameError
            A split that is none of train, valid, test. One that the graph lacks adds nothing.
        """
        for split in splits:
            if split not in SPLITS:
                raise UnknownNameError.of("split", split, SPLITS)
        rows = [self.splits[split] for split in splits or SPLITS if split in self.splits]
        return unique_rows(np.concatenate(rows)) if rows else np.zeros((0, 3), np.int64)

    def facts(self, split: str) -> Ints:
        """Return the triples of a split, with their times where there are any; shape (triples, 3) or (triples, 4)."""
        rows = self.splits[split]
        return np.column_stack([rows, self.times[split]]) if self.times else rows

    def named(self, rows: Ints) -> list[tuple[str, str, str]]:
        """Return triples of numbers, shape (triples, 3), as names."""
        heads, tails = self.entities.gather(rows[:, 0]), self.entities.gather(rows[:, 2])
        return list(zip(heads, self.relations.gather(rows[:, 1]), tails, strict=True))

    def seen(self) -> tuple[Flags, Flags]:
        """Tell for each entity and each relation whether train holds it; shapes (entities,) and (relations,)."""
        return self._seen

    @cached_property
    def _seen(self) -> tuple[Flags, Flags]:
        train = self.splits["train"] if "train" in self.splits else np.zeros((0, 3), np.int64)
        entities, relations = np.zeros(self.entities.len(), np.bool_), np.zeros(self.relations.len(), np.bool_)
        entities[train[:, [0, 2]]] = True
        relations[train[:, 1]] = True
        return entities, relations

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(rows):,} {split}" for split, rows in self.splits.items())
        return (
            f"KnowledgeGraph({self.name!r}, {self.entities.len():,} entities, "
            f"{self.relations.len():,} relations, {counts})"
        )


def _as_triples(given: Any, split: str, form: str | None) -> Triples:
    """Return one split as it was given."""
    if isinstance(given, Triples):
        return given
    if isinstance(given, str | os.PathLike):
        return read_triples(given, form)
    if is_frame(given):
        return frame_triples(to_polars(given), split)
    rows = _as_array(given, split)
    names = ["head", "relation", "tail", "time"][: rows.shape[1]]
    return frame_triples(pl.DataFrame(rows, schema=names, orient="row"), split)


def _as_array(given: Any, split: str) -> NDArray[Any]:
    """Return rows of three or four columns, of numbers or of text."""
    try:
        rows = np.asarray(given)
    except ValueError:
        msg = f"{split}: expected rows of equal length (head, relation, tail), found some longer than others"
        raise InputError(msg) from None
    if rows.size == 0:
        return np.zeros((0, 3), np.int64)
    if rows.ndim != 2 or rows.shape[1] not in {3, 4}:
        msg = f"{split}: expected rows of head, relation, tail (and time), found an array of shape {rows.shape}"
        raise InputError(msg)
    return rows if rows.dtype.kind in "iuf" else rows.astype(str)


def _name_of(train: Any) -> str:
    folder = Path(train).resolve().parent.name if isinstance(train, str | os.PathLike) else ""
    return folder or "graph"


def _labelled(read: Mapping[str, Triples]) -> dict[str, Triples]:
    """Return the triples with labels in place of IRIs; a label that two things share names neither."""
    labels: dict[str, str] = {}
    for part in read.values():
        labels |= {iri: label for iri, label in part.labels.items() if iri not in labels}
    things = pl.DataFrame(
        {"iri": list(labels), "label": list(labels.values())}, schema=dict.fromkeys(("iri", "label"), pl.String)
    )
    own = things.filter(~pl.col("label").is_duplicated())
    return {
        split: Triples(
            part.table.with_columns(
                pl.col(column).replace(own["iri"], own["label"])
                for column in ("head", "relation", "tail")
                if part.table[column].dtype == pl.String
            ),
            part.place, part.format, part.lines, part.literals, part.labels,
        )
        for split, part in read.items()
    }  # fmt: skip


def _times(read: Mapping[str, Triples]) -> dict[str, Ints]:
    """Return the times as numbers: whole numbers as they are, all else in the order of the text, from 0.

    Raises
    ------
    InputError
        Times in some of the splits only.
    """
    timed = {split: part.table["time"] for split, part in read.items() if "time" in part.table.columns}
    if not timed:
        return {}
    if lacking := [split for split in read if split not in timed]:
        msg = f"{read[lacking[0]].place}: expected a time in every split, as in {next(iter(timed))}, found none"
        raise InputError(msg)
    whole = {split: column.cast(pl.Int64, strict=False) for split, column in timed.items()}
    if any(column.null_count() for column in whole.values()):
        texts = pl.concat(list(timed.values())).unique().sort()
        whole = {split: texts.search_sorted(column).cast(pl.Int64) for split, column in timed.items()}
    return {split: column.to_numpy().copy() for split, column in whole.items()}
