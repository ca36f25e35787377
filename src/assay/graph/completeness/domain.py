"""The domain level of completeness: how much of a reference list is in the graph."""

from collections.abc import Sequence

from assay.core.completeness_levels import DomainLevel, Recaptured
from assay.core.estimates import Interval
from assay.core.terms import Term
from assay.errors import ParameterError
from assay.graph.completeness.reference import Reference, entities_there, found_of, objects
from assay.graph.sparql.asking import Graph
from assay.graph.sparql.clauses import is_iri, values
from assay.statistics.finite import finite_share
from assay.statistics.proportion import wilson
from assay.statistics.recapture import chapman

EXAMPLES = 100
"""How many of what is missing are named."""


def domain_level(
    graph: Graph,
    reference: Reference,
    *,
    drawn_from: int | None = None,
    key: str | None = None,
    recapture: bool = False,
    class_name: str | None = None,
    level: float = 0.95,
) -> DomainLevel:
    """Return how much of a reference is in the graph.

    Parameters
    ----------
    graph, reference
        What is held against what.
    drawn_from
        The reference is a random sample of a list of so many, 0: of unknown length; None: it is the whole list. A
        sample of a list gets the exact interval of a finite population, one of unknown length Wilson's.
    key
        The property whose values the entities of the reference are.
    recapture
        Also estimate how many there are in all, taking graph and reference as independent lists.
    class_name
        Which entities of the graph are of the kind that the reference lists; recapture without a key needs it.
    level
        Confidence of the intervals.

    Raises
    ------
    QueryError, InputError
        The graph did not answer; an entity that is no IRI, and no key.
    ParameterError
        A sample larger than its list; no class where recapture needs one; a key or class that is no IRI.
    """
    for name, one in (("key", key), ("class", class_name)):
        if one is not None and not is_iri(one):
            raise ParameterError(f"{name}: expected an IRI, found {one!r}")
    present = _present(graph, reference, key)
    found, of = sum(present), len(reference)
    recaptured = None
    if recapture:
        first = _of_kind(graph, reference, key, class_name)
        total, error, ends = chapman(max(first, found), of, found, level)
        recaptured = Recaptured(max(first, found), of, found, total, error, ends)
    listed: Sequence[tuple[Term, ...]] = reference.facts or [(one,) for one in reference.entities]
    missing = [_said(row) for row, there in zip(listed, present, strict=True) if not there]
    interval = None if drawn_from is None else _interval(found, of, drawn_from, level)
    return DomainLevel(reference.unit, found, of, drawn_from, interval, recaptured, tuple(missing[:EXAMPLES]))


def _present(graph: Graph, reference: Reference, key: str | None) -> list[bool]:
    """Tell for each fact or entity of the reference, in its order, whether it is there."""
    if not reference.facts:
        there = entities_there(graph, reference.entities, key)
        return [one in there for one in reference.entities]
    wanted = reference.by_pair()
    there_by_pair = objects(graph, wanted)
    known = {
        (*pair, thing)
        for pair, things in wanted.items()
        for thing, held in zip(things, found_of(things, there_by_pair.get(pair, [])), strict=True)
        if held
    }
    return [fact in known for fact in reference.facts]


def _interval(found: int, of: int, drawn_from: int, level: float) -> Interval:
    if drawn_from:
        return Interval(*finite_share(found, of, drawn_from, level), level, "hypergeometric", of)
    return Interval(*wilson(found / of, of, level), level, "wilson", of)


def _of_kind(graph: Graph, reference: Reference, key: str | None, class_name: str | None) -> int:
    """Count what the graph has of the kind that the reference lists."""
    if reference.facts:
        names = sorted({(fact[1],) for fact in reference.facts})
        query = f"SELECT (COUNT(*) AS ?n) {{ {values(['p'], names)} ?s ?p ?o }}"
    elif key is not None:
        query = f"SELECT (COUNT(DISTINCT ?v) AS ?n) {{ ?s <{key}> ?v }}"
    elif class_name is not None:
        query = f"SELECT (COUNT(DISTINCT ?s) AS ?n) {{ ?s a <{class_name}> }}"
    else:
        msg = "recapture: expected the class whose entities the reference lists, found none"
        raise ParameterError(msg, hint="--class IRI names it, or --key the property that identifies them.")
    rows = graph.select(query).rows
    return int(float(rows[0][0].value)) if rows and rows[0][0] is not None else 0


def _said(terms: Sequence[Term]) -> str:
    return " ".join(term.n3 for term in terms)
