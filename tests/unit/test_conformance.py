"""Probes: the embedded engine passes all, engines that are known to fail some fail those, and broken ones are told."""

import json

import jsonschema
import pytest

from assay.core.answers import Answer
from assay.core.terms import XSD, Term, iri, literal
from assay.graph.sparql.conformance import plain, probe, probe_data
from assay.graph.sparql.probes import PROBES, REPORTED
from assay.graph.sparql.store import Store
from assay.report import probes as drawn
from assay.report.schema.probes import PROBES as SCHEMA

pytest.importorskip("pyoxigraph")


class Engine:
    """A graph that changes what a store answers."""

    name = "broken"

    def __init__(self, change=None, failing=()):
        self.store, self.change, self.failing = Store.of(""), change, failing

    def ask(self, query):
        if any(word in query for word in self.failing):
            return Answer("error", message="no such function")
        found = self.store.ask(query)
        return self.change(found) if self.change else found

    def select(self, query):
        return self.ask(query)


def test_the_embedded_engine_passes_all_probes():
    found = probe(Store.of("<http://x/a> <http://x/p> 1 ."))
    assert len(found.results) == len(PROBES) > 30
    assert [one.name for one in found.failed] == []


def test_the_embedded_engine_passes_what_people_reported():
    found = probe_data(Store.of)
    assert [one.source for one in found.results] == [
        "RDFLib/rdflib#709",
        "oxigraph/oxigraph#317",
        "dotnetrdf/dotnetrdf#58",
        "tentris/tentris#19",
        "d2rq/d2rq#184",
        "RDFLib/rdflib#1472",
    ]
    assert found.failed == []


def test_probes_have_names_of_their_own_and_reported_ones_are_asked_without_data_too():
    names = [one.name for one in PROBES]
    assert len(set(names)) == len(names)
    assert {one.name for one in REPORTED} <= set(names)
    assert all(not one.data for one in PROBES)


def test_an_engine_that_fails_what_was_reported_of_it_is_told():
    rdflib = pytest.importorskip("rdflib")
    from assay.graph.sparql.rdflib_graph import RdflibGraph

    def make(turtle):
        graph = rdflib.Graph()
        graph.parse(data=turtle, format="turtle")
        return RdflibGraph(graph, "rdflib", 30)

    failed = {one.source: one.found for one in probe_data(make).failed}
    assert set(failed) == {"oxigraph/oxigraph#317", "RDFLib/rdflib#1472"}
    assert failed["oxigraph/oxigraph#317"] == "1 rows"


def cut(found):
    return Answer("answered", found.columns, found.rows[:10_000], found.boolean)


def backwards(found):
    return Answer("answered", found.columns, found.rows[::-1], found.boolean)


def set_like(found):
    return Answer("answered", found.columns, tuple(dict.fromkeys(found.rows)), found.boolean)


def always_yes(found):
    return Answer("answered", found.columns, found.rows, None if found.boolean is None else True)


@pytest.mark.parametrize(
    ("change", "some"),
    [
        (cut, {"all-rows"}),
        (backwards, {"order-of-numbers", "order-of-unbound", "descending", "limit-offset"}),
        (set_like, {"duplicates", "union", "all-rows"}),
        (always_yes, {"ask-no"}),
        (lambda _: Answer("timeout"), {one.name for one in PROBES}),
    ],
    ids=["cuts at 10,000", "sorts backwards", "drops equal rows", "says yes", "takes too long"],
)
def test_a_broken_engine_fails_exactly_what_it_breaks(change, some):
    assert {one.name for one in probe(Engine(change)).failed} == some


def test_an_error_is_a_failed_probe_that_says_what_was_wrong():
    (failed,) = probe(Engine(failing=["REPLACE"])).failed
    assert (failed.name, failed.found, failed.expected) == ("replace", "no such function", "'ba'")


@pytest.mark.parametrize(
    ("term", "value"),
    [
        (literal("1.50", XSD + "decimal"), "1.5"),
        (literal("100", XSD + "integer"), "100"),
        (literal("1", XSD + "boolean"), "True"),
        (literal("x", XSD + "integer"), f'"x"^^<{XSD}integer>'),
        (literal("a", language="de"), '"a"@de'),
        (Term("blank", "b0"), "_:"),
        (iri("http://x/a"), "<http://x/a>"),
        (None, "None"),
    ],
)
def test_values_are_compared_by_what_they_are(term, value):
    found = plain(term)
    assert (f"{found:f}" if hasattr(found, "as_tuple") else str(found)) == value


def test_the_report_names_what_failed_and_its_json_follows_the_schema():
    found = probe(Engine(cut))
    text = drawn.render(found, width=80)
    assert text.startswith(f"broken: {len(PROBES) - 1} of {len(PROBES)} probes are answered as they should be.")
    assert "expected 11,000 rows, found 10,000 rows" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(json.dumps(found.to_dict(command=["answers", "probe"])))
    jsonschema.validate(document, SCHEMA)
    assert document["failed"] == 1
    assert drawn.to_frame(found).filter(passed=False)["name"].to_list() == ["all-rows"]
    assert "| all-rows |" in drawn.to_markdown(found)
    assert "NOT AS IT SHOULD" not in drawn.render(probe(Engine()))
