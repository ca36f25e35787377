"""The site: its pages lead to each other, and it builds without a fault."""

import importlib.util
import re
from pathlib import PurePosixPath

import pytest
from docs.generate import stage
from docs.generate.__main__ import build
from docs.generate.links import faults

PARTS = {"tutorials", "how-to", "reference", "explanation", "examples"}


@pytest.fixture(scope="module")
def pages():
    return stage.pages()


def test_every_page_has_its_place_and_one_title(pages):
    for name, text in pages.items():
        part, _, rest = name.partition("/")
        assert name == "index.md" or (part in PARTS and rest), name
        titles = []
        stage.outside_code(text, lambda prose, found=titles: found.extend(stage.TITLE.findall(prose)) or prose)
        assert len(titles) == 1, name


def test_every_link_leads_to_a_page(pages):
    broken = []
    for name, text in pages.items():
        links = []
        stage.outside_code(text, lambda prose, found=links: found.extend(stage.LINK.findall(prose)) or prose)
        for target in links:
            path = target.partition("#")[0]
            place = _joined(name, path)
            if path and ":" not in path and place not in pages and not (stage.DOCS / place).is_file():
                broken.append(f"{name}: {target}")
    assert broken == []


def _joined(name, target):
    parts = []
    for part in [*PurePosixPath(name).parent.parts, *PurePosixPath(target).parts]:
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def test_every_written_page_is_listed(pages):
    listed = re.findall(r'"([^"]+\.md)"', str(stage.navigation(pages)).replace("'", '"'))
    assert len(listed) == len(set(listed))
    assert {name for name in pages if not name.startswith("examples/")} == set(listed)


def test_a_broken_site_is_not_passed(tmp_path):
    (tmp_path / "a.html").write_text('<h1 id="top">A</h1><a href="b.html">b</a><a href="#top">t</a><a href="#no">n</a>')
    (tmp_path / "c.html").write_text('<script src="https://example.org/x.js"></script><a href="a.html#top">a</a>')
    (tmp_path / "d.css").write_text('@import "https://example.org/font.css"; p { background: url(x.png) }')
    assert faults(tmp_path) == [
        "a.html: leads nowhere: b.html",
        "a.html: leads nowhere: #no",
        "c.html: needs the network: https://example.org/x.js",
        "d.css: needs the network: https://example.org/font.css",
    ]


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("zensical", "latex2mathml"))),
    reason="needs the group docs, which `make docs` installs",
)
def test_the_site_builds_and_needs_no_network(tmp_path):
    assert build(tmp_path) == []
    site = tmp_path / "site"
    assert "<math" in (site / "reference/measures/nDCG.html").read_text("utf-8")
    assert (site / "search.json").is_file()
