"""Pages of links, neighbours and drift: names are only ever text, and nothing comes from outside."""

import base64
import hashlib
from dataclasses import replace

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.unit.dossiers import ODD
from tests.unit.link_pages import drifted, judged, quality
from tests.unit.pages import Page

from assay.report.html import links, neighbours, neighbours_drift


def rendered(kind, *, hostile):
    if kind == "neighbours":
        return neighbours.render(quality(hostile=hostile))
    if kind == "drift":
        return neighbours_drift.render(drifted(hostile=hostile))
    evaluation, pooled = judged(hostile=hostile)
    return links.render(replace(evaluation, results=(*evaluation.results, pooled)))


@pytest.fixture(scope="module")
def plain():
    return {kind: rendered(kind, hostile=False) for kind in KINDS}


@pytest.fixture(scope="module")
def hostile():
    return {kind: rendered(kind, hostile=True) for kind in KINDS}


KINDS = ("links", "neighbours", "drift")


@pytest.mark.parametrize("kind", KINDS)
def test_names_that_are_markup_stay_text(plain, hostile, kind):
    page, other = Page(hostile[kind]), Page(plain[kind])
    assert "img" not in {tag for tag, _ in page.elements}
    assert len(page.all("script")) == len(other.all("script"))
    assert ODD in page.seen
    assert not any(name.startswith("on") for _, attrs in page.elements for name in attrs)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_comes_from_outside_and_only_the_scripts_of_the_page_may_run(hostile, kind):
    page = Page(hostile[kind])
    for tag, attrs in page.elements:
        for name in ("src", "href", "srcset", "action", "data", "poster"):
            assert attrs.get(name, "#").startswith(("#", "data:")), (tag, attrs)
    code = [text for tag, attrs, text in page.scripts if tag == "script" and attrs["type"] == "module"]
    hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in code]
    assert page.policy.startswith("default-src 'none';")
    assert f"script-src {' '.join(hashes)};" in page.policy


@pytest.mark.parametrize("kind", KINDS)
def test_equal_results_give_equal_pages_that_stay_small(plain, kind):
    assert rendered(kind, hostile=False) == plain[kind]
    assert len(plain[kind].encode()) < 1.2e6
