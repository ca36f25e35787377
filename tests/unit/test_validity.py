"""Link validity: each kind of rule on a graph small enough to count by hand."""

import pytest

from assay.core.terms import Term, literal
from assay.graph.sparql.store import Store
from assay.graph.validity.validity import validity

pytest.importorskip("pyoxigraph")
X = "http://x/"
HEAD = (
    "@prefix : <http://x/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
)


def judged(turtle, **options):
    return validity(Store.of(HEAD + turtle), **{"defaults": False} | options)


def counts(one):
    return one.checked, one.wrong, one.unclear


AXIOMS = {
    "domain": (":p rdfs:domain :A . :B rdfs:subClassOf :A . :a a :B ; :p 1 . :b a :C ; :p 1 . :c :p 1 .", 3),
    "inverse functional": (":p a owl:InverseFunctionalProperty . :a :p :x . :b :p :x . :a :p :y .", 2),
    "asymmetric": (":p a owl:AsymmetricProperty . :a :p :b . :b :p :a . :a :p :c .", 3),
    "symmetric": (":p a owl:SymmetricProperty . :a :p :b . :b :p :a . :a :p :c .", 3),
    "irreflexive": (":p a owl:IrreflexiveProperty . :a :p :a . :a :p :b .", 2),
    "disjoint properties": (":p owl:propertyDisjointWith :q . :a :p :b ; :q :b . :a :p :c .", 2),
}  # fmt: skip
WRONG = {"asymmetric": 2}


@pytest.mark.parametrize("kind", list(AXIOMS))
def test_an_axiom_is_a_rule_with_a_denominator(kind):
    turtle, checked = AXIOMS[kind]
    one = judged(turtle).of(kind, X + "p")
    assert counts(one) == (checked, WRONG.get(kind, 1), 1 if kind == "domain" else 0)
    assert one.source == "axiom"


def test_a_rule_that_touched_nothing_is_not_evaluated():
    one = judged(":p a owl:FunctionalProperty . :q rdfs:domain :A .").of("functional", X + "p")
    assert (one.evaluated, one.validity, one.strict) == (False, None, None)


def test_several_domains_are_all_wanted_and_includes_or_unions_one_of_them():
    schema = "@prefix s: <http://schema.org/> . "
    found = judged(
        schema + ":p rdfs:domain :A, :B . :q s:domainIncludes :A, :B . :r rdfs:domain [ owl:unionOf (:A :B) ] . "
        ":x a :A ; :p 1 ; :q 1 ; :r 1 ."
    )
    wrong = sorted((one.about, one.expected, one.wrong) for one in found.rules if one.kind == "domain")
    assert wrong == [
        (X + "p", (X + "A",), 0), (X + "p", (X + "B",), 1), (X + "q", (X + "A", X + "B"), 0),
        (X + "r", (X + "A", X + "B"), 0),
    ]  # fmt: skip


def test_a_type_that_everything_has_says_nothing():
    one = judged(":p rdfs:range :City . :a :p :b . :b a owl:NamedIndividual, owl:Thing .").of("range", X + "p")
    assert counts(one) == (1, 0, 1)
    assert not judged(":p rdfs:range owl:Thing . :a :p :b .").rules


def test_a_literal_is_of_no_class_and_a_thing_of_no_datatype():
    found = judged(":p rdfs:range :City . :q rdfs:range xsd:decimal . :a :p 'Rome' ; :q :b, 1, 1.5, '2' .")
    assert counts(found.of("range", X + "p")) == (1, 1, 0)
    one = found.of("datatype", X + "q")
    assert counts(one) == (4, 2, 0)
    assert one.found == {"IRI": 1, "http://www.w3.org/2001/XMLSchema#string": 1}


def test_subclasses_in_an_ontology_of_its_own_count():
    ontology = Store.of(HEAD + ":p rdfs:range :City . :Town rdfs:subClassOf [ a owl:Class ], :Place . "
                        ":Place owl:equivalentClass :City .")  # fmt: skip
    found = judged(":a :p :b . :b a :Town .", ontology=ontology)
    assert counts(found.of("range", X + "p")) == (1, 0, 0)


def test_disjoint_classes_hold_for_those_below_them():
    turtle = (
        "[] a owl:AllDisjointClasses ; owl:members (:A :B :C) . :A1 rdfs:subClassOf :A . "
        ":x a :A1, :B . :y a :A . :z a :C ."
    )
    found = [(one.about[-1], one.expected[0][-1], *counts(one)) for one in judged(turtle).rules]
    assert found == [("A", "B", 2, 1, 0), ("A", "C", 3, 0, 0), ("B", "C", 2, 0, 0)]


def test_restrictions_speak_of_the_members_of_their_class():
    turtle = (
        ":A rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ], "
        "[ owl:onProperty :p ; owl:allValuesFrom :B ], [ owl:onProperty :q ; owl:cardinality 1 ] . "
        ":x a :A ; :p :b, :c ; :q 1 . :y a :A . :z :p :c, :d . :b a :B . :c a :C ."
    )
    found = judged(turtle)
    assert counts(found.of("max count", X + "p")) == (1, 1, 0)
    assert counts(found.of("range", X + "p")) == (2, 1, 0)
    assert counts(found.of("min count", X + "q")) == (2, 1, 0)
    assert found.of("range", X + "p").among == (X + "A",)


def test_statements_are_counted_once_however_many_rules_they_break():
    found = judged(":p rdfs:domain :A, :B ; rdfs:range :C . :x a :D ; :p 1 . :y a :A, :B ; :p :z .")
    total = found.total
    assert (total.statements, total.wrong, total.unclear) == (2, 1, 1)
    assert total.validity == pytest.approx(0.5)
    whole = literal("1", "http://www.w3.org/2001/XMLSchema#integer")
    assert found.invalid == {(Term("iri", X + "x"), X + "p", whole)}


def test_a_graph_that_no_rule_touches_has_no_validity():
    assert judged(":a :p 1 .").total.validity is None


def test_every_rule_gives_the_query_that_lists_what_is_wrong():
    store = Store.of(HEAD + ":p rdfs:domain :A . :x a :B ; :p 1 . :y a :A ; :p 2 .")
    found = validity(store, defaults=False)
    assert [row[0].value for row in store.select(found.rules[0].query).rows] == [X + "x"]


class Refusing:
    """A graph that does not answer some questions."""

    name = "remote"

    def __init__(self, store, word):
        self.store, self.word = store, word

    def select(self, query):
        return self.store.select(query)

    def ask(self, query):
        from assay.core.answers import Answer

        return Answer("timeout") if self.word in query else self.store.ask(query)


def test_a_rule_that_the_graph_does_not_answer_is_no_perfect_score():
    store = Store.of(HEAD + ":p a owl:FunctionalProperty ; rdfs:domain :A . :a a :A ; :p 1 .")
    found = validity(Refusing(store, "COUNT(DISTINCT"), defaults=False)
    one = found.of("functional", X + "p")
    assert (one.message, one.evaluated, one.validity) == ("timeout", False, None)
    assert found.of("domain", X + "p").validity == 1
    assert "1 rule could not be evaluated" in found.notices[0]
