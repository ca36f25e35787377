"""Settings of a comparison, and results that are there already: read from JSON, refused, compared."""

import json
from dataclasses import replace

import pytest
from tests.unit.evaluations import GOLD, collection, evaluation, with_difference

from assay.compare import Settings, compare, compare_evaluations, is_result, read_results
from assay.core.policy import Policy
from assay.errors import FormatError, IncomparableError, InputError, ParameterError, UnknownNameError
from assay.evaluate import evaluate_all
from assay.report import comparison_terminal
from assay.report.documents import to_json

MEASURES = "RR P@1 MR GMAP NumRelRet"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"alpha": 0}, "alpha: expected a number from 0.0001 to below 0.5, found 0"),
        ({"level": 1}, "level: expected a number above 0 and below 1, found 1"),
        ({"flips": 5}, "flips: expected a whole number of at least 100, found 5"),
        ({"margin": -0.1}, "margin: expected a difference above 0, found -0.1"),
        ({"margin": "a"}, "margin: expected a difference above 0, found 'a'"),
        ({"seed": 1.5}, "seed: expected a whole number of at least 0, found 1.5"),
        ({"test": "z"}, "no test is called 'z'"),
        ({"correction": "holms"}, "no correction is called 'holms'. Did you mean 'holm'"),
        ({"pairs": "some"}, "no pairs is called 'some'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    with pytest.raises((ParameterError, UnknownNameError), match=message.replace("(", r"\(")):
        Settings(**changes)


def test_results_of_different_gold_or_conventions_are_refused_unless_told():
    old, new = with_difference([0.1] * 10)
    other = replace(new, gold=replace(GOLD, digest=lambda: "1" * 64))
    with pytest.raises(IncomparableError, match="were judged by different gold"):
        compare_evaluations([old, other])
    told = compare_evaluations([old, other], anyway=True)
    assert told.notices[0].startswith("compared anyway, although old and new were judged by different gold")
    with pytest.raises(IncomparableError, match="old has missing=zero, new has missing=skip"):
        compare_evaluations([old, replace(new, policy=Policy(missing="skip"))])
    nameless = [replace(one, gold=replace(GOLD, digest=lambda: None, name=one.name)) for one in (old, new)]
    assert compare_evaluations(nameless).family.tests == 1


def test_results_are_compared_by_the_measures_that_all_have():
    old = evaluation("old", {"AP": [0.1, 0.2], "RR": [0.1, 0.2]})
    found = compare_evaluations([old, evaluation("new", {"RR": [0.3, 0.2]})])
    assert found.measures == ("RR",)
    assert "left out, as not every result has them: AP." in found.notices
    with pytest.raises(ParameterError, match="a measure in common, found none"):
        compare_evaluations([old, evaluation("new", {"P@5": [0.3, 0.2]})])


def test_a_result_read_back_gives_the_same_comparison(tmp_path):
    gold, runs = collection()
    found = compare(gold, runs, MEASURES)
    evaluations = [
        replace(one, name=name) for name, one in zip(runs, evaluate_all(gold, runs.values(), MEASURES), strict=True)
    ]
    for name, one in zip(runs, evaluations, strict=True):
        (tmp_path / f"{name}.json").write_text(to_json([one], ["evaluate"]))
    read = read_results([tmp_path / f"{name}.json" for name in runs])
    assert read[0].audit.missing_queries == evaluations[0].audit.missing_queries
    again = compare_evaluations(read)

    def bare(comparison):
        return [replace(one, helped=(), hurt=()) for one in comparison.contrasts]

    assert bare(again) == bare(found)
    assert again.contrasts[0].hurt[0].ranks_before == ()
    assert "ranks" not in comparison_terminal.render(again)


def test_undefined_queries_count_in_a_result_as_they_did(tmp_path):
    gold, runs = collection()
    gold["q99"] = {"a": 0}
    for policy in ("zero", "skip", "one"):
        (one,) = evaluate_all(gold, [runs["good"]], "RR P@1", policy=Policy(empty=policy))
        (tmp_path / "one.json").write_text(to_json([one], []))
        (read,) = read_results([tmp_path / "one.json"])
        assert read.mean == one.mean
        assert read.samples["RR"].values.tolist() == one.samples["RR"].values.tolist()


def test_only_results_are_taken_for_results(tmp_path):
    (tmp_path / "gold.json").write_text('{"assay": {"d1": 1}, "q2": {"d2": 1}}')
    (tmp_path / "result.json").write_text('\n{"slices": [],\n "assay": "0.1.0", "runs": []}')
    (tmp_path / "run.txt").write_text("q1 Q0 d1 1 1 s\n")
    assert [is_result(tmp_path / name) for name in ("gold.json", "result.json", "run.txt", "none.json")] == [
        False, True, False, False,
    ]  # fmt: skip


def test_results_that_do_not_hold_what_a_comparison_needs_are_refused(tmp_path):
    gold, runs = collection()
    path = tmp_path / "one.json"
    whole = evaluate_all(gold, [runs["good"]], "RR P@1")[0]
    document = whole.to_dict()
    document["runs"][0]["measures"]["RR"]["mean"] = 0.5
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"RR is 0\.5, but the values of its queries give 0\."):
        read_results([path])
    path.write_text(json.dumps(whole.to_dict(per_query=False)))
    with pytest.raises(InputError, match="expected the value of each query, found means only"):
        read_results([path])
    (weighted,) = evaluate_all(gold, [runs["good"]], "RR", weights=dict.fromkeys(gold, 2.0))
    path.write_text(to_json([weighted], []))
    with pytest.raises(InputError, match="found weights, which the result does not hold"):
        read_results([path])
    path.write_text('{"assay": "0.1.0"}')
    with pytest.raises(FormatError):
        read_results([path])
