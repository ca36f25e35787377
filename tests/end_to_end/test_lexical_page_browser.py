"""The pages of lexical tasks: made by the command line, drawn in a browser that hears no complaint."""

import json

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.end_to_end.browser import chromium, program
from tests.unit.dossiers import ODD
from tests.unit.lexical_pages import diagnosed, expanded, side_by_side, texts

from assay.report.html import lexical, lexical_expansion, lexical_sides

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
DRAWN = "document.querySelectorAll('svg.marks').length"
CHARTS = {"diagnose": 3, "compare": 4, "expand": 4}
in_a_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(program() is None, reason="needs Chromium, which is not installed"),
]


@pytest.fixture
def files(tmp_path):
    documents, queries, gold = texts()
    corpus = "".join(json.dumps({"_id": item, "text": text}) + "\n" for item, text in documents.items())
    (tmp_path / "corpus.jsonl").write_text(corpus)
    (tmp_path / "queries.tsv").write_text("".join(f"{query}\t{text}\n" for query, text in queries.items()))
    (tmp_path / "gold.qrels").write_text(
        "".join(f"{query} 0 {item} {grade}\n" for query, items in gold.items() for item, grade in items.items())
    )
    return ["--documents", "corpus.jsonl", "--queries", "queries.tsv"]


def test_each_verb_writes_a_page(assay, files, tmp_path):
    assay("lexical", "search", *files, "--out", "bm25.run")
    assay("lexical", "search", *files, "--model", "ql", "--out", "ql.run")
    assay("lexical", "diagnose", "gold.qrels", "bm25.run", *files, "--dense", "ql.run", "--out", "why.html")
    text = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    for said in ("Why bm25 misses what it misses", "What could bring them", "corpus.jsonl", "ql.run"):
        assert said in text
    one = assay("lexical", "diagnose", "gold.qrels", "bm25.run", *files, "--query", "q03", "-o", "html").out
    assert "q03" in one
    assert "q04" not in one
    assay("lexical", "compare", "gold.qrels", "bm25.run", "ql.run", "-m", "P@5", "--out", "sides.html")
    assert "Found by whom" in (tmp_path / "sides.html").read_text(encoding="utf-8")
    done = assay("lexical", "expand", "gold.qrels", *files, "-m", "AP", "-o", "html")
    assert "Queries helped and hurt" in done.out


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages of a diagnosis, of systems side by side and of an expansion, all with names that are markup."""
    folder = tmp_path_factory.mktemp("pages")
    made = {
        "diagnose": lexical.render(diagnosed(hostile=True)),
        "compare": lexical_sides.render(side_by_side(hostile=True)),
        "expand": lexical_expansion.render(expanded(hostile=True)),
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

    @pytest.mark.parametrize(
        ("name", "choice", "value"),
        [("diagnose", "dots] select[data-field=measure", "P@5"), ("compare", "changes] select", "RRF against bm25")],
    )
    def test_another_choice_changes_the_drawing(self, browser, pages, name, choice, value):
        page = browser.open(pages[name])
        drawing = f"document.querySelector('[data-chart={choice.partition(']')[0]}] svg').outerHTML"
        before = page.ask(drawing)
        page.choose(f"[data-chart={choice}{']' if '=' in choice else ''}", value)
        page.until(f"{drawing} !== {json.dumps(before)}")
        assert page.complaints == []
