"""`assay graph validity` and `assay graph suspects`, as a newcomer and as a script use them."""

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import jsonschema
import polars as pl
import pytest

from assay.formats.sparql_results import document_of
from assay.graph.sparql.store import Store

pytest.importorskip("pyoxigraph")
X = "http://x/"
GRAPH = """
@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:cap rdfs:range :City ; rdfs:domain :Country . :Town rdfs:subClassOf :City .
:fr a :Country ; :cap :paris ; :size 12 . :paris a :Town .
:de a :Country ; :cap :rhine ; :size -3 . :rhine a :River .
:it a :Country ; :cap :rome . :rome :note "no type" .
:es a :Country ; :cap :gone .
"""
SHAPES = """
@prefix : <http://x/> . @prefix sh: <http://www.w3.org/ns/shacl#> .
[] sh:targetClass :Country ; sh:property [ sh:path :size ; sh:minCount 1 ; sh:minExclusive 0 ] ;
   sh:property [ sh:path :cap ; sh:or ([ sh:class :City ] [ sh:class :River ]) ] .
"""


@pytest.fixture
def files(tmp_path):
    (tmp_path / "graph.ttl").write_text(GRAPH)
    (tmp_path / "shapes.ttl").write_text(SHAPES)
    return tmp_path


def judged(assay, *args):
    document = json.loads(assay("graph", "validity", *args, "-o", "json").out)
    jsonschema.validate(document, json.loads(assay("schema", "graph validity").out))
    return document, {(one["rule"], one["about"]): one for one in document["rules"]}


def test_the_counts_are_those_by_hand(assay, files):
    document, rules = judged(assay, "graph.ttl", "--shapes", "shapes.ttl")
    ranged = rules["range", X + "cap"]
    assert (ranged["checked"], ranged["wrong"], ranged["unclear"]) == (4, 1, 2)
    assert (ranged["validity"], ranged["strict"], ranged["found"]) == (0.5, 0.25, {X + "River": 1})
    assert ranged["faults"] == [{"subject": "<http://x/de>", "object": "<http://x/rhine>"}]
    assert rules["dangling", X + "cap"]["wrong"] == 1
    assert rules["min count", X + "size"]["validity"] == 0.5
    assert rules["above", X + "size"]["wrong"] == 1
    cap = next(one for one in document["predicates"] if one["predicate"] == X + "cap")
    assert cap == {"predicate": X + "cap", "statements": 4, "wrong": 2, "unclear": 1, "validity": 0.5}
    assert "sh:or (1)" in document["notices"][0]


def test_pyshacl_takes_what_is_no_rule(assay, files):
    pytest.importorskip("pyshacl")
    document, rules = judged(assay, "graph.ttl", "--shapes", "shapes.ttl", "--full", "--only", "shapes")
    one = rules["shape", X + "cap"]
    assert (one["expected"], one["checked"], one["wrong"]) == (["sh:or"], 4, 2)
    assert document["notices"] == []
    assert {one["source"] for one in document["rules"]} == {"shape"}


def test_the_table_names_what_is_broken_and_what_was_not_evaluated(assay, files):
    (files / "more.nt").write_text("<http://x/u> <http://www.w3.org/2000/01/rdf-schema#domain> <http://x/A> .\n")
    done = assay("graph", "validity", "graph.ttl", "more.nt")
    assert max(map(len, done.out.splitlines())) <= 80
    for words in (
        "link validity",
        "RULES THAT ARE BROKEN",
        "range",
        "River",
        "e.g. de cap rhine",
        "domain u",
        "no interval",
    ):
        assert words in done.out


@pytest.mark.parametrize("form", ["csv", "tsv", "markdown", "parquet"])
def test_other_forms(assay, files, form):
    done = assay("graph", "validity", "graph.ttl", "-o", form)
    if form == "markdown":
        assert "| range | cap | City | 4 | 1 | 2 | 0.5000 | River (1) |" in done.out
        return
    frame = pl.read_parquet(io.BytesIO(done.stdout)) if form == "parquet" else pl.read_csv(
        io.BytesIO(done.stdout), separator="," if form == "csv" else "\t"
    )  # fmt: skip
    assert frame.filter(rule="range", about=X + "cap")["wrong"].to_list() == [1]


@pytest.mark.parametrize(("args", "said"), [
    (["graph.ttl", "--only", "beauty"], "expected axioms, shapes or defaults, found beauty"),
    (["graph.ttl", "--full"], "--full: expected shapes beside it"),
    (["graph.ttl", "--only", "shapes"], "--only shapes: expected shapes"),
    (["none.ttl"], "none.ttl"),
    (["graph.ttl", "http://x/sparql"], "expected files, or one address alone"),
])  # fmt: skip
def test_mistakes_are_told_in_words(assay, files, args, said):
    assert said in assay("graph", "validity", *args, expect=2).err


@pytest.fixture
def service():
    """A SPARQL service on this machine, made of a store and the standard library."""
    store = Store.of(GRAPH)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            query = parse_qs(body)["query"][0] if "query=" in body[:6] else body
            sent = json.dumps(document_of(store.select(query))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/sparql-results+json")
            self.send_header("Content-Length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/sparql"
    server.shutdown()
    server.server_close()


def test_an_endpoint_gives_the_same_as_a_file(assay, files, service):
    remote, _ = judged(assay, service)
    local, _ = judged(assay, "graph.ttl")
    for part in ("statements", "total", "predicates", "rules"):
        assert remote[part] == local[part]


def test_suspects_with_labels(assay, files):
    rows = [f"m{n},cost,{10 + n % 3}" for n in range(60)] + ["m60,cost,9000", "m61,cost,8000"]
    (files / "facts.csv").write_text("\n".join(["subject,predicate,object", *rows]) + "\n")
    marked = [f"{row},{'wrong' if row.endswith('000') else 'right'}" for row in rows]
    (files / "labels.csv").write_text("\n".join(["subject,predicate,object,label", *marked]) + "\n")
    asked = ("graph", "suspects", "facts.csv", "--labels", "labels.csv")
    document = json.loads(assay(*asked, "-m", "P@2 AP", "-o", "json").out)
    jsonschema.validate(document, json.loads(assay("schema", "graph suspects").out))
    assert (document["labelled"], document["wrong"], document["suspected"]) == (62, 2, 2)
    assert [one["object"] for one in document["suspects"]] == ["9000", "8000"]
    whole = document["quality"]["runs"][0]
    assert (whole["name"], whole["measures"]["P@2"]["mean"], whole["measures"]["AP"]["mean"]) == ("all", 1, 1)
    shown = assay(*asked, "-m", "P@{1,2,10}").out
    assert max(map(len, shown.splitlines())) <= 80
    for words in ("Suspect is", "HOW GOOD THE LIST IS", "random order has a P@K of", "interval", "number"):
        assert words in shown
    assert "HOW GOOD" not in assay("graph", "suspects", "facts.csv").out


@pytest.mark.parametrize("form", ["csv", "markdown", "parquet"])
def test_suspects_in_other_forms(assay, files, form):
    done = assay("graph", "suspects", "graph.ttl", "-o", form, "--most", "3")
    assert done.stdout
