"""`assay answers run`, as a newcomer and as a script use it; and a run that is killed in the middle."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from tests.unit.services import served

from assay.formats.answer_files import read_answers
from assay.formats.suites import read_suite
from assay.graph.sparql.worker import Worker
from assay.tasks.answers.run import run_suite

for module in ("pyoxigraph", "yaml"):
    pytest.importorskip(module)

ROOT = Path(__file__).parents[2]
GRAPH = "@prefix : <http://x/> . :a :p 1 ; :q :b . :b :p 2 . :c :p 3 ."
DAMAGED = "@prefix : <http://x/> . :a :p 1 ; :q :b . :b :p 2 ."
QUESTIONS = [
    {"id": "all", "question": "What has p?", "gold_sparql": "SELECT ?x { ?x <http://x/p> ?n }"},
    {"id": "most", "question": "Most?", "gold_sparql": "SELECT ?x { ?x <http://x/p> ?n } ORDER BY DESC(?n) LIMIT 1"},
    {"id": "yes", "question": "Any q?", "gold_sparql": "ASK { ?x <http://x/q> ?y }"},
    {"id": "none", "question": "Any z?", "gold_sparql": "SELECT ?x { ?x <http://x/z> ?y }"},
]
ENDLESS = "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(30)) + " }"
PATIENCE = 120


def write(path, questions):
    path.write_text("".join(json.dumps(one) + "\n" for one in questions), encoding="utf-8")


@pytest.fixture
def files(tmp_path):
    (tmp_path / "whole.ttl").write_text(GRAPH)
    (tmp_path / "damaged.ttl").write_text(DAMAGED)
    write(tmp_path / "suite.jsonl", QUESTIONS)
    return tmp_path


def counted(assay, *args, **options):
    document = json.loads(assay("answers", "run", *args, "-o", "json", **options).out)
    return {name: one["count"] for name, one in document["systems"][0]["counts"].items()}, document


def test_right_answers_of_another_graph_tell_what_is_lost(assay, files):
    args = ("suite.jsonl", "--graph", "damaged.ttl", "--gold-graph", "whole.ttl", "--leave-out", "none")
    counts, document = counted(assay, *args)
    assert (counts["executed"], counts["answerable"], counts["fully answered"]) == (4, 2, 1)
    recall = {one["question"]: one["recall"] for one in document["systems"][0]["questions"]}
    assert recall == {"all": pytest.approx(2 / 3), "most": 0, "yes": 1, "none": None}
    assert document["systems"][0]["name"] == "damaged.ttl"
    jsonschema.validate(document, json.loads(assay("schema", "answers run").out))


def test_one_graph_alone_says_that_it_judges_itself(assay, files):
    done = assay("answers", "run", "suite.jsonl", "--graph", "whole.ttl")
    assert "Note: 4 questions have no right answers but those of the query that was asked" in done.err
    assert "HOW MANY OF 4 QUESTIONS" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_unhealthy_questions_leave_the_figures(assay, files):
    args = ("suite.jsonl", "--graph", "damaged.ttl", "--gold-graph", "whole.ttl")
    _, document = counted(assay, *args)
    assert document["left_out"] == [{"question": "none", "reason": "empty: the gold query finds nothing"}]


def test_a_time_out_is_counted_and_the_rest_goes_on(assay, files):
    write(files / "slow.jsonl", [{"id": "slow", "sparql": ENDLESS, "answers": [1]}, {**QUESTIONS[0], "answers": ["a"]}])
    counts, _ = counted(assay, "slow.jsonl", "--graph", "whole.ttl", "--limit", 1)
    assert (counts["executed"], counts["timeout"], counts["error"], counts["empty"]) == (1, 1, 0, 0)


def test_errors_are_asked_again_when_asked_for(assay, files):
    args = ("suite.jsonl", "--graph", "whole.ttl", "--answers", "kept.jsonl")
    first, _ = counted(assay, *args)
    lines = (files / "kept.jsonl").read_text().splitlines(keepends=True)
    (files / "kept.jsonl").write_text("".join(lines[:-1]) + '{"id": "none", "status": "timeout"}\n')
    kept, _ = counted(assay, *args)
    again, _ = counted(assay, *args, "--again")
    assert (first["timeout"], kept["timeout"], again["timeout"]) == (0, 1, 0)


def test_a_graph_that_was_changed_is_another_graph(assay, files):
    args = ("answers", "run", "suite.jsonl", "--graph", "whole.ttl", "--answers", "kept.jsonl")
    assay(*args)
    (files / "whole.ttl").write_text(DAMAGED)
    done = assay(*args, expect=2)
    assert "kept.jsonl: expected answers of whole.ttl (sha256" in done.err
    assert "Hint: name another file of answers" in done.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "graph: expected --graph FILE or --endpoint URL, found neither\nHint: --graph FILE reads a graph"),
        (("--graph", "whole.ttl", "--endpoint", "http://x/"), "found both"),
        (("--graph", "none.ttl"), "none.ttl: expected a file, found nothing of that name"),
        (("--graph", "whole.ttl", "--convention", "nonsense"), "nonsense"),
        (("--graph", "whole.ttl", "-m", "nonsense@3"), "no measure is called 'nonsense'"),
        (("--graph", "whole.ttl", "--concurrency", "0"), "--concurrency: expected a whole number of at least 1"),
        (("--graph", "whole.ttl", "--limit", "0"), "expected more than 0"),
        (("--graph", "whole.ttl", "--again"), "--again: expected --answers FILE"),
        (("--graph", "whole.ttl", "--leave-out", "unhealthy"), "expected --gold-graph"),
        (("--endpoint", "ftp://me:secret@x/"), "expected an address such as https://example.org/sparql"),
        (("--endpoint", "http://x/", "--header", "A: env:NONE_SUCH"), "found none called 'NONE_SUCH'"),
        (("--endpoint", "http://x/", "--header", "secret"), "--header: expected NAME:VALUE"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_asked(assay, files, args, said):
    done = assay("answers", "run", "suite.jsonl", *args, expect=2)
    assert said in done.err
    assert "secret" not in done.err
    assert done.out == ""


def start(folder, *args):
    return subprocess.Popen(
        [sys.executable, "-m", "assay", "answers", "run", *map(str, args)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGKILL, -9), (signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_that_is_ended_in_the_middle_goes_on(assay, files, number, code):
    questions = [{**QUESTIONS[n % 3], "id": f"q{n}"} for n in range(30)]
    questions[10] = {"id": "q10", "gold_sparql": ENDLESS}
    write(files / "long.jsonl", questions)
    args = ("long.jsonl", "--graph", "whole.ttl", "--answers", "kept.jsonl")
    process = start(files, *args, "--limit", 60)
    kept, end = files / "kept.jsonl", time.monotonic() + PATIENCE
    while not (kept.exists() and kept.read_bytes().count(b"\n") > 10):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(number)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert b"Traceback" not in said
    before = kept.read_text().splitlines()
    assert len(read_answers(kept).answers) == 10
    counts, _ = counted(assay, *args, "--limit", 1)
    assert (counts["executed"], counts["timeout"]) == (29, 1)
    assert kept.read_text().splitlines()[: len(before)] == before
    assert list(read_answers(kept).answers) == [f"q{n}" for n in range(30)]


@pytest.mark.slow
def test_the_50_questions_of_a_real_suite_are_all_answered(assay, data):
    suite, graph = data / "sparql" / "ck25" / "questions.yml", data / "rdf" / "ck25" / "prod-inst.ttl"
    counts, _ = counted(assay, suite, "--graph", graph, "--answers", "kept.jsonl", "--concurrency", 2)
    assert (counts["executed"], counts["error"], counts["timeout"], counts["empty"]) == (50, 0, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pq2h", "wc14"])
def test_400_real_questions_get_their_right_answers(data, name):
    folder = data / "sparql" / "local-kgqa"
    suite = read_suite(folder / f"{name}.jsonl")
    with Worker([folder / f"{name}.nt"], limit_s=30) as graph:
        found = run_suite(suite, graph)
    assert len(found) == 400
    for question in suite.questions:
        right = {row[0].value for row in question.gold.rows}
        assert {unquote(row[0].value.rpartition(":")[2]) for row in found[question.name].rows} == right


LABELLED = """@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a rdfs:label "Sales department" . :b rdfs:label "Marketing department" . :c rdfs:label "Cup" ."""
SEARCHED = [
    {"id": "1", "question": "Which is the sales department?", "answers": ["http://x/a"]},
    {"id": "2", "question": "Any marketing?", "gold_sparql": "SELECT ?x { ?x ?p 'Marketing department' }"},
]


def test_labels_are_searched_instead_of_sparql(assay, files):
    pytest.importorskip("bm25s")
    (files / "labelled.ttl").write_text(LABELLED)
    write(files / "searched.jsonl", SEARCHED)
    args = ("searched.jsonl", "--graph", "labelled.ttl", "--search", "labels", "-m", "P@1 RR")
    counts, document = counted(assay, *args)
    assert (counts["executed"], counts["fully answered"]) == (2, 2)
    system = document["systems"][0]
    assert system["name"] == "labels"
    assert {name: one["mean"] for name, one in system["ranked"]["measures"].items()} == {"P@1": 1, "RR": 1}


def test_a_search_service_needs_no_graph(assay, files):
    def act(handler):
        handler.send(json.dumps({"results": [{"id": "http://x/a", "score": 2}]}).encode(), kind="application/json")

    write(files / "searched.jsonl", SEARCHED)
    with served(act) as server:
        address = server.url.replace("//", "//me:secret@")
        done = assay("answers", "run", "searched.jsonl", "--search", address, "-o", "json", "--answers", "kept.jsonl")
    document = json.loads(done.out)
    assert document["left_out"] == [{"question": "2", "reason": "its gold query gave no answer (error)"}]
    assert document["systems"][0]["counts"]["fully answered"]["count"] == 1
    assert "secret" not in done.out + done.err + (files / "kept.jsonl").read_text()
