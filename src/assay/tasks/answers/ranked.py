"""Answers as rankings: `Gold` and `Run` made of rows or values, so that every measure of Assay applies."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assay.core.answers import Answer
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.evaluate import Measures, evaluate
from assay.statistics.agreement import kendall_tau
from assay.tasks.answers.matching import Cells, Matching, label_columns
from assay.tasks.answers.rows import distinct, projected, unnamed

DEFAULT = "P@{1,5,10} R@{1,5,10} F1@{1,5,10} HR@{1,5,10} nDCG@{1,5,10} RR AP"
"""The measures that are shown when none is asked for."""
POLICY = Policy(ties="expected", empty="skip")
"""Rows without an order are all tied, and questions without a right answer are left out."""
MOST_COMPARED = 2_000
"""How many right rows of one question are compared by their order at most: the time grows with the square."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """One question as a ranking: items of the gold with their grades, items of the answer with their scores."""

    question: str
    gold: dict[str, float]
    run: dict[str, float]
    ordered: bool = False

    @property
    def order(self) -> float | None:
        """Kendall's tau-b of the right items that were found; None where the gold or the answer has no order."""
        both = [item for item in self.gold if item in self.run] if self.ordered else []
        if len(both) < 2 or len(both) > MOST_COMPARED:
            return None
        return kendall_tau([self.gold[item] for item in both], [self.run[item] for item in both])


def ranking(question: str, gold: Answer, found: Answer | None, matching: Matching, *, by_value: bool) -> Ranking | None:
    """Return one question as a ranking; None for yes or no, which is no list.

    An item is a row of the gold, or a value of it (`by_value`); an answer's row is that item where it holds all of
    its cells. Where the answer has scores, these rank its items; else its order does, if it has one (ORDER BY, a
    ranked search); else all are tied, as are the values of one row. Items of a gold with an order are graded by their
    place, the last one 1; the others are 1 each. A question that was not answered has an empty ranking.

    >>> from assay.core.terms import iri
    >>> rows = tuple((iri(name),) for name in "xyz")
    >>> gold = Answer("answered", ("v",), rows, ordered=True)
    >>> made = ranking("q", gold, Answer("answered", ("w",), rows[::-1], ordered=True), Matching(), by_value=False)
    >>> made.gold, made.order
    ({'0': 3.0, '1': 2.0, '2': 1.0}, -1.0)
    """
    if gold.boolean is not None:
        return None
    found = found if found is not None and found.answered else Answer("answered")
    mine, theirs = matching.keys(gold.rows, found.rows)
    if by_value:
        right, items = _first(_cells(mine)), _first(_cells(theirs, label_columns(matching, gold, found)))
    else:
        rows = unnamed(distinct(mine))
        right, items = _first(_rows(rows)), _first(_rows(projected(rows, unnamed(theirs))))
    number = {unit: str(place) for place, unit in enumerate(right)}
    names = {unit: number.get(unit, f"+{place}") for place, unit in enumerate(items)}
    last = max(right.values(), default=0)
    grades = {number[unit]: float(last - place + 1 if gold.ordered else 1) for unit, place in right.items()}
    scores = {names[unit]: _score(found, place) for unit, place in items.items()}
    return Ranking(question, grades, scores, gold.ordered and found.ordered)


def _score(found: Answer, place: int) -> float:
    """Return the score of a row: its own, or one that falls with its place; without an order all have the same."""
    if found.scores is not None:
        return found.scores[place]
    return -float(place) if found.ordered else 0.0


def _rows(rows: Sequence[Cells]) -> Iterator[tuple[int, Cells]]:
    yield from enumerate(rows)


def _cells(rows: Sequence[Cells], left_out: Sequence[int] = ()) -> Iterator[tuple[int, Cells]]:
    for place, row in enumerate(rows):
        for column, key in enumerate(row):
            if key is not None and column not in left_out:
                yield place, (key,)


def _first(units: Iterable[tuple[int, Cells]]) -> dict[Cells, int]:
    """Return each unit, a row or a value alone, with the place of the row where it first stands."""
    found: dict[Cells, int] = {}
    for place, unit in units:
        found.setdefault(unit, place)
    return found


def evaluated(
    rankings: Iterable[Ranking],
    measures: Measures = DEFAULT,
    *,
    name: str = "answers",
    weights: Mapping[str, float] | None = None,
    interval: float | None = None,
    seed: int = 0,
) -> Evaluation | None:
    """Judge rankings as any other: ties in expectation, questions without a right answer left out; None without any.

    The parameters are those of `assay.evaluate`; `weights` may name more questions than there are.
    """
    kept = [one for one in rankings if one.gold]
    if not kept:
        return None
    gold = Gold.from_mapping({one.question: one.gold for one in kept}, name="right answers")
    run = Run.from_mapping({one.question: one.run for one in kept if one.run}, name=name)
    loads = None if weights is None else {one.question: weights[one.question] for one in kept}
    return evaluate(gold, run, measures, policy=POLICY, weights=loads, interval=interval, seed=seed)
