"""Dawid and Skene's model beside crowd-kit's, step for step, and on real judges."""

import numpy as np
import pytest

from assay.formats import read_gold
from assay.formats.labels import read_labels
from assay.judging.adjudicate import adjudicate
from assay.statistics.dawid_skene import dawid_skene


def theirs(thing, judge, said, steps):
    crowdkit = pytest.importorskip("crowdkit.aggregation")
    pandas = pytest.importorskip("pandas")
    rows = pandas.DataFrame({"task": thing, "worker": judge, "label": said})
    found = crowdkit.DawidSkene(n_iter=steps, tol=-np.inf).fit(rows).probas_
    return found.sort_index().sort_index(axis=1).to_numpy()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("steps", [1, 2, 10, 60])
def test_each_step_is_that_of_crowdkit(steps):
    chance = np.random.default_rng(8)
    truth = chance.integers(0, 3, 150)
    skill = chance.uniform(0.4, 0.9, 12)
    right = chance.random((150, 12)) < skill
    said = np.where(right, truth[:, None], chance.integers(0, 3, (150, 12)))
    asked = chance.random((150, 12)) < 0.6
    asked[:, 0] = True
    rows = (*np.nonzero(asked), said[asked])
    ours = dawid_skene(*rows, smoothing=1e-10, most=steps, tolerance=0.0)
    np.testing.assert_allclose(ours.posterior, theirs(*rows, steps), atol=1e-6)


def test_a_panel_of_llms_is_no_better_for_the_model(data):
    """33 machines that err together: the majority is closer to the person, and the report says why."""
    folder = data / "ir" / "llmjudge-dl23"
    machines = read_labels(folder / "llm_labels.csv.gz")
    found = adjudicate(read_labels(folder / "human.qrels.txt"), machines=machines)
    assert found.method == "majority"
    assert found.fit.converged
    (group,) = found.together
    assert (group.group, group.judges, group.pairs) == ("machines", 33, 528)
    assert group.correlation == pytest.approx(0.387, abs=5e-4)
    assert group.effective == pytest.approx(2.47, abs=0.01)
    assert any("err together" in line for line in found.notices)


def test_the_model_after_two_steps_and_at_its_end_on_the_panel(data):
    folder = data / "ir" / "llmjudge-dl23"
    labels, person = read_labels(folder / "llm_labels.csv.gz"), read_gold(folder / "human.qrels.txt")
    two = {one.method: one for one in adjudicate(labels, check=person, iterations=2, scale=(0, 1, 2, 3)).checks}
    end = {one.method: one for one in adjudicate(labels, check=person, scale=(0, 1, 2, 3)).checks}
    assert two["dawid-skene"].kappa == pytest.approx(0.250, abs=1e-3)
    assert end["dawid-skene"].kappa == pytest.approx(0.178, abs=1e-3)
    assert (two["majority"].kappa, two["majority"].open) == (pytest.approx(0.277, abs=1e-3), 118)
