"""A real SPARQL server on loopback: `oxigraph serve`, asked as any endpoint is."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from tests.unit.services import served

from assay.formats.suites import read_suite
from assay.graph.sparql.conformance import probe
from assay.graph.sparql.endpoint import Endpoint
from assay.graph.sparql.store import Store
from assay.tasks.answers.run import run_suite

PATIENCE = 60
TURTLE = "@prefix : <http://x/> . :a :p 1 ; :q :b . :b :p 2 ."
OXIGRAPH = shutil.which("oxigraph", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")

pytestmark = pytest.mark.skipif(OXIGRAPH is None, reason="needs the package oxigraph")
for module in ("pyoxigraph", "httpx", "yaml"):
    pytest.importorskip(module)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def server():
    """The address of a server, with a function that gives it data."""
    port = free_port()
    process = subprocess.Popen(
        [OXIGRAPH, "serve", "--bind", f"127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    url = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                urlopen(f"{url}/", timeout=5).close()
                break
            except OSError:
                assert process.poll() is None
                assert time.monotonic() < end
                time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def load(server):
    """Give the server the data of a Turtle text alone, and return its endpoint."""

    def put(turtle):
        content = turtle if isinstance(turtle, bytes) else turtle.encode()
        request = Request(f"{server}/store?default", content, {"Content-Type": "text/turtle"}, method="PUT")
        urlopen(request, timeout=PATIENCE).close()
        return f"{server}/query"

    return put


def test_it_answers_as_the_embedded_engine(load):
    store = Store.of(TURTLE)
    with Endpoint(load(TURTLE), limit_s=PATIENCE) as endpoint:
        for query in ("SELECT * { ?s ?p ?o } ORDER BY ?s ?p", "ASK { ?s ?p 2 }", "SELECT ?x { ?x ?p 'none' }"):
            there, here = endpoint.ask(query), store.ask(query)
            assert (there.columns, there.rows, there.boolean) == (here.columns, here.rows, here.boolean)
        wrong = endpoint.ask("SELEC")
        assert wrong.status == "error"
        assert "400 Bad Request: 'error at 1:6" in wrong.message


def test_it_passes_every_probe_whatever_it_holds(load):
    with Endpoint(load(TURTLE), limit_s=PATIENCE) as endpoint:
        assert [one.name for one in probe(endpoint).failed] == []


def test_a_query_beyond_the_limit_is_a_time_out(load):
    with Endpoint(load(TURTLE), limit_s=0.5) as endpoint:
        found = endpoint.ask("SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(17)) + " }")
    assert found.status == "timeout"
    assert found.seconds < 10


@pytest.mark.slow
def test_a_real_suite_gets_the_same_answers_there_as_here(load, data):
    suite = read_suite(data / "sparql" / "ck25" / "questions.yml")
    place = data / "rdf" / "ck25" / "prod-inst.ttl"
    with Endpoint(load(place.read_bytes()), limit_s=PATIENCE) as endpoint:
        there = run_suite(suite, endpoint, concurrency=4)
    here = run_suite(suite, Store.open([place]))
    other = [name for name in here if sorted(map(repr, here[name].rows)) != sorted(map(repr, there[name].rows))]
    assert {name: there[name].status for name in other} == {"37": "error", "42": "error"}  # xsd:int is only here


def test_the_command_line_runs_a_suite_against_it(assay, tmp_path, load):
    questions = [
        {"id": "1", "question": "What has p?", "sparql": "SELECT ?x { ?x <http://x/p> ?n }", "answers": ["a", "b"]},
        {"id": "2", "question": "What is q?", "sparql": "SELECT ?x { ?y <http://x/q> ?x }", "answers": ["http://x/b"]},
        {"id": "3", "question": "Wrong?", "sparql": "SELEC", "answers": ["b"]},
    ]
    (tmp_path / "suite.jsonl").write_text("".join(json.dumps(one) + "\n" for one in questions))
    address = load(TURTLE).replace("//", "//me:secret@")
    header = ("--header", "X-Token: hush")
    args = ("answers", "run", "suite.jsonl", "--endpoint", address, "--concurrency", 2, *header, "--retries", 0)
    done = assay(*args, "--answers", "kept.jsonl", "-o", "json", "--out", "found.json")
    document = json.loads((tmp_path / "found.json").read_text())
    counts = document["systems"][0]["counts"]
    assert (counts["executed"]["count"], counts["error"]["count"], counts["fully answered"]["count"]) == (2, 1, 2)
    written = (tmp_path / "found.json").read_text() + (tmp_path / "kept.jsonl").read_text() + done.out + done.err
    assert "secret" not in written
    assert "hush" not in written
    assert "X-Token: ***" in document["command"]


def test_the_command_line_probes_it(assay, load):
    assert "probes are answered as they should be" in assay("answers", "probe", load(TURTLE)).out


def test_the_command_line_says_at_once_that_nobody_answers(assay, tmp_path):
    (tmp_path / "suite.jsonl").write_text('{"id": "1", "sparql": "ASK {}", "answers": true}\n')
    address = f"http://me:secret@127.0.0.1:{free_port()}/sparql"
    done = assay("answers", "run", "suite.jsonl", "--endpoint", address, "--retries", 0, expect=2)
    assert "no connection" in done.err
    assert "secret" not in done.err


def test_the_command_line_ends_with_1_where_a_probe_fails(assay):
    with served(lambda handler: handler.send()) as server:
        done = assay("answers", "probe", server.url, expect=1)
    assert "NOT AS IT SHOULD" in done.out
    assert "ask-no" in done.out
