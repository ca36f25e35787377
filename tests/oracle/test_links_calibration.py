"""Calibration against scikit-learn, and by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.statistics.calibration import calibration_error, isotonic, platt, reliability, sigmoid
from assay.tasks.links.calibration import calibrations_of


def labelled(seed, many=400, levels=None):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=many) * 3 + 1
    scores = scores if levels is None else np.round(scores * levels) / levels
    return scores, rng.random(many) < 1 / (1 + np.exp(-0.7 * scores + 1))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("levels", [None, 1])
def test_isotonic_is_that_of_scikit_learn(seed, levels):
    fit = pytest.importorskip("sklearn.isotonic").IsotonicRegression(out_of_bounds="clip")
    scores, right = labelled(seed, levels=levels)
    asked = np.linspace(-12, 14, 101)
    wanted = fit.fit(scores, right).predict(asked)
    np.testing.assert_allclose(isotonic(scores, right).of(asked), wanted, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_platt_is_that_of_scikit_learn(seed):
    calibration = pytest.importorskip("sklearn.calibration")
    scores, right = labelled(seed)
    fit = calibration._SigmoidCalibration().fit(scores, right)
    asked = np.linspace(-12, 14, 101)
    np.testing.assert_allclose(platt(scores, right).of(asked), fit.predict(asked), atol=2e-4)


def test_platt_solves_its_equations_and_bears_separable_labels():
    for scores, right in (labelled(7), (np.array([-5.0, -4.0, 4.0, 5.0]), np.array([False, False, True, True]))):
        chance = platt(scores, right).of(scores)
        hits = right.sum()
        goal = np.where(right, (hits + 1) / (hits + 2), 1 / (len(right) - hits + 2))
        assert (goal - chance).sum() == pytest.approx(0, abs=1e-4)
        assert ((goal - chance) * scores).sum() == pytest.approx(0, abs=1e-4)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=20))
def test_isotonic_never_falls_and_keeps_the_mean(pairs):
    scores, right = np.array([one for one, _ in pairs], float), np.array([two for _, two in pairs])
    if right.all() or not right.any():
        with pytest.raises(ParameterError):
            isotonic(scores, right)
        return
    values = isotonic(scores, right).of(scores)
    assert (np.diff(values[np.argsort(scores, kind="stable")]) >= -1e-12).all()
    assert values.mean() == pytest.approx(right.mean())


def test_bins_are_those_of_scikit_learn():
    calibration = pytest.importorskip("sklearn.calibration")
    scores, right = labelled(1)
    chance = sigmoid(scores)
    found = reliability(chance, right, 10)
    shares, stated = calibration.calibration_curve(right, chance, n_bins=10, strategy="quantile")
    np.testing.assert_allclose([one.right for one in found], shares, atol=0.03)
    np.testing.assert_allclose([one.stated for one in found], stated, atol=0.01)
    assert [one.labels for one in found] == [40] * 10
    order = np.argsort(chance)
    by_hand = sum(abs(right[part].mean() - chance[part].mean()) * 40 for part in np.split(order, 10)) / 400
    assert calibration_error(found) == pytest.approx(by_hand)


def test_equal_probabilities_share_a_bin():
    found = reliability(np.array([0.5] * 9 + [0.9]), np.array([True, False, True] * 3 + [True]), 5)
    assert [one.labels for one in found] == [9, 1]
    assert calibration_error(found) == pytest.approx(0.9 * (6 / 9 - 0.5) + 0.1 * 0.1)


def test_fits_are_measured_on_other_labels():
    scores, right = labelled(2)
    other = labelled(3)
    raw, scaled, steps = calibrations_of(scores, right, other)
    assert raw.error == pytest.approx(calibration_error(reliability(sigmoid(other[0]), other[1])))
    assert scaled.brier == pytest.approx(np.square(platt(scores, right).of(other[0]) - other[1]).mean())
    assert steps.brier == pytest.approx(np.square(isotonic(scores, right).of(other[0]) - other[1]).mean())
    assert max(scaled.error, steps.error) < raw.error
    assert calibrations_of(scores, np.ones(400, bool)) == ()
    turned = calibrations_of(scores[::-1], right[::-1])
    assert turned == calibrations_of(scores, right)
