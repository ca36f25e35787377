"""What a question asks of a graph, what it should get, and what it got."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from assay.core.terms import Term

Row = tuple[Term | None, ...]
"""One row of an answer; None where a column is unbound."""

Status = Literal["answered", "error", "timeout"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one question got. An error or a time-out is never an empty answer.

    Parameters
    ----------
    status
        answered, error or timeout.
    columns, rows
        Names of the variables, and one tuple of terms for each row, in the order received.
    boolean
        The answer to a yes-or-no question (ASK); else None.
    ordered
        Whether the order of the rows is part of the answer (ORDER BY, a ranked search).
    scores
        One for each row, where a search service scores what it returns.
    seconds
        How long it took, where it was measured.
    message
        What went wrong.
    truncated
        Whether rows beyond a limit on the size of results were left out.

    >>> Answer("answered", ("x",), ((Term("iri", "http://x/a"),),)).empty
    False
    """

    status: Status
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    boolean: bool | None = None
    ordered: bool = False
    scores: tuple[float, ...] | None = None
    seconds: float | None = None
    message: str = ""
    truncated: bool = False

    @property
    def answered(self) -> bool:
        """Whether the question was executed at all."""
        return self.status == "answered"

    @property
    def empty(self) -> bool:
        """Whether it was executed and found nothing; a "no" is not nothing."""
        return self.answered and self.boolean is None and not self.rows


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a suite.

    Parameters
    ----------
    name
        Its id, unique within the suite.
    text
        What a person asks, in the language of the suite.
    query
        The SPARQL of the system under test; empty where there is none.
    gold_query
        The SPARQL that defines the right answers; empty where there is none.
    gold
        The right answers that the suite gives; None where it gives none.
    facts
        Triples (subject, predicate, object) that the answer rests on, as the suite writes them.
    weight
        How much demand the question stands for.
    groups
        What it belongs to, for breakdowns: {"hops": "2"}.
    """

    name: str
    text: str = ""
    query: str = ""
    gold_query: str = ""
    gold: Answer | None = None
    facts: tuple[tuple[str, str, str], ...] = ()
    weight: float = 1.0
    groups: Mapping[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> str:
        """The SPARQL to execute: the system's, and without one that of the gold standard."""
        return self.query or self.gold_query


@dataclass(frozen=True, slots=True)
class Suite:
    """Questions with what is known about their right answers; `path` and `format` say where they came from."""

    name: str
    questions: tuple[Question, ...]
    path: str = ""
    format: str = ""

    def __len__(self) -> int:
        return len(self.questions)
