"""The dashboard in a browser: a way through its pages, writing, access, phones, no network beyond this machine."""

import re
import statistics
import time
from urllib.parse import urlencode, urlsplit

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.end_to_end.history_server import reader, served
from tests.end_to_end.judging_server import chromium
from tests.unit.history_pages import HOSTILE, fill, gold
from tests.unit.judging_stores import postgresql_server

from assay.store.evaluations import HistoryStore

pytestmark = pytest.mark.browser
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
SERIOUS = {"serious", "critical"}
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def postgresql():
    with postgresql_server() as make:
        yield make


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A store with evaluations and the gold of its suite, in one folder."""
    folder = tmp_path_factory.mktemp("history")
    with HistoryStore.open(str(folder / "kept.db")) as store:
        fill(store)
    rows = gold().table.iter_rows()
    (folder / "gold.qrels").write_text("".join(f"{query} 0 {item} {grade:g}\n" for query, item, grade in rows))
    return folder


def pages(store):
    """Return the address of each kind of page, also of the suite whose names attack."""
    with HistoryStore.open(store) as opened:
        found = {suite.name: suite for suite in opened.suites()}
        web, hostile = found["web"], opened.get(found[HOSTILE].newest.id)
    query = hostile.queries[0]
    return {
        "overview": "/", "suite": "/suite?suite=web", "measure": "/suite?suite=web&measure=AP",
        "evaluation": f"/evaluation?id={web.newest.id}", "query": f"/query?id={web.newest.id}&query=q01",
        "compare": f"/compare?a={web.baseline.id}&b={web.newest.id}", "hostile": f"/evaluation?id={hostile.id}",
        "hostile query": ("/query", {"id": hostile.id, "query": query}), "refused": "/evaluation?id=0",
        "nowhere": "/nowhere",
    }  # fmt: skip


def addressed(server, path):
    return f"{server.address}{path if isinstance(path, str) else f'{path[0]}?{urlencode(path[1])}'}"


def test_from_a_suite_that_fell_to_the_query_that_lost(browser, filled):
    options = ("--store", "kept.db", "--gold", "gold.qrels")
    with served(filled, *options) as server, reader(browser, server.link) as page:
        assert page.inner_text(".suite >> nth=0").startswith("web")
        assert "fell" in page.inner_text(".suite >> nth=0 >> .state")
        page.click(".suite >> nth=0 >> tbody a >> nth=0")
        page.wait_for_selector("text=What happened")
        assert page.inner_text("h1") == "web"
        page.hover(".dot >> nth=-1")
        page.click(".dot >> nth=-1")
        page.wait_for_selector("text=How it was made")
        page.click("text=Compare with the baseline")
        assert "Won, tied, lost" in page.inner_text("main")
        page.click(".two a >> nth=0")
        page.wait_for_selector("text=Its ranking")
        assert "out" in page.inner_text(".ranking .gone")
        page.go_back()
        page.click("nav >> text=web")
        page.check("input[name=a] >> nth=2")
        page.check("input[name=b] >> nth=1")
        page.click("form[action='/compare'] >> nth=0 >> button")
        assert "#28" in page.inner_text(".sides")
        assert page.complaints == []
        assert {urlsplit(one).hostname for one in page.asked} == {"127.0.0.1"}


def test_notes_and_baselines_are_written_by_who_has_the_link(browser, filled, tmp_path):
    with HistoryStore.open(str(tmp_path / "own.db")) as store:
        fill(store, days=6)
    with served(tmp_path, "--store", "own.db", "--write") as server:
        with reader(browser, server.address) as stranger:
            stranger.goto(f"{server.address}/evaluation?id=3")
            assert stranger.query_selector("form[action='/note']") is None
            assert "read-only" in stranger.inner_text("nav")
        with reader(browser, server.link) as page:
            page.click("text=Begin")
            page.goto(f"{server.address}/evaluation?id=3")
            page.fill("input[name=note]", "<b>new</b> engine")
            page.click("text=Save the note")
            assert page.inner_text("main .note") == "<b>new</b> engine"
            page.click("text=Pin as the baseline")
            page.wait_for_selector("h1 .kind")
            page.click("nav >> text=web")
            assert "<b>new</b> engine" in page.inner_text(".events")
            page.click("text=Leave")
            assert "read-only" in page.inner_text("nav")
            assert page.complaints == []
    with HistoryStore.open(str(tmp_path / "own.db")) as store:
        assert store.baseline("web").id == 3
        assert store.get(3).note == "<b>new</b> engine"


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "dark"), ("phone", "light")])
def test_axe_finds_no_serious_fault_and_every_page_fits(browser, filled, tmp_path, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = ("--store", "kept.db", "--gold", "gold.qrels", "--write")
    look = {"viewport": SIZES[size], "color_scheme": scheme, "bypass_csp": True}
    with served(filled, *options) as server, reader(browser, server.link, **look) as page:
        page.click("text=Begin")
        for name, path in pages(str(filled / "kept.db")).items():
            page.goto(addressed(server, path))
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            found = axe.Axe().run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS] == [], name
            assert page.evaluate(FITS), name
            page.screenshot(path=str(tmp_path / f"{name}.png"), full_page=True)
            assert (tmp_path / f"{name}.png").stat().st_size > 10_000


def test_no_page_complains_nor_asks_beyond_this_machine(browser, filled):
    with served(filled, "--store", "kept.db") as server, reader(browser, server.link) as page:
        for name, path in pages(str(filled / "kept.db")).items():
            page.goto(addressed(server, path))
            page.wait_for_load_state("networkidle")
            wanted = [] if name not in {"refused", "nowhere"} else page.complaints  # Chromium logs each 404
            assert page.complaints == wanted, name
            page.complaints.clear()
            assert page.query_selector("main img, main script") is None
        assert {urlsplit(one).hostname for one in page.asked} == {"127.0.0.1"}


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_pages_come_at_once(browser, tmp_path, request, kind):
    pytest.importorskip("benchmarks.history")
    from benchmarks.history import DRAWN, _evaluation, _fill

    url = f"sqlite:///{tmp_path}/kept.db" if kind == "sqlite" else request.getfixturevalue("postgresql")()
    with HistoryStore.open(url) as store:
        _fill(store, [_evaluation(number) for number in range(DRAWN)], 400)
    with served(tmp_path, "--store", url) as server, reader(browser, server.link) as page:
        asked = ("/", "/suite?suite=suite 0", "/evaluation?id=390", "/query?id=390&query=q00001", "/compare?a=2&b=390")
        for path in asked:
            spent = []
            for _ in range(5):
                began = time.perf_counter()
                page.goto(f"{server.address}{path}")
                spent.append(time.perf_counter() - began)
            assert statistics.median(spent) < 3, (path, spent)  # a busy machine; the benchmark has the bar
            assert re.search("Assay", page.inner_text("nav"))


def test_the_verb_says_what_is_wrong_in_one_line(assay, tmp_path):
    assert "expected" in assay("history", "serve", "--store", "none.db", expect=2).err
    with HistoryStore.open(str(tmp_path / "own.db")):
        pass
    said = assay("history", "serve", "--store", "own.db", "--webhook", "file:///SECRET", expect=2).err
    assert "webhook: expected http" in said
    assert "SECRET" not in said
    assert "port" in assay("history", "serve", "--store", "own.db", "--port", "99999999", expect=2).err
    assert "--write" in assay("history", "serve", "--help").out
