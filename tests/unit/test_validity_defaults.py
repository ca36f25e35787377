"""Rules that need no axiom: dangling links, self links, duplicates, same-as, literals that are not what they say."""

import pytest

from assay.core.terms import XSD
from assay.graph.sparql.store import Store
from assay.graph.validity.datatypes import FORMS, written
from assay.graph.validity.default_rules import own_namespaces
from assay.graph.validity.validity import validity

pytest.importorskip("pyoxigraph")
X = "http://x/"
HEAD = "@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "  # noqa: E501


def judged(turtle, **options):
    return validity(Store.of(HEAD + turtle), **options)


def counts(one):
    return one.checked, one.wrong


def test_a_link_into_the_graph_that_leads_nowhere_dangles():
    one = judged(":a :p :b, :gone, <http://other/z> . :b :q 1 .").of("dangling", X + "p")
    assert counts(one) == (2, 1)
    assert (one.found, one.variety) == ({X + "gone": 1}, 1)


def test_own_namespaces_can_be_said():
    found = judged(":a :p <http://other/z> .", namespaces=["http://other/"])
    assert counts(found.of("dangling", X + "p")) == (1, 1)


def test_namespaces_are_those_of_things_with_a_type():
    kinds = "@prefix c: <http://c/> . " + "".join(f":a{n} a c:T . " for n in range(200))
    assert own_namespaces(Store.of(HEAD + kinds + "<http://stray/s> a c:T . <http://d#e> :p 1 .")) == (X,)
    assert own_namespaces(Store.of(HEAD + ":a :p <urn:b:c> . <urn:b:c> :p 1 .")) == (X, "urn:b:")


def test_where_each_thing_has_its_own_namespace_the_host_is_taken():
    deep = "".join(f"<http://h/t{n}/x> <http://h/p> 1 . " for n in range(300))
    assert own_namespaces(Store.of(deep)) == ("http://h/",)


def test_self_links_and_values_twice():
    found = judged(":a :p :a, :b ; :name 'Rome', 'rome ', 'Rom', 'Rome'@en .")
    assert counts(found.of("self", X + "p")) == (2, 1)
    assert counts(found.of("duplicate", X + "name")) == (4, 1)


def test_same_as_that_goes_on_or_meets_another_of_its_namespace():
    same = "http://www.w3.org/2002/07/owl#sameAs"
    found = judged(":a owl:sameAs <http://o/1> . <http://o/1> owl:sameAs <http://q/1> . :b owl:sameAs <http://o/1> .")
    assert counts(found.of("same-as chain", same)) == (3, 2)
    assert counts(found.of("same-as rival", same)) == (3, 2)


def test_schema_statements_neither_dangle_nor_loop():
    found = judged(":A <http://www.w3.org/2000/01/rdf-schema#subClassOf> :A, :B . :A :p 1 .")
    assert not [one for one in found.rules if one.kind in {"dangling", "self"} and one.checked]


def test_a_literal_that_is_not_what_its_datatype_says():
    found = judged(":a :p 'abc'^^xsd:integer, 1 ; :d '2024-13-01'^^xsd:date, '2024-12-01'^^xsd:date .")
    assert counts(found.of("lexical", X + "p")) == (2, 1)
    assert counts(found.of("lexical", X + "d")) == (2, 1)


RIGHT = {
    "integer": ["0", "-12"], "decimal": ["1.", ".5", "-2.50"], "double": ["1e9", "-INF", "NaN", "1"],
    "boolean": ["true", "0"], "date": ["2024-02-29", "-0044-03-15Z"], "dateTime": ["2024-01-01T23:59:59.5+02:00"],
    "time": ["12:00:00"], "gYear": ["1999"], "gYearMonth": ["1999-12"],
}  # fmt: skip
WRONG = {
    "integer": ["1.0", ""], "decimal": ["1e3", "."], "double": ["one", "+NaN"], "boolean": ["yes"],
    "date": ["24-01-01", "2024-1-1"], "dateTime": ["2024-01-01", "2024-01-01T25:00:00"], "time": ["noon"],
    "gYear": ["99"], "gYearMonth": ["1999-13"],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_the_forms_of_datatypes(name):
    store = Store.of("<http://x/a> <http://x/p> 1 .")

    def fits(text):
        query = f'ASK {{ BIND("{text}" AS ?o) FILTER({written(XSD + name)}) }}'
        return store.select(query).boolean

    assert all(map(fits, RIGHT[name]))
    assert not any(map(fits, WRONG[name]))
    assert name in FORMS
