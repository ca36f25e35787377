"""Links in RDF: which statements are links, and what their things are called."""

import pytest

from assay.errors import FormatError
from assay.formats.triples import read_triples
from assay.tasks.links.audit import audit_links
from assay.tasks.links.graph import KnowledgeGraph

pytest.importorskip("pyoxigraph")
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
TRIPLES = f"""<x:paris> <x:in> <x:france> .
<x:paris> {LABEL} "Lutetia"@la .
<x:paris> {LABEL} "Paris"@en .
<x:in> {LABEL} "located in" .
<x:paris> <x:people> "2100000" .
_:b <x:in> <x:france> .
<x:one> {LABEL} "France" .
<x:france> {LABEL} "France" .
"""
TURTLE = """@prefix x: <x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
x:paris x:in x:france ; rdfs:label "Lutetia"@la, "Paris"@en ; x:people 2100000 .
x:in rdfs:label "located in" .
x:one rdfs:label "France" . x:france rdfs:label "France" .
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "g.nt").write_text(TRIPLES)
    (tmp_path / "g.ttl").write_text(TURTLE)
    return tmp_path


def test_statements_about_literals_are_no_links(files):
    found = read_triples(files / "g.nt")
    assert found.table.rows()[0] == ("x:paris", "x:in", "x:france")
    assert found.table["head"][1].startswith("_:")
    assert (found.table.height, found.literals) == (2, 1)
    assert found.labels == {"x:paris": "Paris", "x:in": "located in", "x:one": "France", "x:france": "France"}


def test_turtle_holds_the_same(files):
    found = read_triples(files / "g.ttl")
    assert found.table.rows() == [("x:paris", "x:in", "x:france")]
    assert (found.literals, found.labels["x:paris"]) == (1, "Paris")


def test_labels_name_what_no_other_has(files):
    by_iri = KnowledgeGraph.read(files / "g.ttl")
    assert by_iri.entities.to_list() == ["x:paris", "x:france"]
    graph = KnowledgeGraph.read(files / "g.ttl", labels=True)
    assert graph.named(graph.splits["train"]) == [("Paris", "located in", "x:france")]


def test_the_audit_counts_literals(files):
    (finding,) = audit_links(KnowledgeGraph.read(files / "g.nt")).of("literals")
    assert finding.title == "statements with a literal as object, left out: 1"


@pytest.mark.parametrize(
    ("name", "text"), [("g.nt", "<a:b> <a:c> <a:d> .\n<a:b> oops .\n"), ("g.ttl", "\n<a:b> oops .\n")]
)
def test_a_broken_statement_is_named_by_its_line(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    form = {"nt": "ntriples", "ttl": "turtle"}[name[2:]]
    with pytest.raises(FormatError, match=rf"{name}, line 2: expected {form}, found an error: "):
        read_triples(path)
