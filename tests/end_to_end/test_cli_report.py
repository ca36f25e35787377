"""`assay report` as people run it: a whole page, or one message and no file."""

import html
import re

import pytest

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def two(small):
    (small / "b.run").write_text("q1 Q0 x 1 2 t\nq1 Q0 u 2 1 t\nq2 Q0 w 1 9 t\nq2 Q0 z 2 5 t\n")
    return small


def shown(page):
    """The page without the code and data that are not text."""
    return re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)


def test_two_runs_make_one_page_that_needs_nothing_else(assay, two):
    done = assay("report", "gold.qrels", "a.run", "b.run", "-m", "P@1 RR", "--title", "Old & new", "--out", "r.html")
    page = (two / "r.html").read_text(encoding="utf-8")
    assert done.out == ""
    assert "queries are few" in done.err
    assert page.startswith("<!DOCTYPE html>")
    assert page.rstrip().endswith("</html>")
    assert len(page) < 5_000_000
    text = shown(page)
    assert "Old &amp; new" in text
    assert "assay report gold.qrels a.run b.run" in html.unescape(text)
    assert not re.search(r"<(link|img|iframe)\b[^>]*\b(href|src)=(?!.?data:)", page.partition("<script")[0])
    assert not re.search(r"<script[^>]*\bsrc=", page)
    assert sorted(path.name for path in two.iterdir()) == ["a.run", "b.run", "gold.qrels", "r.html"]


def test_ids_are_text_wherever_they_stand(assay, small):
    (small / "gold.qrels").write_text(f"{SCRIPT} 0 {SCRIPT} 1\nq2 0 z 1\n")
    (small / "a.run").write_text(f"{SCRIPT} Q0 {SCRIPT} 1 2 {SCRIPT}\nq2 Q0 {SCRIPT} 1 1 {SCRIPT}\n")
    (small / "b.run").write_text(f"{SCRIPT} Q0 w 1 2 b\nq2 Q0 z 1 1 b\n")
    assay("report", "gold.qrels", "a.run", "b.run", "--title", SCRIPT, "--out", "r.html", "--quiet")
    page = (small / "r.html").read_text(encoding="utf-8")
    assert SCRIPT not in page
    assert html.escape(SCRIPT) in page


@pytest.mark.parametrize(
    "asked",
    [
        ("gold.qrels", "a.run", "b.run", "-m", "NumQ MR"),
        ("gold.qrels", "a.run", "b.run", "-m", "AP", "--ties", "expected", "--missing", "skip"),
        ("half.qrels", "a.run", "-m", "nDCG GMAP(rel=1)"),
        ("none.qrels", "a.run", "b.run", "-m", "AP"),
    ],
)
def test_a_page_is_made_of_whatever_there_is(assay, two, asked):
    (two / "half.qrels").write_text("q1 0 x 0.5\nq1 0 y 1\n")
    (two / "none.qrels").write_text("q1 0 x 0\nq2 0 z 0\n")
    assay("report", *asked, "--out", "r.html")
    page = (two / "r.html").read_text(encoding="utf-8")
    assert page.rstrip().endswith("</html>")
    assert not re.search(r">[^<>]*\b(NaN|None|Infinity)\b", shown(page))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ([], "report: expected a file to write, found no --out"),
        (["--out", "nowhere/r.html"], "expected a folder to write into, found none called 'nowhere'"),
        (["--out", "r.html", "--ties", "range"], "expected one order of tied items, found --ties range"),
        (["--out", "r.html", "--baseline", "c"], "no run is called 'c'"),
        (["--out", "r.html", "--by", "groups.csv"], "groups.csv: expected a file"),
        (["--out", "r.html", "--seed", "x"], "--seed: expected a whole number, found 'x'"),
        (["--out", "r.html", "-m", ""], "measures: expected one or more, found none"),
        (["--out", "r.html", "-m", "AP@0"], "AP"),
    ],
)
def test_mistakes_are_said_and_write_nothing(assay, two, asked, said):
    done = assay("report", "gold.qrels", "a.run", "b.run", *asked, expect=2)
    assert said in done.err
    assert not (two / "r.html").exists()


def test_runs_of_other_queries_are_refused(assay, two):
    (two / "b.run").write_text("other Q0 x 1 2 t\n")
    done = assay("report", "gold.qrels", "a.run", "b.run", "--out", "r.html", expect=2)
    assert "b.run: expected queries of the gold such as 'q1', 'q2', found none of them but 'other'" in done.err
