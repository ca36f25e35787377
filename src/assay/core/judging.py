"""What a judging project is made of: its scale, its pairs, its judges, and what they say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Material = Literal["document", "triple", "records", "fact"]
"""What is judged: a document for a query, a statement of a graph, whether two records are one, a fact of an answer."""
Role = Literal["judge", "admin"]


@dataclass(frozen=True, slots=True)
class Level:
    """One grade of a scale: what it is called, what it means, and the key that gives it."""

    grade: float
    name: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades that judges choose from, lowest first."""

    levels: tuple[Level, ...]

    def level(self, grade: float) -> Level | None:
        """Return the level of a grade, or None if the scale has none."""
        return next((one for one in self.levels if one.grade == grade), None)


BINARY = Scale((Level(0, "not relevant"), Level(1, "relevant")))
TREC = Scale((Level(0, "not relevant"), Level(1, "relevant"), Level(2, "highly relevant"), Level(3, "perfect")))
CORRECT = Scale((Level(0, "wrong"), Level(1, "correct")))
SAME = Scale((Level(0, "different"), Level(1, "the same")))


@dataclass(frozen=True, slots=True)
class Guideline:
    """How to judge; each change is a new version, and each judgment names the version it followed."""

    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """What is to be judged: an item for a query, with what is known of both.

    Parameters
    ----------
    query, item
        Their ids.
    question, need
        The query in words, and the information need behind it.
    fields
        What the judge sees of the item, by name: {"title": …, "text": …}; for records {"left": …, "right": …} hold
        JSON objects of fields.
    probability
        The chance with which a sampled pool drew it; None where nothing was drawn.
    stratum
        The part of the pool it belongs to.
    """

    query: str
    item: str
    question: str = ""
    need: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    probability: float | None = None
    stratum: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """The terms of a judging project.

    Parameters
    ----------
    name, material, scale, guideline
        What it is called, what is judged, by which grades, by which rules.
    judgments
        How many judges each pair should have.
    overlap
        The share of pairs that get one judge more, hidden in the queue, to measure agreement.
    seed
        The order of the queue is shuffled by it.
    """

    name: str
    material: Material = "document"
    scale: Scale = TREC
    guideline: Guideline = Guideline(1, "")
    judgments: int = 1
    overlap: float = 0.1
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Judge:
    """Someone who judges; `name` stands in every judgment."""

    name: str
    role: Role = "judge"


@dataclass(frozen=True, slots=True)
class Task:
    """A pair in front of a judge: `number` names it in the store; `said` is what the judge said of it before."""

    number: int
    pair: Pair
    said: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge says of a pair: a grade; or cannot tell, with the reason; or later.

    `key` is made by the page for each decision, so that a repeated request is recorded once.
    """

    kind: Literal["grade", "cannot tell", "later"]
    key: str
    grade: float | None = None
    reason: str = ""
    note: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a judge is: pairs judged, put off, left for this judge; agreement with others on shared pairs."""

    judged: int
    later: int
    left: int
    shared: int = 0
    agreed: int = 0
