"""The named conventions: what is counted, what an empty gold means, and how figures of questions become one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.answers import Answer
from assay.core.judged import Floats
from assay.errors import UnknownNameError
from assay.tasks.answers.matching import Matching, label_columns, values
from assay.tasks.answers.rows import ROWS, Overlap, pooled

Unit = Literal["row-partial", "row-exact", "row-superset", "value"]
Together = Literal["means", "f1-of-means", "micro"]


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to count that others use, with its rules.

    Parameters
    ----------
    name, says
        What it is called, and what it does in one line.
    unit
        What is right or wrong: rows (how, as in `rows.ROWS`), or the values of all columns pooled.
    empty
        Whether a question whose gold is empty scores 1 for an empty answer and 0 for another; else it is left out.
    silent
        Whether an empty answer to a question that has answers has a precision of 1 rather than 0.
    together
        How questions become one figure: means of P, R and F1; F1 of mean P and mean R; or from sums of hits.
    """

    name: str
    says: str
    unit: Unit
    empty: bool
    silent: bool = False
    together: Together = "means"


CONVENTIONS = {
    one.name: one
    for one in (
        Convention("row-major", "rows matched, each by its share of cells", "row-partial", False),
        Convention("row-exact", "rows right in all their cells", "row-exact", False),
        Convention("row-superset", "rows that hold all cells of a right row", "row-superset", False),
        Convention("set", "values of all columns; empty gold left out", "value", False),
        Convention("gerbil", "values; empty gold: 1 for an empty answer", "value", True),
        Convention("qald", '"Macro F1 QALD": gerbil, silence has P = 1', "value", True, True, "f1-of-means"),
        Convention("f1-of-means", "gerbil, but F1 of mean P and of mean R", "value", True, together="f1-of-means"),
        Convention("micro", "values, from sums over all questions", "value", True, together="micro"),
    )
}
"""All conventions by name: row-major is SPINACH's, gerbil and qald are the two of GERBIL."""


def convention_of(name: str) -> Convention:
    """Return a convention by its name.

    Raises
    ------
    UnknownNameError
        There is none of that name.
    """
    if name not in CONVENTIONS:
        raise UnknownNameError.of("convention", name, tuple(CONVENTIONS))
    return CONVENTIONS[name]


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 of one question, or of all; None where they are undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


NOTHING, ALL, NONE = Score(0.0, 0.0, 0.0), Score(1.0, 1.0, 1.0), Score(None, None, None)


def overlaps(gold: Answer, found: Answer, matching: Matching) -> dict[str, Overlap]:
    """Return what an answer that was given has in common with the gold, in every unit.

    A yes or no is one value. Rows where yes or no is asked for are wrong values; a yes or no where rows are asked
    for is no value at all, and a wrong one where no rows are right.
    """
    mine, theirs = matching.keys(gold.rows, found.rows)
    right = values(mine)
    said = values(theirs, label_columns(matching, gold, found))
    if gold.boolean is not None or found.boolean is not None:
        return {name: _yes_or_no(gold, found, mine, theirs) for name in ROWS} | {
            "value": _yes_or_no(gold, found, right, said)
        }
    return {name: compare(mine, theirs) for name, compare in ROWS.items()} | {"value": pooled(right, said)}


def _yes_or_no(gold: Answer, found: Answer, right: Sequence[object], said: Sequence[object]) -> Overlap:
    if gold.boolean is None:
        return Overlap(0, 0 if right else 1, len(right))
    if found.boolean is None:
        return Overlap(0, len(said), 1)
    return Overlap(int(gold.boolean == found.boolean), 1, 1)


def score(convention: Convention, overlap: Overlap, *, failed: bool = False) -> Score:
    """Return the figures of one question; an error or a time-out scores 0, whatever the gold is.

    >>> gerbil, nothing = CONVENTIONS["gerbil"], Overlap(0, 0, 0)
    >>> score(gerbil, nothing).f1, score(gerbil, nothing, failed=True).f1, score(CONVENTIONS["set"], nothing).f1
    (1.0, 0.0, None)
    """
    if not overlap.gold and not convention.empty:
        return NONE
    if failed:
        return NOTHING
    if not overlap.gold:
        return NOTHING if overlap.found else ALL
    if not overlap.found:
        return Score(1.0 if convention.silent else 0.0, 0.0, 0.0)
    return Score(overlap.precision, overlap.recall, overlap.f1)


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The figures of all questions that count under one convention, as arrays of the shape (questions,)."""

    convention: Convention
    precision: Floats
    recall: Floats
    f1: Floats
    hits: Floats
    found: Floats
    gold: Floats
    weights: Floats

    @classmethod
    def of(
        cls, convention: Convention, scores: Sequence[Score], overlap: Sequence[Overlap], weights: Floats
    ) -> "Column":
        """Lay out the questions that have figures, in an order that depends on these alone."""
        kept = [row for row in zip(scores, overlap, weights, strict=True) if row[0].f1 is not None]
        rows = [(one.precision, one.recall, one.f1, of.hits, of.found, of.gold, load) for one, of, load in kept]
        table = np.array(rows, np.float64).reshape(-1, 7)
        return cls(convention, *table[np.lexsort(table.T)].T)

    def __len__(self) -> int:
        return len(self.f1)

    def together(self, chosen: Floats | None = None) -> Score:
        """Return the figures of all questions, or of those chosen by their places."""
        some = np.arange(len(self)) if chosen is None else chosen.astype(np.int64)
        weights = self.weights[some]
        if not len(some) or not weights.sum():
            return NONE
        if self.convention.together == "micro":
            hits, found, gold = (float(np.dot(part[some], weights)) for part in (self.hits, self.found, self.gold))
            return Score(_share(hits, found), _share(hits, gold), _share(2 * hits, found + gold))
        p, r, f1 = (float(np.average(part[some], weights=weights)) for part in (self.precision, self.recall, self.f1))
        return Score(p, r, f1 if self.convention.together == "means" else _harmonic(p, r))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _harmonic(p: float, r: float) -> float:
    return 2 * p * r / (p + r) if p + r else 0.0


def says(names: Mapping[str, Convention] = CONVENTIONS) -> dict[str, str]:
    """Return what each convention does."""
    return {name: one.says for name, one in names.items()}
