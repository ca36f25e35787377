"""What guards the pages for judging: sessions that begin and end, no way elsewhere, errors that show nothing."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit.judging_pages import Reader, opened

HOSTILE = '</p><script>alert(1)</script><img src=x onerror="alert(2)">{{ 7*7 }}\' " &amp;'
PAGES = ("/", "/bulk", "/admin", "/admin/disputes", "/join/x", "/nowhere", "/static/look.css", "/admin/files/gold.csv")


@pytest.fixture
def desk(tmp_path):
    with opened(str(tmp_path / "kept.db"), overlap=1) as found:
        yield found


def test_a_token_that_somebody_planted_is_replaced_by_that_of_the_link(desk):
    store, app, _ = desk
    reader = Reader(app)
    reader.client.cookies.set("assay-8321", "fixated")
    answer = reader.client.post("/join", data={"link": store.invite("ben")}, follow_redirects=False)
    assert "fixated" not in answer.headers["set-cookie"]
    assert answer.headers["set-cookie"].startswith("assay-8321=")


def test_leaving_ends_the_session_on_this_browser(desk):
    store, app, _ = desk
    ben = Reader(app, store.invite("ben"))
    assert ben.get().status_code == 200
    assert ben.post("/leave").status_code == 401
    assert ben.get().status_code == 401


@pytest.mark.parametrize(
    "where", ["//evil.example", "https://evil.example", "/\\evil.example", "q\r\nx-bad: 1", "../admin"]
)
def test_no_answer_sends_a_browser_elsewhere(desk, where):
    store, app, start = desk
    ben = Reader(app, start.code)
    fields = ben.fields("/bulk") | {"query": where, "next": where, "rest": ""}
    answers = [
        ben.client.post(path, data=fields | {"decision": "grade 1"}, follow_redirects=False)
        for path in ("/bulk", "/judge", "/undo", "/leave")
    ]
    locations = [found.headers["location"] for found in answers if found.is_redirect]
    assert locations
    assert all(re.fullmatch(r"/|/\?undone|/bulk(\?query=[\w.%-]*)?", location) for location in locations)
    assert not any("x-bad" in found.headers for found in answers)
    assert store.counts()["pairs"] == 12


def test_an_error_within_shows_nothing_of_the_server(desk, monkeypatch):
    store, app, _ = desk
    token = store.invite("ben")
    ben = Reader(app, token, raise_server_exceptions=False)

    def fails(*_):
        raise RuntimeError("secret of " + __file__)

    monkeypatch.setattr(type(store), "standing", fails)
    answer = ben.get()
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert token not in answer.text
