"""Files, queries and shapes of strangers make nobody ask another machine, or read another file."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

pytest.importorskip("pyoxigraph")
pytest.importorskip("pyshacl")

from assay.errors import AssayError
from assay.graph.sparql.rdflib_graph import RdflibGraph
from assay.graph.sparql.store import Store
from assay.graph.validity.shapes import conform

DATA = "<http://x/a> a <http://x/C> ; <http://x/p> <http://x/b> ."
SHAPE = """@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix : <http://x/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . <URL/o> a owl:Ontology ; owl:imports <URL/imports> .
:S a sh:NodeShape ; sh:targetClass :C ; sh:closed true ; sh:shapesGraph <URL/graph> ; sh:sparql [
  a sh:SPARQLConstraint ; sh:prefixes :N ; sh:select QUERY ] ."""
ALL = "SELECT $this ?value { $this a ?value }"
SERVICE = "SELECT $this ?value { $this a ?value . SERVICE <URL/s> { ?s ?p ?o } }"
SHAPES = {
    "a service": (f'"{SERVICE}"', "SERVICE"),
    "a silent service": ('"SELECT $this ?value { $this a ?value . service silent <URL/s> { ?s ?p ?o } }"', "SERVICE"),
    "an escaped service": (
        '"SELECT $this ?value { $this a ?value . SERV\\\\u0049CE <URL/s> { ?s ?p ?o } }"', "SERVICE",
    ),
    "an escaped silent service": (
        '"SELECT $this ?value { $this a ?value . \\\\u0053ERVICE SILENT <URL/s> { ?s ?p ?o } }"', "SERVICE",
    ),
    "a service behind a prefix": (
        f'"{ALL}" ] . :N sh:declare [ sh:prefix "n" ; sh:namespace "http://x/> {SERVICE} #"', "",
    ),
    "FROM": ('"SELECT $this ?value FROM <URL/from> { $this a ?value }"', ""),
    "FROM NAMED": ('"SELECT $this ?value FROM NAMED <URL/from> { $this a ?value . GRAPH ?g { ?s ?p ?o } }"', "shapes"),
}  # fmt: skip
CONTEXTS = {
    "an address": '{"@context": "URL/c", "@id": "http://x/a", "http://x/p": 1}',
    "one of several": '{"@context": [{"a": "http://x/a"}, "URL/c"], "@id": "http://x/a", "http://x/p": 1}',
    "within": '{"@id": "http://x/a", "http://x/p": {"@context": "URL/c", "http://x/p": 1}}',
    "of a term": '{"@context": {"p": {"@id": "http://x/p", "@context": "URL/c"}}, "@id": "http://x/a", "p": {"p": 1}}',
    "an import": '{"@context": {"@version": 1.1, "@import": "URL/c"}, "@id": "http://x/a", "http://x/p": 1}',
    "a file": '{"@context": "FILE", "@id": "http://x/a", "http://x/p": 1}',
}
QUERIES = {
    "a service": "SELECT * { SERVICE <URL/s> { ?s ?p ?o } }",
    "an escaped service": "SELECT * { SERV\\u0049CE <URL/s> { ?s ?p ?o } }",
    "FROM": "SELECT * FROM <URL/f> { ?s ?p ?o }",
    "FROM NAMED": "SELECT * FROM NAMED <URL/f> { GRAPH ?g { ?s ?p ?o } }",
    "a file": "SELECT * FROM <FILE> { ?s ?p ?o }",
    "LOAD": "LOAD <URL/l>",
    "DESCRIBE": "DESCRIBE <URL/d>",
}


@pytest.fixture
def asked():
    """A server on this machine: its address, and what it was asked for."""
    heard = []

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self):
            heard.append(self.path)
            self.send_response(200)
            self.send_header("content-type", "application/ld+json")
            self.end_headers()
            self.wfile.write(b'{"@context": {}}')

        do_POST = do_GET  # noqa: N815 - the name is that of the library

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", heard
        server.shutdown()


@pytest.fixture
def filled(asked, tmp_path):
    """Put the addresses of the server and of a file with a secret into a text."""
    secret = tmp_path / "secret.json"
    secret.write_text('{"@context": {"secret": "http://x/secret"}, "@id": "http://x/secret", "http://x/p": 1}')
    return lambda text: text.replace("URL", asked[0]).replace("FILE", secret.as_uri())


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_ask_nobody(asked, filled, kind):
    query, said = SHAPES[kind]
    try:
        conform(Store.of(DATA), Store.of(filled(SHAPE.replace("QUERY", query))))
    except AssayError as error:
        assert said in str(error)  # noqa: PT017 - some are refused, and some are answered from the graph alone
    else:
        assert not said
    assert asked[1] == []


@pytest.mark.parametrize("engine", [Store, RdflibGraph], ids=["oxigraph", "rdflib"])
@pytest.mark.parametrize("kind", CONTEXTS)
def test_a_context_is_taken_from_its_file_alone(asked, filled, tmp_path, engine, kind):
    path = tmp_path / "a.jsonld"
    path.write_text(filled(CONTEXTS[kind]))
    with pytest.raises(AssayError, match=r"a\.jsonld: expected"):
        engine.open([path])
    assert asked[1] == []


def test_a_context_of_its_own_is_read(tmp_path):
    path = tmp_path / "a.jsonld"
    path.write_text('{"@context": [null, {"p": "http://x/p"}], "@id": "http://x/a", "p": "@import"}')
    assert len(RdflibGraph.open([path]).ask("SELECT * { ?s <http://x/p> ?o }").rows) == 1


@pytest.mark.parametrize("engine", [Store, RdflibGraph], ids=["oxigraph", "rdflib"])
@pytest.mark.parametrize("kind", QUERIES)
def test_a_query_is_answered_by_its_graph_alone(asked, filled, tmp_path, engine, kind):
    path = tmp_path / "a.ttl"
    path.write_text(DATA)
    found = engine.open([path]).ask(filled(QUERIES[kind]))
    assert asked[1] == []
    assert not any("secret" in str(cell) for row in found.rows for cell in row)


@pytest.mark.parametrize("engine", [Store, RdflibGraph], ids=["oxigraph", "rdflib"])
def test_an_entity_of_elsewhere_is_not_read(asked, filled, tmp_path, engine):
    path = tmp_path / "a.rdf"
    space = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x/"'
    body = f'<rdf:RDF {space}><rdf:Description rdf:about="http://x/a"><x:p>&e;</x:p></rdf:Description></rdf:RDF>'
    for where in ("URL/e", "FILE"):
        path.write_text(filled(f'<!DOCTYPE r [<!ENTITY e SYSTEM "{where}">]>{body}'))
        try:
            found = engine.open([path]).ask("SELECT ?o { ?s ?p ?o }").rows
        except AssayError:
            continue
        assert [str(row[0].value) for row in found] == [""]
    assert asked[1] == []
