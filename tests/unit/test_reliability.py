"""Coefficients of agreement and their intervals, by hand and by brute force."""

import math

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.statistics.judges import alpha_of, coincidences, krippendorff_alpha
from assay.statistics.reliability import cohen_kappa, counted, fleiss_kappa, gwet_ac1, kappa_of, met, percent_agreement
from assay.statistics.reliability_bootstrap import percentile_interval, resampled_sums

NAN = math.nan


def test_a_grade_that_is_missing_takes_no_part():
    assert cohen_kappa([1, 0, 1, NAN], [1, 0, 0, 1]) == cohen_kappa([1, 0, 1], [1, 0, 0])
    assert percent_agreement([[1, 1], [0, NAN], [NAN, NAN]]) == 1
    assert percent_agreement([[1, NAN], [NAN, 0]]) is None


@pytest.mark.parametrize("grades", [[[1, 1], [1, 1]], [[1, 1], [NAN, 1]]], ids=["two", "one"])
def test_without_variation_all_but_percent_and_ac1_are_undefined(grades):
    columns = np.array(grades, np.float64)
    assert cohen_kappa(*columns.T) is None
    assert cohen_kappa(*columns.T, "quadratic") is None
    assert fleiss_kappa(columns) is None
    assert krippendorff_alpha([[one for one in row if one == 1] for row in grades], "ordinal") is None
    assert (percent_agreement(columns), gwet_ac1(columns)) == (1, 1)


@pytest.mark.parametrize("grades", [np.zeros((0, 2)), np.full((3, 2), NAN)], ids=["nothing", "missing"])
def test_without_grades_all_are_undefined(grades):
    assert [percent_agreement(grades), fleiss_kappa(grades), gwet_ac1(grades)] == [None] * 3
    assert cohen_kappa(*grades.T) is None


def test_one_judge_who_always_says_the_same_agrees_as_chance_does():
    assert cohen_kappa([1, 1, 1, 1], [1, 0, 1, 0]) == 0


def test_weights_go_by_how_far_grades_lie_apart():
    near, far = [0, 1, 4, 4], [0, 4, 4, 1]
    assert cohen_kappa(near, far, "linear") == pytest.approx(1 - (6 / 4) / (30 / 16))
    assert cohen_kappa([0, 1, 2], [0, 1, 1], "linear") == cohen_kappa([0, 10, 20], [0, 10, 10], "linear")


def test_shapes_that_differ_are_refused():
    with pytest.raises(ParameterError, match="two rows of grades of equal length"):
        cohen_kappa([1, 0], [1])


def test_a_skewed_scale_lowers_kappa_and_not_ac1():
    first, second = [1] * 95 + [0] * 5, [1] * 95 + [1] * 4 + [0]
    both = np.column_stack([first, second])
    assert percent_agreement(both) == 0.96
    assert cohen_kappa(first, second) < 0.35
    assert gwet_ac1(both) > 0.95


def test_labels_may_be_words_where_they_are_nominal():
    assert krippendorff_alpha([("x", "x"), ("y", "y"), ("x", "y")]) == krippendorff_alpha([(0, 0), (1, 1), (0, 1)])


def test_a_table_has_the_shape_of_the_scale():
    scale, table = met([0, 2, NAN], [0, 0, 1], [0, 1, 2])
    assert scale.tolist() == [0, 1, 2]
    assert table.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]
    stacked = kappa_of(np.stack([table, 2 * table]), scale)
    assert stacked[0] == stacked[1]


def test_drawing_kinds_together_is_drawing_things_one_by_one():
    random = np.random.default_rng(5)
    first = random.integers(0, 3, 60).astype(float)
    second = np.where(random.random(60) < 0.7, first, random.integers(0, 3, 60))
    scale, table = met(first, second)
    cells = np.flatnonzero(table)
    sums = resampled_sums(np.eye(table.size)[cells], table.ravel()[cells], 4_000, 1)
    together = kappa_of(sums.reshape(-1, *table.shape), scale)
    singly = np.array([cohen_kappa(first[drawn], second[drawn]) for drawn in random.integers(0, 60, (4_000, 60))])
    assert (sums.sum(axis=1) == 60).all()
    assert together.mean() == pytest.approx(singly.mean(), abs=0.01)
    assert together.std() == pytest.approx(singly.std(), rel=0.05)


def test_an_interval_is_seeded_and_holds_the_value():
    units, times = np.eye(4), np.array([30.0, 8, 7, 25])
    scale = np.arange(2.0)

    def drawn(seed):
        figures = kappa_of(resampled_sums(units, times, 500, seed).reshape(-1, 2, 2), scale)
        return percentile_interval(figures, 70, 0.95, seed)

    draws = [drawn(seed) for seed in (3, 3, 4)]
    assert draws[0] == draws[1] != draws[2]
    assert draws[0].low < kappa_of(times.reshape(2, 2), scale) < draws[0].high
    assert (draws[0].units, draws[0].resamples, draws[0].seed, draws[0].warnings) == (70, 500, 3, ())


@pytest.mark.parametrize("figures", [[0.5] * 100, [NAN] * 10 + [0.1] * 50 + [0.2] * 40], ids=["equal", "undefined"])
def test_there_is_no_interval_where_nothing_can_be_said(figures):
    found = percentile_interval(np.array(figures), 30, 0.95, 0)
    assert (found.low, found.high, found.method) == (None, None, "none")
    assert percentile_interval(np.array([0.1, 0.2]), 1, 0.95, 0).low is None


def test_coincidences_count_each_thing_as_often_as_it_has_labels():
    scale, counts = counted([[0, 1, 1], [1, 1, NAN], [0, NAN, NAN]])
    found = coincidences(counts)
    assert found.tolist() == [[0, 1], [1, 3]]
    assert found.sum() == 5
    assert alpha_of(np.stack([found, found]), scale, "nominal").tolist() == [pytest.approx(1 - 2 / 5 * 20 / 8)] * 2
