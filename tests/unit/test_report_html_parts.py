"""What the HTML page says: verdicts, letters, charts with their guides, queries, explanations."""

import re
from dataclasses import replace

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.unit.dossiers import dossier
from tests.unit.pages import Page

from assay.report.html import render
from assay.report.html.page import lay_out
from assay.report.html.views import Chart, Explorer, Table


@pytest.fixture(scope="module")
def two():
    return Page(render(dossier()))


def test_the_verdict_says_better_by_how_much_and_what_the_data_could_tell(two):
    contrast = dossier().comparison.contrasts[0]
    low, high = contrast.interval.low, contrast.interval.high
    assert "system-01 is better than system-00 by nDCG@10." in two.seen
    assert f"{contrast.difference:+.4f} [{low:+.4f}, {high:+.4f}]" in two.seen
    assert f"+{contrast.wins} / ={contrast.ties} / −{contrast.losses}" in two.seen
    assert f"a difference of {contrast.power.detectable:.4f} or more" in two.seen
    assert "cannot be resolved by RR" in two.seen


def test_an_open_verdict_says_how_many_queries_it_takes():
    found = dossier(measures="RR P@10")
    text = Page(render(found, short=True)).seen
    assert "Whether system-01 or system-00 is better by RR cannot be resolved with 40 queries." in text
    assert "about 480 queries needed" in text


def test_a_pair_without_a_test_says_why():
    found = dossier(measures="RR P@10")
    first, *others = found.comparison.contrasts
    significance = replace(first.significance, p=None, adjusted=None, why="all differences are 0")
    untested = replace(first, significance=significance)
    comparison = replace(found.comparison, contrasts=(untested, *others))
    assert "not tested: all differences are 0" in Page(render(replace(found, comparison=comparison), short=True)).seen


def test_many_runs_are_gathered_by_verdict():
    found = dossier(7, 60)
    verdicts = [contrast.verdict for contrast in found.comparison.of("nDCG@10")]
    text = Page(render(found, short=True)).seen
    assert f"of 6 runs held against system-00, {verdicts.count('better')} " in text


@pytest.mark.parametrize("runs", [2, 7])
def test_runs_that_were_not_compared_get_no_verdict(runs):
    found = replace(dossier(runs), comparison=None)
    text = Page(render(found, short=True)).seen
    best = max(found.labels, key=lambda label: found.evaluations[found.labels.index(label)]["nDCG@10"])
    assert f"Of {runs} runs, {best} has the highest nDCG@10" in text
    assert "not held against each other" in text
    assert "better than" not in text


def test_letters_follow_the_numbers_and_the_legend_explains_them():
    found = dossier(4, 60, pairs="all")
    section = next(one for one in lay_out(found).sections if one.name == "measures")
    table = section.blocks[0]
    letters = found.comparison.letters("nDCG@10")
    assert any(letters.values())
    assert [row[0].mark for row in table.rows] == ["a", "b", "c", "d"]
    assert [row[1].mark for row in table.rows] == [letters[label] for label in found.labels]
    assert sum(row[1].best for row in table.rows) == 1
    assert "significantly better than the run with that letter" in section.blocks[1].text


def test_a_pair_tested_the_other_way_round_is_turned():
    found = dossier()
    contrast = found.comparison.contrasts[0]
    turned = replace(found.comparison, baseline="system-01")
    text = Page(render(replace(found, comparison=turned), short=True)).seen
    assert "system-00 is worse than system-01 by nDCG@10." in text
    assert f"−{contrast.difference:.4f}" in text
    assert f"+{contrast.losses} / ={contrast.ties} / −{contrast.wins}" in text


def test_what_is_unknown_leaves_its_section_out():
    found = replace(dossier(1), slices=(), health=None, costs=(), curves=(), precision_recall=(), explained={})
    page = Page(render(found))
    assert [attrs["id"] for attrs in page.all("section")] == ["verdict", "measures", "queries", "notices", "reproduce"]
    assert "system-00: nDCG@10" in page.seen


def test_the_short_page_holds_no_single_query():
    page = Page(render(dossier(), short=True))
    assert [attrs["id"] for attrs in page.all("section")] == ["verdict", "measures", "curves", "notices", "reproduce"]
    assert page.data["explorer"] is None


def test_every_chart_has_a_guide_and_its_numbers():
    charts = [block for one in lay_out(dossier(3)).sections for block in one.blocks if isinstance(block, Chart)]
    assert {chart.name for chart in charts} == {
        "intervals", "differences", "curves", "precision_recall", "slices_0", "health", "cost",
    }  # fmt: skip
    for chart in charts:
        assert chart.title
        assert chart.shows.endswith(".")
        assert chart.reading.endswith(".")
        assert chart.rows
        assert {len(row) for row in chart.rows} == {len(chart.fields)}
        assert all(choice.field in chart.fields for choice in chart.choices)
    page = Page(render(dossier(3)))
    assert len(page.all("figcaption")) == len(page.all("figure")) == len(charts) + 1


def test_the_values_of_the_queries_are_held_once(two):
    found = dossier()
    book = two.data["explorer"]
    run, measure, query = 1, book["measures"].index("AP"), 7
    values = {q: v for _, m, q, v in found.evaluations[run].per_query.iter_rows() if m == "AP"}
    assert book["values"][run][measure][query] == round(values[book["queries"][query]], 5)
    contrast = found.comparison["system-01", "AP"]
    (held,) = [one for one in book["contrasts"] if one[:3] == [1, 0, measure]]
    assert held[3:6] == [contrast.wins, contrast.ties, contrast.losses]


def test_explanations_keep_places_moves_and_sums(two):
    found = dossier()
    (first, *_), (entry, *_) = found.explained.items(), two.data["explorer"]["explained"]
    (run, query, _), one = first
    assert (two.data["runs"][entry["run"]], two.data["explorer"]["queries"][entry["query"]]) == (run, query)
    assert entry["base"] == 0
    assert len(entry["moves"]) == len(one.moves)
    after = entry["after"]
    assert sum(place[3] for place in after["places"]) + after["rest"] == pytest.approx(after["value"], abs=1e-5)


def test_many_explanations_are_cut(monkeypatch):
    monkeypatch.setattr("assay.report.html.explained.MOST_BYTES", 6000)
    data = Page(render(dossier())).data["explorer"]["explained"]
    assert 0 < len(data) < 6


def test_infinite_numbers_become_null():
    bounds = replace(dossier().health.figures[0].bounds, high=float("inf"))
    figures = (replace(dossier().health.figures[0], bounds=bounds),)
    page = Page(render(replace(dossier(), health=replace(dossier().health, figures=figures))))
    assert page.data["charts"]["health"]["rows"][0][4] is None


def test_a_large_evaluation_shows_its_first_measures_and_says_so(monkeypatch):
    monkeypatch.setattr("assay.report.html.queries.MOST_VALUES", 200)
    page = Page(render(dossier(4)))
    book = page.data["explorer"]
    assert book["measures"] == ["nDCG@10"]
    assert book["runs"] == ["system-00", "system-01", "system-02", "system-03"]
    assert "values of single queries for the first 1 measure." in page.seen


def test_everything_to_make_it_again_is_there(two):
    text = two.seen
    for part in ("assay report gold.qrels system-00 system-01", "seed 42", "ties id-desc", "SHA-256"):
        assert part in text


def test_unbeaten_runs_are_those_that_no_other_beats_in_both():
    found = dossier(5)
    (chart,) = [b for s in lay_out(found).sections for b in s.blocks if isinstance(b, Chart) and b.name == "cost"]
    points = [dict(zip(chart.fields, row, strict=True)) for row in chart.rows]
    points = [p for p in points if (p["measure"], p["kind"]) == ("nDCG@10", "latency (seconds)")]
    for one in points:
        beaten = any(p["cost"] < one["cost"] and p["mean"] > one["mean"] for p in points)
        assert one["best"] == (not beaten)


def test_tables_are_rectangular():
    for section in lay_out(dossier(3)).sections:
        for block in section.blocks:
            tables = [block] if isinstance(block, Table) else getattr(block, "tables", ())
            for table in tables:
                assert {len(row) for row in table.rows} == {len(table.columns)}, table.caption


def test_no_number_is_nan():
    blocks = [block for section in lay_out(dossier()).sections[:-1] for block in section.blocks]
    assert any(isinstance(block, Explorer) for block in blocks)
    assert not re.search(r"\bnan\b|\bNone\b|\binf\b", str([b for b in blocks if not isinstance(b, Explorer | Chart)]))
