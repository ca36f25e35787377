"""`Completeness`: how much of what should be in a graph is there, at three levels, and what that means to questions."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assay.core.completeness_levels import Demand, DomainLevel, RelationLevel
from assay.core.shown import Shown
from assay.core.terms import Term


@dataclass(frozen=True, slots=True)
class Filled:
    """How many entities of a class have a property that they should have.

    Parameters
    ----------
    class_name, predicate
        Their IRIs.
    why
        What says that the property is expected: shapes, axioms, usage, or all (every pair in use was asked for).
    least
        How many values an entity should have.
    have, of, no_value
        Entities with so many values; entities of the class and its subclasses, less those that are known to have no
        value; and how many these are.
    direct_have, direct_of
        The same of entities whose stated type is the class itself.

    >>> Filled("http://x/Person", "http://x/birthDate", "usage", 1, 45, 50, 0, 45, 50).ratio
    0.9
    """

    class_name: str
    predicate: str
    why: str
    least: int
    have: int
    of: int
    no_value: int
    direct_have: int
    direct_of: int

    @property
    def ratio(self) -> float | None:
        """The share of entities that have it; None where there is nothing to look at: not evaluated."""
        return ratio(self.have, self.of)

    @property
    def direct_ratio(self) -> float | None:
        """The same of entities whose stated type is the class itself."""
        return ratio(self.direct_have, self.direct_of)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        direct = {"have": self.direct_have, "of": self.direct_of, "ratio": self.direct_ratio}
        plain = {name: getattr(self, name) for name in ("why", "least", "have", "of", "no_value", "ratio")}
        return {"class": self.class_name, "property": self.predicate} | plain | {"direct": direct}


@dataclass(frozen=True, slots=True)
class ClassScore:
    """The mean of the ratios of a class: over so many properties, with so many entities; None: not evaluated."""

    class_name: str
    entities: int
    properties: int
    ratio: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the score as plain data."""
        return {"class": self.class_name} | {name: getattr(self, name) for name in ("entities", "properties", "ratio")}


@dataclass(frozen=True, slots=True)
class SchemaLevel:
    """Which entities have the properties that their class expects.

    `ratio` is the mean of the class scores, each weighed by the entities of the class; `have` of `of` is the share of
    all expected values that are there. `threshold` is the share of a class from which on usage makes a property
    expected; `empty` says whether an empty string counts as a value.
    """

    filled: tuple[Filled, ...]
    classes: tuple[ClassScore, ...]
    threshold: float | None
    subclasses: bool
    empty: bool

    @property
    def ratio(self) -> float | None:
        """The mean over classes, each weighed by its entities."""
        known = [(one.ratio, one.entities) for one in self.classes if one.ratio is not None]
        entities = sum(weight for _, weight in known)
        return sum(value * weight for value, weight in known) / entities if entities else None

    @property
    def have(self) -> int:
        """Expected properties of entities that are there."""
        return sum(one.have for one in self.filled)

    @property
    def of(self) -> int:
        """Expected properties of entities."""
        return sum(one.of for one in self.filled)

    def to_dict(self) -> dict[str, Any]:
        """Return the level as plain data."""
        return {
            "ratio": self.ratio, "have": self.have, "of": self.of, "share": ratio(self.have, self.of),
            "threshold": self.threshold, "subclasses": self.subclasses, "empty_strings_count": self.empty,
            "not_evaluated": sum(one.of == 0 for one in self.filled),
            "classes": [one.to_dict() for one in self.classes], "pairs": [one.to_dict() for one in self.filled],
        }  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Completeness(Shown):
    """How complete a graph is: the schema level always, the others where something was given to measure them by."""

    name: str
    schema: SchemaLevel
    domain: DomainLevel | None = None
    relations: tuple[RelationLevel, ...] = ()
    demand: Demand | None = None
    notices: tuple[str, ...] = ()

    def to_dict(self, *, command: list[str] | None = None, inputs: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
        """Return all levels as plain data; `inputs` are files with their role and digest."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "graph": self.name,
            "inputs": [dict(one) for one in inputs],
            "schema": self.schema.to_dict(),
            "domain": self.domain and self.domain.to_dict(),
            "relations": [one.to_dict() for one in self.relations],
            "demand": self.demand and self.demand.to_dict(),
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        shown = "not evaluated" if self.schema.ratio is None else f"{self.schema.ratio:.4f}"
        return f"Completeness({self.name}: {shown} of {len(self.schema.filled)} expected properties of classes)"


@dataclass(frozen=True, slots=True)
class Use:
    """How many entities of a class have a property: direct, with subclasses, and how many are known to have none."""

    have: int = 0
    direct_have: int = 0
    no_value: int = 0
    direct_no_value: int = 0

    def to_dict(self) -> dict[str, int]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """What a graph uses: entities of each class, and which of them have which property.

    `direct` and `entities` count the entities of each class by its IRI, without and with those of its subclasses;
    `parts` are the used classes below each; `uses` has the pairs in use. `contradicting` statements give a value to
    what is marked to have none; they count as values. `none` holds entity, property and stated class of what is known
    to have no value; `voids` are the terms in use that are no values. `left_out` are classes that belong to the
    language, not the data.
    """

    direct: Mapping[str, int]
    entities: Mapping[str, int]
    parts: Mapping[str, tuple[str, ...]]
    uses: Mapping[tuple[str, str], Use]
    none: frozenset[tuple[str, str, str]] = frozenset()
    voids: tuple[Term, ...] = ()
    contradicting: int = 0
    left_out: tuple[str, ...] = ()

    def use(self, class_name: str, predicate: str) -> Use:
        """Return the counts of a pair, zeros where no entity has it."""
        return self.uses.get((class_name, predicate), Use())


def ratio(have: int, of: int) -> float | None:
    """Return a share, None where there is nothing to share."""
    return have / of if of else None
