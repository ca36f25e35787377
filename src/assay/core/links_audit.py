"""`LinksAudit`: what there is to know about the splits of a knowledge graph before any link is predicted."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.audit import LEVELS, Finding, Level
from assay.core.shown import Shown

Triple = tuple[str, str, str]
"""Head, relation, tail, by name."""


@dataclass(frozen=True, slots=True)
class SplitAudit:
    """One split: its triples, and how many of them can be answered, or cannot be learned, from train.

    `triples` counts each triple once, `repeats` the rows left out because they stood before. Of the triples:
    `in_train` are triples of train too, `at_other_time` are so at another time (None where triples have no times);
    `reversed` have their two entities the other way round in train, under
    any relation; `symmetric` under the same relation; `inverse` under one that is an inverse by the audit's
    threshold; `same_pair` have their two entities in train in the same direction under another relation (all
    are None for train itself). `self_loops` have one entity at both ends. `unseen_triples` hold an entity or
    a relation that train does not; `unseen_entities` and `unseen_relations` count those themselves, each once.
    `rare_triples` hold an entity that occurs once in train.
    """

    name: str
    triples: int
    repeats: int
    self_loops: int
    in_train: int | None = None
    at_other_time: int | None = None
    reversed: int | None = None
    symmetric: int | None = None
    inverse: int | None = None
    same_pair: int | None = None
    unseen_triples: int = 0
    unseen_entities: int = 0
    unseen_relations: int = 0
    rare_triples: int = 0

    def share(self, name: str) -> float | None:
        """Return a count as a share of the triples; None where it is not counted or there are none.

        >>> SplitAudit("test", 4, 0, 0, reversed=1).share("reversed")
        0.25
        """
        count: int | None = getattr(self, name)
        return None if count is None or not self.triples else count / self.triples

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class SplitOverlap:
    """The triples that stand in two splits, with some examples."""

    first: str
    second: str
    triples: int
    examples: tuple[Triple, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the overlap as plain data."""
        return asdict(self) | {"examples": [list(triple) for triple in self.examples]}


@dataclass(frozen=True, slots=True)
class RelationPair:
    """Two relations that train links: `shared` pairs of entities stand in both.

    For inverse relations the pair stands the other way round in the second, for relations that say the same in the
    same direction. `of_first` and `of_second` are the shares of the pairs of each that `shared` is; `test` counts
    the test triples of either that the other one answers from train.
    """

    first: str
    second: str
    shared: int
    of_first: float
    of_second: float
    test: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return the pair as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class RelationAudit:
    """One relation: its triples by split, and its shape in train.

    `heads` and `tails` count its entities on each side; `symmetric` is the share of its pairs that stand there the
    other way round as well; `filled` the share of all heads × all tails that are triples (None where train has
    none, or only one head or one tail).
    """

    name: str
    train: int
    valid: int
    test: int
    heads: int
    tails: int
    symmetric: float | None
    filled: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the relation as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LinksAudit(Shown):
    """What is known about a knowledge graph before any link is predicted: findings, and the counts behind.

    `entities` and `relations` count all that have a number, `seen_entities` and `seen_relations` those that train
    holds, `unseen_entities` those of the other splits that it does not, `unused_entities` those that no split
    holds, `single_entities` those that stand in one triple of train. `missing` names the splits that were not
    given. `overlaps` has each two splits; `inverse`, `duplicate`, `symmetric` and `cartesian` the relations whose
    share reaches `threshold` (`filled` its own `cartesian_threshold`), most test triples first; `per_relation`
    all relations, most test triples first.
    """

    graph: str
    entities: int
    relations: int
    seen_entities: int
    seen_relations: int
    unseen_entities: int
    unused_entities: int
    single_entities: int
    splits: tuple[SplitAudit, ...]
    missing: tuple[str, ...]
    overlaps: tuple[SplitOverlap, ...]
    inverse: tuple[RelationPair, ...]
    duplicate: tuple[RelationPair, ...]
    symmetric: tuple[RelationAudit, ...]
    cartesian: tuple[RelationAudit, ...]
    per_relation: tuple[RelationAudit, ...]
    threshold: float
    cartesian_threshold: float
    findings: tuple[Finding, ...] = ()

    def split(self, name: str) -> SplitAudit | None:
        """Return what is known about one split; None if it was not given."""
        return next((split for split in self.splits if split.name == name), None)

    def count(self) -> dict[Level, int]:
        """Return how many findings each level has."""
        return {level: sum(finding.level == level for finding in self.findings) for level in LEVELS}

    def of(self, code: str) -> tuple[Finding, ...]:
        """Return the findings of one kind."""
        return tuple(finding for finding in self.findings if finding.code == code)

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        plain = ("graph", "entities", "relations", "seen_entities", "seen_relations", "unseen_entities",
                 "unused_entities", "single_entities", "threshold", "cartesian_threshold")  # fmt: skip
        listed = ("splits", "overlaps", "inverse", "duplicate", "symmetric", "cartesian", "per_relation", "findings")
        return {
            "assay": __version__,
            **{name: getattr(self, name) for name in plain},
            "missing": list(self.missing),
            "counts": dict(self.count()),
            **{name: [one.to_dict() for one in getattr(self, name)] for name in listed},
        }

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {level}s" for level, count in self.count().items())
        return f"LinksAudit({self.graph!r}, {counts})"
