"""Corrections over a family of tests."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError, UnknownNameError
from assay.statistics.many import adjust

PS = st.lists(st.integers(0, 100).map(lambda p: p / 100) | st.floats(0, 1), min_size=1, max_size=8)


def closed(ps, p_of):
    """Adjust by closing a test: the largest p of all sets that hold the one in question."""
    places = range(len(ps))
    sets = [chosen for size in range(1, len(ps) + 1) for chosen in combinations(places, size)]
    return [max(p_of([ps[i] for i in chosen]) for chosen in sets if place in chosen) for place in places]


def simes(ps):
    return min(len(ps) * p / place for place, p in enumerate(sorted(ps), 1))


def bonferroni(ps):
    return min(1.0, len(ps) * min(ps))


@given(PS)
def test_holm_closes_bonferroni(ps):
    assert adjust(ps, "holm") == pytest.approx(closed(ps, bonferroni), rel=1e-12)


@given(PS)
def test_hommel_closes_simes(ps):
    assert adjust(ps, "hommel") == pytest.approx(closed(ps, simes), rel=1e-12)


@given(PS)
def test_adjusted_p_values_keep_their_order_and_lie_between_p_and_bonferroni(ps):
    most = adjust(ps, "bonferroni")
    for method in ("holm", "hommel", "bh"):
        adjusted = adjust(ps, method)
        assert all(p <= one <= top for p, one, top in zip(ps, adjusted, most, strict=True))
        ordered = [one for _, one in sorted(zip(ps, adjusted, strict=True))]
        assert ordered == sorted(ordered)


@given(PS)
def test_hommel_finds_what_holm_finds_and_bh_more(ps):
    rows = zip(adjust(ps, "holm"), adjust(ps, "hommel"), adjust(ps, "bh"), strict=True)
    assert all(bh <= hommel * (1 + 1e-12) <= holm * (1 + 1e-9) for holm, hommel, bh in rows)


@given(PS, st.randoms())
def test_the_order_of_tests_changes_nothing(ps, random):
    order = list(range(len(ps)))
    random.shuffle(order)
    for method in ("holm", "hommel", "bonferroni", "bh"):
        adjusted = adjust(ps, method)
        assert adjust([ps[i] for i in order], method) == [adjusted[i] for i in order]


@pytest.mark.parametrize("method", ["holm", "hommel", "bonferroni", "bh", "none"])
def test_an_undefined_test_leaves_the_family(method):
    some = adjust([0.01, 0.04, 0.03], method)
    assert adjust([None, 0.01, 0.04, None, 0.03], method) == [None, *some[:2], None, some[2]]
    assert adjust([None], method) == [None]
    assert adjust([], method) == []


def test_none_changes_nothing():
    assert adjust([0.2, 0.1], "none") == [0.2, 0.1]


@pytest.mark.parametrize("wrong", [float("nan"), -0.1, 1.5])
def test_what_is_no_p_value_is_refused(wrong):
    with pytest.raises(ParameterError, match="expected p values from 0 to 1, found"):
        adjust([0.1, wrong], "holm")


def test_an_unknown_correction_names_the_nearest():
    with pytest.raises(UnknownNameError, match="Did you mean 'holm'"):
        adjust([0.1], "holms")
