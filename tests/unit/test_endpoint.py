"""`Endpoint` against services that are slow, that fail, that send too much or something else."""

import gzip
import json
import threading
import time
import zlib
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest
from tests.unit.services import JSON, YES, served

from assay.core.terms import iri
from assay.errors import ParameterError
from assay.graph.sparql import endpoint as module
from assay.graph.sparql import responses
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.endpoint import Endpoint


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(module, "FIRST_WAIT_S", 0.01)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


def asked(act, query="ASK {}", **options):
    with served(act) as server, Endpoint(server.url, **options) as endpoint:
        found = endpoint.ask(query)
    return found, server.asked


def rows(count):
    bindings = [{"x": {"type": "uri", "value": f"http://x/{n}"}} for n in range(count)]
    return json.dumps({"head": {"vars": ["x", "y"]}, "results": {"bindings": bindings}}).encode()


def test_a_query_is_posted_and_its_rows_come_back():
    found, requests = asked(lambda handler: handler.send(rows(2)), "SELECT * { ?x ?y ?z } # é")
    assert found.rows == ((iri("http://x/0"), None), (iri("http://x/1"), None))
    assert found.columns == ("x", "y")
    assert 0 < found.seconds < 5
    method, path, query, headers = requests[0]
    assert (method, path, query) == ("POST", "/sparql", "SELECT * { ?x ?y ?z } # é")
    assert headers["Accept"].startswith(JSON)


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_a_packed_answer_is_unpacked(packing):
    pack = {"gzip": gzip.compress, "deflate": zlib.compress}[packing]
    found, _ = asked(lambda handler: handler.send(pack(YES), content_encoding=packing))
    assert found.boolean is True


MALFORMED = {
    "not JSON": (b"{'head':", JSON, "found JSON: \"{'head':\""),
    "cut": (rows(3)[:-30], JSON, "found JSON"),
    "page": (b"<!DOCTYPE html><title>Log\nin</title>", "text/html", "found HTML: 'Log in'"),
    "XML": (b"<?xml version='1.0'?><sparql/>", "application/sparql-results+xml", "found XML"),
    "nothing": (b"", JSON, "found nothing"),
    "a list": (b"[]", JSON, "found JSON: '[]'"),
    "other JSON": (b'{"error": "no"}', "application/json", 'found JSON: \'{"error": "no"}\''),
    "text": (b"Sorry \x1b[31m", "text/plain", "found content of type text/plain: 'Sorry \\x1b[31m'"),
    "no UTF-8": (b'{"head": "\xff"}', JSON, "expected SPARQL results in JSON"),
    "no term": (b'{"results": {"bindings": [{"x": 1}]}}', JSON, "(1)"),
    "too deep": (b"[" * 100_000, JSON, "found JSON"),
    "a deep triple": (
        b'{"head":{"vars":["x"]},"results":{"bindings":[{"x":'
        + b'{"type":"triple","value":{"subject":' * 400 + b"1" + b"}}" * 400 + b"}]}}",
        JSON,
        "found JSON",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_no_result_is_an_error_that_says_what_came(what):
    content, kind, said = MALFORMED[what]
    found, requests = asked(lambda handler: handler.send(content, kind=kind))
    assert found.status == "error"
    assert said in found.message
    assert len(found.message) < 500
    assert len(requests) == 1


def test_a_result_counts_whatever_type_it_claims():
    assert asked(lambda handler: handler.send(kind="text/plain"))[0].boolean is True


@pytest.mark.parametrize("length", [len(YES) + 10, None])
def test_a_body_that_ends_early_is_an_error(length):
    def act(handler):
        if length is None:
            handler.begin(transfer_encoding="chunked")
            handler.wfile.write(b"5\r\n" + YES[:5] + b"\r\n")
        else:
            handler.begin(length)
            handler.wfile.write(YES)
        handler.close_connection = True

    found, requests = asked(act, retries=1)
    assert found.status == "error"
    assert "no connection: peer closed connection" in found.message
    assert len(requests) == 2


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_a_busy_service_is_asked_again(status):
    statuses = [status, 200]
    found, requests = asked(lambda handler: handler.send(status=statuses.pop(0)))
    assert found.boolean is True
    assert len(requests) == 2


def test_a_service_that_goes_on_failing_is_an_error_after_the_retries():
    found, requests = asked(lambda handler: handler.send(b"broken", 503), retries=2)
    assert found.status == "error"
    assert "found status 503 Service Unavailable: 'broken'" in found.message
    assert len(requests) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 501])
def test_a_refusal_is_not_asked_again(status):
    found, requests = asked(lambda handler: handler.send(b"no", status))
    assert (found.status, len(requests)) == ("error", 1)
    assert f"status {status}" in found.message


@pytest.mark.parametrize(
    ("status", "body"), [(504, b""), (408, b""), (500, b"java.util.concurrent.TimeoutException"), (503, b"timed out")]
)
def test_a_service_that_gives_up_on_time_is_a_time_out_and_not_asked_again(status, body):
    found, requests = asked(lambda handler: handler.send(body, status))
    assert (found.status, len(requests)) == ("timeout", 1)


def test_retry_after_is_kept():
    statuses = [429, 200]
    begun = time.monotonic()
    assert asked(lambda handler: handler.send(status=statuses.pop(0), retry_after="1"))[0].answered
    assert time.monotonic() - begun >= 1


def test_a_service_that_asks_for_an_hour_is_not_asked_again():
    found, requests = asked(lambda handler: handler.send(b"", 503, retry_after="3600"))
    assert (found.status, len(requests)) == ("error", 1)


def slow_head(handler):
    time.sleep(5)
    handler.send()


def drips(handler):
    handler.begin(1000)
    for _ in range(50):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def drips_in_its_head(handler):
    for _ in range(50):
        handler.wfile.write(b"H")
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.mark.parametrize("act", [slow_head, drips, drips_in_its_head])
def test_no_query_takes_longer_than_it_may(act):
    begun = time.monotonic()
    found, requests = asked(act, limit_s=0.3)
    assert found.status == "timeout"
    assert "no answer within 0.3 s" in found.message
    assert 0.3 <= found.seconds < 2.5
    assert time.monotonic() - begun < 4.5
    assert len(requests) == 1


def endless(handler):
    handler.begin()
    handler.close_connection = True
    while True:
        handler.wfile.write(b" " * 65_536)


def test_a_huge_answer_is_left_off():
    found, _ = asked(endless, most_bytes=1_000_000)
    assert found.status == "error"
    assert "found more than 1,000,000 bytes" in found.message


def test_a_bomb_is_measured_unpacked():
    packed = gzip.compress(b" " * 50_000_000)
    found, _ = asked(lambda handler: handler.send(packed, content_encoding="gzip"), most_bytes=1_000_000)
    assert "more than 1,000,000 bytes" in found.message


@pytest.mark.parametrize("packing", ["gzip, gzip", "zstd", "br"])
def test_packing_that_nobody_asked_for_is_refused(packing):
    found, _ = asked(lambda handler: handler.send(content_encoding=packing))
    assert f"packed as {packing!r}" in found.message


def test_a_huge_error_page_is_read_in_part():
    found, _ = asked(lambda handler: handler.send(b"x" * 10_000_000, 400))
    assert len(found.message) < 400


def test_rows_beyond_the_limit_are_left_out_and_it_says_so():
    found, _ = asked(lambda handler: handler.send(rows(10)), most_rows=4)
    assert (len(found.rows), found.truncated) == (4, True)
    assert not asked(lambda handler: handler.send(rows(4)), most_rows=4)[0].truncated


def test_a_small_text_that_is_a_huge_table_is_refused(monkeypatch):
    monkeypatch.setattr(responses, "MOST_CELLS", 1000)
    wide = {"head": {"vars": [f"v{n}" for n in range(100)]}, "results": {"bindings": [{}] * 100}}
    found, _ = asked(lambda handler: handler.send(json.dumps(wide).encode()))
    assert "100 rows of 100 columns" in found.message


def test_no_connection_is_an_error_that_says_so():
    with served(lambda handler: handler.send()) as server:
        url = server.url
    with Endpoint(url, retries=1) as endpoint:
        found = endpoint.ask("ASK {}")
        with pytest.raises(QueryError, match="no connection"):
            endpoint.select("ASK {}")
    assert found.status == "error"
    assert "no connection" in found.message


def test_what_is_no_http_is_an_error():
    found, _ = asked(lambda handler: handler.wfile.write(b"220 mail.example.org\r\n\r\n"), retries=0)
    assert found.status == "error"


def test_as_many_queries_as_allowed_are_under_way_at_once():
    lock, now, most = threading.Lock(), 0, 0

    def act(handler):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.1)
        with lock:
            now -= 1
        handler.send()

    with served(act) as server, Endpoint(server.url, concurrency=2) as endpoint:
        threads = [threading.Thread(target=endpoint.ask, args=["ASK {}"]) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == 2
    assert len(server.asked) == 6


@pytest.mark.parametrize("wrong", [{"limit_s": 0}, {"limit_s": float("nan")}, {"retries": -1}, {"concurrency": 0}])
def test_a_limit_has_to_allow_something(wrong):
    with pytest.raises(ParameterError, match="expected limits above 0"):
        Endpoint("http://x/", **wrong)


def test_a_closed_endpoint_lets_go_of_what_is_under_way():
    with served(slow_head) as server, Endpoint(server.url) as endpoint:
        pool = ThreadPoolExecutor(1)
        waiting = pool.submit(endpoint.ask, "ASK {}")
        end = time.monotonic() + 20
        while not server.asked and time.monotonic() < end:
            time.sleep(0.01)
        begun = time.monotonic()
        endpoint.close()
        with pytest.raises(CancelledError):
            waiting.result(timeout=20)
        assert time.monotonic() - begun < 4
        assert "it closed" in endpoint.ask("ASK {}").message


def test_a_service_that_is_down_is_tried_once_a_query_until_it_is_back():
    def hangs_up(handler):
        handler.close_connection = True

    with served(hangs_up) as server, Endpoint(server.url, retries=2) as endpoint:
        tries = []
        for _ in range(3):
            assert "no connection" in endpoint.ask("ASK {}").message
            tries.append(len(server.asked))
        assert tries == [3, 4, 5]
        server.act = lambda handler: handler.send()
        assert endpoint.ask("ASK {}").boolean is True
        server.act = hangs_up
        endpoint.ask("ASK {}")
        assert len(server.asked) == 5 + 1 + 3
