"""explain_difference: it names the one convention, the pair of conventions, or says that it cannot."""

import json

import pytest

from assay import Difference, explain_difference
from assay.core.difference import Cause, Change, Finding
from assay.errors import AssayError, ParameterError

MISSING = (
    {"1": {"a": 1, "b": 0}, "2": {"c": 2, "d": 1}, "3": {"e": 1}},
    {"1": {"a": 0.9, "b": 0.8}, "2": {"z": 0.9, "c": 0.8}, "9": {"z": 0.9}},
)
TIED = ({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}})


def explained(found):
    """The changes of each cause that explains."""
    return [[str(change) for change in cause.changes] for cause in found.findings[0].causes if cause.explains]


def towards(inputs, measure, number, **options):
    return explain_difference(*inputs, measure=measure, their_number=number, **options)


def test_one_field_of_the_policy_between_two_profiles():
    found = explain_difference(*MISSING, profiles=("assay", "trec_eval-10"), measures="AP P@1 NumQ")
    assert explained(found) == [["missing=skip instead of zero"]]
    (cause,) = found.findings[0].causes
    assert (cause.value, found.findings[0].theirs) == (0.625, 0.625)
    assert [(change.query, change.before, change.after) for change in cause.queries] == [("3", 0.0, None)]
    assert found.explained


def test_two_conventions_that_only_together_explain():
    gold = {"q": {"a": 1, "b": 0}, "r": {"c": 1}}
    run = {"q": {"a": 0.99999999, "b": 0.99999998}}
    found = explain_difference(gold, run, profiles=("assay", "trec_eval-9"), measures="RR")
    assert explained(found) == [["precision=float32 instead of float64", "missing=skip instead of zero"]]
    assert "together explain it" in str(found)


def test_profiles_that_agree():
    found = explain_difference(*TIED, profiles=("trec_eval-9", "trec_eval-10"), measures="RR P@1")
    assert all(finding.same and not finding.causes for finding in found.findings)
    assert "no difference" in str(found)


def test_a_parameter_of_the_measure_between_two_profiles():
    gold, run = {"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}
    found = explain_difference(gold, run, profiles=("assay", "ir_measures"), measures="SetF(beta=2)")
    assert explained(found) == [["beta=1.4142135623730951 instead of 2"]]


def test_rules_for_single_measures_are_seen():
    found = explain_difference(*TIED, profiles=("trec_eval-9", "beir"), measures="RR@10")
    assert ["ties=order instead of id-desc"] in explained(found)


@pytest.mark.parametrize(
    ("inputs", "measure", "number", "change"),
    [
        (MISSING, "AP", "0.625", "missing=skip instead of zero"),
        (TIED, "RR", 0.75, "ties=expected instead of id-desc"),
        (({"1": {"a": 3, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}}), "nDCG@10", "0.7098", "gain='exp' instead of 'linear'"),
        (
            ({"q": {"a": 1, "e": 1}}, {"q": {"a": 5.0, "x": 4.0, "y": 3.0}}),
            "AP@3",
            "1.0",
            "norm='found' instead of 'R'",
        ),
        (
            ({"q": {f"d{i}": 1 for i in range(5)}}, {"q": {"d0": 3.0, "x": 2.0, "d1": 1.0}}),
            "AP@3",
            "0.5556",
            "norm='min' instead of 'R'",
        ),
        (({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}), "RR", 0.5, "rel=2 instead of 1"),
        (
            ({"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}),
            "IPrec@0.35",
            "1.000",
            "rounding='trunc' instead of 'ceil'",
        ),
        (
            ({"q": {"a": 0}, "r": {"b": 1}}, {"q": {"a": 1.0}, "r": {"b": 1.0}}),
            "AP",
            "1.00",
            "empty=skip instead of zero",
        ),
        (({"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}), "RR", "1.00", "unjudged=drop instead of nonrelevant"),
        (({"q": {"a": 1}}, {"q": {"q": 2.0, "a": 1.0}}), "RR", "1.00", "self_match=drop instead of keep"),
    ],
)
def test_the_convention_behind_a_number(inputs, measure, number, change):
    assert [change] in explained(towards(inputs, measure, number))


@pytest.mark.parametrize(
    ("inputs", "measure", "number", "fault"),
    [
        (({"q": {"a": 1}}, {"q": {"b": 1.0, "a": 1.0, "c": 1.0}}), "RR@2", "1/2", None),
        (({"q": {"a": 1, "b": 1}}, {"q": {"a": 1.0}}), "P@5", "1.00", "P divided by the items returned"),
        (
            ({"q": {f"d{i}": 1 for i in range(5)}}, {"q": {"d0": 1.0}}),
            "nDCG@5",
            "1.00",
            "best possible ranking from the retrieved items",
        ),
        (
            ({"q": {"a": 1, "c": 1}}, {"q": {"a": -1.0, "b": -2.0, "c": -3.0}}),
            "AP",
            "0.000",
            "scores of 0 and less dropped",
        ),
        (({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 2.0, "c": 3.0}}), "RR", "1.00", "lower scores ranked first"),
        (
            ({"q": {"d1": 0.2, "d2": 1.5, "d3": 0.0}}, {"q": {"d1": 1.0, "d2": 0.0, "d3": 1.5}}),
            "nDCG",
            "0.5000",
            "fractional grades cut to whole numbers",
        ),
        (
            ({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}),
            "nDCG@10",
            "1.000",
            "every positive grade counted as 1",
        ),
        (
            ({"q": {"d": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}),
            "HR@2",
            "0.00",
            "cut before ties are ordered",
        ),
    ],
)
def test_known_faults_are_recognised(inputs, measure, number, fault):
    if fault is None:
        with pytest.raises(ParameterError, match="expected a number"):
            towards(inputs, measure, number)
        return
    assert [fault] in explained(towards(inputs, measure, number))


def test_pairs_are_tried_when_no_single_convention_explains():
    found = towards(MISSING, "P@5", "0.5000")
    assert found.explained
    assert all(len(cause.changes) == 2 for cause in found.findings[0].causes)
    assert ["missing=skip instead of zero", "P divided by the items returned"] in explained(found)


def test_a_number_that_nothing_explains_is_said_to_be_so_with_the_nearest_three():
    found = towards(MISSING, "nDCG@2", "0.12345")
    assert not found.explained
    assert len(found.findings[0].causes) == 3
    assert not any(cause.explains for cause in found.findings[0].causes)
    values = [abs(cause.value - 0.12345) for cause in found.findings[0].causes]
    assert values == sorted(values)
    assert "No convention that Assay knows explains the difference" in str(found)


def test_the_printed_decimals_decide_what_is_equal():
    assert towards(MISSING, "AP", "0.417").findings[0].same
    assert not towards(MISSING, "AP", "0.4170").findings[0].same
    assert towards(MISSING, "AP", "0.4170", tolerance=0.001).findings[0].same


def test_queries_are_listed_with_the_largest_change_first():
    gold = {"1": {"a": 1}, "2": {"a": 1}}
    run = {"1": {"a": 1.0, "b": 1.0}, "2": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}}
    (cause, *_) = towards((gold, run), "RR", "1.0000").findings[0].causes
    assert [change.query for change in cause.queries] == ["2", "1"]


def test_what_ranx_does_is_explained_and_not_reproduced():
    long = {"q": {f"d{i:02}": 1.0 for i in range(20)}}
    found = towards(({"q": {"d07": 1}}, long), "RR", "0.12345")
    assert any("ranx" in limit for limit in found.limits)
    short = towards(TIED, "RR", "0.12345")
    assert not any("ranx" in limit for limit in short.limits)


def test_limits_of_both_profiles_are_named():
    found = explain_difference(*TIED, profiles=("trec_eval-10", "beir"), measures="RR")
    assert {limit.partition(":")[0] for limit in found.limits} == {"trec_eval-10", "beir"}


def test_plain_data():
    found = towards(MISSING, "AP", "0.625")
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["explained"] is True
    assert plain["findings"][0]["causes"][0]["changes"][0]["name"] == "missing"
    assert isinstance(found, Difference)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"measure": "AP"},
        {"profiles": ("assay",)},
        {"profiles": "assay"},
        {"profiles": ("assay", "beir"), "their_number": 0.5},
        {"profiles": ("assay", "nobody")},
        {"measure": "P@{1,5}", "their_number": 0.5},
        {"measure": "AP", "their_number": "half"},
    ],
)
def test_requests_that_make_no_sense(options):
    with pytest.raises(AssayError):
        explain_difference(*MISSING, **options)


def test_which_queries_the_mean_counts_may_be_all_that_differs():
    counted = Change("policy", "missing", "zero", "skip", "queries without answers are left out")
    finding = Finding("P@1", 0.5, 1.0, (Cause((counted,), 1.0, explains=True),))
    (said,) = finding.sentences
    assert said.endswith("explains it with 1; no query changes its value, only which queries the mean counts.")
