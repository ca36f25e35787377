"""What `evaluate` does with policies, weights, exclusions and every kind of input."""

from math import log2
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
from assay import PROFILES, Gold, Policy, Run
from assay.core.policy import CHOICES
from assay.errors import InputError, OverlapError, ParameterError, RunError, UndefinedError, UnsupportedError
from assay.measures import MEASURES
from assay.measures.base import Measure
from assay.report.terminal import render

GOLD = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"x": 0}, "q4": {"d": 1, "e": -1}}
RUN = {"q1": {"b": 3.0, "a": 2.0, "c": 2.0, "u": 1.0}, "q3": {"x": 1.0}, "q4": {"e": 2.0, "d": 1.0}, "q9": {"a": 1.0}}


def values(result: assay.Evaluation, measure: str) -> dict[str, float | None]:
    table = result.per_query.filter(measure=measure)
    return dict(zip(table["query"], table["value"], strict=True))


def test_a_missing_query_scores_zero_and_an_empty_one_is_undefined() -> None:
    result = assay.evaluate(GOLD, RUN, "RR")
    assert values(result, "RR") == {"q1": 1 / 2, "q2": 0.0, "q3": None, "q4": 1 / 2}
    assert result.mean == {"RR": 1 / 4}
    figure = result.figures[0]
    assert (figure.queries, figure.undefined) == (4, 1)
    assert result.audit.missing_queries == ("q2",)
    assert result.audit.extra_queries == ("q9",)
    assert result.gold.empty_queries == ("q3",)


@pytest.mark.parametrize(
    ("policy", "mean", "queries"),
    [
        (Policy(missing="skip"), 1 / 3, 3),
        (Policy(empty="skip"), 1 / 3, 3),
        (Policy(empty="one"), 2 / 4, 4),
        (Policy(missing="skip", empty="skip"), 1 / 2, 2),
    ],
)
def test_missing_and_empty_decide_the_mean(policy: Policy, mean: float, queries: int) -> None:
    figure = assay.evaluate(GOLD, RUN, "RR", policy=policy).figures[0]
    assert (figure.mean, figure.queries) == (pytest.approx(mean), queries)


def test_a_skipped_query_has_no_row() -> None:
    assert "q2" not in values(assay.evaluate(GOLD, RUN, "RR", policy=Policy(missing="skip")), "RR")


def test_an_empty_query_can_be_an_error() -> None:
    with pytest.raises(UndefinedError, match="found none for 1"):
        assay.evaluate(GOLD, RUN, "RR", policy=Policy(empty="error"))


def test_a_measure_without_a_worst_value_is_undefined_for_a_missing_query() -> None:
    result = assay.evaluate(GOLD, RUN, "MR")
    assert values(result, "MR") == {"q1": 2.5, "q2": None, "q3": None, "q4": 2.0}
    assert (result.figures[0].mean, result.figures[0].queries) == (2.25, 2)


def test_sums_count_every_query_of_the_gold() -> None:
    assert assay.evaluate(GOLD, RUN, "NumQ NumRel NumRet NumRelRet").mean == {
        "NumQ": 4.0, "NumRel": 4.0, "NumRet": 7.0, "NumRelRet": 3.0
    }  # fmt: skip


def test_unjudged_items_can_be_dropped_and_negative_grades_can_count() -> None:
    gold, run = {"q": {"a": 1, "n": -1}}, {"q": {"u": 3.0, "n": 2.0, "a": 1.0}}
    assert assay.evaluate(gold, run, "RR").mean["RR"] == 1 / 3
    assert assay.evaluate(gold, run, "RR", policy=Policy(unjudged="drop")).mean["RR"] == 1
    both = Policy(unjudged="drop", negative="nonrelevant")
    assert assay.evaluate(gold, run, "RR", policy=both).mean["RR"] == 1 / 2
    assert assay.evaluate(gold, run, "RR(judged_only=True)").mean == {"RR(judged_only=True)": 1.0}


def test_the_range_of_ties_stands_beside_the_figure() -> None:
    figure = assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, "RR", tie_range=True).figures[0]
    assert (figure.pessimistic, figure.mean, figure.optimistic) == (1 / 3, 1 / 3, 1.0)


@pytest.mark.parametrize("ties", sorted(CHOICES["ties"]))
@pytest.mark.parametrize("name", sorted(MEASURES))
def test_every_measure_has_a_value_or_a_reason_under_every_tie_rule(name: str, ties: str) -> None:
    cls = MEASURES[name]
    if cls.needs_facets:
        pytest.skip("this gold has one grade for each item, no aspects, groups or samples")
    plain = cls(collection=9) if cls.needs_candidates else cls()
    measure: Measure = plain @ (2 if cls.at == "k" else 0.5) if cls.needs_at else plain
    try:
        result = assay.evaluate(GOLD, RUN, measure, policy=Policy(ties=ties))
    except UnsupportedError:
        assert ties == "expected"
        return
    low, high = cls.bounds
    numbers = [value for value in values(result, str(measure)).values() if value is not None]
    assert numbers
    assert all(low - 1e-12 <= value <= high + 1e-12 for value in numbers)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_every_profile_evaluates(profile: str) -> None:
    result = assay.evaluate(GOLD, RUN, "P@2 RR nDCG@3", profile=profile)
    assert len(result.figures) == 3


def test_a_policy_and_a_profile_exclude_each_other() -> None:
    with pytest.raises(ParameterError, match="found both"):
        assay.evaluate(GOLD, RUN, "RR", policy=Policy(), profile="beir")


def test_weights_make_the_mean_a_weighted_one() -> None:
    weights = {"q1": 3, "q2": 1, "q3": 0, "q4": 0}
    assert assay.evaluate(GOLD, RUN, "RR", weights=weights).mean["RR"] == 3 / 8
    frame = pl.DataFrame({"qid": list(weights), "weight": list(weights.values())})
    assert assay.evaluate(GOLD, RUN, "RR", weights=frame).mean["RR"] == 3 / 8
    with pytest.raises(InputError, match="found none for 1, such as 'q4'"):
        assay.evaluate(GOLD, RUN, "RR", weights={"q1": 1, "q2": 1, "q3": 1})
    with pytest.raises(InputError, match="numbers of at least 0"):
        assay.evaluate(GOLD, RUN, "RR", weights={**weights, "q1": -1})


def test_excluded_pairs_leave_the_ranking_before_ranks_are_given() -> None:
    for pairs in ([("q1", "b")], {"q1": ["b"]}, pl.DataFrame({"query": ["q1"], "item": ["b"]})):
        result = assay.evaluate(GOLD, RUN, "RR", exclude=pairs)
        assert values(result, "RR")["q1"] == 1.0
        assert result.audit.excluded == 1


def test_fractional_grades_need_a_threshold() -> None:
    gold, run = {"q": {"a": 0.5, "b": 0.2}}, {"q": {"a": 1.0, "b": 2.0}}
    expected = (0.2 + 0.5 / log2(3)) / (0.5 + 0.2 / log2(3))
    assert assay.evaluate(gold, run, "nDCG").mean["nDCG"] == pytest.approx(expected)
    with pytest.raises(ParameterError, match=r"fractional grades such as 0\.5"):
        assay.evaluate(gold, run, "P@1")
    assert assay.evaluate(gold, run, "P(rel=0.2)@1").mean == {"P(rel=0.2)@1": 1.0}
    assert assay.evaluate(gold, run, "P@1", rel=0.5).mean == {"P(rel=0.5)@1": 0.0}


def test_no_common_query_names_both_sides_and_the_likely_cause() -> None:
    with pytest.raises(OverlapError, match=r"such as '1'.*found none of them but '01'") as caught:
        assay.evaluate({"1": {"a": 1}}, {"01": {"a": 1.0}}, "RR")
    assert "zero padding" in str(caught.value.hint)


def inputs() -> dict[str, tuple[Any, Any]]:
    judged = pl.DataFrame(
        [(q, i, g) for q, items in GOLD.items() for i, g in items.items()],
        schema=["query_id", "doc_id", "relevance"],
        orient="row",
    )
    ranked = pl.DataFrame(
        [(q, i, s) for q, items in RUN.items() for i, s in items.items()],
        schema=["qid", "docno", "score"],
        orient="row",
    )
    return {
        "polars": (judged, ranked),
        "lazy": (judged.lazy(), ranked.lazy()),
        "pandas": (judged.to_pandas(), ranked.to_pandas()),
        "arrow": (judged.to_arrow(), ranked.to_arrow()),
        "nouns": (Gold.from_mapping(GOLD), Run.from_mapping(RUN)),
        "reversed rows": (judged.reverse(), ranked.reverse()),
        "reversed keys": (dict(reversed(GOLD.items())), dict(reversed(RUN.items()))),
    }


@pytest.mark.parametrize("kind", sorted(inputs()))
def test_the_kind_and_the_order_of_the_input_change_nothing(kind: str) -> None:
    gold, run = inputs()[kind]
    wanted = assay.evaluate(GOLD, RUN)
    found = assay.evaluate(gold, run)
    assert found.mean == wanted.mean
    assert found.per_query.drop("run").equals(wanted.per_query.drop("run"))


def test_inputs_are_left_as_they_were() -> None:
    gold, run = {q: dict(items) for q, items in GOLD.items()}, {q: dict(items) for q, items in RUN.items()}
    assay.evaluate(gold, run)
    assay.evaluate(gold, run)
    assert (gold, run) == (GOLD, RUN)


def test_arrays_and_callables_are_runs() -> None:
    gold = {"0": {"a": 1}, "1": {"b": 1}}
    run = Run.from_topk(np.array([["a", "b"], ["a", "b"]]), np.array([[2.0, 1.0], [2.0, 1.0]]))
    assert assay.evaluate(gold, run, "RR").mean["RR"] == 3 / 4
    numbers = Run.from_topk(np.array([[7, 8], [8, -1]]), queries=["x", "y"])
    assert assay.evaluate({"x": {"8": 1}, "y": {"8": 1}}, numbers, "RR NumRet").mean == {"RR": 3 / 4, "NumRet": 3.0}
    result = assay.evaluate(gold, lambda query: ["a", "b"] if query == "0" else [("b", 0.5)], "RR")
    assert result.mean["RR"] == 1.0
    assert set(result.seconds) == {"0", "1"}


def test_whole_numbers_and_text_are_the_same_id() -> None:
    ints = pd.DataFrame({"query": [1, 1], "item": [10, 9], "score": [1.0, 1.0]})
    gold = pd.DataFrame({"query": [1], "item": [10], "grade": [1]})
    text = {"1": {"10": 1.0, "9": 1.0}}
    assert assay.evaluate(gold, ints, "RR").mean == assay.evaluate({"1": {"10": 1}}, text, "RR").mean == {"RR": 1 / 2}
    assert assay.evaluate({1: {10: 1}}, {1: {10: 1.0, 9: 1.0}}, "RR").mean == {"RR": 1 / 2}


@pytest.mark.parametrize("wrong", [7, None, ["a"], pa.scalar(1)])
def test_anything_else_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="expected a path, a mapping or a dataframe"):
        assay.evaluate(wrong, RUN)
    with pytest.raises(InputError, match="expected a path, a mapping or a dataframe"):
        assay.evaluate(GOLD, wrong)


def test_a_text_score_in_a_mapping_names_query_and_item() -> None:
    with pytest.raises(RunError, match="score of item 'b' for query 'q1', found 'high'"):
        assay.evaluate(GOLD, {"q1": {"a": 1.0, "b": "high"}})


TRIPLES = {"a": {"x": 1}, "b": {"y": 1}, "c": {"z": 1, "w": 1}}
PREDICTED = {"a": {"x": 0.9, "q": 0.1}, "b": {"y": 0.8, "q": 0.7}, "c": {"q": 0.2, "z": 0.6}}


def test_micro_sums_hits_and_pooled_makes_one_list() -> None:
    macro = assay.evaluate(TRIPLES, PREDICTED, "P@2 R@2")
    assert macro.mean == {"P@2": 1 / 2, "R@2": pytest.approx((1 + 1 + 1 / 2) / 3)}
    micro = assay.evaluate(TRIPLES, PREDICTED, "P@2 R@2 F1@2 SetP SetR", aggregate="micro")
    assert micro.mean == {
        "P@2 (micro)": 3 / 6, "R@2 (micro)": 3 / 4, "F1@2 (micro)": 6 / 10, "SetP (micro)": 3 / 6, "SetR (micro)": 3 / 4
    }  # fmt: skip
    pooled = assay.evaluate(TRIPLES, PREDICTED, "P@{2,4} R@3 RR", aggregate="pooled")
    assert pooled.mean == {"P@2 (pooled)": 1.0, "P@4 (pooled)": 3 / 4, "R@3 (pooled)": 2 / 4, "RR (pooled)": 1.0}
    assert (pooled.gold.queries, pooled.per_query["query"].unique().to_list()) == (3, ["all"])


def test_micro_means_nothing_for_a_measure_that_is_no_fraction() -> None:
    with pytest.raises(UnsupportedError, match="RR: a micro average needs a fraction of counts"):
        assay.evaluate(TRIPLES, PREDICTED, "RR", aggregate="micro")
    with pytest.raises(UnsupportedError, match="ties=expected"):
        assay.evaluate(TRIPLES, PREDICTED, "P@2", aggregate="micro", policy=Policy(ties="expected"))
    with pytest.raises(ParameterError, match="expected macro, micro or pooled, found 'mean'"):
        assay.evaluate(TRIPLES, PREDICTED, "P@2", aggregate="mean")  # type: ignore[arg-type]


def test_pooling_leaves_out_what_is_excluded_and_answers_without_gold() -> None:
    run = {**PREDICTED, "d": {"x": 9.0}}
    result = assay.evaluate(TRIPLES, run, "NumRet", aggregate="pooled", exclude=[("a", "q")])
    assert result.mean == {"NumRet (pooled)": 5.0}
    own = assay.evaluate({"a": {"a": 1, "b": 1}}, {"a": {"a": 1.0, "b": 0.5}}, "NumRet", aggregate="pooled",
                         policy=Policy(self_match="drop"))  # fmt: skip
    assert own.mean == {"NumRet (pooled)": 1.0}


def test_the_name_of_a_pooled_figure_is_told_where_it_is_asked_for_by_another():
    found = assay.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "P@1", aggregate="pooled")
    assert found.mean == {"P@1 (pooled)": 1.0}
    with pytest.raises(KeyError, match=r"did you mean 'P@1 \(pooled\)'"):
        found.mean["P@1"]
    with pytest.raises(KeyError, match="no measure is called 'nDCG'"):
        found["nDCG"]


def test_one_of_a_kind_is_said_in_the_singular():
    found = assay.evaluate({"q": {"a": 1}, "r": {"b": 0}}, {"q": {"a": 1.0}, "s": {"a": 1.0}}, "RR")
    assert found.notices == (
        "1 of 2 gold queries has no answer; it counts as 0 (missing=skip changes that).",
        "1 query of the run has no gold; it is ignored.",
        "1 gold query has no item of grade 1 or more; it counts as 0 in a mean.",
    )
    assert "Means over 2 queries." in render([found])
    single = render([assay.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR")])
    assert single.startswith("gold: 1 query, 1 judgment, 1 relevant\n")
    assert "Means over 1 query." in single
