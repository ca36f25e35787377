"""`Worker`: an embedded graph in processes of its own."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assay.errors import FormatError, InputError, MissingExtraError, ParameterError
from assay.graph.sparql import worker as module
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.modifiers import Modifiers, tokenised
from assay.graph.sparql.patterns import parts
from assay.graph.sparql.worker import Worker

pytest.importorskip("pyoxigraph")

TRIPLES = "".join(f"<http://x/{n}> <http://x/p> <http://x/{n % 7}> .\n" for n in range(3000))
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?i) }"
PATIENCE = 60
COUNT = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "few.nt"
    path.write_text(TRIPLES)
    return path


def test_a_worker_answers_as_a_store(file):
    with Worker([file]) as graph:
        assert graph.ask(COUNT).rows[0][0].value == "3000"
        assert graph.ask("ASK { ?s <http://x/none> ?o }").boolean is False
        wrong = graph.ask("SELEC")
        assert (wrong.status, str(file) in wrong.message) == ("error", True)
        with pytest.raises(QueryError, match="expected SPARQL"):
            graph.select("SELEC")


MANY = 50_000
HOSTILE = {
    "groups": "SELECT ?s " + "{" * MANY + "?s ?p ?o" + "}" * MANY,
    "parentheses": "SELECT ?s { ?s ?p ?o FILTER " + "(" * MANY + "1" + ")" * MANY + " }",
    "negations": "SELECT ?s { ?s ?p ?o FILTER (" + "!" * MANY + "?s) }",
    "options": "SELECT ?s {" + " OPTIONAL { ?s ?p ?o" * MANY + " }" * MANY + " }",
    "alternatives": "SELECT ?s { " + " UNION ".join(["{ ?s ?p ?o }"] * MANY) + " }",
    "paths": "SELECT ?s { ?s " + "(" * MANY + "<http://x/p>" + ")*" * MANY + " ?o }",
    "sums": "SELECT ?s { ?s ?p ?o FILTER (" + "+".join(["1"] * MANY) + ") }",
    "triple terms": "SELECT ?s { ?s ?p " + "<<( ?s ?p " * MANY + "1" + " )>>" * MANY + " }",
    "brackets without an end": "SELECT ?s { ?s ?p " + "[ ?p " * MANY,
    "lists of patterns": "SELECT ?s { " + "?s ?p ?o . " * 3000 + " }",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_query_that_would_end_its_process_ends_no_other(file, kind):
    with Worker([file], limit_s=3.0) as graph:
        assert graph.ask(HOSTILE[kind]).status in {"error", "timeout"}
        assert graph.ask(COUNT).rows[0][0].value == "3000"


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_query_without_an_end_is_looked_at_in_its_length(kind):
    begun = time.process_time()
    modifiers = Modifiers.of(HOSTILE[kind])
    assert (modifiers.form, modifiers.cuts) == ("SELECT", False)
    assert "longer than" in parts(HOSTILE[kind]).reason
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    "piece", ["a.", '"\\', "'\\", '"""\\"', "a:b.", "<a", "?a.", "@a-", "a-", "%41:", '"""a', "1."]
)
def test_words_without_an_end_are_told_apart_in_time_that_follows_their_length(piece):
    begun = time.process_time()
    tokens = list(tokenised(piece * (200_000 // len(piece))))
    assert tokens
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("large", [1, 1 << 30])
def test_a_query_that_takes_too_long_is_a_time_out_and_the_next_is_answered(file, large):
    with Worker([file], limit_s=1.0, large=large) as graph:
        begun = time.monotonic()
        found = graph.ask(ENDLESS)
        assert found.status == "timeout"
        assert "no answer within 1 s" in found.message
        assert 1 <= time.monotonic() - begun < 10
        assert graph.ask(COUNT).rows[0][0].value == "3000"


def test_what_is_kept_on_disk_goes_at_the_end(file, tmp_path, monkeypatch):
    aside = tmp_path / "aside"
    aside.mkdir()
    monkeypatch.setattr(module.tempfile, "tempdir", str(aside))
    with Worker([file], large=1, processes=2) as graph:
        assert graph.name == str(file)
        assert [place.name.startswith("assay-") for place in aside.iterdir()] == [True]
        with ThreadPoolExecutor(2) as pool:
            assert {one.rows[0][0].value for one in pool.map(graph.ask, [COUNT] * 4)} == {"3000"}
    assert list(aside.iterdir()) == []


def test_a_process_that_dies_is_an_error_of_its_query_alone(file):
    with Worker([file]) as graph:
        pid = next(iter(graph._running))._process.pid
        threading.Timer(0.5, os.kill, (pid, signal.SIGKILL)).start()
        found = graph.ask(ENDLESS)
        assert found.status == "error"
        assert "ended with code -9" in found.message
        assert graph.ask("ASK {}").boolean is True


def test_a_process_that_died_between_queries_is_started_again(file):
    with Worker([file]) as graph:
        process = next(iter(graph._running))._process
        process.kill()
        process.wait()
        found = [graph.ask("ASK {}") for _ in range(2)]
        assert found[1].boolean is True


def test_a_graph_that_is_gone_when_a_process_starts_again_is_an_error(file):
    with Worker([file], limit_s=0.5) as graph:
        assert graph.ask(ENDLESS).status == "timeout"
        file.unlink()
        found = graph.ask(COUNT)
    assert found.status == "error"
    assert "found nothing of that name" in found.message


def test_several_processes_answer_at_once(file):
    with Worker([file], limit_s=PATIENCE, processes=2) as graph, ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(graph.ask, ENDLESS) for _ in range(2)]
        end = time.monotonic() + PATIENCE
        while len(graph._running) < 2:
            assert time.monotonic() < end
            time.sleep(0.01)
        graph.close()
        assert [one.result().status for one in asked] == ["error"] * 2
        assert "it was closed" in graph.ask("ASK {}").message


def test_rows_beyond_the_limit_are_left_out(file):
    with Worker([file], most_rows=10) as graph:
        found = graph.ask("SELECT * { ?s ?p ?o }")
    assert (len(found.rows), found.truncated) == (10, True)


def test_what_is_wrong_with_the_files_is_said_at_once(tmp_path):
    (tmp_path / "a.nt").write_text("nonsense")
    with pytest.raises(InputError, match="found nothing of that name"):
        Worker([tmp_path / "b.nt"])
    with pytest.raises(FormatError, match="line 1"):
        Worker([tmp_path / "a.nt"])
    with pytest.raises(FormatError, match="line 1"):
        Worker([tmp_path / "a.nt"], large=1)


@pytest.mark.parametrize("wrong", [{"limit_s": 0}, {"processes": 0}, {"most_rows": 0}])
def test_a_limit_has_to_allow_something(file, wrong):
    with pytest.raises(ParameterError, match="expected more than 0"):
        Worker([file], **wrong)


def test_errors_of_the_process_keep_their_kind():
    error = module._failure(("failed", "MissingExtraError", "needs x", "pip install"), "a.nt")
    assert isinstance(error, MissingExtraError)
    assert error.hint == "pip install"
    assert "ended while it read it" in module._failure(None, "a.nt").message


def test_a_changed_file_is_another_graph(file):
    with Worker([file]) as graph:
        before = graph.identity
        file.write_text("")
        assert graph.identity != before


ORPHAN = """
import sys, threading
from assay.graph.sparql.worker import Worker
graph = Worker([sys.argv[1]])
print(next(iter(graph._running))._process.pid, flush=True)
graph.ask(sys.argv[2])
"""


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_whose_owner_is_killed_ends_in_the_middle_of_a_query(file):
    owner = subprocess.Popen([sys.executable, "-c", ORPHAN, file, ENDLESS], stdout=subprocess.PIPE)
    pid = int(owner.stdout.readline())
    time.sleep(0.5)
    assert is_there(pid)
    owner.kill()
    owner.communicate()
    end = time.monotonic() + 20
    while is_there(pid) and time.monotonic() < end:
        time.sleep(0.05)
    assert not is_there(pid)
