"""`Suspects`: statements that look unlike their kind, the most unlike first; and how often such a list is right."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.evaluation import Evaluation, evaluations_to_dict
from assay.core.shown import Shown

SIGNS = {
    "subject type": "the subject is not like the subjects of this property",
    "object type": "the object is not like the objects of this property",
    "rare value": "the objects of this property come often, and this one does not",
    "many values": "the subject has more values of this property than others",
    "many subjects": "the object has more subjects by this property than others",
    "number": "the number is far from those of its kind",
    "date": "the date is far from those of its kind",
}
"""What makes a statement suspect."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """One statement, how suspect it is (0 or more), and the strength of each sign that says so, from 0 to 1.

    `wrong` is what people said of it; None where nobody did.
    """

    statement: tuple[str, str, str]
    score: float
    signs: Mapping[str, float] = field(default_factory=dict)
    wrong: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the statement as plain data."""
        parts = dict(zip(("subject", "predicate", "object"), self.statement, strict=True))
        return parts | {"score": self.score, "signs": dict(self.signs), "wrong": self.wrong}


@dataclass(frozen=True, eq=False)
class Suspects(Shown):
    """The most suspect statements of a graph, and how good the list is where labels say so.

    Parameters
    ----------
    name, statements
        The graph, and how much it states.
    suspects
        The first of the list.
    suspected
        How many statements have any sign at all.
    labelled, wrong
        How many labelled statements the graph holds, and how many of them are wrong: their share is the precision of
        a list in random order.
    quality
        An evaluation of the whole list, named "all", and of each sign by itself: one query, whose relevant items are
        the wrong statements; only labelled statements are ranked. Empty without labels.
    """

    name: str
    statements: int
    suspects: tuple[Suspect, ...]
    suspected: int
    labelled: int = 0
    wrong: int = 0
    quality: tuple[Evaluation, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def chance(self) -> float | None:
        """The share of wrong statements among those labelled; None without labels."""
        return self.wrong / self.labelled if self.labelled else None

    @property
    def mean(self) -> dict[str, dict[str, float | None]]:
        """The figures of the list and of each sign, by name."""
        return {one.name: one.mean for one in self.quality}

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the list as plain data; its evaluation is as that of any run."""
        from assay._version import __version__

        quality = evaluations_to_dict(list(self.quality), command=command, per_query=False) if self.quality else None
        return {
            "assay": __version__, "command": command or [], "graph": self.name, "statements": self.statements,
            "suspected": self.suspected, "suspects": [one.to_dict() for one in self.suspects],
            "labelled": self.labelled, "wrong": self.wrong, "chance": self.chance, "quality": quality,
            "notices": list(self.notices),
        }  # fmt: skip
