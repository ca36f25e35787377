"""The page of a graph, drawn in a browser that hears no complaint, wide and narrow."""

import json
from dataclasses import replace

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")
pytest.importorskip("pyoxigraph")
pytest.importorskip("rdflib")

from tests.end_to_end.browser import chromium, program
from tests.unit.dossiers import ODD

from assay.core.answers import Question, Suite
from assay.core.graph_dossier import GraphDossier
from assay.graph.completeness.completeness import completeness
from assay.graph.gaps.gaps import gaps
from assay.graph.sparql.store import Store
from assay.graph.validity.validity import validity
from assay.report.html import answers, graph
from assay.tasks.answers.check import check_suite
from assay.tasks.answers.evaluate import evaluate_answers
from assay.tasks.answers.run import run_suite

FITS = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
DRAWN = "document.querySelectorAll('svg.marks').length"
OVERFLOWING = (
    """[...document.querySelectorAll('tbody th')].filter(one => one.scrollWidth > one.clientWidth + 1).length"""
)
GRAPH = """@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:child rdfs:range :Person . :anna a :Person ; :child :bea , :carl . :bea a :Person ; :job :baker . :carl a :Person .
:dora a :Person ; :child :erik . :erik a :Robot ; :job :baker .
"""
LONG = "What do all the children of Anna do whose names_are_as_long_as_those_of_an_archduchess_of_austria_este do?"
in_a_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(program() is None, reason="needs Chromium, which is not installed"),
]


@pytest.fixture(scope="module")
def dossier():
    part, full = Store.of(GRAPH), Store.of(GRAPH + ":carl :job :cook .")
    query = "SELECT ?j {{ <http://x/{}> <http://x/child> ?c . ?c <http://x/job> ?j }}"
    people = {"anna": LONG, "dora": ODD, "zoe": ""}
    suite = Suite("s", tuple(Question(name, text, gold_query=query.format(name)) for name, text in people.items()))
    found, gold = run_suite(suite, part), run_suite(suite, full, which="gold")
    judged, rules = evaluate_answers(suite, found, gold=gold), validity(part)
    joined = gaps(part, suite, found, judged, gold=gold, reference=full, validity=rules, shares=(0.9, 0.8), repeats=3)
    complete = completeness(part, expect="all", suite=suite)
    return GraphDossier(ODD, judged, check_suite(suite, full), complete, rules, None, None, joined, (ODD,))


def test_the_page_is_whole_and_nothing_in_a_name_is_markup(dossier):
    text = graph.render(dossier, command=("assay", "graph", "report"), seed=0)
    assert text.startswith("<!DOCTYPE html>")
    assert "<script>alert" not in text.partition("<main")[2].partition("<script type")[0]
    assert "rest on invalid links" in text
    names = [one.name for one in graph.lay_out(dossier).sections]
    assert names == ["result", "gaps", "curve", "resting", "answers", "conventions", "gold", "questions",
                     "completeness", "validity", "notices", "reproduce"]  # fmt: skip
    assert graph.render(dossier) == graph.render(dossier)


def test_parts_that_were_not_measured_are_left_out(dossier):
    only = graph.lay_out(GraphDossier("g", validity=dossier.validity))
    assert [one.name for one in only.sections] == ["result", "validity", "reproduce"]
    empty = replace(
        dossier, gaps=replace(dossier.gaps, failures=(), missing=(), predicates=(), curve=None, resting=None)
    )
    assert [one.name for one in graph.lay_out(empty).sections][:3] == ["result", "gaps", "answers"]
    page = answers.lay_out(dossier.answers, dossier.health)
    assert [one.name for one in page.sections][:2] == ["result", "answers"]


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("dark", [False, True])
class TestInABrowser:
    pytestmark = in_a_browser

    def test_all_is_drawn_and_fits(self, dossier, tmp_path, width, dark):
        (tmp_path / "page.html").write_text(graph.render(dossier), encoding="utf-8")
        with chromium(tmp_path / "profile") as browser:
            page = browser.open(tmp_path / "page.html", width, dark=dark)
            assert page.ask(DRAWN) == len(graph.lay_out(dossier).charts) == 6
            assert page.ask(FITS)
            assert page.ask(OVERFLOWING) == 0
            assert json.loads(json.dumps(page.complaints)) == []
            assert page.requests == [(tmp_path / "page.html").as_uri()]
