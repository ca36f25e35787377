"""Explanations as text: what is shown, what is summed up, and what is left out aloud."""

import json
import re

from assay.core.policy import Policy
from assay.explain import explain, explain_change
from assay.report.explanation import render, to_markdown


def one_line(text):
    return " ".join(text.split())


def test_a_measure_that_starts_above_zero_shows_where_it_starts():
    text = render(explain({"q": {"a": 1}}, {"q": ["x", "a"]}, "q", "RBPResid"))
    assert re.search(r"\(no item\) +1\.0000 +1\.0000", text)


def test_places_that_cannot_matter_are_one_row():
    gold = {"q": {"d1": 1, "d9": 1, "lost": 2}}
    text = render(explain(gold, {"q": [f"d{n}" for n in range(1, 31)]}, "q", "P@2"))
    assert re.search(r"\(28 more places\) +0 +0\.5000", text)
    assert "d3 " not in text
    assert "2 relevant items count for nothing: 1 below the cutoff, 1 not retrieved." in text
    assert re.search(r"d9 +1 +9 +1\.0000", text)


def test_many_missed_items_are_counted():
    gold = {"q": {f"d{n}": 1 for n in range(8)}}
    text = render(explain(gold, {"q": ["x"]}, "q", "R@5"))
    assert "8 relevant items count for nothing: 8 not retrieved." in text
    assert "... and 3 more; -o json holds all." in text


def test_ties_unjudged_items_and_a_larger_gold_are_explained_where_they_occur():
    gold = {"q": {"a": 1}}
    plain = one_line(render(explain(gold, {"q": {"a": 1.0}}, "q", "AP")))
    assert "A grade of -" not in plain
    assert "A rank with =" not in plain
    tied = render(explain(gold, {"q": {"a": 1.0, "b": 1.0}}, "q", "RR", policy=Policy(ties="expected")))
    assert "1.5=" in tied
    assert "A rank with = is that of an item whose score others have too." in one_line(tied)
    assert "A grade of - means that nobody judged the item." in one_line(tied)
    assert "ties expected" in tied
    larger = render(explain(gold, {"q": ["a", "x", "y", "z"]}, "q", "AP"))
    assert "so that the value may fall" in one_line(larger)


def test_items_that_moved_without_effect_are_one_row():
    gold = {"q": {f"d{n}": 1 for n in range(5)}}
    found = explain_change(gold, {"q": ["x", "d1", "d2", "d3"]}, {"q": ["d1", "x", "y", "d3", "d2"]}, "q", "RR")
    text = render(found)
    assert re.search(r"d1 +1 +2 -> 1 +0\.5000 +1\.0000 +\+0\.5000", text)
    assert re.search(r"\(1 more\) +0 +0 +0", text)
    same = render(explain_change(gold, {"q": ["d1"]}, {"q": ["d1"]}, "q", "RR"))
    assert "No judged item moved." in same


def test_places_without_a_judgment_have_a_row_where_they_change_the_value():
    found = explain_change({"q": {"a": 1}}, {"q": ["a"]}, {"q": ["a", "x"]}, "q", "SetP")
    assert found.other == -0.5
    assert re.search(r"\(other places\) +-0\.5000", render(found))


def test_a_value_smaller_than_its_decimals_is_not_shown_as_nothing():
    gold = {"q": {f"d{n}": 1 for n in range(400)}}
    run = {"q": [*(f"x{n}" for n in range(200)), "d1"]}
    assert re.search(r"d1 +1 +1e-05", render(explain(gold, run, "q", "AP", places=201)))


def test_colours_and_widths():
    found = explain({"q": {"a" * 90: 1}}, {"q": ["x", "a" * 90]}, "q", "AP")
    for width in (40, 60, 80, 120):
        assert max(map(len, render(found, width=width).splitlines())) <= max(width, 64)
    assert "\x1b[36m████████\x1b[0m" in render(found, colour=True)
    assert "\x1b" not in render(found)


def test_markdown_escapes_ids():
    page = to_markdown(explain({"q": {"a|<b>": 1}}, {"q": ["a|<b>"]}, "q", "AP"))
    assert r"| 1 | a\|\<b\> | 1 | 1.0000 |" in page


def test_the_relation_of_a_triple_is_readable():
    triples = [["Liszt", "born in", "Raiding"], ["Ludwig van Beethoven", "was a pupil of", "Joseph Haydn of Rohrau"]]
    items = [json.dumps(triple) for triple in triples]
    text = render(explain({"q": {items[1]: 1}}, {"q": items}, "q", "AP"), width=80)
    assert "Liszt · born in · Raiding" in text
    assert " · was a pupil of · " in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_one_more_relevant_item_would_change_has_no_column_where_it_is_not_told():
    gold = {"q": {"a": 1, "b": 0}}
    assert "if relevant" in render(explain(gold, {"q": ["b", "a"]}, "q", "AP"))
    alone = render(explain({"q": {"a": 1}}, {"q": ["a"]}, "q", "AP"))
    assert "relevant'" not in alone
    assert "if relevant" not in alone
