"""What every registered measure must keep, in several settings of its parameters."""

import numpy as np
import pytest
from hypothesis import Phase, settings

from assay.errors import UnsupportedError
from assay.measures import MEASURES
from assay.testing import check_measure, variants
from assay.testing.measure_definition import DEFINITIONS
from assay.testing.measure_properties import PROPERTIES
from assay.testing.measures import check_values

MAY_FALL = "norm='found'"  # the mean over the found falls when one more is found, far down
SETTINGS = [one for measure in MEASURES.values() for one in variants(measure)]


@pytest.mark.parametrize("rule", DEFINITIONS.values(), ids=DEFINITIONS)
@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_definition(measure, rule):
    rule(measure)


@pytest.mark.parametrize("rule", PROPERTIES.values(), ids=PROPERTIES)
def test_property(rule):
    excused = MAY_FALL if rule.__name__ == "rises_with_the_relevant" else None
    check_values([one for one in SETTINGS if not excused or excused not in str(one)], [rule], examples=30)


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_the_figure_of_a_run_lies_between_its_queries_or_is_their_sum(measure):
    values = measure.bounds[0] + np.array([0.25, 0.75, 0.5])
    figure = measure.aggregate(values)
    assert figure == measure.aggregate(values[::-1])
    if measure.summed:
        assert figure == (3 if measure.name == "NumQ" else values.sum())
    else:
        assert values.min() <= figure <= values.max()


@pytest.mark.parametrize("measure", SETTINGS, ids=str)
def test_the_figure_of_no_query_is_zero_for_a_sum_and_else_undefined(measure):
    assert measure.aggregate(np.zeros(0)) == (0 if measure.summed else None)


def test_a_median_has_no_weights():
    with pytest.raises(UnsupportedError, match="MedianRank"):
        MEASURES["MedianRank"]().aggregate(np.ones(2), np.ones(2))


class Late(MEASURES["P"]):
    """Looks at one place too many."""

    def kernel(self, judged):
        return judged.top(self.k + 1).relevant(self.rel).count() / self.k


class Loud(MEASURES["R"]):
    """Divides by nothing, aloud."""

    def kernel(self, judged):
        return judged.top(self.k).relevant(self.rel).count() / judged.ideal.relevant(self.rel).count()


class Backwards(MEASURES["HR"]):
    """Likes relevant items late."""

    def kernel(self, judged):
        return 1 - super().kernel(judged)


class Crowded(MEASURES["P"]):
    """Lets queries count for each other."""

    def kernel(self, judged):
        return np.cumsum(super().kernel(judged)) / judged.queries


class Endless(MEASURES["Judged"]):
    """Divides by all that is retrieved."""

    def kernel(self, judged):
        return judged.top(self.k).judged().count() / np.maximum(judged.retrieved, 1)


BROKEN = [
    (Late, "follows_the_book"),
    (Endless, "ends_at_its_cutoff"),
    (Loud, "stays_in_bounds"),
    (Backwards, "rises_with_the_relevant"),
    (Crowded, "ignores_order"),
]


@pytest.fixture
def any_example():
    """The first example that fails will do; looking for the smallest takes long."""
    settings.register_profile("any", settings.get_profile("assay"), phases=[Phase.generate])
    settings.load_profile("any")
    yield
    settings.load_profile("assay")


@pytest.mark.usefixtures("any_example")
@pytest.mark.parametrize(("broken", "rule"), BROKEN)
def test_a_broken_measure_breaks_the_contract(broken, rule):
    with pytest.raises((AssertionError, RuntimeWarning)):
        check_values([broken(k=2)], [PROPERTIES[rule]], examples=1500)


def test_a_measure_that_is_not_registered_breaks_the_contract():
    with pytest.raises(AssertionError, match="not the name"):
        check_measure(Late(k=2))
