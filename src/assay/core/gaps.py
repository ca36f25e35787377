"""`Gaps`: why questions failed, which facts that cost, and what a less complete or less valid graph would answer."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.core.estimates import Interval
from assay.core.shown import Shown
from assay.core.terms import Term

CAUSES: dict[str, str] = {
    "no answer": "the answers do not hold the question",
    "query error": "the query is not executed",
    "time-out": "the query takes longer than the limit",
    "schema mismatch": "a property or a class that is never used",
    "entity not linked": "the graph says nothing of what is named",
    "missing fact": "the graph lacks a fact that is needed",
    "invalid link": "a link that breaks a rule leads nowhere",
    "not indexed": "no search can return the right answer",
    "answers differ": "none of these, as far as can be seen",
}
"""Why a question failed, in the order in which it is looked for: each question has the first that holds."""
SOURCES: dict[str, str] = {
    "facts": "the suite says that the question needs it",
    "reference": "the right answers rest on it in the reference",
    "answer": "the rest of the query reaches a right answer, but for this property",
    "query": "the query goes so far, and finds nothing by this property",
}
"""What says that a fact is missing."""


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A fact that the graph lacks; None for an end that nobody knows.

    `demand` is the weight of the questions that need it, `lost` the answer recall that they lose by it: of each lost
    answer the share of its proofs that need the fact, times the weight of the question. `questions` are those.
    """

    subject: Term | None
    predicate: str
    object: Term | None
    source: str
    demand: float = 0.0
    lost: float = 0.0
    questions: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """The fact as text, to order and to tell apart."""
        return (self.subject.n3 if self.subject else "", self.predicate, self.object.n3 if self.object else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the fact as plain data, terms as N-Triples writes them."""
        ends = {"subject": self.subject and self.subject.n3, "object": self.object and self.object.n3}
        return {
            "subject": ends["subject"], "predicate": self.predicate, "object": ends["object"], "source": self.source,
            "demand": self.demand, "lost": self.lost, "questions": list(self.questions),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Failure:
    """A question that did not get all its right answers, the cause of `CAUSES`, and what shows it."""

    question: str
    text: str
    cause: str
    evidence: str
    recall: float
    weight: float = 1.0

    @property
    def lost(self) -> float:
        """The answer recall that is lost, times the weight of the question."""
        return self.weight * (1 - self.recall)

    def to_dict(self) -> dict[str, Any]:
        """Return the failure as plain data."""
        plain = {name: getattr(self, name) for name in ("text", "cause", "evidence", "recall", "weight", "lost")}
        return {"question": self.question} | plain


@dataclass(frozen=True, slots=True)
class PredicateGap:
    """What is missing of one property: facts, the questions that need them, the recall these lose.

    `ratio` is how complete the property is where that was measured.
    """

    predicate: str
    missing: int
    questions: int
    demand: float
    lost: float
    ratio: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the property as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The answers of a graph of which only a share of the statements is kept, drawn at random several times.

    Parameters
    ----------
    kept, statements
        The share, and how many statements that is.
    recall, lowest, highest
        The mean over the draws of the mean recall of the questions, and the least and the greatest of the draws.
    full
        The share of questions that keep all their answers.
    expected
        The mean of CR^h over the questions whose number of facts h is known: what independent losses would leave
        of answers that rest on one proof each. None where no question can be traced.
    """

    kept: float
    statements: int
    recall: float
    lowest: float
    highest: float
    full: float
    expected: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the point as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Curve:
    """The measured curve from completeness to answer recall.

    `questions` are those with answers on the whole graph, `traced` those of them whose facts are known.
    """

    points: tuple[CurvePoint, ...]
    questions: int
    traced: int
    repeats: int
    seed: int
    statements: int

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain data."""
        numbers = {name: getattr(self, name) for name in ("questions", "traced", "repeats", "seed", "statements")}
        return numbers | {"points": [one.to_dict() for one in self.points]}


@dataclass(frozen=True, slots=True)
class Resting:
    """Of the right answers that were found, how many rest on links that the audit calls invalid.

    Parameters
    ----------
    found, traced
        Right answers found, and those of them whose facts are known.
    invalid, some
        Answers of which every proof has an invalid link; and those of which some proof has one, but not every.
    interval
        Wilson's of the share invalid / traced.
    recall, sound
        The mean recall of the questions whose answers are traced; and the same without the answers that rest on
        invalid links alone.
    questions
        How many questions that is a mean over.
    untraced
        Why the answers of other questions are not traced, with the number of questions.
    links
        The invalid links that most answers rest on, each with how many.
    """

    found: int
    traced: int
    invalid: int
    some: int
    interval: Interval | None
    recall: float | None
    sound: float | None
    questions: int
    untraced: Mapping[str, int] = field(default_factory=dict)
    links: tuple[tuple[tuple[Term, str, Term], int], ...] = ()

    @property
    def share(self) -> float | None:
        """The share of traced answers that rest on invalid links alone."""
        return self.invalid / self.traced if self.traced else None

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        names = ("found", "traced", "invalid", "some", "share", "recall", "sound", "questions")
        links = [{"subject": s.n3, "predicate": p, "object": o.n3, "answers": n} for (s, p, o), n in self.links]
        return {name: getattr(self, name) for name in names} | {
            "interval": self.interval and self.interval.to_dict(), "untraced": dict(self.untraced), "links": links,
        }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Gaps(Shown):
    """What a graph lacks, by what that costs the questions that people ask.

    `questions` were judged, `recall` is the mean of theirs, weighed by demand; `missing` are facts, the most costly
    first; `sources` says what told which facts are missing.
    """

    graph: str
    suite: str
    questions: int
    recall: float | None
    failures: tuple[Failure, ...]
    missing: tuple[MissingFact, ...]
    predicates: tuple[PredicateGap, ...]
    curve: Curve | None = None
    resting: Resting | None = None
    notices: tuple[str, ...] = ()

    def causes(self) -> dict[str, tuple[int, float]]:
        """Return how many questions failed for each cause, and the recall that they lose, in the order of `CAUSES`."""
        many = Counter(one.cause for one in self.failures)
        lost = {cause: sum(one.lost for one in self.failures if one.cause == cause) for cause in many}
        return {cause: (many[cause], lost[cause]) for cause in CAUSES if many[cause]}

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the result as plain data."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "graph": self.graph,
            "suite": self.suite,
            "questions": self.questions,
            "recall": self.recall,
            "causes": {cause: {"questions": many, "lost": lost} for cause, (many, lost) in self.causes().items()},
            "failures": [one.to_dict() for one in self.failures],
            "missing": [one.to_dict() for one in self.missing],
            "predicates": [one.to_dict() for one in self.predicates],
            "curve": self.curve and self.curve.to_dict(),
            "resting": self.resting and self.resting.to_dict(),
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        return f"Gaps({len(self.failures)} of {self.questions} questions failed, {len(self.missing)} facts missing)"
