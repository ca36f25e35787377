"""What guards the pages for judging: hosts, tokens, forms, headers, escaping, sizes, paths."""

import re
import socket

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit.judging_pages import Reader, opened, pairs

from assay.cli.gold.judge import judge
from assay.core.judging import Verdict
from assay.judging.app.application import MOST_OF_FORM, MOST_OF_UPLOAD
from assay.web.security import POLICY
from assay.web.server import Address, is_local

HOSTILE = '</p><script>alert(1)</script><img src=x onerror="alert(2)">{{ 7*7 }}\' " &amp;'
PAGES = ("/", "/bulk", "/admin", "/admin/disputes", "/join/x", "/nowhere", "/static/look.css", "/admin/files/gold.csv")


@pytest.fixture
def desk(tmp_path):
    with opened(str(tmp_path / "kept.db"), overlap=1) as found:
        yield found


def test_the_server_listens_on_this_machine_unless_told_otherwise():
    assert Address().host == "127.0.0.1"
    assert is_local(Address().host)
    assert Address().is_private
    assert not Address("0.0.0.0").is_private
    assert Address("0.0.0.0", certificate="own.pem").is_private
    assert Address().names == ()
    assert Address("0.0.0.0", sites=("judging.example.org",)).names == ("judging.example.org", socket.gethostname())
    assert Address("10.0.0.7").names == ("10.0.0.7",)


@pytest.mark.parametrize("path", [path for path in PAGES if not path.startswith(("/join", "/static", "/nowhere"))])
def test_nobody_sees_a_page_without_a_token(desk, path):
    answer = Reader(desk[1]).get(path)
    assert answer.status_code == 401
    assert "title 0-" not in answer.text


@pytest.mark.parametrize("token", ["", "x", "../admin", "é", "a" * 10_000, "' or '1'='1", "\x00"])
def test_a_wrong_token_opens_nothing(desk, token):
    reader = Reader(desk[1])
    assert reader.client.post("/join", data={"link": token}).status_code == 403
    assert not reader.client.cookies
    reader.client.cookies.set("assay-8321", re.sub(r"[^a-z]", "", token))
    assert reader.get().status_code == 401


def test_a_link_begins_no_session_until_its_button_is_pressed(desk):
    store, app, start = desk
    reader = Reader(app)
    assert "Begin as ann" in reader.get(f"/join/{start.code}").text
    assert not reader.client.cookies
    assert store.judges() == []
    assert reader.client.post("/join", data={"link": f"http://localhost:8321/join/{start.code}"}).status_code == 200
    assert [judge.role for judge in store.judges()] == ["admin"]


def test_the_cookie_is_kept_from_scripts_and_other_sites(desk):
    store, app, _ = desk
    client = Reader(app).client
    found = client.post("/join", data={"link": store.invite("ben")}, follow_redirects=False).headers["set-cookie"]
    assert {"httponly", "samesite=strict", "path=/"} <= {part.strip().lower() for part in found.split(";")}
    assert "secure" not in found.lower()
    client.base_url = "https://localhost:8321"
    found = client.post("/join", data={"link": store.invite("ben")}, follow_redirects=False).headers["set-cookie"]
    assert "secure" in found.lower()


def test_a_new_link_ends_the_one_before(desk):
    store, app, _ = desk
    first = Reader(app, store.invite("ben"))
    assert first.get().status_code == 200
    second = Reader(app, store.invite("ben"))
    assert (first.get().status_code, second.get().status_code) == (401, 200)


def test_tokens_are_not_in_the_database(desk, tmp_path):
    store, app, start = desk
    Reader(app, start.code)
    token = store.invite("ben")
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"ben" in kept
    assert token.encode() not in kept
    assert start.code.encode() not in kept


def test_a_judge_is_no_admin(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    for path in ("/admin", "/admin/disputes", "/admin/files/judgments.csv"):
        assert ben.get(path).status_code == 403
    for path in ("/admin/invite", "/admin/guideline", "/admin/disputes", "/admin/pool", "/admin/labels"):
        assert ben.post(path, {"name": "eve", "role": "admin", "text": "x"}).status_code == 403
    assert [judge.name for judge in store.judges()] == ["ben"]
    assert store.project.guideline.version == 1


@pytest.mark.parametrize("key", ["", "0" * 64, "é"])
def test_a_form_without_the_key_of_the_session_changes_nothing(desk, key):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    fields = ben.fields() | {"csrf": key, "decision": "grade 1"}
    for path in ("/judge", "/undo", "/bulk", "/leave"):
        assert ben.client.post(path, data=fields).status_code == 403
    assert store.standing("ben").judged == 0


def test_the_key_of_another_session_is_none(desk):
    store, app, _ = desk
    ben, eve = Reader(app, store.invite("ben")), Reader(app, store.invite("eve"))
    fields = ben.fields() | {"csrf": eve.fields()["csrf"], "decision": "grade 1"}
    assert ben.client.post("/judge", data=fields).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://localhost:9999"},
        {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    ],
)  # fmt: skip
def test_a_form_from_another_site_is_refused(desk, headers):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    fields = ben.fields() | {"decision": "grade 1"}
    assert ben.client.post("/judge", data=fields, headers=headers).status_code == 403
    assert ben.client.post("/join", data={"link": "x"}, headers=headers).text.startswith("This request")
    assert ben.client.post("/judge", data=fields, headers={"origin": "http://localhost:8321"}).status_code == 200
    assert store.standing("ben").judged == 1


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 401), ("127.0.0.1:8321", 401), ("[::1]:8321", 401), ("192.168.1.7:8321", 401),
        ("judging.example.org", 401), ("JUDGING.example.org:80", 401), ("evil.example", 421), ("", 421),
        ("localhost.evil.example", 421), ("user@evil.example", 421), ("[::1", 421),
    ],
)  # fmt: skip
def test_only_known_host_names_are_answered(tmp_path, host, status):
    with opened(str(tmp_path / "kept.db"), names=("judging.example.org",)) as (_, app, _start):
        assert Reader(app).get(headers={"host": host}).status_code == status


@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_headers(desk, path):
    _, app, start = desk
    for reader in (Reader(app), Reader(app, start.code)):
        found = reader.get(path).headers
        assert found["content-security-policy"] == POLICY
        assert found["x-content-type-options"] == "nosniff"
        assert found["x-frame-options"] == "DENY"
        assert ("no-store" in found["cache-control"]) != path.startswith("/static")
    assert "unsafe" not in POLICY
    assert "*" not in POLICY


@pytest.mark.parametrize("field", ["title", "text", "url", "anything", "left"])
def test_a_hostile_document_stays_text(tmp_path, field):
    fields = {field: HOSTILE, "link": "javascript:alert(3)"} | ({"right": HOSTILE} if field == "left" else {})
    given = pairs(1, 2, **fields)
    with opened(str(tmp_path / "kept.db"), given) as (store, app, _):
        ben = Reader(app, store.invite("ben"))
        for path in ("/", "/bulk"):
            found = ben.get(path).text
            assert "<script>alert" not in found
            assert "<img" not in found
            assert "&lt;script&gt;alert(1)" in found
            assert "{{ 7*7 }}" in found
            assert 'href="javascript' not in found


def test_hostile_names_notes_and_guidelines_stay_text(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    ann.post("/admin/guideline", {"text": HOSTILE})
    assert store.project.guideline.text == HOSTILE
    assert ann.post("/admin/invite", {"name": HOSTILE, "role": "judge"}).status_code == 200
    eve = store.judges()[0].name
    assert eve == HOSTILE
    for grade, name in ((0.0, "ann"), (3.0, eve)):
        store.record(name, 1, Verdict("grade", f"k{name}"[:60], grade, note=HOSTILE))
    for path in ("/admin", "/admin/disputes", "/"):
        found = ann.get(path).text
        assert "<script>alert" not in found
        assert "&lt;script&gt;alert" in found


def test_no_page_has_anything_inline(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    store.record("ann", 1, Verdict("grade", "k", 1.0))
    for path in (*PAGES, f"/join/{start.code}"):
        found = ann.get(path)
        if "html" in found.headers["content-type"]:
            assert not re.search(
                r"<style|style=|<script(?! src=\"/static/)|\son\w+=|https?://(?!localhost)", found.text
            )


@pytest.mark.parametrize(
    "name",
    [
        "../application.py",
        "..%2fapplication.py",
        "%2e%2e/pages.py",
        "/etc/passwd",
        "....//x",
        "look.css/..",
        "judge.html",
    ],
)
def test_no_path_leads_out_of_the_files(desk, name):
    _, app, start = desk
    for reader in (Reader(app), Reader(app, start.code)):
        answer = reader.client.get(f"/static/{name}", follow_redirects=False)
        assert answer.status_code in {401, 404}
        assert "import" not in answer.text
        assert reader.get(f"/admin/files/{name}").status_code in {400, 401, 404}


def test_what_is_too_large_is_refused(desk):
    store, app, start = desk
    ann = Reader(app, start.code)
    fields = ann.fields() | {"decision": "grade 1", "note": "x" * (MOST_OF_FORM + 1)}
    assert ann.client.post("/judge", data=fields).status_code == 413
    many = {f"key-{n}": "k" for n in range(5000)} | {"csrf": fields["csrf"]}
    assert ann.client.post("/bulk", data=many).status_code == 400
    sent = {"file": ("pool.csv", b"x" * (MOST_OF_UPLOAD + 1))}
    assert ann.post("/admin/pool", files=sent).status_code == 413
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert ann.client.post("/join", content=iter([b"x" * 600_000] * 3), headers=form).status_code == 413
    assert store.standing("ann").judged == 0


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("../../x.csv", b"query,item\nq9,d9\n"), ("pool.csv", b"\x1f\x8b\x08"), ("pool.zip", b"query,item\nq9,d9\n"),
        ("pool.csv", b"query,item\nq9,\0\n"), ("pool.csv", b"a,b\n1,2\n"), ("pool.csv", b"left,right\na,b\n"),
    ],
)  # fmt: skip
def test_an_upload_is_read_as_a_pool_or_refused(desk, tmp_path, name, content):
    store, app, start = desk
    answer = Reader(app, start.code).post("/admin/pool", page="/admin", files={"file": (name, content)})
    if "x.csv" in name:
        assert "New: 1" in answer.text
        assert store.counts()["pairs"] == 13
    else:
        assert answer.status_code == 400
        assert store.counts()["pairs"] == 12
    assert [path.name for path in tmp_path.iterdir() if "kept" not in path.name] == []


@pytest.mark.parametrize("text", ["1; drop table judging_pair", "' or 1=1 --", "9" * 30, "-1", "", "1e3"])
def test_what_is_no_number_of_a_pair_is_refused(desk, text):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    for form in ({"number": text, "decision": "grade 1"}, {"decision": f"grade {text or 'x'}"}):
        assert ben.client.post("/judge", data=ben.fields() | form).status_code == 400
    assert ben.get("/bulk", params={"query": "' or 1=1 --"}).status_code == 200
    assert store.counts()["pairs"] == 12
    assert store.standing("ben").judged == 0


def test_a_server_off_this_machine_says_that_others_may_read_along(tmp_path, capsys, monkeypatch):
    (tmp_path / "pool.csv").write_text("query,item\nq1,d1\n")
    monkeypatch.setattr("assay.web.server.serve", lambda _, address, ready: ready(f"http://{address.host}:1"))
    monkeypatch.setattr("assay.cli.verbs.SETTINGS.quiet", False)
    monkeypatch.chdir(tmp_path)
    for host, warned in (("127.0.0.1", False), ("0.0.0.0", True)):
        judge("pool.csv", host=host, judge="ann")
        told = capsys.readouterr()
        assert f"http://{host}:1/join/" in told.out
        assert ("others may read" in told.err) is warned
