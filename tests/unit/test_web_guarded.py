"""What guards every page of Assay in a browser, of judging and of history alike."""

import re
import socket
import threading
import time
from contextlib import closing
from http.client import HTTPConnection

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit import history_pages, judging_pages
from tests.unit.web_apps import App, Marks

from assay.errors import InputError
from assay.history.app.application import MOST_OF_FORM as MOST_OF_NOTE
from assay.history.webhook import Webhook
from assay.judging.app.application import MOST_OF_FORM as MOST_OF_VERDICT
from assay.store.evaluations import HistoryStore
from assay.store.judging import JudgingStore
from assay.web.security import HEADERS, POLICY
from assay.web.server import Address, serve

HOSTILE = history_pages.HOSTILE
PART = b"--x\r\nContent-Disposition: form-data"
SQL = "' OR 1=1; DROP TABLE history_evaluation; --"
ODD = (
    "",
    "x",
    "-1",
    "1e3",
    "9" * 30,
    "1.5",
    "0x1",
    "\u0663",
    "\0",
    SQL,
    HOSTILE,
    "../../etc/passwd",
    "a" * 5000,
    "%0d%0aX: y",
)


@pytest.fixture(scope="module", params=["history", "judging"])
def app(request, tmp_path_factory):
    url = str(tmp_path_factory.mktemp(request.param) / "kept.db")
    if request.param == "history":
        with history_pages.opened(url, write=True, days=4) as (store, pages, pen):
            yield App("history", store, pages, pen.code)
    else:
        with judging_pages.opened(url) as (store, pages, start):
            yield App("judging", store, pages, start.code)


def test_every_answer_has_the_headers_and_nothing_inline(app):
    for reader in (app.known, app.stranger):
        for page in app.pages:
            answer = reader.client.get(page)
            assert answer.status_code < 500, page
            assert HEADERS.items() <= dict(answer.headers).items(), page
            assert ("no-store" in answer.headers["cache-control"]) != page.startswith("/static"), page
            if "html" in answer.headers["content-type"]:
                marks = Marks()
                marks.feed(answer.text)
                assert marks.tags >= {"html", "link"}
                assert not marks.tags & {"style", "iframe", "object", "embed", "base"}
                assert not [name for name in marks.names if name == "style" or name.startswith("on")], page
                assert all(re.match(r"[/#](?!/)|data:,|http://localhost:", where) for where in marks.places), page
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "HEAD", "POST", "GET"])
def test_a_page_takes_no_other_method_and_says_which_it_takes(app, method):
    before = app.state()
    for page in app.pages[:5]:
        answer = app.known.client.request(method, page)
        if method in {"HEAD", "GET"}:
            assert answer.status_code == 200
            assert bool(answer.content) is (method == "GET")
        elif method != "POST" or page not in {"/bulk", "/admin/disputes"}:  # which take forms as well
            assert answer.status_code == 405
            assert {"GET", "HEAD"} <= set(answer.headers["allow"].split(", "))
            assert "access-control-allow-origin" not in answer.headers
    for form in app.forms:
        if form != "/bulk":
            assert app.known.client.get(form).status_code == 405 or form == "/leave"
    assert app.state() == before


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "[::1", "user@evil.example", "evil.example:80"]
)
def test_no_foreign_name_is_answered_whatever_is_asked(app, host):
    for method, path in (("GET", "/"), ("POST", app.forms[0]), ("GET", "/static/look.css"), ("OPTIONS", "/")):
        answer = app.known.client.request(method, path, headers={"host": host})
        assert answer.status_code == 421
        assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_parts_of_an_address_are_data_and_stay_text(app, value):
    before = app.state()
    for page, names in app.fields.items():
        usual = {"id": 1, "a": 1, "b": 2, "suite": "web", "query": "q01"} if app.name == "history" else {}
        for name in names:
            known = {one: known for one, known in usual.items() if one in names}
            answer = app.known.client.get(page, params=known | {name: value}, follow_redirects=False)
            assert answer.status_code in {200, 400, 404}, (page, name)
            assert len(answer.content) < 200_000
            assert "<script>alert" not in answer.text
            assert "<img" not in answer.text
            assert "Traceback" not in answer.text
            assert "sqlalchemy" not in answer.text.lower()
            assert "x" not in answer.headers
    assert app.state() == before


@pytest.mark.parametrize("value", ODD, ids=range(len(ODD)))
def test_fields_of_a_form_are_data_and_stay_text(app, value):
    before = app.state()
    csrf = re.search(r'name="csrf" value="([^"]*)"', app.known.client.get(app.pages[2]).text)[1]
    for form in app.forms:
        if form == "/leave":
            continue
        fields = dict.fromkeys(("id", "link", "number", "key", "decision", "name", "role", "query", "grade-1"), value)
        answer = app.known.client.post(form, data=fields | {"csrf": csrf}, follow_redirects=False)
        assert answer.status_code in {303, 400, 403, 404}, form
        assert answer.headers.get("location", "/").startswith("/")
        assert not answer.headers.get("location", "/").startswith("//")
        assert "<script>alert" not in answer.text
        assert "Traceback" not in answer.text
    assert app.state() == before


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=x", b"x"),
        ("multipart/form-data; boundary=" + "x" * 5000, b"--x"),
        ("multipart/form-data; boundary=x; charset=none", PART + b'; name="a"\r\n\r\nv\r\n--x--'),
        ("multipart/form-data; boundary=x", PART + b"\r\n\r\nv\r\n--x--"),
        ("multipart/form-data; boundary=x", PART + b'; name="csrf"; filename="../a"\r\n\r\nv\r\n--x--'),
        ("application/x-www-form-urlencoded", b"csrf=%ff%00&id=\xff&" + b"&" * 1000),
        ("application/x-www-form-urlencoded; charset=none", b"csrf=a"),
        ("application/json", b"{}"),
        ("", b""),
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_no_form_is_refused(app, kind, content):
    for form in app.forms:
        answer = app.known.client.post(form, content=content, headers={"content-type": kind})
        assert answer.status_code in {400, 403}, form
        assert HEADERS.items() <= dict(answer.headers).items()


def test_what_is_too_large_is_refused_without_being_read(app):
    most = MOST_OF_NOTE if app.name == "history" else MOST_OF_VERDICT
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for form in app.forms[:2]:
        assert app.known.client.post(form, content=b"a" * (most + 1), headers=kind).status_code == 413
        assert app.known.client.post(form, content=iter([b"a" * (most // 2)] * 3), headers=kind).status_code == 413
        many = "&".join(f"f{n}=1" for n in range(2000))
        assert app.known.client.post(form, content=many, headers=kind).status_code == 400
        assert app.stranger.client.post(form, content=b"a" * (most + 1), headers=kind).status_code in {401, 403, 413}


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example", "/suite/", "/bulk/", "/static/", "//evil.example/%2f.."]
)
def test_no_answer_sends_a_browser_elsewhere(app, path):
    answer = app.known.client.get(
        f"http://localhost:{8322 if app.name == 'history' else 8321}{path}", follow_redirects=False
    )
    assert re.match(r"(http://localhost:\d+)?/(?!/)", answer.headers.get("location", "/"))


@pytest.mark.parametrize(
    "name", ["../application.py", "..%2fvisits.py", "%2e%2e/pages.py", "/etc/passwd", "look.css%00", "base.html"]
)
def test_no_path_leads_out_of_the_files(app, name):
    answer = app.known.client.get(f"/static/{name}", follow_redirects=False)
    assert answer.status_code == 404
    assert "import" not in answer.text


def test_an_error_within_shows_nothing_of_the_server_and_is_guarded(app, monkeypatch):
    def fails(*_, **__):
        raise RuntimeError(f"secret of {__file__}")

    monkeypatch.setattr(HistoryStore, "suites", fails)
    monkeypatch.setattr(JudgingStore, "standing", fails)
    answer = app.known.client.get("/")
    assert answer.status_code == 500
    assert answer.text == "Something went wrong on the server.\n"
    assert HEADERS.items() <= dict(answer.headers).items()


def test_a_database_that_does_not_answer_is_not_named_to_visitors(app, monkeypatch, caplog):
    from sqlalchemy.exc import OperationalError

    def fails(*_, **__):
        reason = OperationalError("SELECT secret", {}, Exception("no route to host"))
        raise InputError("postgresql://ci@db.internal/quality: expected an answer, found an error") from reason

    monkeypatch.setattr(HistoryStore, "suites", fails)
    monkeypatch.setattr(JudgingStore, "standing", fails)
    answer = app.known.client.get("/")
    assert answer.status_code == 503
    assert "does not answer" in answer.text
    assert not re.search("db.internal|ci@|SELECT|route", answer.text)
    assert "db.internal" in caplog.text


def test_the_cookie_is_kept_from_scripts_and_other_sites_and_is_new(app):
    reader = type(app.known)(app.app)
    reader.client.cookies.set(f"assay-{8322 if app.name == 'history' else 8321}", "fixated")
    found = reader.client.post("/join", data={"link": app.code}, follow_redirects=False).headers["set-cookie"]
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in found.split(";")}
    assert "fixated" not in found
    assert app.code not in found


@pytest.mark.parametrize(
    "headers", [{"origin": "https://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}]
)
def test_a_form_from_another_site_is_refused(app, headers):
    for form in app.forms:
        answer = app.known.client.post(form, data={"link": app.code}, headers=headers)
        assert answer.text == "This request comes from another site.\n"


def test_a_server_goes_on_answering_beside_slow_and_broken_requests(app):
    address = threading.Event()
    found = []

    def ready(url):
        found.append(int(url.rpartition(":")[2]))
        address.set()

    threading.Thread(target=serve, args=(app.app, Address(port=0), ready), daemon=True).start()
    assert address.wait(30)
    port = found[0]
    slow = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(30)]
    for one, begin in zip(
        slow, [b"GET / HT", b"POST /join HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\nl"] * 15, strict=True
    ):
        one.sendall(begin)
    broken = (
        b"\0" * 100,
        b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
    )
    for sent in (*broken, b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nhost: localhost\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port), 10) as one:
            try:
                one.sendall(sent)
                said = one.recv(1000)
            except OSError:
                said = b""
        assert not said.startswith(b"HTTP/1.1 200")
    begun = time.monotonic()
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as asked:
        asked.request("GET", "/static/look.css")
        answer = asked.getresponse()
        assert answer.status == 200
        assert "server" not in {name.lower() for name in answer.headers}
        answer.read()
    assert time.monotonic() - begun < 20
    for one in slow:
        one.close()


def test_a_webhook_is_the_address_given_and_no_other():
    for url in (
        "file:///etc/passwd",
        "ftp://x/",
        "gopher://x",
        "http://",
        "http://x\r\nx: y",
        "javascript:1",
        "//x",
        "http://x y",
    ):
        with pytest.raises(ValueError, match="webhook: expected"):
            Webhook.of(url)
    hook = Webhook.of("https://user:word@chat.example/T0/secret?token=t")
    for shown in (repr(hook), hook.shown):
        assert not re.search("secret|token|word|user", shown)
