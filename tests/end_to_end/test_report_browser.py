"""The HTML page in a browser: it draws, asks nobody, complains about nothing, fits, and follows keys."""

import json
from dataclasses import replace

import polars as pl
import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.end_to_end.browser import chromium, program
from tests.unit.dossiers import ODD, SCRIPT, TEN_MEASURES, dossier

from assay.core.health import Health
from assay.core.scores import Scores
from assay.report.html import render

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(program() is None, reason="needs Chromium, which is not installed"),
]

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
TALLY = "document.querySelector('#tally').textContent"
TITLE = "document.querySelector('#explanation h4').textContent"
DRAWN = "document.querySelectorAll('svg.marks').length"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages of one, two and many runs, of names that are markup, and the short form."""
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "one": render(dossier(1)),
        "two": render(dossier()),
        "many": render(dossier(17, 100, measures=TEN_MEASURES)),
        "all": render(dossier(4, pairs="all")),
        "hostile": render(dossier(hostile=True)),
        "short": render(dossier(), short=True),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


def test_complaints_and_requests_would_be_heard(browser, tmp_path):
    text = render(dossier(1, 8), short=True)
    asking = "<img src='https://example.org/a.png'><p onclick='eval(1)'>"
    (tmp_path / "bad.html").write_text(text.replace("<header>", f"{asking}<header>"), encoding="utf-8")
    page = browser.open(tmp_path / "bad.html")
    assert page.complaints


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["one", "two", "many", "all", "hostile", "short"])
def test_a_page_draws_asks_nobody_complains_about_nothing_and_fits(browser, pages, name, width):
    page = browser.open(pages[name], width)
    assert page.ask(DRAWN) >= {"short": 6, "one": 9}.get(name, 11)
    assert page.complaints == []
    assert page.requests == [pages[name].as_uri()]
    assert page.ask(FITS)
    assert page.ask("document.documentElement.dataset.overflow") == "no"


def test_many_queries_are_drawn_at_both_ends(browser, tmp_path):
    found = dossier(2, 500, measures="RR P@10")
    (tmp_path / "large.html").write_text(render(found), encoding="utf-8")
    page = browser.open(tmp_path / "large.html")
    assert "the 200 at each end" in page.ask(TALLY)
    assert page.ask("document.querySelectorAll('#bars .mark-rect path').length") == 400
    assert page.complaints == []


def test_runs_that_were_not_compared_and_have_no_intervals_are_drawn(browser, tmp_path):
    found = dossier(2, 8)
    evaluations = tuple(
        replace(one, figures=tuple(replace(figure, interval=None) for figure in one.figures))
        for one in found.evaluations
    )
    figures = tuple(replace(one, ceiling=None, condensed=None) for one in found.health.figures)
    points = tuple(replace(point, ceiling=None) for point in found.curves)
    found = replace(found, evaluations=evaluations, comparison=None, curves=points, health=Health(figures))
    (tmp_path / "plain.html").write_text(render(found), encoding="utf-8")
    page = browser.open(tmp_path / "plain.html")
    assert page.ask(DRAWN) >= 10
    assert page.complaints == []


def test_where_lower_is_better_a_fall_is_a_win(browser, tmp_path):
    found = dossier(2, 40, measures="MR NumRelRet")
    (tmp_path / "lower.html").write_text(render(found), encoding="utf-8")
    page = browser.open(tmp_path / "lower.html")
    colours = page.ask("[...document.querySelectorAll('#bars .mark-rect path')].map(one => one.getAttribute('fill'))")
    options = page.ask("[...document.querySelector('#query').options].map(one => one.text)")
    assert (colours[0], colours[-1]) == ("var(--bad)", "var(--good)")
    assert sum("−" in text for text in options) == colours.count("var(--good)")
    page.choose("#measure", "1")
    page.until(f"{TITLE}.includes('NumRelRet 1')")
    assert ".0000 →" not in page.ask(TITLE)
    assert page.complaints == []


def test_a_measure_without_a_value_says_so(browser, tmp_path):
    found = dossier(1, 8)
    (one,) = found.evaluations
    nothing = Scores(one.scores.table.with_columns(value=pl.lit(None, pl.Float64)))
    undefined = tuple(replace(figure, mean=None, interval=None, undefined=8) for figure in one.figures)
    evaluations = (replace(one, scores=nothing, figures=undefined),)
    found = replace(found, evaluations=evaluations, explained={})
    (tmp_path / "nothing.html").write_text(render(found), encoding="utf-8")
    page = browser.open(tmp_path / "nothing.html")
    assert page.ask(TALLY) == "nDCG@10 is undefined for every query"
    assert page.complaints == []


def test_names_that_are_markup_are_shown_as_text(browser, pages):
    page = browser.open(pages["hostile"])
    assert page.ask("document.title") == f"{SCRIPT} of 2 runs"
    assert page.ask("document.querySelectorAll('img').length") == 0
    assert page.ask("document.querySelectorAll('script').length") == 3
    for query in page.ask("[...document.querySelector('#query').options].map(one => one.value)")[:6]:
        page.choose("#query", query)
    hostile = page.ask("[...document.querySelector('#query').options].find(one => one.text.includes('script')).value")
    page.choose("#query", hostile)
    page.until(f"{TITLE}.startsWith({json.dumps('q001' + ODD)})")
    assert page.ask(f"document.querySelector('#explanation').textContent.includes('doc-000{ODD}')")
    assert page.ask("document.querySelectorAll('img').length") == 0
    assert page.complaints == []


def test_a_tooltip_shows_names_as_text(browser, pages):
    page = browser.open(pages["hostile"])
    page.ask("document.querySelector('[data-chart=cost]').scrollIntoView({block: 'center'})")
    spot = page.ask(
        "(() => { const marks = document.querySelectorAll('[data-chart=cost] .mark-symbol path');"
        " const box = marks[1].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=spot[0], y=spot[1])
    page.until("!document.querySelector('#tip').hidden")
    assert ODD in page.ask("document.querySelector('#tip').textContent")
    assert page.ask("document.querySelector('#tip').querySelectorAll('script, img').length") == 0


def test_arrow_keys_go_from_query_to_query_and_enter_explains(browser, pages):
    page = browser.open(pages["two"])
    page.ask("document.querySelector('#bars').focus()")
    page.press("Home", 36)
    page.until("document.querySelector('#query').value !== ''")
    first = page.ask(TITLE)
    page.press("ArrowRight", 39)
    page.until(f"{TITLE} !== {first!r}")
    page.press("Enter", 13)
    page.until("document.activeElement.id === 'explanation'")
    assert page.complaints == []


def test_a_click_on_a_bar_explains_its_query(browser, pages):
    page = browser.open(pages["two"])
    page.ask("document.querySelector('#bars').scrollIntoView({block: 'center'})")
    last = (
        "(() => { const bars = document.querySelectorAll('#bars .mark-rect path');"
        " const box = bars[bars.length - 1].getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    page.click(*page.ask(last))
    best = max(dossier().comparison.contrasts[0].helped, key=lambda mover: mover.change)
    page.until(f"{TITLE}.startsWith('{best.query}:')")


def test_another_measure_changes_the_header_and_the_drawing(browser, pages):
    page = browser.open(pages["two"])
    contrast = dossier().comparison["system-01", "AP"]
    page.choose("#measure", "3")
    page.until(f"{TALLY}.startsWith('+{contrast.wins} / ={contrast.ties} / −{contrast.losses}')")
    chart = "[data-chart=intervals]"
    before = page.ask(f"document.querySelector('{chart} svg').outerHTML")
    page.choose(f"{chart} select", "AP")
    page.until(f"document.querySelector('{chart} svg').outerHTML !== {before!r}")
    assert page.complaints == []


def test_a_pair_is_shown_either_way_round(browser, pages):
    page = browser.open(pages["all"])
    contrast = next(one for one in dossier(4, pairs="all").comparison.contrasts if one.run == "system-03")
    page.choose("#baseline", "3")
    page.choose("#run", "0")
    page.until(f"{TALLY}.startsWith('+{contrast.losses} / ={contrast.ties} / −{contrast.wins}')")


def test_runs_are_coloured_by_choice(browser, pages):
    page = browser.open(pages["many"])
    boxes = "[...document.querySelectorAll('[data-chart=curves] fieldset input')]"
    assert page.ask(f"{boxes}.filter(one => one.checked).length") == 6
    assert page.ask(f"{boxes}.filter(one => one.disabled).length") == 11
    page.ask(f"{boxes}.find(one => one.checked).click()")
    assert page.ask(f"{boxes}.filter(one => one.disabled).length") == 0
    assert page.ask("document.querySelectorAll('[data-chart=slices_0] fieldset input:checked').length") == 5


def test_the_theme_follows_the_system_and_the_button(browser, pages):
    background = "getComputedStyle(document.body).backgroundColor"
    page = browser.open(pages["short"], dark=True)
    assert page.ask(background) == "rgb(21, 24, 28)"
    for expected in ("light", "dark", "auto"):
        page.ask("document.querySelector('#theme').click()")
        assert page.ask("document.querySelector('#theme').textContent") == f"Theme: {expected}"
        assert page.ask(background) == ("rgb(255, 255, 255)" if expected == "light" else "rgb(21, 24, 28)")


def test_every_drawing_gives_its_numbers(browser, pages):
    page = browser.open(pages["two"])
    page.ask("document.querySelectorAll('figure details').forEach(one => { one.open = true; })")
    every = "[...document.querySelectorAll('figure details')].every"
    page.until(f"{every}(one => one.querySelectorAll('tbody tr').length > 1)")
    assert page.ask(FITS)
