"""`rank`: each triple's place among its rivals, and `Ranking`, the table that every measure reads."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
import polars as pl

from assay.core.hits import Flags, Floats, Ints
from assay.core.progress import Progress, part_of
from assay.engines.backends.spark_counts import in_spark
from assay.engines.blocks import BLOCK, Counts, count
from assay.errors import FormatError, ParameterError, UnknownNameError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.base import Model
from assay.tasks.links.protocol import Protocol, Side
from assay.tasks.links.questions import Constrained, Questions, kept, questions

Ties = Literal["realistic", "optimistic", "pessimistic"]
RANKS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "realistic": lambda greater, equal: greater + 1 + equal / 2,
    "optimistic": lambda greater, _: greater + 1,
    "pessimistic": lambda greater, equal: greater + 1 + equal,
}
PREFIX = {"filtered": "", "raw": "raw_", "time": "time_", "typed": "typed_"}
ABOUT = "assay.ranking"
"""Where a Parquet file says under what conventions its table was made."""
SIDES: tuple[Side, ...] = ("tail", "head")


@dataclass(frozen=True, eq=False)
class Ranking:
    """Where a model ranks each true entity: one row for each triple and side, all tails, then all heads.

    The columns of `table` are `side`, `head`, `relation`, `tail` (numbers), `query` (the number of the question:
    equal questions have the same), `target`, `score`, and for each way of choosing the candidates how many score
    higher than the target, how many alike, and how many there are with the target: `greater`, `equal`,
    `candidates` (filtered: without other true answers), `raw_…` (all), `list_…` (without what other splits answer:
    one list of all answers of this one), `time_…` (without what is true at the same time) and `typed_…` (of the
    right type, filtered), where `typed_inside` tells whether the target is one of them. `dropped` triples held an
    unseen entity or relation; `nan` scores were no numbers. `candidates` says where constrained ones are from.
    """

    table: pl.DataFrame
    graph: KnowledgeGraph
    protocol: Protocol
    model: str
    nan: int = 0
    dropped: int = 0
    candidates: str | None = None

    def ranks(self, kind: Ties = "realistic", protocol: str = "filtered") -> Floats:
        """Return the rank of each row, shape (rows,): 1 is best; infinity for a miss.

        "optimistic" is greater + 1, "pessimistic" greater + 1 + equal, "realistic" their mean. A miss is a target
        outside its constrained candidates, unless the protocol adds it.

        Raises
        ------
        UnknownNameError
            A kind or a protocol that does not exist, or that was not counted.
        """
        if kind not in RANKS:
            raise UnknownNameError.of("kind of rank", kind, RANKS)
        counted = [name for name, prefix in PREFIX.items() if f"{prefix}greater" in self.table.columns]
        if protocol not in counted:
            raise UnknownNameError.of("protocol of this ranking", protocol, counted)
        greater, equal = (self.table[PREFIX[protocol] + name].to_numpy() for name in ("greater", "equal"))
        ranks = RANKS[kind](greater.astype(np.float64), equal.astype(np.float64))
        if protocol == "typed" and self.protocol.outside == "miss":
            ranks = np.where(self.table["typed_inside"].to_numpy(), ranks, np.inf)
        return ranks

    def write_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the table, with protocol, model and what was left out beside it, as Parquet."""
        about = {
            "protocol": self.protocol.to_dict(), "model": self.model, "nan": self.nan, "dropped": self.dropped,
            "candidates": self.candidates,
            "entities": self.graph.entities.len(), "relations": self.graph.relations.len(),
        }  # fmt: skip
        self.table.write_parquet(Path(path), metadata={ABOUT: json.dumps(about)})

    @classmethod
    def read_parquet(cls, path: str | os.PathLike[str], graph: KnowledgeGraph) -> Self:
        """Read what `write_parquet` wrote of a ranking of this graph.

        Raises
        ------
        FormatError
            A file that holds no ranking, or one of a graph with another number of entities.
        """
        about = json.loads(pl.read_parquet_metadata(Path(path)).get(ABOUT, "{}"))
        if not about or about.pop("entities") != graph.entities.len():
            found = "none" if not about else "one of another graph"
            raise FormatError.at(str(path), None, f"expected a ranking of {graph.name}", f"found {found}")
        about.pop("relations", None)
        stated = about.pop("protocol")
        protocol = Protocol(**stated | {name: tuple(stated[name]) for name in ("sides", "known")})
        return cls(pl.read_parquet(Path(path)), graph, protocol, **about)


def rank(
    graph: KnowledgeGraph,
    model: Model,
    protocol: Protocol | None = None,
    *,
    constrained: Constrained | None = None,
    block: int = BLOCK,
    compiled: bool | None = None,
    progress: Progress | None = None,
    spark: Any = None,
) -> Ranking:
    """Rank the true entity of each triple of a split among all entities, or those that a filter leaves.

    Equal questions are scored once. One pass gives raw and filtered counts, those of a graph with times also by
    time, and with `constrained` (entities by side and relation) those of the right type. The counts do not depend
    on `block`, the number of questions at a time, nor on `compiled`, whether numba helps (see `count`). `progress` is
    told how many ranks are counted, and of how many.

    With a session of `spark`, the entity vectors are counted by its tasks, one for each file, with the same result;
    questions and the scores of their answers are made here. The model must have its entities in files
    (`read_embeddings("entities-*.npy")`), which each worker opens by the same paths; it also needs Assay installed
    (or sent with `--py-files`). TransH and TransR, which see entities through the relation, are refused.

    Raises
    ------
    ParameterError
        A model with another number of entities than the graph; no triples to ask about; with `spark`, entities that
        are in no files.
    RunError
        Scores that are no finite numbers, unless the protocol says that they are the worst; an error of Spark.
    """
    protocol = protocol or Protocol()
    if model.entities != graph.entities.len():
        raise ParameterError(
            f"model {model.name}: expected one vector for each of the {graph.entities.len():,} entities of the graph, "
            f"found {model.entities:,}"
        )
    flags = kept(graph, protocol, protocol.split)
    if not flags.any():
        raise ParameterError(f"{graph.name}: expected triples of the split {protocol.split} to rank, found none")
    triples = graph.splits[protocol.split][flags]
    tables: list[pl.DataFrame] = []
    nan, first = 0, 0
    for side in SIDES:
        if side not in protocol.sides:
            continue
        asked = questions(graph, protocol, side, constrained)
        counts = count(
            model.batches(side, asked.entity, asked.relation), asked.targets, asked.lists,
            entities=model.entities, block=block, nan=protocol.nan, compiled=compiled,
            across=None if spark is None else in_spark(spark),
            progress=part_of(progress, len(tables), len(protocol.sides), len(protocol.sides) * len(triples)),
        )  # fmt: skip
        tables.append(_table(side, triples, _Side(asked, counts, model.entities), first, model.offset))
        nan, first = nan + counts.nan, first + len(asked.entity)
    return Ranking(pl.concat(tables), graph, protocol, model.name, nan, int((~flags).sum()))


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """What was counted for one side; each answer has one entry for each triple."""

    asked: Questions
    counts: Counts
    entities: int

    def table(self) -> dict[str, Ints | Flags]:
        """Return the columns that are counts."""
        columns = self.columns("raw_", self.all()) | self.columns("", self.all() - self.held("known"))
        columns |= self.columns("list_", self.all() - self.held("known") + self.held("known answers"))
        if "time" in self.asked.lists:
            columns |= self.columns("time_", self.all() - self.held("time"))
        if "typed" in self.asked.lists:
            columns |= self.columns("typed_", self.held("typed") - self.held("typed known"))
            columns["typed_inside"] = self.asked.lists["typed"].has(self.asked.question, self.asked.target)
        return columns

    def columns(self, prefix: str, counted: Ints) -> dict[str, Ints | Flags]:
        """Name what was counted; the target is a candidate too."""
        return {f"{prefix}greater": counted[0], f"{prefix}equal": counted[1], f"{prefix}candidates": counted[2] + 1}

    def all(self) -> Ints:
        """Return how many candidates score higher, alike, and how many there are but the target; shape (3, triples)."""
        places = self.asked.places()
        many = np.full(len(places), self.entities - 1)
        everything = np.stack([self.counts.greater[places], self.counts.equal[places], many])
        return everything - self.held("unseen") if "unseen" in self.asked.lists else everything

    def held(self, name: str) -> Ints:
        """Return the same within a list of the question."""
        places, lists = self.asked.places(), self.asked.lists[name]
        greater, equal = self.counts.within[name]
        own = lists.has(self.asked.question, self.asked.target)
        return np.stack([greater[places], equal[places], lists.sizes(self.asked.question) - own])


def _table(side: Side, triples: Ints, counted: _Side, first: int, offset: float) -> pl.DataFrame:
    """Return the rows of one side, whose questions are numbered from `first` on."""
    asked, places = counted.asked, counted.asked.places()
    return pl.DataFrame({
        "side": np.full(len(triples), side), "head": triples[:, 0], "relation": triples[:, 1], "tail": triples[:, 2],
        "query": asked.question + first, "target": asked.target, "score": counted.counts.score[places] + offset,
        **counted.table(),
    })  # fmt: skip
