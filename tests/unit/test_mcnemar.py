"""McNemar's exact test of answers that turned."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError, UnknownNameError
from assay.statistics.difference import significance
from assay.statistics.mcnemar import mcnemar

stats = pytest.importorskip("scipy.stats")

COUNTS = st.integers(0, 60)


def test_400_right_answers_of_which_85_were_lost():
    assert mcnemar(lost=85, gained=0).p == pytest.approx(5.169878828456423e-26, rel=1e-12)


@given(COUNTS, COUNTS)
def test_p_is_that_of_fair_coins(lost, gained):
    turned = lost + gained
    for side, hits, way in (("fall", lost, "greater"), ("rise", gained, "greater"), ("both", lost, "two-sided")):
        expected = stats.binomtest(hits, turned, alternative=way).pvalue if turned else 1.0
        assert mcnemar(lost, gained, side=side).p == pytest.approx(expected, rel=1e-9)


@given(st.integers(0, 7), st.integers(0, 7))
def test_it_is_sign_flips_of_answers(lost, gained):
    differences = np.repeat([-1.0, 1.0, 0.0], [lost, gained, 3])
    assert mcnemar(lost, gained).p == pytest.approx(significance(differences)[0].p, rel=1e-12)


def test_a_fall_is_no_rise():
    assert mcnemar(20, 2, side="fall").p < 0.001
    assert mcnemar(20, 2, side="rise").p > 0.99


def test_what_so_few_can_tell_is_stated():
    assert (mcnemar(4, 0).floor, mcnemar(4, 0, side="fall").floor, mcnemar(0, 0).floor) == (0.125, 0.0625, 1)
    assert (mcnemar(3, 1).statistic, mcnemar(0, 0).statistic, mcnemar(3, 1).units) == (0.75, None, 4)


def test_many_thousands_are_no_matter():
    assert mcnemar(500_500, 499_500, side="fall").p == pytest.approx(stats.norm.sf(0.9995), rel=1e-3)


def test_what_cannot_be_is_refused():
    with pytest.raises(ParameterError, match="counts of 0 or more, found -1 lost and 2 gained"):
        mcnemar(-1, 2)
    with pytest.raises(UnknownNameError, match="side"):
        mcnemar(1, 2, side="less")
