"""`SuiteHealth`: which right answers of a suite may be trusted, and what is the matter with the others."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from assay.core.answers import Answer, Row
from assay.core.shown import Shown

CODES: dict[str, str] = {
    "missing": "neither answers nor a query that defines them",
    "error": "the gold query is not executed",
    "timeout": "the gold query takes too long",
    "empty": "nothing is right",
    "stale": "the given answers are no longer those of the gold query",
    "tie-cut": "the limit cuts through rows that are tied, so several answers are right",
    "unstable": "the gold query gave other rows when asked again",
    "engine-dependent": "another engine gives other answers",
    "undecided": "not everything could be looked at",
    "duplicate": "asked before in the same suite",
    "window": "the text asks for other places than the query takes",
}
"""What may be the matter with a question, the most serious first."""
NOTED = frozenset({"undecided", "duplicate", "window"})
"""What is said and leaves a question in the mean."""


@dataclass(frozen=True, slots=True)
class TieGroup:
    """Rows that the order of a query does not part, and how many of them its limit takes."""

    rows: tuple[Row, ...]
    taken: int

    @property
    def cut(self) -> bool:
        """Whether it is left open which of different rows are taken."""
        return 0 < self.taken < len(self.rows) and len(set(self.rows)) > 1


@dataclass(frozen=True, slots=True)
class Ties:
    """All rows that a query has without its limit, in groups that its order does not part.

    Parameters
    ----------
    columns
        Names of the variables.
    groups
        From the first place down; a query without ORDER BY has one group.
    limit, offset
        What the query takes of the rows.
    ordered
        Whether the query has an ORDER BY.

    >>> from assay.core.terms import iri
    >>> first, second = (iri("http://x/a"),), (iri("http://x/b"),)
    >>> ties = Ties(("x",), (TieGroup((first, second), taken=1),), limit=1)
    >>> ties.stable, ties.nearest(Answer("answered", ("x",), (second,))).rows == (second,)
    (False, True)
    """

    columns: tuple[str, ...]
    groups: tuple[TieGroup, ...]
    limit: int | None = None
    offset: int = 0
    ordered: bool = True

    @property
    def cut(self) -> tuple[TieGroup, ...]:
        """The groups of which only some rows are taken: two at most, at the offset and at the limit."""
        return tuple(group for group in self.groups if group.cut)

    @property
    def stable(self) -> bool:
        """Whether one answer alone is right."""
        return not self.cut

    @property
    def acceptable(self) -> tuple[Row, ...]:
        """Every row that a right answer may hold, from the first place down."""
        return tuple(row for group in self.groups if group.taken for row in group.rows)

    @property
    def size(self) -> int:
        """How many rows a right answer has."""
        return sum(group.taken for group in self.groups)

    def nearest(self, answer: Answer, key: Callable[[Row], Hashable] = lambda row: row) -> Answer:
        """Return the right answer that has most in common with the one given.

        `key` says when two rows are the same. Of each group that the limit cuts the rows given are taken first, and
        in the order given; then the others.
        """
        given = Counter(map(key, answer.rows))
        place = {key(row): number for number, row in reversed(list(enumerate(answer.rows)))}
        rows: list[Row] = []
        for group in self.groups:
            shared: list[Row] = []
            others: list[Row] = []
            for row in group.rows:
                (shared if given[key(row)] > 0 else others).append(row)
                given[key(row)] -= 1
            shared.sort(key=lambda row: place[key(row)])
            rows += [*shared, *others][: group.taken]
        return Answer("answered", self.columns, tuple(rows), ordered=self.ordered)

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and the groups that are cut, terms as N-Triples writes them."""
        return {
            "rows": sum(len(group.rows) for group in self.groups),
            "groups": len(self.groups),
            "limit": self.limit,
            "offset": self.offset,
            "ordered": self.ordered,
            "cut": [{"taken": group.taken, "rows": rows_to_lists(group.rows)} for group in self.cut],
        }


@dataclass(frozen=True, slots=True)
class GoldFinding:
    """One thing that is the matter with a question: a code of `CODES`, what was seen, and rows that show it."""

    code: str
    detail: str
    examples: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {"code": self.code, "detail": self.detail, "examples": list(self.examples)}


@dataclass(frozen=True, slots=True)
class QuestionHealth:
    """One question: what its gold is, and what is the matter with it.

    `rows` counts the right answers (None where they are not known; a "yes" or "no" is one); `checked` holds the codes
    of what was looked at; `ties` is known where the gold query has an order or a limit and was executed.
    """

    name: str
    text: str
    rows: int | None
    checked: tuple[str, ...] = ()
    findings: tuple[GoldFinding, ...] = ()
    ties: Ties | None = None

    @property
    def codes(self) -> tuple[str, ...]:
        """What is the matter with it, the most serious first."""
        return tuple(finding.code for finding in self.findings)

    @property
    def healthy(self) -> bool:
        """Whether the question stays in the mean."""
        return NOTED.issuperset(self.codes)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return {
            "question": self.name,
            "text": self.text,
            "rows": self.rows,
            "healthy": self.healthy,
            "checked": list(self.checked),
            "findings": [finding.to_dict() for finding in self.findings],
            "ties": None if self.ties is None else self.ties.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class SuiteHealth(Shown):
    """The health of a whole suite.

    Parameters
    ----------
    suite, graph, second
        Names of the suite, the graph that was asked (None: none was), and the second engine (None: none was).
    questions
        Every question in the order of the suite.
    """

    suite: str
    graph: str | None
    questions: tuple[QuestionHealth, ...]
    second: str | None = None
    notices: tuple[str, ...] = ()

    def __getitem__(self, question: str) -> QuestionHealth:
        """Return the health of a question by its name."""
        for one in self.questions:
            if one.name == question:
                return one
        raise KeyError(question)

    def of(self, code: str) -> tuple[QuestionHealth, ...]:
        """Return the questions with such a finding."""
        return tuple(one for one in self.questions if code in one.codes)

    def count(self) -> dict[str, tuple[int, int]]:
        """Return how many questions have each finding, and of how many that were looked at; the most serious first."""
        looked_at = Counter(code for one in self.questions for code in one.checked)
        return {code: (len(self.of(code)), looked_at[code]) for code in CODES}

    @property
    def healthy(self) -> int:
        """How many questions stay in the mean."""
        return sum(one.healthy for one in self.questions)

    def left_out(self, *, but: Collection[str] = ()) -> dict[str, str]:
        """Return the questions that leave the mean, each with the reason; `but` are codes for which none leaves it.

        With `but={"tie-cut"}` and `choices()`, questions whose limit cuts a tie stay, each judged by the right answer
        that is nearest.
        """
        stay = NOTED.union(but)
        reasons = ((one.name, [f for f in one.findings if f.code not in stay]) for one in self.questions)
        return {name: "; ".join(f"{f.code}: {f.detail}" for f in those) for name, those in reasons if those}

    def acceptable(self, question: str) -> Ties | None:
        """Return the rows from which a right answer may take some; None where no tie is cut."""
        ties = self[question].ties
        return None if ties is None or ties.stable else ties

    def choices(self) -> dict[str, Ties]:
        """Return the questions whose limit cuts a tie, each with the rows from which a right answer takes some."""
        return {one.name: one.ties for one in self.questions if one.ties is not None and not one.ties.stable}

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the health as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "command": command or [],
            "suite": self.suite,
            "graph": self.graph,
            "second": self.second,
            "counts": {"questions": len(self.questions), "healthy": self.healthy},
            "findings": {code: {"questions": many, "checked": of} for code, (many, of) in self.count().items()},
            "left_out": self.left_out(),
            "questions": [one.to_dict() for one in self.questions],
            "notices": list(self.notices),
        }

    def __repr__(self) -> str:
        return f"SuiteHealth({self.suite}: {self.healthy} of {len(self.questions)} questions healthy)"


def rows_to_lists(rows: tuple[Row, ...]) -> list[list[str | None]]:
    """Return rows as plain data: each term as N-Triples writes it."""
    return [[None if term is None else term.n3 for term in row] for row in rows]


def in_order(findings: Iterable[GoldFinding]) -> tuple[GoldFinding, ...]:
    """Return findings, the most serious first, otherwise as they were found."""
    places = {code: place for place, code in enumerate(CODES)}
    return tuple(sorted(findings, key=lambda finding: places[finding.code]))
