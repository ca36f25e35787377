"""Breakdowns of link ranks: groups of one table by relation, side, category, degree or entity type."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import polars as pl

from assay.compare.grouping import groupings_of
from assay.core.estimates import Interval
from assay.core.evaluation import Evaluation
from assay.core.judged import Ints
from assay.core.sample import Sample
from assay.core.slices import SliceFigure, Slicing
from assay.errors import FormatError, InputError, ParameterError, UnknownNameError
from assay.formats.source import Source
from assay.tasks.links.figures import figure_of, part_of
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.intervals import MANY as MANY_QUESTIONS
from assay.tasks.links.judged import named_rows
from assay.tasks.links.ranking import Ranking

BY = ("relation", "side", "category", "degree", "type")
"""What ranks can be grouped by."""
THRESHOLD = 1.5
"""More tails per head than this on average, and a relation is 1-N; more heads per tail, and it is N-1."""
UNSEEN = "not in train"
MANY = 300
"""Beyond so many figures intervals are Student's: a resample of each would take minutes."""

Types = Mapping[str, Iterable[str]]


def categories_of(
    graph: KnowledgeGraph, *, splits: Sequence[str] = ("train",), threshold: float = THRESHOLD
) -> pl.Series:
    """Return the category of each relation by the mean numbers of tails per head and of heads per tail.

    The splits that are counted and the threshold change the category of some relations; tools differ in both.

    >>> graph = KnowledgeGraph.from_arrays([[0, 0, 1], [0, 0, 2], [3, 1, 1]])
    >>> categories_of(graph).to_list()
    ['1-N', '1-1']
    """
    triples = pl.DataFrame(graph.triples(*splits), schema=["head", "relation", "tail"], orient="row")
    counted = triples.group_by("relation").agg(
        n=pl.len(), heads=pl.col("head").n_unique(), tails=pl.col("tail").n_unique()
    )
    many_tails, many_heads = (pl.col("n") / pl.col(side) > threshold for side in ("heads", "tails"))
    named = counted.select(
        "relation",
        category=pl.format(
            "{}-{}",
            pl.when(many_heads).then(pl.lit("N")).otherwise(pl.lit("1")),
            pl.when(many_tails).then(pl.lit("N")).otherwise(pl.lit("1")),
        ),
    )
    every = pl.DataFrame({"relation": np.arange(len(graph.relations), dtype=np.int64)})
    return every.join(named, on="relation", how="left", maintain_order="left")["category"].fill_null(UNSEEN)


def degrees_of(graph: KnowledgeGraph, split: str = "train") -> Ints:
    """Return in how many triples of a split each entity stands, as head or as tail, shape (entities,)."""
    triples = graph.splits.get(split, np.zeros((0, 3), np.int64))
    return np.bincount(triples[:, [0, 2]].ravel(), minlength=len(graph.entities)).astype(np.int64)


def read_types(path: str | os.PathLike[str]) -> dict[str, list[str]]:
    """Read the types of entities: JSON `{entity: type or [types]}`, or rows of an entity and a type, tabs or commas.

    Raises
    ------
    InputError
        A file that cannot be read, or a row without two cells.
    """
    source = Source.open(path)
    text = source.read().decode("utf-8-sig", "replace")
    if text.lstrip().startswith("{"):
        return {name: _types_of(name, given, source) for name, given in _json(text, source).items()}
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        cells = line.split("\t" if "\t" in line else ",")
        if len(cells) != 2 and line.strip():
            raise FormatError.at(source.path, number, "expected an entity and its type", f"found {line[:60]!r}")
        if len(cells) == 2 and (number > 1 or [cell.strip().lower() for cell in cells] != ["entity", "type"]):
            found.setdefault(cells[0].strip(), []).append(cells[1].strip())
    return found


def _types_of(name: str, given: Any, source: Source) -> list[str]:
    found = given if isinstance(given, list) else [given]
    if not all(isinstance(one, str) for one in found):
        raise FormatError(f"{source.path}: expected a type or a list of types of {name!r}, found {given!r:.60}")
    return found


def _json(text: str, source: Source) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{source.path}: expected JSON of entities and types, found none: {problem}") from None
    return dict(found)


def columns_of(ranking: Ranking, by: Iterable[str], types: Types | None = None) -> pl.DataFrame:
    """Return for each ranked triple its name (`query`) and what it is grouped by, a column for each, sorted by name.

    Types come as lists: an entity may have several. Raises UnknownNameError for a breakdown that does not exist.
    """
    rows = named_rows(ranking)
    return pl.DataFrame({"query": rows["name"], **{name: _column(ranking, rows, name, types) for name in by}})


def _column(ranking: Ranking, rows: pl.DataFrame, by: str, types: Types | None) -> pl.Series:
    graph = ranking.graph
    if by == "relation":
        return graph.relations.gather(rows["relation"]).cast(pl.String)
    if by == "side":
        return rows["side"]
    if by == "category":
        category = categories_of(graph).gather(rows["relation"])
        return pl.select(pl.format("{} {}", category, rows["side"])).to_series()
    if by == "degree":
        return pl.Series(degrees_of(graph)[rows["target"].to_numpy()])
    if by == "type":
        return _types(graph.entities.gather(rows["target"]), types)
    raise UnknownNameError.of("breakdown", by, BY)


def _types(targets: pl.Series, types: Types | None) -> pl.Series:
    if types is None:
        raise ParameterError("by type: expected the types of entities, found none", hint="types={entity: [type, …]}.")
    known = {name: sorted({str(one) for one in given}) for name, given in types.items()}
    found = [known.get(str(target)) or None for target in targets]
    if not any(found):
        raise ParameterError(f"by type: expected types of entities such as {targets[0]!r}, found none of them")
    return pl.Series(found, dtype=pl.List(pl.String))


def breakdowns_of(
    ranking: Ranking,
    evaluation: Evaluation,
    by: Iterable[str],
    *,
    types: Types | None = None,
    level: float | None = None,
    seed: int = 0,
) -> tuple[Slicing, ...]:
    """Return every measure of an evaluation per triple in each group, with intervals where a level is given.

    Groups: each relation; each side; each category and side; four parts of about equal size by the degree of the
    true entity in train; each type of the true entity, which may stand in several.
    """
    names = list(dict.fromkeys(by))
    columns = columns_of(ranking, names, types)
    return tuple(_slicing(name, columns.select("query", name), evaluation, level, seed) for name in names)


def _slicing(by: str, column: pl.DataFrame, evaluation: Evaluation, level: float | None, seed: int) -> Slicing:
    groups = _groups(by, column)
    parts = [
        (label, name, _part(sample, places, column["query"]))
        for name, sample in evaluation.samples.items()
        for label, places in groups.items()
    ]
    found = _intervals([sample for *_, sample in parts], level, seed)
    figures = tuple(
        SliceFigure(label, evaluation.name, name, figure_of(sample), len(sample), interval)
        for (label, name, sample), interval in zip(parts, found, strict=True)
    )
    unassigned = len(column) - len(np.unique(np.concatenate([*groups.values(), np.zeros(0, np.int64)])))
    return Slicing(TITLES[by], {label: len(places) for label, places in groups.items()}, figures, unassigned=unassigned)


TITLES = {
    "relation": "relation",
    "side": "side asked",
    "category": f"category and side (train, more than {THRESHOLD:g})",
    "degree": "degree of the true entity in train",
    "type": "type of the true entity",
}
"""What a breakdown is called in results: with what it was counted on."""


def _groups(by: str, column: pl.DataFrame) -> dict[str, Ints]:
    """Return the places of the rows of each group, groups in the order in which they are shown."""
    place = column.select("query", group=pl.col(by)).with_row_index("place")
    if by == "degree":
        (grouping,) = groupings_of(column, column["query"])
        where = dict(zip(column["query"], range(len(column)), strict=True))
        return {label: np.array([where[q] for q in queries], np.int64) for label, queries in grouping.groups.items()}
    if by == "type":
        place = place.explode("group")
    found = place.drop_nulls("group").group_by("group").agg("place").with_columns(n=pl.col("place").list.len())
    order = {"category": ["group"], "side": ["-group"]}.get(by, ["-n", "group"])
    found = found.sort([name.lstrip("-") for name in order], descending=[name.startswith("-") for name in order])
    return {row["group"]: np.sort(np.array(row["place"], np.int64)) for row in found.iter_rows(named=True)}


def _part(sample: Sample, places: Ints, queries: pl.Series) -> Sample:
    """Return the sample of the rows of these places; a row without a value is in no sample."""
    if len(sample) == len(queries):
        return part_of(sample, places)
    number = np.cumsum(queries.is_in(sample.queries.implode()).to_numpy())
    here = queries.gather(places).is_in(sample.queries.implode()).to_numpy()
    return part_of(sample, number[places[here]] - 1)


def _intervals(samples: Sequence[Sample], level: float | None, seed: int) -> list[Interval]:
    """Return the interval of each figure; none where none was asked for."""
    if level is None:
        return [Interval(None, None, 0.95, "none", len(sample)) for sample in samples]
    from assay.statistics.interval import intervals

    plain = all(sample.aggregate is None for sample in samples)
    large = len(samples) > MANY or any(len(sample) >= MANY_QUESTIONS for sample in samples)
    method: Literal["t", "auto"] = "t" if large and plain else "auto"
    return intervals(samples, level=level, method=method, bounds=[one.bounds for one in samples], seed=seed)
