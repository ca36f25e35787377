"""More neighbours than there are others: all others are taken, and it is said; a drift of them means nothing."""

import numpy as np
import pytest

from assay.errors import ParameterError
from assay.report.neighbours import render
from assay.tasks.neighbours import drift, evaluate_vectors

VECTORS = np.random.default_rng(0).normal(size=(8, 3))
LABELS = list("aabbaabb")


def test_all_others_are_the_neighbours_and_hubs_are_not_counted():
    found = evaluate_vectors(VECTORS, labels=LABELS, k=50)
    assert found.k == 7
    assert found.hubs is None
    assert found.labels.evaluation["P@7"] == pytest.approx(3 / 7)
    assert "only 7 others, not the 50 asked for" in found.notices[0]
    text = render(found, 80)
    assert "the 7 nearest of 8" in text
    assert "Skewness" not in text


def test_as_many_neighbours_as_there_are_others_is_said_too():
    found = evaluate_vectors(VECTORS, k=7)
    assert "only 7 others: all of them are its neighbours" in found.notices[0]
    assert evaluate_vectors(VECTORS, k=6).hubs is not None


def test_a_drift_in_which_nothing_can_change_is_refused():
    with pytest.raises(ParameterError, match="expected fewer neighbours than the 7 others"):
        drift(VECTORS, -VECTORS, k=7)
    assert drift(VECTORS, -VECTORS, k=6).figures[0].mean == 1.0
