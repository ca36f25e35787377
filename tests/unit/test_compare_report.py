"""How a comparison is shown: terminal, Markdown, LaTeX, tables, JSON, JUnit; and read back from JSON."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import polars as pl
import pytest

from assay.compare import compare
from assay.report import comparison_documents as documents
from assay.report import comparison_terminal, junit, slices
from assay.report.comparison import bracket, digits_of, signed, verdicts
from assay.report.drawing import Table
from assay.report.schema import SCHEMAS

MEASURES = "RR P@1 MR GMAP NumRelRet"


def collection(queries=40, runs=3, seed=0):
    random = np.random.default_rng(seed)
    gold = {f"q{i:02}": {"a": 1} | ({"b": 2} if i % 3 else {}) for i in range(queries)}
    made = {"good": {q: ["a", "b", "x"] for q in gold}}
    made |= {f"run{i}": {q: random.permutation(list("abxyz")).tolist() for q in gold} for i in range(1, runs - 1)}
    return gold, made | {"bad": {q: ["x", "y", "z", "b", "a"] for q in gold}}


@pytest.fixture(scope="module")
def found():
    return compare(*collection(), MEASURES, by="relevant")


@pytest.mark.parametrize("runs", [2, 4, 17])
@pytest.mark.parametrize("pairs", ["baseline", "all"])
def test_no_line_is_wider_than_the_terminal(runs, pairs):
    gold, made = collection(8, runs)
    made = {f"a-system-with-a-rather-long-name-{name}-and-a-long-end": run for name, run in made.items()}
    found = compare(gold, made, MEASURES, pairs=pairs, by="relevant", resamples=100)
    for width in (60, 80, 200):
        lines = comparison_terminal.render(found, width=width).splitlines()
        assert max(map(len, lines)) <= width


def test_shortened_names_still_differ():
    rows = tuple((f"a-system-with-a-long-name-{number:02}-and-a-long-ending", "1.0") for number in range(12))
    shown = Table(("run", "mean"), rows).fitted(20)
    assert len({row[0] for row in shown.rows}) == 12
    assert shown.width <= 20


def test_the_verdict_comes_first_in_words(found):
    shown = comparison_terminal.render(found)
    assert "VERDICT by RR, against good (1.0000)\n- run1 is worse than good by RR:" in shown
    assert shown.index("VERDICT") < shown.index("ALL MEASURES") < shown.index("QUERIES HELPED") < shown.index("HOW TO")
    assert "Of 3 measures: worse by 3." in " ".join(shown.split())


def test_the_family_and_the_seed_are_stated(found):
    shown = " ".join(comparison_terminal.render(found).split())
    assert (
        "Family: 6 tests (2 pairs of runs × 5 measures, less 4 that cannot be tested), corrected together by" in shown
    )
    assert "Seed 0." in shown
    assert "Lower is better: MR." in shown


def test_what_cannot_be_resolved_says_what_could_be_found():
    gold, runs = collection(40, 4)
    found = compare(gold, {"run1": runs["run1"], "run2": runs["run2"]}, "RR")
    (sentence,) = verdicts(found)
    assert sentence.startswith("run2 and run1 cannot be told apart by RR: ")
    assert "With a chance of 80 % these queries find a difference of 0." in sentence


def test_many_runs_are_counted_by_their_verdict():
    lines = verdicts(compare(*collection(40, 8), "RR"))
    assert lines[0] == "7 worse: bad, " + lines[0].removeprefix("7 worse: bad, ")


def test_numbers_have_as_many_decimals_as_their_intervals_bear(found):
    interval = found.contrasts[0].interval
    assert digits_of([replace(interval, low=0.1, high=0.11), interval]) == 4
    assert digits_of([replace(interval, low=0.1, high=0.13)]) == 3
    assert (signed(0.0004, 3), signed(-0.5, 3)) == ("0.000", "-0.500")
    assert bracket(replace(interval, low=-0.0001, high=0.2), 3) == "[0.000, 0.200]"


def test_slices_name_the_worst_group_and_show_each_measure(found):
    shown = slices.render(found.slices[0])
    assert "BY RELEVANT ITEMS: 1: 14 queries; 2: 26 queries" in shown
    assert "run1 against good by RR" in shown
    assert "Worst for " in shown
    many = compare(*collection(40, 8), "RR P@1", by="relevant").slices[0]
    assert "RR: differences from good (* better or worse)" in slices.render(many)
    assert "Worst by RR: relevant items" in slices.render(many)


def test_the_long_form_has_one_row_for_each_contrast(found):
    frame = documents.to_frame(compare(*collection(), MEASURES))
    assert frame.height == 10
    assert frame.filter(run="bad", measure="RR")["verdict"].to_list() == ["worse"]
    sliced = documents.to_frame(found)
    assert sliced.columns[:2] == ["slice", "group"]
    assert sliced.filter(sliced["slice"].is_null()).height == 10
    assert sliced.height == 10 + len(found.slices[0].contrasts)


def test_the_json_follows_its_schema(found):
    document = json.loads(documents.to_json(found, ["compare", "gold", "run"]))
    jsonschema.validate(document, SCHEMAS["compare"])
    assert document["comparison"]["family"]["tests"] == 6
    with_margin = compare(*collection(), "RR", margin=0.01, pairs="all", test="t", correction="none")
    jsonschema.validate(with_margin.to_dict(), SCHEMAS["compare"])


def test_markdown_has_a_table_for_each_run(found):
    shown = documents.to_markdown(found)
    assert "**run1 against good**" in shown
    assert "| RR | 1.0000 |" in shown
    assert "Family: 6 tests" in shown


def test_latex_marks_the_runs_that_each_beats():
    gold, runs = collection()
    shown = documents.to_latex(compare(gold, {"b_d": runs["bad"], "good": runs["good"]}, "RR P@1", pairs="all"))
    assert r"a & b\_d & " in shown
    assert r"b & good & \textbf{1.0000}$^{a}$ & \textbf{1.0000}$^{a}$ \\" in shown
    assert shown.count(r"\midrule") == 1


def test_junit_fails_only_what_is_worse(found):
    root = ET.fromstring(junit.render(found))
    suite = next(suite for suite in root if suite.get("name") == "RR")
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    failure = suite.find("testcase[@name='bad vs good']/failure")
    assert failure.text.startswith("measure RR, baseline 1.0000, now ")
    assert "95 % interval [" in failure.text
    assert next(s for s in root if s.get("name") == "GMAP").get("skipped") == "2"
    assert next(s.get("name") for s in root if "where" in s.get("name")) == "RR where relevant items is 1"
    better = compare(*collection(), "RR", baseline="bad")
    other = ET.fromstring(junit.render(better))
    assert other.get("failures") == "0"
    assert "is better than bad" in other.find("testsuite/testcase/system-out").text


def test_names_from_files_cannot_break_any_form():
    gold, runs = collection()
    found = compare(gold, {"a|b*c\x00": runs["bad"], "<&\x1b[31m>": runs["good"]}, "RR", by="relevant")
    assert ET.fromstring(junit.render(found)).get("tests") == "3"
    for shown in (comparison_terminal.render(found), documents.to_markdown(found), documents.to_latex(found)):
        assert "\x1b" not in shown
        assert "\x00" not in shown


def test_the_verdict_says_over_how_many_queries_it_holds():
    gold, made = collection()
    half = dict(list(made["good"].items())[:20])
    found = compare(gold, {"bad": made["bad"], "half": half, "good": made["good"]}, "MR")
    first, second = verdicts(found)
    assert "over the 20 queries with a value in both (20 in one run only, left out)" in first
    assert "left out" not in second
    assert "MR, against bad" in comparison_terminal.render(found)


def test_what_the_test_cannot_tell_the_margin_may():
    gold, made = collection()
    same = {"good": made["good"], "again": made["good"]}
    found = compare(gold, same, "RR", test="t", margin=0.1)
    (said,) = verdicts(found)
    assert said.startswith("again and good differ by less than 0.1 in RR, which was said not to matter: ")
    assert said.endswith("a difference of 0.000 [-0.088, 0.088].")
    assert ET.fromstring(junit.render(found)).get("skipped") == "0"
    open_still = compare(gold, {"good": made["good"], "run1": made["run1"]}, "RR", margin=0.001)
    assert open_still["run1", "RR"].verdict == "worse"


def test_a_run_that_may_be_worse_is_held_against_the_margin():
    gold, made = collection(12)
    found = compare(gold, {"run1": made["run1"], "near": made["run1"] | {"q00": ["a"]}}, "RR", margin=0.01)
    contrast = found["near", "RR"]
    assert (contrast.verdict, contrast.margin.not_worse < 0.5) == ("cannot be resolved", True)
    assert (
        f" That it is worse by 0.01 or more has p {contrast.margin.not_worse:.4f}, by a single test."
        in verdicts(found)[0]
    )


def test_a_difference_without_an_interval_is_a_number_and_not_a_count():
    gold = {f"q{i}": {"a": 1} for i in range(12)}
    found = compare(gold, {"old": {q: ["x", "a"] for q in gold}, "new": {q: ["a"] for q in gold}}, "MR")
    assert "a difference of -1.0000, p " in verdicts(found)[0]


def test_markdown_holds_groups_and_costs():
    gold, made = collection(20)
    costs = {"query": list(gold), "run": ["bad"] * 20, "tokens": [5] * 20}
    shown = documents.to_markdown(compare(gold, made, "RR P@1", by="relevant", costs=pl.DataFrame(costs)))
    assert "**By relevant items**: 1: 7 queries; 2: 13 queries" in shown
    assert "| bad | tokens | 5 | 5 | 5 | 100 | 20 |" in shown


def test_characters_that_are_written_out_count_as_wide_as_they_are_drawn():
    table = Table(("query", "value"), (("\u202e" * 20, "1"),))
    assert max(map(len, table.fitted(40).draw().splitlines())) <= 40


def test_an_open_verdict_of_few_differences_says_that_p_can_be_no_lower():
    gold = {f"q{i:02}": {"a": 1} for i in range(25)}
    old = {q: ["x", "a"] for q in gold}
    new = old | {q: ["a"] for q in list(gold)[:3]}
    found = compare(gold, {"old": old, "new": new}, "RR")
    contrast = found["new", "RR"]
    assert (contrast.significance.p, contrast.verdict, contrast.interval.low > 0) == (0.25, "cannot be resolved", True)
    assert "p 0.2500. So few differences allow no lower p." in verdicts(found)[0]


def test_movers_whose_ranks_stay_show_the_grades_that_moved():
    gold = {f"q{n}": {"a": 2, "b": 1} for n in range(6)}
    old = {query: ["b", "a"] for query in gold}
    text = comparison_terminal.render(compare(gold, {"old": old, "new": old | {"q1": ["a", "b"]}}, "nDCG@2"), width=100)
    assert re.search(r"q1 .* 1 2 \(grades 1 2\) +1 2 \(grades 2 1\)", text)


def test_one_test_has_no_correction_to_speak_of():
    gold = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}}
    runs = {"old": {query: ["b", "a"] for query in gold}, "new": {query: ["a"] for query in gold}}
    (floor,) = (line for line in compare(gold, runs, "RR").notices if "cannot find" in line)
    assert floor == (
        "1 of 1 test cannot find anything, however large the difference: its p is at least 0.25. "
        "More queries make a sharper test."
    )
