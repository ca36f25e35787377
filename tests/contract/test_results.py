"""Every result is plain data, and says itself in a line and in a notebook, also where all that may be undefined is."""

import inspect
import json

import pytest
from tests.contract.results_by_type import made, results


def asks_nothing(function):
    """Whether a method has no parameter that must be given."""
    return all(one.default is not one.empty for one in list(inspect.signature(function).parameters.values())[1:])


RESULTS = results()
WRITTEN = [name for name, one in RESULTS.items() if hasattr(one, "to_dict") and asks_nothing(one.to_dict)]
SAID = [name for name, one in RESULTS.items() if "__repr__" in vars(one) and not hasattr(one.__repr__, "__wrapped__")]
SHOWN = [name for name, one in RESULTS.items() if hasattr(one, "_repr_html_")]


def result(name, *, full):
    """A result of which the ranks that others are drawn from are always there."""
    return made(RESULTS[name], full=full or name == "links.LinksEvaluation")


def refused(number):
    raise AssertionError(f"{number} is no JSON")


@pytest.mark.parametrize("full", [True, False], ids=["full", "undefined"])
@pytest.mark.parametrize("name", WRITTEN)
def test_each_result_is_plain_data(name, full):
    one = result(name, full=full)
    more = [{"per_query": True}] if "per_query" in inspect.signature(one.to_dict).parameters else []
    for options in [{}, *more]:
        assert json.loads(json.dumps(one.to_dict(**options)), parse_constant=refused)


@pytest.mark.parametrize("full", [True, False], ids=["full", "undefined"])
@pytest.mark.parametrize("name", SAID)
def test_each_result_says_itself_in_a_line(name, full):
    line = repr(result(name, full=full))
    assert line.startswith(f"{name.partition('.')[2]}(")
    assert line.endswith(")")
    assert len(line) < 120
    assert "\n" not in line
    assert "None" not in line


@pytest.mark.parametrize("full", [True, False], ids=["full", "undefined"])
@pytest.mark.parametrize("name", SHOWN)
def test_each_result_is_drawn_in_a_notebook(name, full):
    html = result(name, full=full)._repr_html_()
    assert html.startswith("<div")
    assert html.count("<table") == html.count("</table>")
    assert ">None<" not in html


ABSENT = {
    "comparison.Comparison": lambda one: one["text", "another"],
    "entities_evaluation.EntitiesEvaluation": lambda one: one["another"],
    "lexical_expansion.Expansion": lambda one: one["another"],
    "links_sample.SampledLinks": lambda one: one.figure("another"),
    "rag.RagEvaluation": lambda one: one["another"],
    "suite_health.SuiteHealth": lambda one: one["another"],
    "validity.Validity": lambda one: one.of("text", "another"),
}
HELD = {
    "entities_evaluation.EntitiesEvaluation": lambda one: one["text"].evaluation.name,
    "lexical_expansion.Expansion": lambda one: one["text"].name,
    "links_sample.SampledLinks": lambda one: one.figure("text").name,
    "rag.RagEvaluation": lambda one: one["text"].name,
    "suite_health.SuiteHealth": lambda one: one["text"].name,
    "validity.Validity": lambda one: one.of("text", "text").about,
}


@pytest.mark.parametrize("name", ABSENT)
def test_what_a_result_does_not_hold_is_named_in_the_error(name):
    with pytest.raises(KeyError, match="another"):
        ABSENT[name](result(name, full=True))


@pytest.mark.parametrize("name", HELD)
def test_what_a_result_holds_is_found_by_its_name(name):
    assert HELD[name](result(name, full=True)) == "text"


def test_a_figure_of_each_system_by_one_measure():
    found = result("rag.RagEvaluation", full=True).figures("text")
    assert {name: figure.mean for name, figure in found.items()} == {"text": 0.5}


def test_ranks_that_were_not_kept_are_no_evaluation():
    with pytest.raises(KeyError, match="evaluation"):
        _ = made(RESULTS["links.LinksEvaluation"], full=False).evaluation


def test_a_change_that_cannot_be_told_is_no_drop():
    assert made(RESULTS["gate.Check"], full=False).drop is None
    assert abs(result("gate.Check", full=True).drop) == 0.5


def test_the_level_of_a_prediction_is_that_of_its_interval():
    assert result("predicted.PredictedMean", full=True).level == 0.5
