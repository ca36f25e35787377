"""Link predictors against each other, paired by triple, and how results look."""

import numpy as np
import polars as pl
import pytest
from tests.unit.link_rankings import brute_ranking, random_graph, random_scores

from assay.errors import IncomparableError, ParameterError
from assay.report import links as report
from assay.report.comparison_terminal import render as render_comparison
from assay.tasks.links.compare import compare_links
from assay.tasks.links.evaluate import evaluate_ranking
from assay.tasks.links.protocol import Protocol

GRAPH = random_graph(7, triples=60)


def biased(seed, strength):
    """Return scores that are the higher for right answers the greater the strength."""
    plain = random_scores(GRAPH, seed, levels=50)
    right = {tuple(row) for rows in GRAPH.splits.values() for row in rows.tolist()}

    def scores(side, entity, relation):
        bonus = [
            strength * (((entity, relation, one) if side == "tail" else (one, relation, entity)) in right)
            for one in range(len(GRAPH.entities))
        ]
        return plain(side, entity, relation) + np.array(bonus)

    return scores


@pytest.fixture(scope="module")
def rankings():
    return {"poor": brute_ranking(GRAPH, biased(1, 0)), "good": brute_ranking(GRAPH, biased(2, 0.8))}


def test_differences_are_those_of_the_same_triples(rankings):
    found = compare_links(rankings, "MRR MR")
    one = found["good", "RR"]
    ranks = [table["greater"] + 1 + table["equal"] / 2 for table in (r.table for r in rankings.values())]
    assert one.difference == pytest.approx((1 / ranks[1] - 1 / ranks[0]).mean())
    assert one.verdict == "better"
    assert found["good", "MR"].difference < 0
    assert found["good", "MR"].verdict == "better"
    assert one.queries == len(ranks[0])


def test_questions_are_the_units_of_intervals_and_tests(rankings):
    one = compare_links(rankings, "MRR")["good", "RR"]
    questions = rankings["poor"].table["query"].n_unique()
    assert one.interval.units == one.significance.units == questions < one.queries


def test_lists_of_answers_can_be_compared_too(rankings):
    found = compare_links(rankings, "AP P@3", protocol="multi-answer")
    assert found["good", "AP"].queries == rankings["poor"].table["query"].n_unique()
    with pytest.raises(ParameterError, match="per triple"):
        compare_links(rankings, "AP", protocol="multi-answer", by=["relation"])


def test_groups_of_triples(rankings):
    found = compare_links(rankings, "MRR", by=["side", "type"], types={"e0": ["a", "b"], "e1": ["a"]})
    sides = found.slices[0]
    assert set(sides.groups) == {"tail", "head"}
    assert sum(sides.groups.values()) == rankings["poor"].table.height
    assert set(found.slices[1].groups) == {"a, b", "a"}


def test_rankings_of_another_graph_or_protocol_cannot_be_compared(rankings):
    other = random_graph(8, triples=60)
    with pytest.raises(IncomparableError):
        compare_links([rankings["poor"], brute_ranking(other, random_scores(other, 1))], "MRR")
    known = brute_ranking(GRAPH, biased(1, 0), Protocol(known=("train", "test")))
    with pytest.raises(IncomparableError):
        compare_links([rankings["poor"], known], "MRR")
    pessimistic = brute_ranking(GRAPH, biased(1, 0), Protocol(ties="pessimistic"))
    with pytest.raises(IncomparableError, match="ties"):
        compare_links([rankings["poor"], pessimistic], "MRR")


def test_the_report_of_a_comparison_names_the_triples_that_moved(rankings):
    text = render_comparison(compare_links(rankings, "MRR HR@1"))
    assert "good is better than poor by RR" in text
    assert "?" in text.partition("QUERIES HELPED AND HURT MOST")[2]
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("width", [60, 80, 120])
def test_an_evaluation_fits_the_terminal(rankings, width):
    found = evaluate_ranking(
        rankings["poor"], by=["relation", "side", "category", "degree"], interval=0.95
    )  # fmt: skip
    text = report.render(found, width=width)
    assert max(map(len, text.splitlines())) <= width
    for words in (
        "FILTERED",
        "OTHER WAYS OF RANKING",
        "MULTI-ANSWER",
        "BY RELATION",
        "WORST RANKED",
        "Protocol: split test",
    ):
        assert words in text


def test_the_report_says_what_the_tie_rules_make_of_the_figures():
    tied = brute_ranking(GRAPH, random_scores(GRAPH, 3, levels=2))
    text = report.render(evaluate_ranking(tied, "MRR"))
    found = evaluate_ranking(tied, "MRR").filtered.figure("RR").ties
    line = next(line for line in text.partition("BY TIE RULE")[2].splitlines() if line.startswith("RR"))
    assert line.split()[1:] == [f"{found[kind]:.4f}" for kind in ("optimistic", "realistic", "pessimistic", "expected")]
    untied = brute_ranking(GRAPH, random_scores(GRAPH, 3, levels=1_000_000))
    assert "No true entity ties" in report.render(evaluate_ranking(untied, "MRR"))


def test_the_long_form_has_a_row_for_each_figure(rankings):
    found = evaluate_ranking(rankings["good"], "MRR HR@1", by=["side"])
    frame = report.to_frame(found)
    assert frame.columns == list(report.FRAME)
    whole = frame.filter(pl.col("breakdown").is_null())
    assert whole.height == 3 * 3 * 2  # protocols, sides and both, measures
    row = whole.filter((pl.col("protocol") == "filtered") & (pl.col("side") == "both") & (pl.col("measure") == "RR"))
    assert row["mean"][0] == found["RR"]
    assert row["expected"][0] == found.filtered.figure("RR").ties["expected"]
    assert frame.filter(pl.col("breakdown").is_not_null()).height == 2 * 2


def test_names_of_files_are_shown_as_they_are_and_nothing_else():
    graph = random_graph(7, triples=60)
    named = brute_ranking(graph, random_scores(graph, 7), name="a\x1b[31m<b>")
    found = evaluate_ranking(named, "MRR")
    assert "\x1b" not in report.render(found)
    assert "<b>" not in found._repr_html_()
    assert repr(found).startswith("LinksEvaluation(")


def test_one_side_has_no_columns_of_sides():
    tails = brute_ranking(GRAPH, biased(1, 0), Protocol(sides=("tail",)))
    text = report.render(evaluate_ranking(tails, "MRR"))
    assert "asked for its tail:" in " ".join(text.split())
    assert "head" not in text.partition("FILTERED")[2].splitlines()[1]
