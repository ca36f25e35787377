"""`Validity`: which links of a graph keep the rules, each rule with what it was held against."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.core.shown import Shown
from assay.core.terms import Term

Source = Literal["axiom", "shape", "default"]
Unit = Literal["statement", "subject", "object"]
Link = tuple[Term, str, Term]
"""A statement: subject, predicate, object."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that breaks a rule: a subject, and the object where the rule looks at statements."""

    subject: Term
    object: Term | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fault as plain data, terms as N-Triples writes them."""
        return {"subject": self.subject.n3, "object": self.object and self.object.n3}


@dataclass(frozen=True, slots=True)
class Checked:
    """One rule, and what it found.

    Parameters
    ----------
    kind, about, expected
        Which rule, the property or class that it speaks of, and what it wants: classes, a datatype, a number.
    source
        Where it comes from: an axiom, a shape, or the rules that need neither.
    unit
        What is counted: statements, subjects or objects.
    among
        The classes (or what else) to whose members the rule is limited; empty where it speaks of all.
    checked, wrong, unclear
        How many it was held against, how many break it, and how many cannot be told: things without any type.
        Wrong and unclear never overlap.
    found, variety
        What stands there instead, with counts, the most frequent first, and how many different things that are: types
        or datatypes of what is wrong, targets that are absent.
    faults
        Some of what is wrong, in the order of their terms.
    message
        Why the rule could not be evaluated; empty where it was.
    query
        SPARQL that lists all that is wrong.

    >>> one = Checked("range", "http://x/cap", ("http://x/City",), checked=3, wrong=1, unclear=1)
    >>> one.validity, round(one.strict, 3)
    (0.5, 0.333)
    """

    kind: str
    about: str
    expected: tuple[str, ...] = ()
    source: Source = "axiom"
    unit: Unit = "statement"
    among: tuple[str, ...] = ()
    checked: int = 0
    wrong: int = 0
    unclear: int = 0
    found: Mapping[str, int] = field(default_factory=dict)
    variety: int = 0
    faults: tuple[Fault, ...] = ()
    message: str = ""
    query: str = ""

    @property
    def evaluated(self) -> bool:
        """Whether the rule touched anything."""
        return not self.message and self.checked > 0

    @property
    def validity(self) -> float | None:
        """Share of what keeps the rule among what can be told; None where nothing can."""
        told = self.checked - self.unclear
        return (told - self.wrong) / told if self.evaluated and told else None

    @property
    def strict(self) -> float | None:
        """The same share with what cannot be told counted as wrong; None where the rule touched nothing."""
        return (self.checked - self.unclear - self.wrong) / self.checked if self.evaluated else None

    def to_dict(self) -> dict[str, Any]:
        """Return the rule and what it found as plain data."""
        return {
            "rule": self.kind, "about": self.about, "expected": list(self.expected), "source": self.source,
            "unit": self.unit, "among": list(self.among), "evaluated": self.evaluated, "checked": self.checked,
            "wrong": self.wrong, "unclear": self.unclear, "validity": self.validity, "strict": self.strict,
            "found": dict(self.found), "variety": self.variety, "faults": [one.to_dict() for one in self.faults],
            "message": self.message, "query": self.query,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class LinkValidity:
    """Statements of one predicate (or of all) that break no rule.

    `statements` are all those of predicates that a rule looks at, `wrong` those that break a rule at least,
    `unclear` those of which a rule could not tell and that break none.
    """

    predicate: str
    statements: int
    wrong: int
    unclear: int

    @property
    def validity(self) -> float | None:
        """1 - wrong / statements; None without statements."""
        return 1 - self.wrong / self.statements if self.statements else None

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the share as plain data."""
        counts = {"statements": self.statements, "wrong": self.wrong, "unclear": self.unclear}
        return {"predicate": self.predicate, **counts, "validity": self.validity}


@dataclass(frozen=True, eq=False)
class Validity(Shown):
    """Every rule that a graph was held against.

    `predicates` counts each statement once, however many rules it breaks; it is None where more statements are wrong
    than can be told apart in memory. `invalid` are those statements. `statements` is the size of the graph.
    """

    graph: str
    statements: int
    rules: tuple[Checked, ...]
    predicates: tuple[LinkValidity, ...] | None = None
    invalid: frozenset[Link] = frozenset()
    notices: tuple[str, ...] = ()

    @property
    def total(self) -> LinkValidity | None:
        """All statements that a rule looks at, together."""
        if self.predicates is None:
            return None
        counted = Counter[str]()
        for one in self.predicates:
            counted.update(statements=one.statements, wrong=one.wrong, unclear=one.unclear)
        return LinkValidity("", counted["statements"], counted["wrong"], counted["unclear"])

    def of(self, kind: str, about: str) -> Checked:
        """Return a rule by its kind and what it speaks of.

        Raises
        ------
        KeyError
            No such rule.
        """
        for one in self.rules:
            if (one.kind, one.about) == (kind, about):
                return one
        raise KeyError((kind, about))

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        total = self.total
        return {
            "assay": __version__,
            "command": command or [],
            "graph": self.graph,
            "statements": self.statements,
            "total": total and total.to_dict(),
            "predicates": None if self.predicates is None else [one.to_dict() for one in self.predicates],
            "rules": [one.to_dict() for one in self.rules],
            "notices": list(self.notices),
        }
