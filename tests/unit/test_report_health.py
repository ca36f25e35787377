"""The health of the gold on a terminal."""

import pytest

from assay.core.health import Bounds, FigureHealth, Health
from assay.health import health
from assay.report.health import render

GOLD = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "c": 1}, "q3": {"d": 1}}
OLD = {"q1": ["x", "a"], "q2": ["c", "a", "b"], "q3": ["d"]}
NEW = {"q1": ["a", "b"], "q2": ["y", "a"], "q3": ["z", "d"]}


def test_one_run_has_a_row_for_each_measure():
    assert render(health(GOLD, OLD, "P@2 Bpref NumRelRet MR", work=1)) == (
        "HEALTH OF THE GOLD for run: how far it carries each figure\n"
        "\n"
        "measure     value  judged   lowest  highest  condensed  ceiling   ties\n"
        "──────────────────────────────────────────────────────────────────────\n"
        "P@2        0.6667  83.3 %   0.6667   0.8333     0.6667   0.6667  0.0 %\n"
        "Bpref      1.0000       -  ~0.3333  ~1.0000     1.0000   1.0000  0.0 %\n"
        "NumRelRet       4       -        4        6          4        -  0.0 %\n"
        "MR         1.5000       -  ~1.0000        -     1.1667   1.1667  0.0 %\n"
        "\n"
        "JUDGE NEXT: unjudged items that could move the figure of run by P@2 most, and\n"
        "  where they stand\n"
        "item  query  moves by  in run\n"
        "─────────────────────────────\n"
        "x     q1      0.16667       1\n"
        "\n"
        "HOW TO READ THIS\n"
        "- judged: of the items within the measure's cutoff, how many the gold holds a\n"
        "  judgment of.\n"
        "- lowest, highest: what the value could become once every unjudged item in the\n"
        "  rankings is judged.\n"
        "- ~ marks a bound that no judging can pass, and perhaps none reaches.\n"
        "- condensed: the value when unjudged items are taken out of the rankings.\n"
        "- ceiling: the best value that any ranking could have by this gold.\n"
        "- ties: of the queries, how many have a value that depends on the order of items\n"
        "  with equal scores.\n"
        "- moves by: how far judging this one item could move it, if all other unjudged\n"
        "  items are not relevant.\n"
    )


def test_several_runs_have_a_table_for_each_measure_and_are_left_out_in_turn():
    text = render(health(GOLD, [OLD, NEW, {"q1": ["x"]}], "P@2 AP", work=2))
    assert "HEALTH OF THE GOLD for 3 runs" in text
    assert "LEAVING ONE RUN OUT: each run judged without the items that it alone has within" in text
    assert "P@2; the order of the runs agrees with tau 0.82" in text
    assert "JUDGE NEXT: unjudged items that could move the difference between run and run\n  (2) by P@2 most" in text
    assert text.count("\nrun (2)  ") == 4
    text = render(health(GOLD, [OLD, NEW], "P@2", depth=5))
    assert "without the items that it alone has within\n  its first 5 places\n" in text


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    gold = {"q" * 12: {"a" * 60: 1, "b": 0}}
    runs = [{"q" * 12: [name * 30, "b", "a" * 60]} for name in "xy"]
    lines = render(health(gold, runs, "P@2 nDCG@10", work=5), width=width).splitlines()
    assert max(map(len, lines)) <= max(width, 56)  # ranks of two runs need so much


def test_nothing_hidden_in_a_name_reaches_the_terminal():
    figure = FigureHealth("a\x1b[31m", "P@1", None, None, Bounds(None, None, exact=False), None, None, None)
    text = render(Health((figure,)))
    assert "\x1b" not in text
    assert "a\\x1b[31m" in text


def test_the_json_holds_all_of_it():
    found = health(GOLD, [OLD, NEW], "P@2", work=1).to_dict()
    assert set(found) == {"figures", "left_out", "tau", "depth", "work", "work_runs", "work_measure"}
    assert found["figures"][0]["bounds"] == {"low": pytest.approx(2 / 3), "high": pytest.approx(5 / 6), "exact": True}
    assert found["work"][0]["ranks"] in ([1.0, None], [None, 1.0])
    assert found["tau"].keys() == {"P@2"}
