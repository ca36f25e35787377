"""`Records`: what one retrieval system brought for each question, and what the answers need, as tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

ITEM: Mapping[str, Any] = {
    "id": pl.String, "text": pl.String, "document": pl.String, "subject": pl.String, "predicate": pl.String,
    "object": pl.String,
}  # fmt: skip
"""What may be said of an item: a bare text stands in id and text, a triple in subject, predicate and object."""

RETRIEVED: Mapping[str, Any] = {"query": pl.String, **ITEM, "score": pl.Float64, "tokens": pl.Float64}
NEEDED: Mapping[str, Any] = {"query": pl.String, "proof": pl.Int64, **ITEM}
QUESTIONS: Mapping[str, Any] = {
    "query": pl.String, "question": pl.String, "answer": pl.String, "answers": pl.List(pl.String),
    "correct": pl.Float64, "at": pl.Int64,
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Records:
    """What a file holds of one system.

    `questions` has a row for each question: its id (else its text) as `query`, the text, the answer of the system,
    gold answers, how correct the answer is (0 to 1), its line or record (`at`), and every further column of the
    file. `retrieved` has a row for each item in its order, `needed` one for each item that an answer needs, with the
    number of its proof (null: of none in particular). `labelled` are the questions of which the needed items are
    known; an empty list is known, too. `ignored` names the keys that hold neither.
    """

    name: str
    questions: pl.DataFrame
    retrieved: pl.DataFrame
    needed: pl.DataFrame
    labelled: pl.Series
    path: str | None = None
    row: str = "record"
    digest: Callable[[], str] | None = None
    ignored: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.questions.height

    @property
    def slices(self) -> list[str]:
        """The further columns of the file: hops, type and whatever else it says of a question."""
        return [name for name in self.questions.columns if name not in QUESTIONS]

    def place(self, query: str) -> str:
        """Name the file and the line or record of a question, for a message."""
        at = self.questions.filter(query=query)["at"]
        return f"{self.path or self.name}, {self.row} {at[0]}" if len(at) else self.path or self.name
