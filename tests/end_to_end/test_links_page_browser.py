"""The pages of link predictors and vectors: made by the command line, drawn in a browser that hears no complaint."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from pathlib import Path

from tests.end_to_end.browser import chromium, program
from tests.unit.dossiers import ODD
from tests.unit.link_pages import drifted, judged, quality

from assay.report.html import links, neighbours, neighbours_drift

EXAMPLES = Path(__file__).parents[2] / "examples"
NATIONS = EXAMPLES / "links-nations"
ITEMS = EXAMPLES / "embeddings"
FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
DRAWN = "document.querySelectorAll('svg.marks').length"
CHARTS = {"links": 7, "neighbours": 4, "drift": 2}
in_a_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(program() is None, reason="needs Chromium, which is not installed"),
]


def graph():
    files = [part for one in ("train", "valid", "test") for part in (f"--{one}", NATIONS / f"{one}.tsv")]
    return [*files, "--names", NATIONS / "entities.txt", "--relation-names", NATIONS / "relations.txt"]


def evaluated(assay, *args):
    vectors = ["--entities", NATIONS / "entities.npy", "--relations", NATIONS / "relations.npy"]
    return assay("links", "evaluate", *graph(), "--model", "complex", *vectors, *args)


def test_links_evaluate_writes_a_page_by_the_ending_of_its_name_or_by_form(assay, tmp_path):
    evaluated(assay, "--out", "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    for said in ("MRR 0.5746, filtered", "Protocol card", "The real part of the product", "2 to 14, median 8"):
        assert said in text
    assert evaluated(assay, "-m", "MRR", "-o", "html").out.startswith("<!DOCTYPE html>")


def test_links_compare_writes_a_page(assay, tmp_path):
    evaluated(assay, "--out-ranks", "one.parquet")
    other = NATIONS / "relations.npy"
    np.save(tmp_path / "other.npy", np.load(other)[::-1])
    vectors = ["--entities", NATIONS / "entities.npy", "--relations", "other.npy"]
    assay("links", "evaluate", *graph(), "--model", "complex", *vectors, "--out-ranks", "two.parquet")
    ranks = ["--ranks", "one.parquet", "--ranks", "two.parquet"]
    assay("links", "compare", *graph(), *ranks, "--by", "side", "-m", "MRR", "--out", "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Whether two or one is better by RR cannot be resolved with 402 queries." in text
    assert "one, two by filtered ranks" in text
    assert "one.parquet" in text


def test_neighbours_write_pages(assay, tmp_path):
    assay("neighbours", "evaluate", ITEMS / "may.npy", "--labels", ITEMS / "types.tsv", "--names", ITEMS / "names.txt",
          "-k", 5, "--out", "page.html")  # fmt: skip
    assert "P@5 0.8850" in (tmp_path / "page.html").read_text(encoding="utf-8")
    done = assay("neighbours", "drift", ITEMS / "may.npy", ITEMS / "june.npy", "-k", 5, "-o", "html")
    assert "Whether to act cannot be told." in done.out


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages of a link predictor, of vectors and of their drift, all with names that are markup."""
    folder = tmp_path_factory.mktemp("pages")
    evaluation, pooled = judged(hostile=True)
    made = {
        "links": links.render(replace(evaluation, results=(*evaluation.results, pooled))),
        "neighbours": neighbours.render(quality(hostile=True)),
        "drift": neighbours_drift.render(drifted(hostile=True)),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in made}


class TestInABrowser:
    pytestmark = in_a_browser

    @pytest.mark.parametrize("width", [1280, 390])
    @pytest.mark.parametrize("name", sorted(CHARTS))
    def test_a_page_draws_asks_nobody_complains_about_nothing_and_fits(self, browser, pages, name, width):
        page = browser.open(pages[name], width)
        assert page.ask(DRAWN) == CHARTS[name]
        assert page.complaints == []
        assert page.requests == [pages[name].as_uri()]
        assert page.ask(FITS)
        assert page.ask("document.documentElement.dataset.overflow") == "no"

    @pytest.mark.parametrize("name", sorted(CHARTS))
    def test_names_that_are_markup_are_shown_as_text(self, browser, pages, name):
        page = browser.open(pages[name])
        assert page.ask("document.querySelectorAll('img').length") == 0
        assert page.ask("document.querySelectorAll('script').length") == 3
        assert page.ask(f"document.body.innerText.includes({json.dumps(ODD)})")
        page.ask("document.querySelectorAll('details').forEach(one => { one.open = true; })")
        assert page.ask("document.querySelectorAll('img').length") == 0
        assert page.complaints == []

    def test_a_table_is_sorted_by_a_click_and_back_by_another(self, browser, pages):
        page = browser.open(pages["links"])
        found, _ = judged(hostile=True)
        sizes = sorted(found.breakdowns[0].groups.values())
        table = "document.querySelector('#breakdowns table')"
        button = f"{table}.querySelectorAll('th button')[1]"
        column = f"[...{table}.tBodies[0].rows].map(one => Number(one.cells[1].textContent))"
        page.ask(f"{button}.click()")
        assert page.ask(column) == sizes[::-1]
        page.ask(f"{button}.click()")
        assert page.ask(column) == sizes
        assert page.ask(f"{table}.querySelectorAll('[aria-sort]').length") == 1
        page.ask(f"{table}.querySelectorAll('th button')[0].click()")
        names = f"[...{table}.tBodies[0].rows].map(one => one.cells[0].textContent.slice(0, 2))"
        assert page.ask(names) == ["r0", "r1", "r2"]
        assert page.complaints == []

    def test_another_measure_and_another_protocol_change_the_drawing(self, browser, pages):
        page = browser.open(pages["links"])
        for chart, value in (("ranks", "raw"), ("breakdown_0", "HR@3")):
            drawing = f"document.querySelector('[data-chart={chart}] svg').outerHTML"
            before = page.ask(drawing)
            page.choose(f"[data-chart={chart}] select", value)
            page.until(f"{drawing} !== {json.dumps(before)}")
        assert page.complaints == []

    def test_the_page_is_dark_where_the_system_is(self, browser, pages):
        page = browser.open(pages["links"], dark=True)
        assert page.ask("getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 28)"
        assert page.complaints == []
