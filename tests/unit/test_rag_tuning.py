"""One measure over K, a threshold or runs under several settings."""

import json

import jsonschema
import pytest

import assay
from assay.errors import InputError, ParameterError
from assay.report import rag_tuning
from assay.report.schema.rag_tuning import RAG_TUNING
from assay.tasks.rag.settings import number_in
from assay.tasks.rag.tuning import tune_rag

ROWS = [{"id": f"q{n}", "retrieved": ["x", "a", "b", "y"], "needed": ["a", "b"]} for n in range(12)]
SCORED = [
    {"id": f"q{n}", "retrieved": [{"id": "a", "score": 0.9}, {"id": "x", "score": 0.5}, {"id": "b", "score": n / 12}],
     "needed": ["a", "b"]}
    for n in range(12)
]  # fmt: skip


def test_each_cutoff_gives_what_evaluate_gives():
    found = tune_rag([ROWS], "R Deducible P", values=[1, 2, 3, 4])
    for k in (1, 2, 3, 4):
        means = assay.evaluate_rag([ROWS], f"R@{k} Deducible@{k} P@{k}").mean["system"]
        point = found.points[k - 1]
        assert [figure.mean for figure in point.figures] == list(means.values())
    assert found.measures == ("R", "Deducible", "P")
    assert found.curve("Deducible") == [("1", 0.0), ("2", 0.0), ("3", 1.0), ("4", 1.0)]


def test_without_values_the_curve_ends_at_the_longest_list():
    assert [point.setting for point in tune_rag([ROWS]).points] == ["1", "2", "3", "4"]


def test_the_first_setting_that_is_not_shown_to_be_worse_is_named():
    best = {one.measure: one for one in tune_rag([ROWS], "R P").best}
    assert (best["R"].setting, best["R"].lowest, best["R"].alike) == ("3", "3", ("4",))
    assert best["P"].setting == "3"


def test_where_lower_is_better_the_lowest_is_best():
    rows = [{"id": f"q{n}", "retrieved": ["a", "x", "y"], "needed": ["a"]} for n in range(12)]
    (best,) = tune_rag([rows], "Noise").best
    assert (best.setting, best.mean, best.alike) == ("1", 0.0, ())


def test_items_and_tokens_grow_with_k():
    points = tune_rag(
        [[{**row, "retrieved": [{"id": i, "tokens": 7} for i in row["retrieved"]]} for row in ROWS]]
    ).points
    assert [(point.items, point.tokens) for point in points] == [(1, 7), (2, 14), (3, 21), (4, 28)]


def test_a_threshold_cuts_lists():
    found = tune_rag([SCORED], "Complete R Noise", over="score", values=[0.0, 0.5, 0.9])
    assert found.curve("Complete@3") == [("0", 1.0), ("0.5", 0.5), ("0.9", pytest.approx(1 / 12))]
    assert [round(point.items, 3) for point in found.points] == [3.0, 2.5, round(13 / 12, 3)]


def test_thresholds_are_deciles_if_none_are_said():
    values = [point.value for point in tune_rag([SCORED], over="score").points]
    assert values == sorted(set(values))
    assert values[0] == 0.0


def test_a_question_that_gets_nothing_counts_as_not_found():
    rows = [{"id": "a", "retrieved": [{"id": "x", "score": 1.0}], "needed": ["x"]},
            {"id": "b", "retrieved": [{"id": "x", "score": 0.2}], "needed": ["x"]}]  # fmt: skip
    found = tune_rag([rows], "R", over="score", values=[0.1, 0.5])
    assert found.curve("R@1") == [("0.1", 1.0), ("0.5", 0.5)]
    assert any("some questions get nothing" in line for line in found.notices)


def files(folder, names, rows_of):
    for name in names:
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows_of(name)))
    return [folder / name for name in names]


def hops(name):
    depth = int(name.partition("-")[2].partition(".")[0])
    return [{**row, "retrieved": row["retrieved"][:depth]} for row in ROWS]


def test_numbers_in_names_of_files_are_the_settings(tmp_path):
    paths = files(tmp_path, ["hops-10.jsonl", "hops-2.jsonl", "hops-1.jsonl"], hops)
    found = tune_rag(paths, "Deducible@4 AP", over="file")
    assert [point.value for point in found.points] == [1.0, 2.0, 10.0]
    assert found.curve("Deducible@4") == [("1", 0.0), ("2", 0.0), ("10", 1.0)]
    assert found.curve("AP")[2][1] == assay.evaluate_rag([ROWS], "AP").mean["system"]["AP"]


def test_names_without_numbers_stand_as_given(tmp_path):
    paths = files(tmp_path, ["deep-2.jsonl", "wide-2.jsonl"], hops)
    found = tune_rag(paths, over="file")
    assert [(point.setting, point.value) for point in found.points] == [("deep-2", None), ("wide-2", None)]
    assert any("no number that tells them apart" in line for line in found.notices)


@pytest.mark.parametrize(
    ("names", "numbers"),
    [
        (["k1", "k10"], [1, 10]),
        (["bge-m3_t0.5", "bge-m3_t0.75"], [0.5, 0.75]),
        (["run-1-5", "run-2-6"], None),
        (["a", "b"], None),
        (["k1", "top1"], None),
    ],
)
def test_the_one_number_in_which_names_differ(names, numbers):
    assert number_in(names) == numbers


def test_a_key_of_the_rows_may_be_the_setting(tmp_path):
    rows = [{**row, "retrieved": row["retrieved"][:depth], "depth": depth} for depth in (2, 3) for row in ROWS]
    found = tune_rag([rows], "Deducible@3", over="depth")
    assert found.curve("Deducible@3") == [("2", 0.0), ("3", 1.0)]
    (path,) = files(tmp_path, ["all.jsonl"], lambda _: rows)
    assert tune_rag([path], "Deducible@3", over="depth").curve("Deducible@3") == found.curve("Deducible@3")
    with pytest.raises(InputError, match="a value under hops, the setting, found None"):
        tune_rag([rows], over="hops")


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ([ROWS], {"values": [0]}, "whole numbers of at least 1, found 0"),
        ([ROWS], {"values": [1.5]}, "whole numbers of at least 1, found 1.5"),
        ([ROWS], {"over": "score"}, "expected items with scores"),
        ([SCORED], {"over": "score", "values": [2]}, "at most 0.916667, the highest score"),
        ([ROWS], {"over": "file"}, "a file for each of two settings or more, found 1"),
        ([ROWS, ROWS], {}, "expected one system, found 2"),
        ([ROWS], {"measures": "R@5"}, "expected names without a cutoff"),
    ],
)
def test_mistakes_are_said(given, options, said):
    with pytest.raises(ParameterError) as refused:
        tune_rag(given, **options)
    assert said in str(refused.value)


def test_the_result_follows_its_schema_and_fits_a_terminal():
    for found in (tune_rag([ROWS]), tune_rag([SCORED], over="score")):
        jsonschema.validate(found.to_dict(), RAG_TUNING)
        assert max(map(len, rag_tuning.render(found, width=80).splitlines())) <= 80
    frame = rag_tuning.to_frame(tune_rag([ROWS], "R P"))
    assert frame.filter(measure="R")["best"].to_list() == [False, False, True, False]
    assert frame.filter(measure="R")["alike"].to_list() == [False, False, False, True]


def test_the_order_of_questions_changes_nothing():
    assert tune_rag([SCORED], over="score").to_dict() == tune_rag([SCORED[::-1]], over="score").to_dict()
