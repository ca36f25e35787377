"""Runs of MLflow come into the store, and evaluations go to a server of MLflow, with nothing lost on the way."""

import json
import posixpath
import re
import threading
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.unit.history_stores import evaluation

from assay.core.history import RecordedFigure
from assay.errors import InputError, MissingExtraError, ParameterError
from assay.history.mlflow import Tracking
from assay.history.mlflow_runs import mlflow_runs

SEARCHED = {
    "runs": [
        {
            "info": {"run_id": "2", "run_name": "new", "experiment_id": "7", "start_time": "1767312000000"},
            "data": {
                "metrics": [
                    {"key": "AP", "value": 0.4, "timestamp": 2, "step": 2},
                    {"key": "AP", "value": 0.3, "timestamp": 9, "step": 1},
                    {"key": "loss", "value": "NaN", "timestamp": 1, "step": 0},
                ],
                "params": [{"key": "k1", "value": "0.9"}],
                "tags": [
                    {"key": "mlflow.source.git.commit", "value": "abc"},
                    {"key": "branch", "value": "main"},
                    {"key": "mlflow.user", "value": "ann"},
                ],
            },
        },
        {
            "info": {"run_id": "1", "experiment_name": "search", "start_time": 1767225600000},
            "data": {"metrics": {"MR": 3.5}, "params": {}, "tags": {"mlflow.runName": "old"}},
        },
        {"info": {"run_id": "0", "start_time": 0}, "data": {"metrics": {}}},
    ]
}


def written(tmp_path, document):
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(document))
    return path


def test_runs_come_oldest_first_with_what_is_known_of_them(tmp_path):
    old, new = mlflow_runs(written(tmp_path, SEARCHED), tags={"team": "search"})
    assert (old.suite, old.name, old.time) == ("search", "old", datetime(2026, 1, 1, tzinfo=UTC))
    assert old.figures == (RecordedFigure("MR", "", 3.5, 0, 0, higher_is_better=False, of_queries=False),)
    assert (new.suite, new.name, new.made.code, new.made.task) == ("7", "new", "abc", "mlflow")
    assert {figure.measure: figure.mean for figure in new.figures} == {"AP": 0.4, "loss": None}
    assert new.made.tags == {"k1": "0.9", "branch": "main", "team": "search"}


def test_one_plain_run_is_enough(tmp_path):
    run = {"name": "night", "timestamp": "2026-02-01T03:00:00+01:00", "metrics": {"AP": 0.5}, "params": {}, "tags": {}}
    (found,) = mlflow_runs(written(tmp_path, run), suite="web")
    assert (found.suite, found.name, found.time) == ("web", "night", datetime(2026, 2, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "expected runs of MLflow, found none"),
        ([{"info": {}}], "run 1: expected info, metrics"),
        ([{"info": {}, "data": {"metrics": {"AP": 1}}}], "no start_time"),
        ([{"start_time": 1, "metrics": {"AP": "much"}}], "run 1: expected info"),
        ("text", "expected runs of MLflow"),
    ],
    ids=["empty", "bare", "timeless", "words", "text"],
)
def test_what_is_no_run_is_refused(tmp_path, document, message):
    with pytest.raises(InputError, match=message):
        list(mlflow_runs(written(tmp_path, document)))


class Server(BaseHTTPRequestHandler):
    """What MLflow's REST API 2.0 documents of experiments and runs, in memory."""

    experiments: dict
    runs: dict
    broken = False

    def log_message(self, *_):
        pass

    def answer(self, code, document):
        content = json.dumps(document).encode()
        self.send_response(code)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)["experiment_name"][0]
        found = self.experiments.get(asked)
        if found is None:
            self.answer(404, {"error_code": "RESOURCE_DOES_NOT_EXIST"})
        else:
            self.answer(200, {"experiment": {"experiment_id": found}})

    def do_POST(self):
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        verb = self.path.removeprefix("/api/2.0/mlflow/").replace("/", "_").replace("-", "_")
        if self.broken:
            self.answer(400, {"error_code": "INVALID_PARAMETER_VALUE", "message": "no\nroom"})
        else:
            self.answer(200, getattr(self, verb)(told))

    def experiments_create(self, told):
        self.experiments[told["name"]] = str(len(self.experiments) + 1)
        return {"experiment_id": self.experiments[told["name"]]}

    def runs_create(self, told):
        number = str(len(self.runs) + 1)
        info = {"run_id": number, "run_name": told["run_name"], "start_time": told["start_time"]}
        self.runs[number] = {
            "info": info | {"experiment_id": told["experiment_id"]},
            "data": {"metrics": [], "params": [], "tags": self.checked(told["tags"])},
        }
        return {"run": self.runs[number]}

    def runs_log_batch(self, told):
        data = self.runs[told["run_id"]]["data"]
        assert len(told.get("metrics", ())) <= 1000
        for part in ("metrics", "params", "tags"):
            data[part] += self.checked(told.get(part, []))
        return {}

    def checked(self, pairs):
        for one in pairs:
            assert re.fullmatch(r"[\w\-. /]{1,250}", one["key"], re.ASCII)
            assert posixpath.normpath(one["key"]) == one["key"]
            assert one.get("timestamp", 0) >= 0
            assert len(str(one["value"])) <= 5000
        return pairs

    def runs_update(self, told):
        self.runs[told["run_id"]]["info"] |= {"status": told["status"], "end_time": told["end_time"]}
        return {}


@pytest.fixture
def server():
    pytest.importorskip("httpx", reason="needs the extra history")

    class Fresh(Server):
        experiments, runs = {}, {}

    running = ThreadingHTTPServer(("127.0.0.1", 0), Fresh)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield running, Fresh
    running.shutdown()
    thread.join()
    running.server_close()


def test_what_is_logged_comes_back_as_it_was(server, tmp_path):
    running, state = server
    many = tuple(RecordedFigure(f"P@{k}", part, k / 2000, 9, 1) for k in range(1, 601) for part in ("", "hops=2"))
    part = "class=http://example.org/a/Long" + "g" * 300
    many += (RecordedFigure("schema completeness", part, 0.5, 9, 0), RecordedFigure("F1 (qald)", "", 0.4, 9, 0))
    made = replace(evaluation().made, tags={"branch": "main", "ci@job/7": "x" * 6000})
    one = evaluation(3, figures=(*many, RecordedFigure("AP", "", None, 0, 9)), note="first", made=made)
    with Tracking.open(f"http://127.0.0.1:{running.server_port}/") as tracking:
        assert (tracking.log(one), tracking.log(evaluation(4))) == ("1", "2")
    assert state.experiments == {"web": "1"}
    run = state.runs["1"]
    assert run["info"]["status"] == "FINISHED"
    assert {"key": "ties", "value": "id-desc"} in run["data"]["params"]
    (back,) = mlflow_runs(written(tmp_path, run), suite="web")
    assert (back.name, back.time, back.made.code) == (one.name, one.time, "abc")
    assert back.made.tags["branch"] == "main"
    assert {figure.measure: figure.mean for figure in back.figures} == {
        figure.measure + (f"/{figure.slice}" if figure.slice else ""): figure.mean for figure in many
    }


def test_a_server_that_refuses_is_one_line(server):
    running, state = server
    state.broken = True
    with (
        Tracking.open(f"http://user:secret@127.0.0.1:{running.server_port}") as tracking,
        pytest.raises(InputError) as caught,
    ):
        tracking.log(evaluation(0))
    assert "\n" not in caught.value.message
    assert "INVALID_PARAMETER_VALUE" in caught.value.message
    assert "secret" not in str(caught.value)
    assert "the evaluation is in the store" in caught.value.hint


def test_a_server_that_is_not_there_is_one_line():
    pytest.importorskip("httpx", reason="needs the extra history")
    with Tracking.open("http://127.0.0.1:9") as tracking, pytest.raises(InputError, match="expected MLflow to take"):
        tracking.log(evaluation(0))


def test_folders_of_mlflow_need_its_server():
    with pytest.raises(ParameterError, match="expected http:// or https://"):
        Tracking.open("file:./mlruns")


def test_without_httpx_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'assay\[history\]'"):
        Tracking.open("http://127.0.0.1:9")
