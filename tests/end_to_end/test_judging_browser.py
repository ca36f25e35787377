"""Judging in a browser: keys, undo, reload, several at once, a server that is killed, access, phones."""

import time

import pytest

pytest.importorskip("starlette")
pytest.importorskip("sqlalchemy")

from tests.end_to_end.judging_server import chromium, judged, press, served, visitor, write_pool
from tests.unit.judging_stores import postgresql_server

from assay.core.judging import Verdict
from assay.store.judging import JudgingStore

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


def address(kind, folder, request):
    return str(folder / "kept.db") if kind == "sqlite" else request.getfixturevalue("postgresql")()


def stored(url):
    """Return all that was decided, as a new process reads it."""
    store = JudgingStore.open(url)
    try:
        return store.labels().table
    finally:
        store.close()


def test_thirty_pairs_by_keyboard_undo_and_reload(browser, tmp_path):
    options = write_pool(tmp_path)
    url = str(tmp_path / "kept.db")
    with served(tmp_path, *options, "--store", url) as server, visitor(browser, server.link) as page:
        seen = []
        for number in range(30):
            seen.append(page.inner_text("article .title"))
            assert judged(page) == number
            press(page, "asdf0123"[number % 8])
        assert len(set(seen)) == 30
        assert judged(page) == 30
        press(page, "u")
        assert "taken back" in page.inner_text("[role=status]")
        assert page.inner_text("article .title") == seen[-1]
        assert judged(page) == 29
        page.reload()
        assert page.inner_text("article .title") == seen[-1]
        press(page, "d")
        page.reload()
        assert judged(page) == 30
        assert page.complaints == []
    table = stored(url)
    said = dict(zip(table["item"], table["grade"], strict=True))
    wanted = {title.removeprefix("Title of "): float(number % 4) for number, title in enumerate(seen)}
    assert said == wanted | {seen[-1].removeprefix("Title of "): 2.0}
    assert (table["judge"].unique().to_list(), table["seconds"].min() >= 0) == (["ann"], True)


def test_after_twenty_judgments_the_page_speaks_of_agreement(browser, tmp_path):
    options = write_pool(tmp_path)
    url = str(tmp_path / "kept.db")
    with served(tmp_path, *options, "--store", url, "--overlap", "1") as server, visitor(browser, server.link) as page:
        store = JudgingStore.open(url)
        store.invite("ben")
        for _ in range(48):
            task = store.next("ben")
            store.record("ben", task.number, Verdict("grade", f"k{task.number}", 1.0))
        store.close()
        for number in range(20):
            assert page.query_selector("main [role=status]") is None
            press(page, "s" if number % 2 else "a")
        assert "On 20 that others judged as well, you agree in 50 %" in page.inner_text("main [role=status]")
        press(page, "s")
        assert page.query_selector("main [role=status]") is None


def test_keys_in_a_text_field_write_and_judge_nothing(browser, tmp_path):
    options = write_pool(tmp_path)
    url = str(tmp_path / "kept.db")
    with served(tmp_path, *options, "--store", url) as server, visitor(browser, server.link) as page:
        page.keyboard.press("n")
        page.keyboard.type("sad: as fads 0123 ufw")
        assert judged(page) == 0
        for key in ("Escape", "Control+s", "Alt+d"):
            page.keyboard.press(key)
        assert judged(page) == 0
        press(page, "f")
        page.keyboard.press("c")
        page.keyboard.press("Enter")
        assert "Say why" in page.inner_text("#trouble")
        page.fill("input[name=other]", "half of it is missing")
        before = page.get_attribute("#judging [name=key]", "value")
        page.keyboard.press("Enter")
        page.wait_for_function("old => document.querySelector('#judging [name=key]').value !== old", arg=before)
        press(page, "w")
        assert judged(page) == 2
        assert "1 put off" in page.inner_text(".standing")
    rows = {row["reason"]: row for row in stored(url).to_dicts()}
    assert rows[""]["note"] == "sad: as fads 0123 ufw"
    assert rows[""]["grade"] == 3
    assert rows["half of it is missing"]["grade"] is None


def test_keys_can_be_turned_off(browser, tmp_path):
    with served(tmp_path, *write_pool(tmp_path)) as server, visitor(browser, server.link) as page:
        page.click("#shortcuts summary")
        page.uncheck("#keys")
        page.reload()
        page.keyboard.press("f")
        page.wait_for_timeout(300)
        assert judged(page) == 0


def test_buttons_judge_without_scripts(browser, tmp_path):
    options = write_pool(tmp_path)
    url = str(tmp_path / "kept.db")
    with (
        served(tmp_path, *options, "--store", url) as server,
        visitor(browser, server.link, java_script_enabled=False) as page,
    ):
        page.click("text=highly relevant")
        assert judged(page) == 1
        page.click("#cannot summary")
        page.check("text=not enough information")
        page.click("#cannot button")
        assert judged(page) == 2
        page.click("text=Undo")
        assert judged(page) == 1
        page.click("text=Later")
        page.goto(f"{server.address}/bulk")
        for item in page.query_selector_all("li[data-number]")[:3]:
            item.query_selector("input[type=radio] >> nth=1").check()
        page.click("text=Save and go on")
        assert judged(page) == 4
    assert sorted(stored(url)["grade"].to_list()) == [1.0, 1.0, 1.0, 2.0]


def test_a_list_is_judged_by_keys_and_saved_at_once(browser, tmp_path):
    options = write_pool(tmp_path)
    url = str(tmp_path / "kept.db")
    with served(tmp_path, *options, "--store", url) as server, visitor(browser, server.link) as page:
        page.goto(f"{server.address}/bulk")
        for key in "asdfa":
            page.keyboard.press(key)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("f")
        page.wait_for_function(
            "() => [...document.querySelectorAll('.saved')].filter(one => one.textContent == 'saved').length == 5"
        )
        assert sorted(stored(url)["grade"].to_list()) == [0.0, 1.0, 2.0, 3.0, 3.0]
        page.click("text=Save, leave the rest")
        page.wait_for_function("() => document.querySelector('.standing').textContent.includes('put off')")
        assert judged(page) == 5
        assert page.query_selector("text=Title of d") is not None
        assert page.complaints == []
    assert stored(url)["query"].n_unique() == 1


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_judges_at_once_never_get_the_same_pair(browser, tmp_path, request, kind):
    options = write_pool(tmp_path, 3, 8)
    url = address(kind, tmp_path, request)
    with served(tmp_path, *options, "--store", url, "--overlap", "0") as server, visitor(browser, server.link) as ann:
        ann.goto(f"{server.address}/admin")
        ann.fill("input[name=name] >> nth=-1", "ben")
        ann.click("text=Invite")
        link = ann.inner_text("#link")
        ann.goto(f"{server.address}/")
        with visitor(browser, link) as ben:
            for turn in range(12):
                assert ann.inner_text("article .title") != ben.inner_text("article .title")
                for page in (ann, ben):
                    if turn < 11:
                        press(page, "s")
                    else:
                        page.keyboard.press("s")
                        page.wait_for_selector("text=nothing is left")
            assert ben.query_selector("nav >> text=Admin") is None
        ann.goto(f"{server.address}/admin")
        assert "24" in ann.inner_text(".figures")
    table = stored(url)
    assert table.height == 24
    assert table.select("query", "item").is_duplicated().sum() == 0
    assert sorted(table["judge"].value_counts()["count"].to_list()) == [12, 12]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_server_that_is_killed_loses_no_judgment(browser, tmp_path, request, kind):
    options = write_pool(tmp_path)
    url = address(kind, tmp_path, request)
    given = (*options, "--store", url)
    with served(tmp_path, *given) as first, visitor(browser, first.link) as page:
        for _ in range(7):
            press(page, "s")
        shown = page.inner_text("article .title")
        first.kill()
        assert stored(url).height == 7
        page.keyboard.press("d")
        page.wait_for_selector("text=Not saved yet")
        with served(tmp_path, *given, port=first.port):
            page.wait_for_function("() => document.querySelector('.standing span').textContent.startsWith('8 judged')")
            assert page.inner_text("#trouble") == ""
            press(page, "a")
            page.reload()
            assert judged(page) == 9
    table = stored(url)
    assert table.height == 9
    assert table.filter(table["item"] == shown.removeprefix("Title of "))["grade"].to_list() == [2.0]


def test_a_decision_sent_when_the_server_dies_is_kept_once(browser, tmp_path):
    options = write_pool(tmp_path)
    given = (*options, "--store", str(tmp_path / "kept.db"))
    with served(tmp_path, *given) as first, visitor(browser, first.link) as page:
        for _ in range(3):
            press(page, "s")
        page.keyboard.press("d")
        time.sleep(0.01)
        first.kill()
        with served(tmp_path, *given, port=first.port):
            page.wait_for_function("() => document.querySelector('.standing span').textContent.startsWith('4 judged')")
    assert sorted(stored(given[-1])["grade"].to_list()) == [1.0, 1.0, 1.0, 2.0]


def test_disputed_pairs_are_settled_by_an_admin(browser, tmp_path):
    options = write_pool(tmp_path, 2, 5)
    url = str(tmp_path / "kept.db")
    with (
        served(tmp_path, *options, "--store", url, "--judgments", "3") as server,
        visitor(browser, server.link) as page,
    ):
        dispute(url, 10)
        page.goto(f"{server.address}/admin")
        assert "-0.25" in page.inner_text(".matrix >> nth=0") or "undefined" not in page.inner_text(".matrix >> nth=0")
        page.click("text=Adjudicate 5 pairs")
        for left in (5, 4, 3, 2):
            assert f"{left} disputed" in page.inner_text("main")
            press(page, "f")
        press_last = page.get_attribute("#judging [name=key]", "value")
        assert press_last
        page.keyboard.press("w")
        page.wait_for_selector("text=You went through")
        page.goto(f"{server.address}/admin")
        with page.expect_download() as found:
            page.click("text=gold.qrels")
        lines = found.value.path().read_text().splitlines()
        assert sum(line.endswith(" 3") for line in lines) == 4
        assert page.complaints == []


def dispute(url, many):
    """Let two judges judge all pairs, and differ on every second."""
    store = JudgingStore.open(url)
    for judge in ("ben", "cy"):
        store.invite(judge)
        for _ in range(many):
            task = store.next(judge)
            grade = 2.0 if judge == "cy" and task.number % 2 else 1.0 - (task.number % 4 == 0)
            store.record(judge, task.number, Verdict("grade", f"k{task.number}", grade, note="it depends"))
    store.close()


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "dark"), ("phone", "light")])
def test_axe_finds_no_serious_fault_and_every_page_fits(browser, tmp_path, size, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    options = write_pool(tmp_path)
    given = (*options, "--store", str(tmp_path / "kept.db"), "--overlap", "0.5")
    with (
        served(tmp_path, *given) as server,
        visitor(browser, server.link, viewport=SIZES[size], color_scheme=scheme, bypass_csp=True) as page,
    ):
        paths = ["/", "/bulk", "/admin", "/admin/disputes", "/nowhere", server.link.removeprefix(server.address)]
        dispute(given[-3], 30)
        for path in paths:
            page.goto(f"{server.address}{path}")
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
            found = axe.Axe().run(page).response["violations"]
            assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS] == [], path
            assert page.evaluate(FITS), path
