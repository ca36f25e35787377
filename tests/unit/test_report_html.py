"""The HTML page: one file, nothing from outside, names only as text."""

import base64
import hashlib
from dataclasses import replace

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.unit.dossiers import ODD, SCRIPT, TEN_MEASURES, dossier
from tests.unit.pages import Page

from assay.errors import MissingExtraError
from assay.report.html import render

SECTIONS = ["verdict", "measures", "curves", "queries", "slices", "health", "cost", "notices", "reproduce"]


@pytest.fixture(scope="module")
def two():
    return Page(render(dossier()))


@pytest.fixture(scope="module")
def hostile():
    return Page(render(dossier(hostile=True)))


def test_sections_come_in_their_order_and_the_contents_point_to_them(two):
    assert [attrs["id"] for attrs in two.all("section")] == SECTIONS
    links = [attrs["href"] for attrs in two.all("a")]
    assert links == ["#content", *(f"#{name}" for name in SECTIONS)]


def test_nothing_is_loaded_from_outside(two):
    outside = [
        (tag, name, value)
        for tag, attrs in two.elements
        for name, value in attrs.items()
        if name in {"src", "href", "srcset", "action", "data", "poster"} and not value.startswith(("#", "data:"))
    ]
    assert outside == []
    (style,) = [text for tag, _, text in two.scripts if tag == "style"]
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_exactly_the_scripts_of_the_page(two):
    code = [text for tag, attrs, text in two.scripts if tag == "script" and attrs["type"] == "module"]
    hashes = ["'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'" for text in code]
    assert len(code) == 2
    assert f"script-src {' '.join(hashes)};" in two.policy
    assert two.policy.startswith("default-src 'none';")
    assert "unsafe-eval" not in two.policy
    assert not any(name.startswith("on") for _, attrs in two.elements for name in attrs)


def test_names_that_are_markup_stay_text(hostile, two):
    tags = {tag for tag, _ in hostile.elements}
    assert "img" not in tags
    assert len(hostile.all("script")) == len(two.all("script"))
    assert len(hostile.all("title")) == 1
    assert f"system-01{ODD} is better than system-00" in hostile.seen
    assert SCRIPT in hostile.seen
    data = hostile.data
    assert data["runs"][1] == f"system-01{ODD}"
    assert data["explorer"]["queries"][1] == f"q001{ODD}"


def test_unseen_characters_of_names_are_written_out():
    found = dossier(queries=12)
    renamed = replace(found, title="a\x1b[31m\u202eb", labels=found.labels)
    assert "a\\x1b[31m\\u202eb" in Page(render(renamed)).seen


@pytest.mark.parametrize(("runs", "short", "most"), [(1, False, 1.2e6), (2, True, 1.2e6), (17, False, 2e6)])
def test_a_page_stays_small(runs, short, most):
    found = dossier(runs, 100, measures=TEN_MEASURES)
    assert len(render(found, short=short).encode()) < most


def test_equal_dossiers_give_equal_pages():
    assert render(dossier(3, 12)) == render(dossier(3, 12))


@pytest.mark.parametrize(
    ("module", "package"), [("altair", "altair"), ("vl_convert", "vl-convert-python"), ("jinja2", "jinja2")]
)
def test_a_missing_extra_is_named(monkeypatch, module, package):
    import sys

    from assay.report.html.document import _environment, library

    library.cache_clear()
    _environment.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"the HTML report needs {package}"):
        render(dossier(2, 8))
    library.cache_clear()
    _environment.cache_clear()
