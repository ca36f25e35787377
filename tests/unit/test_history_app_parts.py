"""The dashboard: who may write, stores with little in them, and what its charts show."""

import re

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.unit.history_pages import HOSTILE, Reader, evaluation, opened
from tests.unit.history_stores import evaluation as drawn

from assay.core.history import RecordedFigure
from assay.errors import AssayError
from assay.history.app.application import application
from assay.history.app.charts import Point, chart, sparkline
from assay.history.app.events import events
from assay.history.app.visits import Pen
from assay.store.evaluations import HistoryStore

TAGS = re.compile(r"<[^>]+>")


def test_figures_only_and_empty_stores_have_pages(tmp_path):
    with HistoryStore.open(str(tmp_path / "kept.db")) as store:
        reader = Reader(application(store))
        assert "No evaluation yet" in reader.get().text
        figures = (RecordedFigure("Users", "", 12345.0, 1, 0, of_queries=False),)
        for day, pinned in ((0, True), (1, False)):
            store.add(drawn(day, figures=figures, queries=2, values={}, head=None, depth=0, groups={}, baseline=pinned))
        for path in ("/", "/suite?suite=web", "/evaluation?id=2", "/compare?a=1&b=2"):
            answer = reader.get(path)
            assert answer.status_code == 200
            assert "12,345" in answer.text
        assert "cannot tell" in reader.get().text


def test_who_has_the_link_writes_notes_and_pins_baselines(tmp_path):
    with opened(str(tmp_path / "kept.db"), write=True, days=6) as (store, app, pen):
        assert "Begin" in Reader(app).get(f"/join/{pen.code}").text
        stranger, writer = Reader(app), Reader(app, pen)
        assert stranger.client.post("/note", data={"id": 1, "note": "x"}).status_code == 403
        assert writer.client.post("/note", data={"id": 1, "note": "x"}).status_code == 403
        assert writer.client.post("/note", data={"id": 1, "note": "x", "csrf": "0" * 64}).status_code == 403
        answer = writer.post("/note", {"id": 3, "note": f" new engine {HOSTILE}"}, "/evaluation?id=3")
        assert answer.status_code == 200
        assert store.get(3).note == f"new engine {HOSTILE}"
        assert "<script" not in answer.text
        assert writer.post("/baseline", {"id": 3}, "/evaluation?id=4").status_code == 200
        assert store.baseline("web").id == 3
        assert writer.post("/note", {"id": 999, "note": "x"}, "/evaluation?id=3").status_code == 404
        assert writer.post("/note", {"id": "x"}, "/evaluation?id=3").status_code == 400
        foreign = {"origin": "http://evil.example"}
        assert writer.client.post("/baseline", data={"id": 3}, headers=foreign).status_code == 403
        cookie = writer.client.post("/join", data={"link": pen.code}, follow_redirects=False).headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        writer.post("/leave", {}, "/evaluation?id=3")
        assert "read-only" in writer.get().text


def test_a_pen_does_not_show_its_token():
    pen = Pen()
    assert pen.token not in repr(pen)
    assert not pen.is_code("é")
    assert not pen.is_token(None)


@pytest.mark.parametrize("values", [[None, None], [], [0.5], [0.5, None, 0.5], [None, 1.0, 0.0]])
def test_sparklines_leave_gaps_where_nothing_is_known(values):
    lines, end = sparkline(values)
    known = [value for value in values if value is not None]
    assert sum(line.count(",") for line in lines) == len(known)
    assert (end is None) == (not known)


def test_a_chart_leaves_a_gap_where_a_figure_is_undefined():
    day = [drawn(day).time for day in range(4)]
    points = [Point(n, day[n], "a", value) for n, value in enumerate([0.1, None, 0.3, 0.4])]
    found = chart(points, [(day[2], 1, "note")], 0.2)
    assert len(found.dots) == 3
    assert (found.way.count("M"), found.way.count("L")) == (2, 1)
    assert found.marks[0].x == found.dots[1].x
    assert all(0 <= dot.y <= 100 for dot in found.dots)
    assert found.dots[0].y > found.base > found.dots[1].y
    assert chart([Point(1, day[0], "a", None)], [], None) is None
    assert chart([Point(1, day[0], "a", 3.0)], [], None).dots[0].x == 50


def test_what_changes_each_day_is_no_event():
    found = [evaluation(day, code=str(day)) for day in range(12)]
    happened, often = events(found)
    assert often == ("code",)
    assert happened == ()


def test_the_pages_need_a_store(tmp_path):
    with pytest.raises(AssayError):
        HistoryStore.open(str(tmp_path / "none.db"), make=False)
