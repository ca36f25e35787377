"""A search service is asked by HTTP, and what it says is untrusted."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.core.answers import Question
from assay.errors import AssayError
from assay.tasks.answers.search import search_graph
from assay.tasks.answers.search_service import SearchService


def found(answer):
    return [row[0].value for row in answer.rows]


RELEASED = threading.Event()
ANSWERS = {
    "/good": lambda asked: (200, json.dumps({"results": [{"id": asked["query"], "score": asked["k"]}]})),
    "/html": lambda _: (200, "<html>moved</html>"),
    "/broken": lambda _: (500, "out of \x1b order"),
    "/moved": lambda _: (302, ""),
    "/nothing": lambda _: (200, ""),
    "/slow": lambda _: (200 if RELEASED.wait(20) else 500, "[]"),
}


class Service(BaseHTTPRequestHandler):
    """A search service that does as its path says."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.say(*ANSWERS[self.path](asked))

    def do_GET(self):
        self.say(200, json.dumps({"path": [self.path]}))

    def say(self, code, text):
        self.send_response(code)
        self.send_header("Location", "/good")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        """Stay silent."""


@pytest.fixture(scope="module")
def service():
    pytest.importorskip("httpx")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.handle_error = lambda *_: None
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    RELEASED.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_service_is_asked_by_post(service):
    with SearchService(f"{service}/good", k=5) as search:
        answer = search(Question("1", "Wer heißt so?"))
    assert (found(answer), answer.scores) == (["Wer heißt so?"], (5,))
    assert answer.seconds > 0


def test_a_service_is_asked_by_get_and_told_where_ids_stand(service):
    with SearchService(f"{service}/find?q={{question}}&n={{k}}#path.*", k=2) as search:
        assert found(search(Question("1", "a&b c"))) == ["/find?q=a%26b%20c&n=2"]
        assert "#" not in search.name


def test_the_body_may_be_of_any_shape(service):
    body = {"query": "what is {question}", "k": "{k}", "more": ["{question}", 1]}
    with SearchService(f"{service}/good", body=body) as search:
        assert found(search(Question("1", "it"))) == ["what is it"]


@pytest.mark.parametrize(
    ("path", "said"),
    [("/html", "<html>"), ("/broken", "HTTP 500: out of"), ("/moved", "HTTP 302"), ("/nothing", "nothing")],
)
def test_what_is_no_answer_is_an_error_that_says_what_came(service, path, said):
    with SearchService(service + path) as search:
        answer = search(Question("1", "Who?"))
    assert (answer.status, said in answer.message) == ("error", True)


def test_a_slow_service_is_a_time_out_and_an_absent_one_an_error(service):
    with SearchService(f"{service}/slow", limit_s=0.2) as search:
        assert search(Question("1", "Who?")).status == "timeout"
    with SearchService("http://127.0.0.1:9/", limit_s=2) as search:
        assert search(Question("1", "Who?")).status == "error"


def test_a_huge_answer_is_refused(service, monkeypatch):
    monkeypatch.setattr("assay.tasks.answers.search_service.MOST_BYTES", 10)
    with SearchService(f"{service}/good") as search:
        assert "more than 10 bytes" in search(Question("1", "Who?")).message


def test_an_address_makes_a_service(service):
    search = search_graph(f"{service}/good", limit_s=2, k=3)
    assert search(Question("1", "x")).scores == (3,)
    search.close()
    with pytest.raises(AssayError, match="address such as"):
        search_graph("http:///nowhere")
    with pytest.raises(AssayError, match="limits above 0"):
        SearchService(f"{service}/good", k=0)
