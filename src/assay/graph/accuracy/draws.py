"""Drawing statements to judge: one sequence from a seed, of which every sample is the beginning.

So a sample can be drawn further at any time: the first n statements of a larger one are the smaller one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import get_args

import numpy as np

from assay.core.accuracy import Design, Drawn, Kind
from assay.core.judged import Ints
from assay.errors import ParameterError, UnknownNameError
from assay.graph.accuracy.statements import Statements

SMALLEST = 0.05
"""Predicates with a smaller share of all statements are one stratum together."""
REST = "(other)"


def design_of(statements: Statements, kind: Kind = "simple", *, per_subject: int = 3, seed: int = 0) -> Design:
    """Return the design of a sample of these statements.

    Raises
    ------
    UnknownNameError
        A design that does not exist.
    ParameterError
        Fewer than one statement per subject, or a negative seed.
    """
    if kind not in get_args(Kind):
        raise UnknownNameError.of("design of a sample", kind, get_args(Kind))
    if per_subject < 1:
        raise ParameterError(f"per subject: expected at least 1 statement, found {per_subject}")
    if seed < 0:
        raise ParameterError(f"seed: expected a number of 0 or more, found {seed}")
    of_each = per_subject if kind == "cluster" else 1
    return Design(kind, seed, len(statements), statements.subjects, statements.digest, of_each)


def draw(statements: Statements, design: Design, size: int) -> tuple[Drawn, ...]:
    r"""Draw statements to judge: the first `size` of the design's sequence, and all of the last drawn subject.

    simple: without replacement, each alike. stratified: without replacement in each stratum (predicate), in turns so
    that the strata keep their shares. cluster: subjects with replacement, with a chance in proportion to their number
    of statements, and of each at most `per_subject` statements without replacement; a subject drawn again is judged
    again, by other statements if there are any. There the sequence has no end; else it ends with the last statement.

    Raises
    ------
    ParameterError
        A size below 1, or a design of other statements.

    >>> some = Statements.of((f"s{n % 3}", "p", f"o{n}") for n in range(9))
    >>> design = design_of(some, "cluster", per_subject=2)
    >>> draw(some, design, 6)[:3] == draw(some, design, 3)[:3]
    True
    """
    if size < 1:
        raise ParameterError(f"size: expected at least 1 statement, found {size}")
    if (design.population, design.statements) != (statements.digest, len(statements)):
        raise ParameterError(
            "design: expected one of these statements, found one of others", hint="the graph has changed since."
        )
    if design.kind == "cluster":
        return tuple(_clusters(statements, design, size))
    of = _simple if design.kind == "simple" else _stratified
    return tuple(islice(of(statements, design), size))


def _simple(statements: Statements, design: Design) -> Iterator[Drawn]:
    order = np.random.default_rng([design.seed, 0]).permutation(len(statements))
    for number, place in enumerate(order.tolist(), 1):
        yield Drawn(number, "", 1.0, statements.rows[place])


def _clusters(statements: Statements, design: Design, size: int) -> Iterator[Drawn]:
    rows, starts, given, number = statements.rows, statements.starts, 0, 0
    while given < size:
        number += 1
        random = np.random.default_rng([design.seed, 1, number])
        subject = int(np.searchsorted(starts, random.integers(len(rows)), side="right")) - 1
        members = np.arange(starts[subject], starts[subject + 1])
        some = random.choice(members, min(design.per_subject, len(members)), replace=False)
        for place in some.tolist():
            yield Drawn(number, "", 1 / len(some), rows[place])
        given += len(some)


def _stratified(statements: Statements, design: Design) -> Iterator[Drawn]:
    names, stratum = strata_of([row[1] for row in statements.rows])
    sizes = np.bincount(stratum)
    shares = sizes / sizes.sum()
    orders = [
        np.random.default_rng([design.seed, 2, number]).permutation(np.flatnonzero(stratum == number))
        for number in range(len(names))
    ]
    taken = np.zeros(len(names), np.int64)
    for number in range(1, len(statements) + 1):
        owed = np.where(taken < sizes, shares * number - taken, -np.inf)
        at = int(np.argmax(owed))
        yield Drawn(number, names[at], float(shares[at]), statements.rows[orders[at][taken[at]]])
        taken[at] += 1


def strata_of(predicates: Sequence[str]) -> tuple[list[str], Ints]:
    """Return the names of the strata, and the number of each statement's; rare predicates are one stratum.

    >>> names, numbers = strata_of(["a"] * 30 + ["b"] * 30 + ["c"])
    >>> names, numbers[-1].item()
    (['a', 'b', '(other)'], 2)
    """
    often = Counter(predicates)
    large = sorted(name for name, count in often.items() if count >= SMALLEST * len(predicates))
    names = large if len(large) == len(often) else [*large, REST]
    places = {name: number for number, name in enumerate(large)}
    return names, np.array([places.get(name, len(large)) for name in predicates])
