"""SHACL shapes as rules, and pySHACL for what they do not cover."""

import pytest

from assay.errors import InputError
from assay.graph.sparql.store import Store
from assay.graph.validity.axioms import read_classes
from assay.graph.validity.shape_rules import shape_rules
from assay.graph.validity.shapes import conform
from assay.graph.validity.validity import validity

pytest.importorskip("pyoxigraph")
pytest.importorskip("pyshacl")
X = "http://x/"
HEAD = (
    "@prefix : <http://x/> . @prefix sh: <http://www.w3.org/ns/shacl#> . "
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
)
DATA = (
    ":Boss rdfs:subClassOf :Person . :a a :Person ; :age 5 ; :name 'Anna'@en, 'Anne'@en ; :mail 'a@x' . "
    ":b a :Boss ; :age -1, 200 ; :name 'B'@de ; :knows :a, :c, 'x' . :c a :Cat . "
)
CASES = {
    "sh:minCount 1": ("min count", "mail", 2, 1),
    "sh:maxCount 1": ("max count", "age", 2, 1),
    "sh:class :Person": ("range", "knows", 3, 2),
    "sh:datatype xsd:integer": ("datatype", "age", 3, 0),
    "sh:nodeKind sh:IRI": ("node kind", "knows", 3, 1),
    "sh:minInclusive 5": ("at least", "age", 3, 1),
    "sh:maxInclusive 200": ("at most", "age", 3, 0),
    "sh:minExclusive 5": ("above", "age", 3, 2),
    "sh:maxExclusive 200": ("below", "age", 3, 1),
    "sh:minLength 2": ("shortest", "name", 3, 1),
    "sh:maxLength 3": ("longest", "name", 3, 2),
    "sh:pattern '^ANN' ; sh:flags 'i'": ("pattern", "name", 3, 1),
    "sh:languageIn ('en' 'fr')": ("language", "name", 3, 1),
    "sh:uniqueLang true": ("unique language", "name", 2, 1),
    "sh:in (5 200)": ("one of", "age", 3, 1),
    "sh:hasValue 200": ("has value", "age", 2, 1),
}


def shapes(body, target="sh:targetClass :Person"):
    return Store.of(f"{HEAD} :S a sh:NodeShape ; {target} ; sh:property [ {body} ] .")


@pytest.mark.parametrize("constraint", list(CASES))
def test_a_constraint_is_a_rule_and_pyshacl_finds_the_same_things(constraint):
    kind, about, checked, wrong = CASES[constraint]
    rules = shapes(f"sh:path :{about} ; {constraint}")
    store = Store.of(HEAD + DATA)
    one = validity(store, shapes=rules, axioms=False, defaults=False).of(kind, X + about)
    assert (one.checked, one.wrong + one.unclear, one.source, one.among) == (checked, wrong, "shape", (X + "Person",))
    (held,) = conform(store, rules, all_kinds=True)
    assert held.checked == 2
    assert {fault.subject for fault in one.faults} == {fault.subject for fault in held.faults}


TARGETS = {
    "sh:targetSubjectsOf :knows": 1, "sh:targetObjectsOf :knows": 3, "sh:targetNode :a, :c": 2,
    "sh:targetClass :Cat, :Boss": 2, "sh:targetClass :Ghost": 0, "sh:deactivated true ; sh:targetClass :Cat": None,
}  # fmt: skip


@pytest.mark.parametrize("target", list(TARGETS))
def test_what_a_target_speaks_of_is_the_denominator(target):
    rules = shapes("sh:path :mail ; sh:minCount 1", target)
    store, expected = Store.of(HEAD + DATA), TARGETS[target]
    found = validity(store, shapes=rules, axioms=False, defaults=False).rules
    assert [one.checked for one in found] == ([] if expected is None else [expected])
    assert [one.checked for one in conform(store, rules, all_kinds=True)] == [one.checked for one in found]
    if expected == 0:
        assert not found[0].evaluated


def test_a_class_that_is_its_own_shape():
    rules = Store.of(f"{HEAD} :Person a rdfs:Class, sh:NodeShape ; sh:property [ sh:path :mail ; sh:minCount 1 ] .")
    found = validity(Store.of(HEAD + DATA), shapes=rules, axioms=False, defaults=False)
    assert [(one.checked, one.wrong) for one in found.rules] == [(2, 1)]


def test_what_is_no_rule_is_named_and_pyshacl_takes_it():
    rules = shapes("sh:path :knows ; sh:or ([ sh:class :Person ] [ sh:class :Cat ])")
    store = Store.of(HEAD + DATA)
    named = validity(store, shapes=rules, axioms=False, defaults=False)
    assert named.rules == ()
    assert "sh:or (1)" in named.notices[0]
    full = validity(store, shapes=rules, axioms=False, defaults=False, full=True)
    assert [(one.kind, one.expected, one.checked, one.wrong) for one in full.rules] == [("shape", ("sh:or",), 2, 1)]
    assert full.notices == ()


def test_an_inverse_path_is_left_to_pyshacl():
    made, left = shape_rules(shapes("sh:path [ sh:inversePath :knows ] ; sh:maxCount 1"), read_classes(Store.of(HEAD)))
    assert (made, "sh:maxCount" in left[0] or "sh:path" in left[0]) == ([], True)


def test_no_shapes_at_all_are_no_perfect_score():
    assert conform(Store.of(HEAD + DATA), Store.of(HEAD)) == []


def test_shapes_that_cannot_be_used_are_an_error_in_words():
    with pytest.raises(InputError, match="expected SHACL that pySHACL can use"):
        conform(Store.of(HEAD + DATA), shapes("sh:path :mail ; sh:or 5"))
    with pytest.raises(InputError, match="sh:minCount of http://x/mail: expected a whole number, found 'two'"):
        validity(Store.of(HEAD + DATA), shapes=shapes("sh:path :mail ; sh:minCount 'two'"))


def test_whole_numbers_of_narrower_types_are_what_the_shape_wants():
    shapes = Store.of(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix : <http://x/> . "
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "
        ":S a sh:NodeShape ; sh:targetClass :C ; sh:property [ sh:path :n ; sh:datatype xsd:int ] ."
    )
    graph = Store.of(
        "@prefix : <http://x/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :a a :C ; :n '3'^^xsd:int ."
    )
    (rule,) = [one for one in validity(graph, shapes=shapes, defaults=False).rules if one.kind == "datatype"]
    assert (rule.checked, rule.wrong) == (1, 0)
