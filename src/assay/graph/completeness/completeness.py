"""`completeness`: how complete a graph is, at each level that there is a measure for."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, get_args

from assay.core.answers import Suite
from assay.core.completeness import Completeness, Profile
from assay.core.completeness_levels import RelationLevel
from assay.errors import ParameterError, UnknownNameError
from assay.formats.suites import read_suite
from assay.graph.completeness.demand import Asked, asked, demand_of, require_queries
from assay.graph.completeness.domain import domain_level
from assay.graph.completeness.no_value import Marks
from assay.graph.completeness.profile import profile
from assay.graph.completeness.reference import Reference, read_reference
from assay.graph.completeness.relations import relation_levels
from assay.graph.completeness.required import Expected, Pair, by_usage, highest, required, restricted, stated
from assay.graph.completeness.schema import schema_level
from assay.graph.sparql.asking import Graph

Rule = Literal["auto", "stated", "usage", "all"]
Place = str | os.PathLike[str]
USUAL = 0.5
"""The share of a class from which on a property counts as expected, where nothing states what is."""


def completeness(
    graph: Graph,
    *,
    shapes: Graph | None = None,
    ontology: Graph | None = None,
    expect: Rule = "auto",
    threshold: float = USUAL,
    subclasses: bool = True,
    empty: bool = False,
    no_value: Sequence[str] = (),
    marks: Marks = (),
    reference: Reference | Place | None = None,
    drawn_from: int | None = None,
    key: str | None = None,
    recapture: bool = False,
    class_name: str | None = None,
    rules: Sequence[str] | None = None,
    suite: Suite | Place | None = None,
    level: float = 0.95,
) -> Completeness:
    """Measure how complete a graph is.

    Parameters
    ----------
    graph
        What to measure; shapes and axioms within it are read as well.
    shapes, ontology
        Shapes (SHACL), and axioms (OWL, subclasses), that say what should be there.
    expect
        Which properties a class should have: "stated" by shapes and axioms; "usage": those that a share
        `threshold` of its entities have; "all" that any has; "auto": stated, and by usage where nothing is.
    threshold
        The share for "usage", above 0 and up to 1.
    subclasses
        Count entities of subclasses with those of a class.
    empty
        Whether an empty string is a value.
    no_value, marks
        What says that there is none: values ("n/a"), and pairs of an entity and a property. Such entities leave the
        denominator.
    reference, drawn_from, key, recapture, class_name
        What the domain level is measured by, as `domain_level` takes it; a reference of facts also gives the values
        that subjects should have.
    rules
        Rules of thumb for relations: "cwa", "pca", or a number of values.
    suite
        Questions whose SPARQL says what is in demand.
    level
        Confidence of intervals.

    Raises
    ------
    QueryError, InputError
        The graph did not answer; a reference or a suite that cannot be read.
    ParameterError, UnknownNameError
        A threshold or a level outside 0 to 1, a rule that does not exist, what `domain_level` refuses.

    >>> from assay.graph.sparql.store import Store
    >>> text = "@prefix : <http://x/> . :a a :Town ; :mayor :m . :b a :Town ; :mayor :n . :c a :Town ."
    >>> round(completeness(Store.of(text)).schema.ratio, 4)
    0.6667
    """
    _check(expect, threshold, level)
    held = reference if reference is None or isinstance(reference, Reference) else read_reference(reference)
    wanted = None if suite is None else _asked(suite)
    beside = [one for one in (ontology, shapes) if one is not None]
    found = profile(graph, subclasses=subclasses, empty=empty, no_value=no_value, marks=marks, beside=beside)
    expected, notices = expectations([graph, *beside], found, expect, threshold)
    by_usage_at = threshold if any(one.why == "usage" for one in expected.values()) else None
    schema = schema_level(graph, found, expected, threshold=by_usage_at, subclasses=subclasses, empty=empty)
    sampled = drawn_from is not None
    relations = _relations(graph, found, expected, held, wanted, rules=rules, sampled=sampled, level=level)
    domain = None if held is None else domain_level(
        graph, held, drawn_from=drawn_from, key=key, recapture=recapture, class_name=class_name, level=level,
    )  # fmt: skip
    shown = relations if rules is not None else tuple(one for one in relations if one.reference is not None)
    demand = None if wanted is None else demand_of(wanted, relations)
    return Completeness(graph.name, schema, domain, shown, demand, (*notices, *_about(found)))


def _check(expect: str, threshold: float, level: float) -> None:
    if expect not in get_args(Rule):
        raise UnknownNameError.of("rule", expect, get_args(Rule))
    if not 0 < threshold <= 1:
        raise ParameterError(f"threshold: expected a share above 0 and up to 1, found {threshold}")
    if not 0 < level < 1:
        raise ParameterError(f"level: expected a confidence between 0 and 1, found {level}", hint="0.95 is usual.")


def _asked(suite: Suite | Place) -> Asked:
    questions = suite if isinstance(suite, Suite) else read_suite(suite)
    found = asked(questions)
    require_queries(found, questions.path or questions.name)
    return found


def expectations(
    places: Iterable[Graph], found: Profile, expect: Rule, threshold: float
) -> tuple[dict[Pair, Expected], list[str]]:
    """Return what classes are expected to have by what these graphs state or by usage, and what to say about that."""
    if expect == "all":
        return by_usage(found, 0), []
    by_shape: dict[Pair, int] = {}
    by_axiom: dict[Pair, int] = {}
    notices = []
    for one in places if expect != "usage" else ():
        here, left_out = required(one)
        by_shape, by_axiom = highest(by_shape, here), highest(by_axiom, restricted(one))
        notices += [_left_out(left_out)] if left_out else []
    wanted = stated(by_shape, by_axiom)
    if expect == "stated" or wanted:
        return wanted, notices if wanted else [*notices, "No shape and no axiom says what a class should have."]
    return by_usage(found, threshold), notices


def _relations(
    graph: Graph,
    found: Profile,
    expected: Mapping[Pair, Expected],
    held: Reference | None,
    wanted: Asked | None,
    *,
    rules: Sequence[str] | None,
    sampled: bool,
    level: float,
) -> tuple[RelationLevel, ...]:
    """Return the relation level where somebody asks for it: rules, a reference of facts, or a demand."""
    if rules is None and wanted is None and not (held and held.facts):
        return ()
    with_pca = ["pca"] if rules is None or wanted is not None else []
    return relation_levels(
        graph, found, expected, rules=list(dict.fromkeys([*(rules or ()), *with_pca])), reference=held,
        properties=() if wanted is None else wanted.properties, sampled=sampled, level=level,
    )  # fmt: skip


def _left_out(count: int) -> str:
    some = "1 property shape was" if count == 1 else f"{count:,} property shapes were"
    return f"{some} left out: the path is no plain property, or the target no class."


def _about(found: Profile) -> list[str]:
    said = []
    if found.left_out:
        names = ", ".join(name.rpartition("#")[2] for name in found.left_out[:5])
        more = f" and {len(found.left_out) - 5} more" if len(found.left_out) > 5 else ""
        said.append(f"Classes of RDF, RDFS, OWL and SHACL are no data and were left out: {names}{more}.")
    if found.contradicting:
        said.append(f"{found.contradicting:,} marks of no value contradict a value that is there; the value counts.")
    if not found.entities:
        said.append("No entity has a type (rdf:type), so no class could be looked at.")
    return said
