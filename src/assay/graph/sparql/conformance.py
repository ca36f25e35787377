"""Probes: queries whose right answer is known whatever a graph holds, asked before an engine's answers are trusted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from assay.core.answers import Answer
from assay.core.probes import Conformance, ProbeResult
from assay.core.progress import Progress, told
from assay.core.terms import XSD, Term
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.probes import PROBES, REPORTED, Cell, Probe

MOST_SHOWN = 120
"""Characters of an answer that a result repeats."""
NUMBERS = frozenset({XSD + name for name in ("integer", "decimal", "double", "float", "int", "long")})


@dataclass(frozen=True, slots=True)
class Found:
    """What an answer says, as the values that probes are written with."""

    said: bool | list[tuple[Cell, ...]] | None
    text: str


def probe(graph: Graph, *, progress: Progress | None = None) -> Conformance:
    """Ask an engine what a correct one answers. Nothing is written to it and nothing needs to be in it.

    Parameters
    ----------
    graph
        An endpoint, a worker or a store.
    progress
        Told how many probes are done.

    >>> from assay.graph.sparql.store import Store
    >>> [one.name for one in probe(Store.of("")).failed]
    []
    """
    results = [_held(one, graph) for one in told(PROBES, progress, len(PROBES))]
    return Conformance(graph.name, results)


def probe_data(make: Callable[[str], Graph], name: str = "engine") -> Conformance:
    """Ask an engine that can be given data the queries that people reported, with the data that they reported.

    Parameters
    ----------
    make
        Returns the graph that Turtle text holds, such as `Store.of`.

    >>> from assay.graph.sparql.store import Store
    >>> len(probe_data(Store.of).failed)
    0
    """
    return Conformance(name, [_held(one, make(one.data)) for one in REPORTED])


def _held(probe: Probe, graph: Graph) -> ProbeResult:
    """Hold the answer to one probe against the right one."""
    found = read(graph.ask(probe.query))
    expected = probe.expected
    if isinstance(expected, int) and not isinstance(expected, bool):
        said, right = len(found.said) if isinstance(found.said, list) else None, expected
        return _result(probe, said == right, f"{right:,} rows", f"{said:,} rows" if said is not None else found.text)
    if isinstance(expected, bool) or not isinstance(found.said, list):
        return _result(probe, found.said is expected, _text(expected), found.text)
    rows = list(expected)
    same = found.said == rows if probe.ordered else sorted(map(repr, found.said)) == sorted(map(repr, rows))
    return _result(probe, same, _text(rows), found.text)


def read(answer: Answer) -> Found:
    """Return an answer as plain values: numbers as Decimal, booleans, IRIs in angle brackets, other texts as they are.

    >>> read(Answer("answered", ("x",), ((Term("literal", "1.0", XSD + "decimal"),),))).said
    [(Decimal('1'),)]
    """
    if not answer.answered:
        return Found(None, answer.message[-MOST_SHOWN:] if answer.status == "error" else "a time-out")
    if answer.boolean is not None:
        return Found(answer.boolean, _text(answer.boolean))
    order = sorted(range(len(answer.columns)), key=answer.columns.__getitem__)
    rows = [tuple(plain(row[place]) for place in order) for row in answer.rows]
    return Found(rows, _text(rows))


def plain(term: Term | None) -> Cell:
    """Return one value as probes write it; the name of a blank node says nothing."""
    if term is None or term.kind == "blank":
        return None if term is None else "_:"
    if term.datatype in NUMBERS:
        try:
            return Decimal(term.value).normalize() + 0
        except InvalidOperation:
            return term.n3
    if term.datatype == XSD + "boolean":
        return {"true": True, "1": True, "false": False, "0": False}.get(term.value, term.n3)
    return term.value if term.kind == "literal" and not term.datatype and not term.language else term.n3


def _result(probe: Probe, passed: bool, expected: str, found: str) -> ProbeResult:
    return ProbeResult(probe.name, probe.what, passed, expected, found, probe.query, probe.source, probe.data)


def _text(value: bool | Sequence[tuple[Cell, ...]]) -> str:
    """Return an answer as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not value:
        return "no rows"
    rows = "; ".join(", ".join(_cell(cell) for cell in row) for row in value[:20])
    return rows if len(rows) <= MOST_SHOWN else f"{rows[: MOST_SHOWN - 1]}…"


def _cell(cell: Cell) -> str:
    if cell is None:
        return "unbound"
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return f"{cell:f}" if isinstance(cell, Decimal) else repr(cell) if not cell.startswith(("<", '"')) else cell
