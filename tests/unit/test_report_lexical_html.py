"""The pages of lexical diagnosis, expansion and systems side by side: every figure is that of the result."""

from dataclasses import replace

import pytest

pytest.importorskip("altair")
pytest.importorskip("jinja2")
pytest.importorskip("vl_convert")

from tests.unit.dossiers import SCRIPT
from tests.unit.lexical_pages import diagnosed, expanded, side_by_side
from tests.unit.pages import Page

from assay.core.lexical_expansion import HELPED, HURT
from assay.report.html import (
    lexical,
    lexical_comparison,
    lexical_expansion,
    lexical_queries,
    lexical_relations,
    lexical_sides,
)
from assay.report.lexical_diagnosis_words import paragraph

INPUTS = (("gold", "no-such-file.qrels"),)


def blocks(page, name, kind):
    (section,) = [one for one in page.sections if one.name == name]
    return [block for block in section.blocks if block.kind == kind]


def rows_of(chart):
    return [dict(zip(chart.fields, row, strict=True)) for row in chart.rows]


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


@pytest.fixture(scope="module")
def diagnosis_page():
    return lexical.lay_out(diagnosed(), ("assay", "lexical", "diagnose"), INPUTS, 0)


@pytest.fixture(scope="module")
def sides_page():
    return lexical_sides.lay_out(side_by_side(), ("assay", "lexical", "compare"), INPUTS)


@pytest.fixture(scope="module")
def expansion_page():
    return lexical_expansion.lay_out(expanded(), ("assay", "lexical", "expand"), INPUTS)


class TestDiagnosis:
    def test_it_begins_with_what_it_comes_to(self, diagnosis_page):
        names = [one.name for one in diagnosis_page.sections]
        assert [name for name in names if name != "notices"] == [
            "result", "why", "help", "words", "relations", "worst", "queries", "reproduce",
        ]  # fmt: skip
        assert blocks(diagnosis_page, "result", "text")[0].text == paragraph(diagnosed())
        (cards,) = blocks(diagnosis_page, "result", "verdicts")
        first = diagnosed().run.figures[0]
        assert cards.verdicts[0].sentence == f"P@5 {first.mean:.4f}."
        assert "are not among the documents" not in cards.verdicts[0].sentence

    def test_blames_are_shares_of_all_that_is_missed(self, diagnosis_page):
        found = diagnosed()
        (chart,) = blocks(diagnosis_page, "why", "chart")
        rows = rows_of(chart)
        assert [row["cause"] for row in rows] == [one.name for one in found.blames]
        assert sum(row["documents"] for row in rows) == found.relevant - found.found == len(found.missed)
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        counted = sum(one.dense is not None and one.dense <= found.cutoff for one in found.missed)
        assert sum(row["dense finds"] or 0 for row in rows) == pytest.approx(counted / len(found.missed))

    def test_remedies_have_a_tick_only_where_a_search_was_made(self, diagnosis_page):
        (chart,) = blocks(diagnosis_page, "help", "chart")
        for row, one in zip(rows_of(chart), diagnosed().remedies, strict=True):
            assert (row["costs"] is None) == (one.costs is None)
            assert row["remedy"].endswith(", at most") == (one.costs is None)

    def test_each_query_is_a_dot_at_its_coverage_and_its_score(self, diagnosis_page):
        found = diagnosed()
        (chart,) = blocks(diagnosis_page, "relations", "chart")
        dots = {
            row["query"]: (row["x"], row["y"])
            for row in rows_of(chart)
            if (row["figure"], row["measure"]) == ("coverage", "P@5")
        }
        assert dots == {one.query: (one.coverage, one.values["P@5"]) for one in found.per_query}
        assert chart.choices[0].options[:2] == ("coverage", "coverage by idf")

    def test_worst_queries_name_each_missed_document(self, diagnosis_page):
        found = diagnosed()
        tables = [one for one in blocks(diagnosis_page, "worst", "table") if "missed document" in one.caption]
        worst = min(found.per_query, key=lambda one: (one.values["P@5"], -one.missed, one.query))
        own = [one for one in found.missed if one.query == worst.query]
        assert [row[0] for row in texts(tables[0])] == [one.item for one in own]
        assert tables[0].columns[3].head == "dense"

    def test_what_was_not_given_is_left_out(self):
        page = lexical.lay_out(diagnosed(dense=False))
        (chart,) = blocks(page, "why", "chart")
        assert all(row["dense finds"] is None for row in rows_of(chart))
        assert "dense" not in [column.head for column in blocks(page, "worst", "table")[1].columns]
        nothing = replace(diagnosed(), found=diagnosed().relevant, missed=(), remedies=())
        names = [one.name for one in lexical.lay_out(nothing).sections]
        assert "help" not in names

    def test_many_queries_are_cut_and_that_is_said(self):
        found = diagnosed()
        many = tuple(replace(found.per_query[0], query=f"q{i:05}") for i in range(2500))
        page = lexical.lay_out(replace(found, per_query=many, queries=len(many)))
        (table,) = blocks(page, "queries", "table")
        assert len(table.rows) == lexical_queries.MOST_QUERIES
        assert table.caption == "Each query, the first 500 of 2,500"
        (chart,) = blocks(page, "relations", "chart")
        drawn = {row["query"] for row in rows_of(chart)}
        assert len(drawn) <= lexical_relations.MOST_DOTS
        assert f"{len(drawn):,} of 2,500 queries are drawn" in chart.shows


class TestSides:
    def test_a_card_for_each_that_is_held_against_the_first(self, sides_page):
        found = side_by_side()
        (cards,) = blocks(sides_page, "result", "verdicts")
        held = [one for one in found.comparison.of("nDCG@5") if one.baseline == "bm25"]
        assert [card.sentence.split()[0] for card in cards.verdicts] == [one.run for one in held]
        assert (
            dict(cards.verdicts[0].facts)["won / tied / lost"]
            == f"+{held[0].wins} / ={held[0].ties} / −{held[0].losses}"
        )

    def test_those_that_find_an_item_are_told_apart(self, sides_page):
        found = side_by_side()
        chart = blocks(sides_page, "found", "chart")[0]
        rows = [row for row in rows_of(chart) if row["places"] == "the first 5"]
        assert [row["systems"] for row in rows] == ["only bm25", "only dense", "found by both", "found by none"]
        top = found.found[0]
        assert [row["items"] for row in rows] == [*top.only, top.all, top.none]
        assert sum(row["share"] for row in rows) == pytest.approx(1)

    def test_changes_of_queries_sum_to_the_difference(self, sides_page):
        found = side_by_side()
        (chart,) = blocks(sides_page, "queries", "chart")
        assert chart.choices[0].options == (
            "dense against bm25",
            "RRF against bm25",
            "CombSUM against bm25",
            "CombMNZ against bm25",
        )
        rows = [row for row in rows_of(chart) if row["pair"] == "dense against bm25"]
        (held,) = [one for one in found.comparison.of("nDCG@5") if one.run == "dense"]
        assert sum(row["change"] for row in rows) / len(rows) == pytest.approx(held.difference)
        assert [row["change"] for row in rows] == sorted(row["change"] for row in rows)
        assert sum(row["verdict"] == "better" for row in rows) == held.wins

    def test_ceilings_stand_beside_what_is_reached(self, sides_page):
        found = side_by_side()
        (chart,) = blocks(sides_page, "ceilings", "chart")
        values = {row["what"]: row["mean"] for row in rows_of(chart) if row["measure"] == "P@5"}
        (one,) = [one for one in found.ceilings if one.measure == "P@5"]
        assert values["all, best order"] == one.union
        assert values["best for each query"] == one.chosen
        assert values["RRF"] == one.fused["RRF"]
        assert max(values.values()) == one.union


class TestExpansion:
    def test_helped_and_hurt_are_those_of_the_result(self, expansion_page):
        (way,) = expanded().ways
        changes, causes = blocks(expansion_page, "queries", "chart")
        verdicts = [row["verdict"] for row in rows_of(changes)]
        assert (verdicts.count("better"), verdicts.count("worse")) == (way.counts[HELPED], way.counts[HURT])
        assert sum(row["queries"] for row in rows_of(causes)) == sum(len(queries) for *_, queries in way.causes())

    def test_words_have_their_weights(self, expansion_page):
        (way,) = expanded().ways
        table = blocks(expansion_page, "words", "table")[0]
        one = way.of(HURT)[0] if way.counts[HURT] else way.of(HELPED)[0]
        heaviest = max(one.terms, key=lambda term: term.weight)
        whole = sum(term.weight for term in one.terms)
        assert table.rows[0][0].text == heaviest.term
        assert table.rows[0][2].text == f"{100 * heaviest.weight / whole:.1f} %"

    def test_selecting_stands_between_never_and_the_best(self, expansion_page):
        (one,) = expanded().selections
        (chart,) = blocks(expansion_page, "selective", "chart")
        assert [row["mean"] for row in rows_of(chart)] == [one.never, one.always, one.selective, one.oracle]
        without = lexical_expansion.lay_out(replace(expanded(), selections=()))
        assert "selective" not in [section.name for section in without.sections]


class TestChanges:
    def test_of_many_queries_those_that_change_most_are_drawn(self):
        changes = [(f"q{i:04}", 0.0, i / 1000) for i in range(600)]
        chart = lexical_comparison.drawn({"a": changes}, "AP")
        rows = rows_of(chart)
        assert len(rows) == lexical_comparison.MOST_BARS
        assert (rows[0]["query"], rows[-1]["query"]) == ("q0200", "q0599")
        assert "Of 600 queries the 400 that change most." in chart.shows

    def test_names_of_queries_have_room(self):
        rows = rows_of(lexical_comparison.drawn({"a": [(f"q{i:03}", 0.0, i / 100 - 1) for i in range(200)]}, "AP"))
        named = [row["place"] for row in rows if row["label"]]
        assert named == [0, 8, 16, 24, 175, 183, 191, 199]
        few = rows_of(lexical_comparison.drawn({"a": [("q1", 0.0, 1.0), ("q2", 1.0, 1.0)]}, "AP"))
        assert [row["label"] for row in few] == [None, "q1"]

    def test_less_is_better_where_the_measure_says_so(self):
        (row,) = rows_of(lexical_comparison.drawn({"a": [("q", 1.0, 3.0)]}, "Rank", higher_is_better=False))
        assert row["verdict"] == "worse"

    def test_nothing_is_drawn_without_values(self):
        assert lexical_comparison.drawn({"a": []}, "AP") is None


@pytest.mark.parametrize(
    "render",
    [
        pytest.param(lambda: lexical.render(diagnosed(hostile=True)), id="diagnose"),
        pytest.param(lambda: lexical_sides.render(side_by_side(hostile=True)), id="compare"),
        pytest.param(lambda: lexical_expansion.render(expanded(hostile=True)), id="expand"),
    ],
)
def test_names_that_are_markup_are_only_ever_text(render):
    text = render()
    page = Page(text)
    assert SCRIPT in page.seen
    assert SCRIPT not in text
    assert not page.all("img")
    assert len(page.all("script")) == 3
    assert [attrs for attrs in page.all("script") if "src" in attrs] == []
