"""Faults of links as they were reported or measured elsewhere; and pySHACL over the same real graph.

The lines of reported_graph.jsonl that begin with link say where each was made, the input and what must come out.
"""

import json
from pathlib import Path

import pytest

from assay.graph.sparql.store import Store
from assay.graph.validity.shapes import conform
from assay.graph.validity.validity import validity

pytest.importorskip("pyoxigraph")
LINES = Path(__file__).with_name("reported_graph.jsonl").read_text("utf-8").splitlines()
REPORTS = {report["id"]: report for report in map(json.loads, LINES)}
X, PV = "http://x/", "http://ld.company.org/prod-vocab/"
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix pv: <http://ld.company.org/prod-vocab/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
[] sh:targetClass pv:Price ; sh:property
  [ sh:path pv:amount ; sh:minCount 1 ; sh:maxCount 1 ; sh:datatype xsd:decimal ; sh:minExclusive 0 ] ,
  [ sh:path pv:currency ; sh:in ("EUR") ; sh:pattern "^[A-Z]{3}$" ; sh:nodeKind sh:Literal ] .
[] sh:targetClass pv:Employee ; sh:property [ sh:path pv:phone ; sh:minCount 1 ] .
[] sh:targetClass pv:Hardware ; sh:property [ sh:path pv:hasProductManager ; sh:class pv:Employee ; sh:minCount 1 ] .
[] sh:targetClass pv:BomPart ; sh:property [ sh:path pv:quantity ; sh:datatype xsd:decimal ; sh:maxCount 1 ] .
"""


def report(name):
    one = REPORTS[name]
    return one["input"], one["expected"]


def test_a_functional_property_is_held_against_its_subjects():
    given, expected = report("link-01-functional")
    one = validity(Store.of(given["turtle"])).of("functional", X + "p")
    assert one.wrong == expected["violating_subjects"]
    assert one.checked == expected["subjects_checked"]
    assert one.validity == expected["validity"]


def test_a_range_is_never_inferred_before_it_is_checked():
    given, expected = report("link-02-inference-masks")
    store = Store.of(given["turtle"])
    one = validity(store, defaults=False).of("range", X + "cap")
    assert one.checked == expected["checked"]
    assert (one.wrong, one.unclear) == (len(expected["wrong_type"]), len(expected["untyped"]))
    assert one.validity == expected["validity_of_typed"]
    assert [fault.object.value for fault in one.faults] == [X + name for name in expected["wrong_type"]]


@pytest.fixture(scope="module")
def ck25(data):
    return Store.open([data / "rdf/ck25/prod-inst.ttl"])


def test_the_faults_of_a_published_graph(ck25):
    _, expected = report("link-04-dangling")
    found = validity(ck25, shapes=Store.of(SHAPES))
    managers = found.of("dangling", PV + "hasProductManager")
    assert (managers.wrong, managers.checked) == (expected["dangling_hasProductManager_links"], 1009)
    assert managers.variety == expected["distinct_missing_targets"]
    assert managers.validity == pytest.approx(960 / 1009)
    assert found.of("above", PV + "amount").wrong == expected["price_amount_not_positive"]
    assert found.of("datatype", PV + "quantity").wrong == expected["quantity_declared_decimal_stored_string"]
    domains = {one.about.removeprefix(PV): one.wrong for one in found.rules if one.kind == "domain" and one.wrong}
    assert domains == expected["domain_violations"]
    assert found.of("range", PV + "hasProductManager").unclear == 49
    assert sum(one.wrong for one in found.rules if one.source == "default") == 49
    wrong = 250 * 3 + 199 + 49 + 3
    assert (found.total.wrong, len(found.invalid), found.statements) == (wrong, wrong, 26903)


def test_rules_of_shapes_find_what_pyshacl_finds(ck25):
    pytest.importorskip("pyshacl")
    shapes = Store.of(SHAPES)
    rules = validity(ck25, shapes=shapes, axioms=False, defaults=False, examples=10_000).rules
    ours = sorted((one.about, one.among, len(_subjects(one))) for one in rules if one.wrong)
    held = conform(ck25, shapes, all_kinds=True)
    theirs = sorted((one.about, one.among, one.wrong) for one in held if one.wrong)
    unclear = [(one.about, one.among, one.unclear) for one in rules if one.unclear]
    assert sorted(ours + unclear) == theirs
    assert unclear == [(PV + "hasProductManager", (PV + "Hardware",), 48)]
    assert {one.about: one.wrong for one in held}[PV + "hasProductManager"] in {0, 48}


def _subjects(one):
    return {fault.subject for fault in one.faults}
