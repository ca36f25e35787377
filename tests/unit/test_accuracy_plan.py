"""A plan says how many statements to label, by design."""

import pytest
from tests.unit.accuracy_samples import STATEMENTS, drawing

from assay.errors import ParameterError
from assay.graph.accuracy.accuracy import estimate_accuracy
from assay.graph.accuracy.accuracy_plan import plan_accuracy


@pytest.fixture
def drawn(tmp_path):
    return drawing(tmp_path)


def test_a_plan_weighs_designs_and_learns_from_a_pilot(drawn):
    worst, better = plan_accuracy(STATEMENTS), plan_accuracy(STATEMENTS, accuracy=0.95)
    assert worst.by_design[0].statements > better.by_design[0].statements
    assert [effort.accuracy for effort in worst.by_accuracy] == [0.5, 0.85, 0.9, 0.95, 0.99]
    alike = plan_accuracy(STATEMENTS, alike=1.0, accuracy=0.95).by_design
    unlike = plan_accuracy(STATEMENTS, alike=0.0, accuracy=0.95).by_design
    assert all(effort.subjects <= STATEMENTS.subjects for effort in (*worst.by_design, *worst.by_accuracy))
    endless = plan_accuracy(alike=1.0, accuracy=0.95).by_design
    assert [effort.subjects for effort in endless] == [83] * 5  # each draw counts as one
    assert alike[-1].statements > alike[1].statements
    assert [effort.statements for effort in unlike][1:] == [83] * 4
    assert all(effort.design_effect == 1 for effort in unlike)
    dear = plan_accuracy(alike=0.1, seconds_per_subject=600, price_per_hour=60)
    assert dear.cheapest.per_subject > 1
    assert dear.cheapest.price == pytest.approx(dear.cheapest.seconds / 60)
    pilot = estimate_accuracy([drawn(kind="cluster")])
    learned = plan_accuracy(pilot=pilot)
    assert learned.accuracy == pilot.value
    assert learned.alike == pytest.approx((pilot.design_effect - 1) / (pilot.judged / pilot.draws - 1))
    assert any("pilot has" in notice for notice in learned.notices)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"per_subject": ()}, "per subject"), ({"per_subject": (0,)}, "per subject"), ({"alike": 2}, "alike"),
        ({"seconds_per_subject": -1}, "cost"), ({"accuracy": -0.1}, "from 0 to 1"), ({"method": "wald"}, "wald"),
    ],
)  # fmt: skip
def test_a_plan_that_makes_no_sense_is_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        plan_accuracy(**given)
