"""The measured curve from completeness to answer recall: statements dropped at random, the suite asked again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.core.answers import Answer, Question, Row
from assay.core.gaps import Curve, CurvePoint
from assay.core.judged import Floats
from assay.core.progress import Progress
from assay.errors import InputError, ParameterError
from assay.graph.gaps.supports import hops
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.store import Store

EVERY = "SELECT ?s ?p ?o { ?s ?p ?o }"
SHARES = (0.95, 0.9, 0.8)
REPEATS = 5


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """One question with its answer on the whole graph, and how many facts an answer takes."""

    query: str
    weight: float
    rows: frozenset[Row]
    hops: int | None

    def recall(self, graph: Graph) -> float:
        """Return the share of the answers that a smaller graph gives."""
        return len(self.rows & _rows(graph.ask(self.query))) / len(self.rows)


def curve_of(
    graph: Graph,
    questions: Iterable[Question],
    *,
    shares: Sequence[float] = SHARES,
    repeats: int = REPEATS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Curve:
    r"""Keep a share of the statements of a graph, drawn at random, and ask all questions again.

    What is right is what the whole graph answers, row by row; questions that it gives no answer are left out. A
    smaller share keeps part of what a larger one keeps, draw by draw. Beside the mean stands
    $$ \frac{1}{\sum w_q} \sum_q w_q \, CR^{h_q} $$ over questions whose answers take h facts: what is left of answers
    with one proof each. Answers with several proofs lose less.

    Parameters
    ----------
    graph
        As complete as there is.
    shares, repeats, seed
        The shares kept, how often each is drawn, and where chance starts.

    Raises
    ------
    ParameterError
        A share outside 0 to 1, no repeat.
    InputError
        The graph has no statement, or answers no question.

    >>> graph = Store.of("@prefix : <http://x/> . :a :boss :b . :b :town :d .")
    >>> one = Question("1", query="SELECT ?t { <http://x/a> <http://x/boss>/<http://x/town> ?t }")
    >>> found = curve_of(graph, [one], shares=[0.5], repeats=2)
    >>> found.points[0].recall, found.points[0].expected
    (0.0, 0.25)
    """
    _check(shares, repeats)
    lines = _lines(graph)
    asked = _answered(graph, questions)
    draws = np.zeros((len(shares), repeats, len(asked)))
    for repeat in range(repeats):
        order = np.random.default_rng([seed, repeat]).permutation(len(lines))
        for place, share in enumerate(shares):
            kept = Store.of("\n".join(lines[at] for at in order[: round(share * len(lines))]))
            draws[place, repeat] = [one.recall(kept) for one in asked]
            if progress is not None:
                progress(repeat * len(shares) + place + 1, repeats * len(shares))
    points = tuple(_point(share, len(lines), values, asked) for share, values in zip(shares, draws, strict=True))
    return Curve(points, len(asked), sum(one.hops is not None for one in asked), repeats, seed, len(lines))


def _lines(graph: Graph) -> list[str]:
    found = graph.select(EVERY)
    if found.truncated or not found.rows:
        what = "more than it gives at once" if found.truncated else "none"
        raise InputError(f"{graph.name}: expected all statements, found {what}", hint="name its files instead.")
    return sorted(" ".join(term.n3 for term in row if term) + " ." for row in found.rows)


def _check(shares: Sequence[float], repeats: int) -> None:
    if not shares or not all(0 < share <= 1 for share in shares):
        raise ParameterError(f"curve: expected shares above 0 and up to 1, found {', '.join(map(str, shares))}")
    if repeats < 1:
        raise ParameterError(f"repeats: expected 1 or more, found {repeats}")


def _answered(graph: Graph, questions: Iterable[Question]) -> list[_Asked]:
    asked = []
    for question in sorted(questions, key=lambda one: one.name):
        query = question.gold_query or question.query
        rows = _rows(graph.ask(query)) if query.strip() else frozenset()
        if rows:
            asked.append(_Asked(query, question.weight, rows, hops(query)))
    if not asked:
        raise InputError(f"{graph.name}: expected an answer to one question at least, found none")
    return asked


def _rows(answer: Answer) -> frozenset[Row]:
    """Return what can be lost of an answer: its rows, or the "yes"."""
    if answer.boolean is not None:
        return frozenset([()]) if answer.boolean else frozenset()
    return frozenset(row for row in answer.rows if any(row))


def _point(share: float, statements: int, values: Floats, asked: Sequence[_Asked]) -> CurvePoint:
    """Return the means over the draws; values have the shape (repeats, questions)."""
    weights = np.array([one.weight for one in asked])
    means = np.average(values, axis=1, weights=weights)
    left = np.array([np.nan if one.hops is None else share**one.hops for one in asked])
    known = ~np.isnan(left)
    return CurvePoint(
        share, round(share * statements), float(means.mean()), float(means.min()), float(means.max()),
        float(np.average(values == 1, axis=1, weights=weights).mean()),
        float(np.average(left[known], weights=weights[known])) if known.any() else None,
    )  # fmt: skip
