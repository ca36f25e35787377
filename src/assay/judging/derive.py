"""`derive`: a gold standard from a source that knows: facts of a reference, links of what is the same, or rows."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.derived import TABLE, Basis, Derived
from assay.core.judging import Pair
from assay.core.terms import Term, iri, literal
from assay.errors import GoldError, InputError, ParameterError
from assay.formats.documents import parsed
from assay.graph.completeness.reference import found_of, objects, read_reference
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri
from assay.graph.sparql.store import Store
from assay.judging.links import SAME_AS, Links, read_links
from assay.judging.pool_file import read_pairs
from assay.report.amounts import counted

Place = str | os.PathLike[str]
STATED, CHAIN, OTHER, NOT_COVERED, CONTRADICTED = "stated", "chain", "other values", "not covered", "contradicted"
LITERAL = re.compile(r'("(?:[^"\\]|\\.)*")(?:@([A-Za-z0-9-]+)|\^\^<(.*)>)?', re.DOTALL)
SHOWN = 3
"""So many values of a source are quoted."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one source says of a pair: a grade, by which rule, with which evidence."""

    grade: float
    rule: str
    source: str
    evidence: str


Said = Mapping[tuple[str, str], Found]


def derive(
    sources: Sequence[Place | Graph],
    *,
    basis: Basis = "facts",
    pool: Place | Iterable[Pair] | None = None,
    query: str | None = None,
    link: str = SAME_AS,
    complete: bool = False,
) -> Derived:
    """Grade pairs by what sources say.

    Parameters
    ----------
    sources
        Files, or graphs that answer SPARQL. For several, any that states a pair makes it right.
    basis
        "facts": an item is a statement; it is right where the source has it, values compared as by `assay answers`.
        "links": query and item are one thing where links lead from one to the other, over any number of them.
        "rows": the answers to `query`, with the variables ?query, ?item and, where grades differ, ?grade.
    pool
        The pairs to grade, as `assay gold pool` and `assay graph sample` write them. Without it: all that is stated.
    query
        SPARQL for "rows".
    link
        The property of links, for RDF.
    complete
        Take what a source says of a subject and its property (or of two linked things, or of a query) to be all that
        there is: then anything else is wrong. Where it says nothing, nothing follows. Without it nothing is ever wrong.

    Raises
    ------
    InputError, FormatError, QueryError
        A source or a pool that cannot be read, or that does not answer.
    ParameterError
        Rows without a query, or a query without rows.

    >>> graph = Store.of("@prefix : <http://x/> . :germany :capital :berlin .")
    >>> town = {"subject": "http://x/germany", "predicate": "http://x/capital", "object": "<http://x/bonn>"}
    >>> derive([graph], pool=[Pair("germany", "1", fields=town)], complete=True).table.row(0)[2:4]
    (0.0, 'other values')
    """
    if (query is None) == (basis == "rows"):
        raise ParameterError("rows: expected a SPARQL query, and none for facts and links", hint="--sparql FILE.")
    if not sources:
        raise ParameterError("sources: expected one or more, found none")
    pairs = None if pool is None else list(read_pairs(pool)[1] if isinstance(pool, str | os.PathLike) else pool)
    names = tuple(_name(one) for one in sources)
    said = [_said(one, basis, pairs, query, link, complete=complete) for one in sources]
    wanted = sorted(
        {(one.query, one.item) for one in pairs} if pairs is not None else {key for one in said for key in one}
    )
    if not wanted:
        raise GoldError(f"{', '.join(names)}: expected pairs, found none")
    table = pl.DataFrame([_row(key, said) for key in wanted], schema=TABLE, orient="row")
    return Derived(", ".join(names), basis, complete, names, table, pairs is not None, tuple(_notices(table, complete)))


def _name(source: Place | Graph) -> str:
    return os.fspath(source) if isinstance(source, str | os.PathLike) else source.name


def _said(source: Any, basis: Basis, pairs: list[Pair] | None, query: str | None, link: str, *, complete: bool) -> Said:
    """Return what one source says of the pairs, or of all that it has."""
    if basis == "links":
        return dict(_by_links(read_links(source, link), _name(source), pairs, complete=complete))
    if basis == "rows":
        return dict(_by_rows(_graph(source), query or "", pairs, complete=complete))
    return dict(_by_facts(source, pairs, complete=complete))


def _graph(source: Any) -> Graph:
    return Store.open([source]) if isinstance(source, str | os.PathLike) else source


def _by_facts(source: Any, pairs: list[Pair] | None, *, complete: bool) -> Iterator[tuple[tuple[str, str], Found]]:
    """Yield what follows from the statements of a source."""
    name, there = _name(source), _facts(source, pairs)
    if pairs is None:
        every = ((subject, predicate, value) for (subject, predicate), values in there.items() for value in values)
        for statement in every:
            item = " ".join(term.n3 for term in statement)
            yield (statement[0].value, item), Found(1.0, STATED, name, item)
        return
    for pair in pairs:
        values = there.get((_resource(pair, "subject"), _resource(pair, "predicate")), [])
        right = bool(values) and _among(_term(pair.fields["object"]), values)
        if right or (values and complete):
            quoted = ", ".join(value.n3 for value in values[:SHOWN]) + (" …" if len(values) > SHOWN else "")
            yield (pair.query, pair.item), Found(float(right), STATED if right else OTHER, name, quoted)


def _facts(source: Any, pairs: list[Pair] | None) -> Mapping[tuple[Term, Term], list[Term]]:
    """Return the values of subjects and properties: all of a file, of a graph those that the pairs ask about."""
    if isinstance(source, str | os.PathLike):
        found = read_reference(source).by_pair()
        if not found:
            raise InputError(f"{_name(source)}: expected facts, found entities alone")
        return found
    if pairs is None:
        raise ParameterError(f"{source.name}: expected a pool to ask a graph about, found none", hint="--pool FILE.")
    return objects(source, dict.fromkeys((_resource(one, "subject"), _resource(one, "predicate")) for one in pairs))


def _among(wanted: Term, there: Sequence[Term]) -> bool:
    """Tell whether a value is among others; either side may be a text that says not what it is."""
    return any(found_of(list(there), [wanted])) or found_of([wanted], there)[0]


def _resource(pair: Pair, part: str) -> Term:
    text = pair.fields.get(part, "")
    bare = text.removeprefix("<").removesuffix(">")
    if not is_iri(bare):
        raise InputError(f"pool, item {pair.item!r}: expected the IRI of a {part}, found {text!r}")
    return iri(bare)


def _term(text: str) -> Term:
    """Read a term as N-Triples writes it; anything else is a text."""
    if text.startswith("<") and text.endswith(">"):
        return iri(text[1:-1])
    found = LITERAL.fullmatch(text)
    if found is None:
        return Term("text", text)
    return literal(str(parsed(found[1], "pool")), found[3] or "", found[2] or "")


def _by_links(
    links: Links, name: str, pairs: list[Pair] | None, *, complete: bool
) -> Iterator[tuple[tuple[str, str], Found]]:
    """Yield what follows from links of what is the same."""
    for one, other in links.stated if pairs is None else ((pair.query, pair.item) for pair in pairs):
        steps = links.steps(one, other)
        if steps:
            many = "1 link" if steps == 1 else f"{steps} links"
            yield (one, other), Found(1.0, STATED if steps == 1 else CHAIN, name, many)
        elif complete and links.knows(one) and links.knows(other):
            yield (one, other), Found(0.0, OTHER, name, "both are linked, to other things")


def _by_rows(
    graph: Graph, query: str, pairs: list[Pair] | None, *, complete: bool
) -> Iterator[tuple[tuple[str, str], Found]]:
    """Yield what follows from the answers to a query."""
    answer = graph.select(query)
    missing = [name for name in ("query", "item") if name not in answer.columns]
    if missing:
        raise InputError(f"{graph.name}: expected the variables ?query and ?item, found no ?{missing[0]}")
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    graded = {
        (row["query"].value, row["item"].value): _grade(row, graph.name) for row in rows if row["query"] and row["item"]
    }
    known = {query for query, _ in graded}
    for key in graded if pairs is None else {(one.query, one.item): None for one in pairs}:
        if key in graded:
            yield key, Found(graded[key], STATED, graph.name, "a row of the answer")
        elif complete and key[0] in known:
            yield key, Found(0.0, OTHER, graph.name, "other rows of the query")


def _grade(row: Mapping[str, Term | None], name: str) -> float:
    given = row.get("grade")
    if given is None:
        return 1.0
    try:
        return float(given.value)
    except ValueError:
        raise InputError(f"{name}: expected a number as ?grade, found {given.value!r}") from None


def _row(key: tuple[str, str], said: Sequence[Said]) -> tuple[Any, ...]:
    """Return the row of a pair: what its sources say, where they do not contradict each other."""
    found = [one[key] for one in said if key in one]
    if not found:
        return (*key, None, NOT_COVERED, "", "")
    grades = {one.grade for one in found}
    names, evidence = (
        "; ".join(dict.fromkeys(parts)) for parts in zip(*((f.source, f.evidence) for f in found), strict=True)
    )
    if len(grades) > 1:
        return (*key, None, CONTRADICTED, names, "; ".join(f"{one.source}: {one.evidence}" for one in found))
    return (*key, found[0].grade, found[0].rule, names, evidence)


def _notices(table: pl.DataFrame, complete: bool) -> Iterator[str]:
    against = table.filter(pl.col("rule") == CONTRADICTED).height
    if against:
        yield f"{counted(against, 'pair is', 'pairs are')} right by one source and wrong by another: they get no grade."
    if not complete and table.filter(pl.col("rule") == NOT_COVERED).height:
        yield "What no source states got no grade, for a source may lack it; --complete takes it to be wrong."
    if complete:
        yield "A source was taken to be complete where it says anything: what it lacks there counts as wrong."
