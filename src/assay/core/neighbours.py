"""What the quality of vectors comes to: their neighbours, hubs and clusters, an index over them, and their drift."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from assay.core.estimates import Interval, Significance
from assay.core.evaluation import Evaluation, Figure
from assay.core.shown import Shown


@dataclass(frozen=True, slots=True)
class VectorFacts:
    """What is in a file of vectors: rows, dimensions, vectors of zeros, and copies of an earlier vector."""

    name: str
    rows: int
    dimensions: int
    zeros: int
    copies: int

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LabelFigure:
    """The neighbours of the items of one label: how many of k have the same label, and how many would by chance."""

    label: str
    items: int
    precision: float
    chance: float

    def to_dict(self) -> dict[str, Any]:
        """Return the figure as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class LabelQuality:
    """Whether neighbours have the same label.

    `chance` is the same figure for neighbours drawn at random, `ceiling` the highest that the sizes of the labels
    allow; `unlabelled` items are neither asked nor right, `alone` are the only ones of their label and not asked.
    """

    evaluation: Evaluation
    chance: float
    ceiling: float
    unlabelled: int
    alone: int
    labels: tuple[LabelFigure, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the quality as plain data."""
        return {
            "measures": {figure.name: figure.to_dict() for figure in self.evaluation.figures},
            "chance": self.chance, "ceiling": self.ceiling, "unlabelled": self.unlabelled, "alone": self.alone,
            "labels": [one.to_dict() for one in self.labels],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class IndexQuality:
    """How many of the k exact neighbours an approximate index finds.

    Places that an index filled with the query itself, with an item a second time, or with one that is not among the
    vectors count as not found; `own`, `repeated` and `unknown` say how many there were, `short` how many lists
    held fewer than k places that count.
    """

    evaluation: Evaluation
    own: int
    repeated: int
    unknown: int
    short: int

    def to_dict(self) -> dict[str, Any]:
        """Return the quality as plain data."""
        return {
            "measures": {figure.name: figure.to_dict() for figure in self.evaluation.figures},
            "queries": len(self.evaluation.scores.table["query"].unique()),
            "own": self.own, "repeated": self.repeated, "unknown": self.unknown, "short": self.short,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hub:
    """An item, and in how many lists of neighbours it stands."""

    name: str
    times: int


@dataclass(frozen=True, slots=True)
class Hubness:
    """How unevenly items are neighbours of others.

    `skewness` is that of how often an item stands in the lists of others (None where all stand equally often);
    `anti_hubs` is the share of items that stand in none, `crowded` the share of all places that the 1 % most
    frequent items take.
    """

    skewness: float | None
    anti_hubs: float
    crowded: float
    hubs: tuple[Hub, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the hubness as plain data."""
        return asdict(self) | {"hubs": [asdict(hub) for hub in self.hubs]}


@dataclass(frozen=True, slots=True)
class Clustering:
    """How clusters and types agree: B-cubed precision, recall and F1, and the adjusted Rand index.

    `items` have both a cluster and a type; `method` says where the clusters come from.
    """

    items: int
    clusters: int
    types: int
    precision: float
    recall: float
    f1: float
    adjusted_rand: float
    method: str = "given"
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the agreement as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourQuality(Shown):
    """The quality of vectors; what was not asked for is None.

    `queries` says of how many vectors neighbours were looked for; `similar` is the evaluation by gold similar sets.
    """

    vectors: VectorFacts
    metric: str
    k: int
    queries: int
    seed: int
    labels: LabelQuality | None = None
    similar: Evaluation | None = None
    index: IndexQuality | None = None
    hubs: Hubness | None = None
    clustering: Clustering | None = None
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None, inputs: Iterable[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return the quality as plain data; `inputs` are the files it was made of, each as role, path and sha256."""
        from assay._version import __version__

        similar = None if self.similar is None else {one.name: one.to_dict() for one in self.similar.figures}
        blocks = {"labels": self.labels, "index": self.index, "hubs": self.hubs, "clustering": self.clustering}
        return {
            "assay": __version__,
            "command": command or [],
            "inputs": list(inputs),
            "seed": self.seed,
            "vectors": self.vectors.to_dict(),
            "metric": self.metric,
            "k": self.k,
            "queries": self.queries,
            "similar": similar,
            **{name: None if block is None else block.to_dict() for name, block in blocks.items()},
            "notices": list(self.notices),
        }


@dataclass(frozen=True, slots=True)
class Moved:
    """An item whose vector moved: by how far, how many of its neighbours it kept, which it gained and lost."""

    name: str
    displacement: float
    overlap: float
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the item as plain data."""
        return asdict(self) | {"gained": list(self.gained), "lost": list(self.lost)}


@dataclass(frozen=True, slots=True)
class TypeDrift:
    """The drift of the items of one type; a displacement of None is that of vectors of zeros."""

    type: str
    items: int
    overlap: float
    displacement: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the drift as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Retraining:
    """Whether drift calls for action, and why.

    `moved`: neighbours are kept less than training again alone explains; `worse`: the measured task lost, beyond
    chance. `signal` is True only if both are, False if either is not, None while it cannot be told; `needs` says what
    is missing. `noise` is the overlap with the twin, `excess` the interval of overlap minus noise, item by item;
    `loss` is the mean change of the task and `task` its test.
    """

    signal: bool | None
    moved: bool | None
    worse: bool | None
    noise: float | None = None
    excess: Interval | None = None
    loss: float | None = None
    task: Significance | None = None
    needs: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the signal as plain data."""
        return asdict(self) | {
            "excess": self.excess.to_dict() if self.excess else None,
            "task": self.task.to_dict() if self.task else None,
            "needs": list(self.needs),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Drift(Shown):
    """What became of the vectors that two versions share.

    `figures` are Overlap@k, Jaccard@k and displacement; `table` has a row for each shared item: name, overlap,
    jaccard, displacement (null for a vector of zeros), and type where types are known.
    """

    old: VectorFacts
    new: VectorFacts
    metric: str
    k: int
    shared: int
    figures: tuple[Figure, ...]
    table: pl.DataFrame
    types: tuple[TypeDrift, ...]
    moved: tuple[Moved, ...]
    retraining: Retraining
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the drift as plain data, without the table."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "old": self.old.to_dict(),
            "new": self.new.to_dict(),
            "metric": self.metric,
            "k": self.k,
            "shared": self.shared,
            "measures": {figure.name: figure.to_dict() for figure in self.figures},
            "types": [one.to_dict() for one in self.types],
            "moved": [one.to_dict() for one in self.moved],
            "retraining": self.retraining.to_dict(),
            "notices": list(self.notices),
        }
