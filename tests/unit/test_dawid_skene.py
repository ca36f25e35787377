"""Dawid and Skene's model: what is true and how judges err, from what they say."""

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.statistics.dawid_skene import dawid_skene
from assay.statistics.joint_errors import effective_judges, joint_errors, mean_correlation


def drawn(things, skill, seed=0):
    """Draw what judges say who are right with these chances, of two grades; each judges each thing."""
    chance = np.random.default_rng(seed)
    truth = (chance.random(things) < 0.4).astype(int)
    right = chance.random((things, len(skill))) < np.array(skill)
    said = np.where(right, truth[:, None], 1 - truth[:, None])
    thing, judge = (grid.ravel() for grid in np.indices(said.shape))
    return truth, said, (thing, judge, said.ravel())


def test_planted_skill_and_truth_are_recovered_where_the_majority_errs():
    skill = [0.95, 0.9, 0.6, 0.55, 0.5]
    truth, said, rows = drawn(4000, skill)
    found = dawid_skene(*rows)
    assert found.converged
    assert found.confusion[:, [0, 1], [0, 1]].mean(axis=1) == pytest.approx(skill, abs=0.03)
    majority = (said.mean(axis=1) > 0.5).astype(int)
    assert (found.posterior.argmax(axis=1) == truth).mean() > (majority == truth).mean() + 0.05


def test_probabilities_are_as_often_right_as_they_say_where_judges_are_independent():
    truth, _, rows = drawn(6000, [0.8, 0.75, 0.7, 0.65])
    sure = dawid_skene(*rows).posterior
    assert sure.max(axis=1).mean() == pytest.approx((sure.argmax(axis=1) == truth).mean(), abs=0.02)


def test_the_first_step_by_hand():
    thing, judge, said = [0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 0]
    found = dawid_skene(thing, judge, said, smoothing=1e-12, most=1)
    assert found.prior.tolist() == [0.75, 0.25]
    np.testing.assert_allclose(found.confusion[0], [[2 / 3, 1 / 3], [0, 1]], atol=1e-9)
    assert found.posterior[1].tolist() == pytest.approx([0.5, 0.5])


def test_the_order_of_judgments_changes_no_bit():
    _, _, rows = drawn(300, [0.9, 0.8, 0.6], seed=3)
    order = np.random.default_rng(1).permutation(len(rows[0]))
    one, two = dawid_skene(*rows), dawid_skene(*(column[order] for column in rows))
    assert one.posterior.tobytes() == two.posterior.tobytes()
    assert one.confusion.tobytes() == two.confusion.tobytes()


def test_the_likelihood_never_falls():
    _, _, rows = drawn(200, [0.8, 0.7, 0.6], seed=5)
    steps = [dawid_skene(*rows, smoothing=1e-9, most=most).log_likelihood for most in range(1, 30)]
    assert np.all(np.diff(steps) > -1e-6)


def test_what_is_known_stays_and_teaches():
    _, _, (thing, judge, said) = drawn(60, [0.9, 0.6, 0.6], seed=2)
    known = np.full(60, -1)
    known[0] = 1 - said[0]
    found = dawid_skene(thing, judge, said, known=known)
    assert found.posterior[0, known[0]] == 1.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (([], [], []), "one or more of each thing"),
        (([0, 2], [0, 0], [0, 0]), "one or more of each thing"),
        (([0], [0], [-1]), "one or more of each thing"),
        (([0, 1], [0], [0]), "equal length"),
    ],
)
def test_judgments_that_make_no_sense_are_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        dawid_skene(*given)


@pytest.mark.parametrize("wrong", [{"smoothing": 0.0}, {"most": 0}, {"known": [1, 1]}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ParameterError, match="expected"):
        dawid_skene([0], [0], [0], **wrong)


def test_independent_judges_do_not_err_together_and_copies_do():
    truth, said, _ = drawn(4000, [0.8, 0.8, 0.8], seed=4)
    independent = joint_errors(said.astype(float), truth.astype(float))
    assert mean_correlation(independent) == pytest.approx(0.0, abs=0.04)
    copied = np.column_stack([said[:, 0], said[:, 0]]).astype(float)
    assert joint_errors(copied, truth.astype(float))[0].correlation == pytest.approx(1.0)


def test_without_answers_the_other_judges_stand_in_for_them():
    truth, said, _ = drawn(3000, [0.85] * 7, seed=6)
    found = joint_errors(said.astype(float))
    assert len(found) == 21
    assert 0 < mean_correlation(found) < 0.2
    assert mean_correlation(joint_errors(said.astype(float), truth.astype(float))) < mean_correlation(found)


def test_few_shared_things_tell_nothing():
    assert joint_errors(np.array([[1.0, 0.0], [0.0, 0.0]]), np.array([1.0, 0.0])) == []
    assert mean_correlation([]) is None


def test_judges_who_err_as_one_are_worth_one():
    assert effective_judges(10, 1.0) == 1.0
    assert effective_judges(10, 0.0) == effective_judges(10, -0.3) == 10
