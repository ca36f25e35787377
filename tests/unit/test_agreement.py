"""Agreement of orders against their definitions."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import ParameterError
from assay.statistics.agreement import kendall_tau, rbo, tau_ap

scores = st.integers(2, 5).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n) for _ in range(2)])
)
rankings = st.tuples(*[st.permutations(range(9)).flatmap(lambda r: st.integers(0, 7).map(lambda n: r[:n]))] * 2)


def orders(values):
    """All orders, best first, that the scores allow."""
    for order in itertools.permutations(range(len(values))):
        if all(values[a] >= values[b] for a, b in itertools.pairwise(order)):
            yield order


def book_tau_ap(reference, other):
    total = 0.0
    for place in range(1, len(other)):
        total += sum(reference.index(above) < reference.index(other[place]) for above in other[:place]) / place
    return 2 * total / (len(other) - 1) - 1


def book_rbo(a, b, p, depth):
    terms = (p ** (d - 1) * len(set(a[:d]) & set(b[:d])) / d for d in range(1, depth + 1))
    return (1 - p) * math.fsum(terms)


@given(scores)
def test_tau_counts_pairs(pair):
    a, b = pair
    signs = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i in range(len(a)) for j in range(i)]
    below = math.prod(sum(one[side] != 0 for one in signs) for side in (0, 1))
    wanted = sum(x * y for x, y in signs) / math.sqrt(below) if below else None
    assert kendall_tau(a, b) == (None if wanted is None else pytest.approx(wanted))


@given(scores)
def test_tau_ap_is_the_mean_over_all_orders_of_what_is_tied(pair):
    reference, other = pair
    wanted = np.mean([book_tau_ap(r, o) for r in orders(reference) for o in orders(other)])
    assert tau_ap(reference, other) == pytest.approx(wanted, abs=1e-12)


def test_a_swap_at_the_top_costs_tau_ap_more_than_one_at_the_end():
    truth = np.arange(20, 0, -1)
    top, end = truth.copy(), truth.copy()
    top[[0, 1]], end[[18, 19]] = top[[1, 0]], end[[19, 18]]
    assert kendall_tau(truth, top) == kendall_tau(truth, end)
    assert tau_ap(truth, top) < tau_ap(truth, end) < 1


def test_the_ends_of_the_range():
    rising = np.arange(8)
    assert (kendall_tau(rising, rising), tau_ap(rising, rising)) == (1.0, 1.0)
    assert (kendall_tau(rising, -rising), tau_ap(rising, -rising)) == (-1.0, -1.0)


@pytest.mark.parametrize(("a", "b"), [([], []), ([1], [1]), ([1, 1], [1, 2]), ([1, 2], [3, 3])])
def test_tau_is_undefined_without_an_order(a, b):
    assert kendall_tau(a, b) is None


def test_tau_ap_of_what_ties_all_is_0_and_of_one_thing_undefined():
    assert tau_ap([3, 2, 1], [0, 0, 0]) == pytest.approx(0)
    assert tau_ap([1], [1]) is None


@pytest.mark.parametrize(("a", "b"), [([1, 2], [1, 2, 3]), ([1, math.nan], [1, 2]), ([[1, 2]], [[1, 2]])])
def test_scores_that_do_not_fit_are_refused(a, b):
    for measure in (kendall_tau, tau_ap):
        with pytest.raises(ParameterError, match="equal length"):
            measure(a, b)


@given(rankings, st.sampled_from([0.1, 0.5, 0.8]))
def test_rbo_lies_between_the_worst_and_the_best_end_of_the_rankings(pair, p):
    a, b = pair
    found, depth = rbo(a, b, p), 150
    worst = [[*ranking, *(f"{side}{n}" for n in range(depth))] for side, ranking in zip("ab", pair, strict=True)]
    assert found.low == pytest.approx(book_rbo(*worst, p, depth), abs=1e-9)
    assert found.low + found.residual == pytest.approx(book_rbo(*agreeing(a, b, depth), p, depth), abs=1e-9)
    if found.extrapolated is not None:
        assert found.low - 1e-12 <= found.extrapolated <= found.low + found.residual + 1e-12
    assert rbo(b, a, p) == found


def agreeing(a, b, depth):
    """Continue both so that they agree as soon as can be: each gives what the other shows already, then the same."""
    a, b = list(a), list(b)
    while min(len(a), len(b)) < depth:
        short, long = (a, b) if len(a) <= len(b) else (b, a)
        short.append(next((item for item in long if item not in short), f"new{len(short)}"))
    return a, b


def test_rbo_extrapolates_to_the_agreement_that_goes_on():
    even = [f"d{n}" for n in range(200)]
    other = [f"d{n}" if n % 2 else f"e{n}" for n in range(200)]
    assert rbo(even[:30], other[:30], 0.8).extrapolated == pytest.approx(book_rbo(even, other, 0.8, 200), abs=1e-3)
    assert rbo(even[:5], even[:9], 0.9).extrapolated == pytest.approx(1)
    assert rbo(even[:5], [f"e{n}" for n in range(7)]).extrapolated == 0


def test_rbo_of_lists_of_unequal_length_by_the_equation():
    a, b, p = "ab", "bcda", 0.9
    overlap, short, long = [0, 1, 1, 2], 2, 4
    seen = sum(overlap[d - 1] / d * p**d for d in range(1, long + 1))
    supposed = sum(overlap[short - 1] * (d - short) / (short * d) * p**d for d in range(short + 1, long + 1))
    end = ((overlap[-1] - overlap[short - 1]) / long + overlap[short - 1] / short) * p**long
    assert rbo(a, b, p).extrapolated == pytest.approx((1 - p) / p * (seen + supposed) + end)


def test_rbo_of_an_empty_ranking_goes_on_from_nothing():
    for pair in (("", ""), ("", "abc")):
        found = rbo(*pair)
        assert (found.extrapolated, found.low) == (None, 0)
    assert rbo("", "").residual == 1


@pytest.mark.parametrize("p", [0, 1, -1, 2, math.nan])
def test_the_patience_of_rbo_lies_between_0_and_1(p):
    with pytest.raises(ParameterError, match="below 1"):
        rbo("ab", "ba", p)


def test_rbo_refuses_an_item_that_stands_twice():
    with pytest.raises(ParameterError, match="found 'a' twice"):
        rbo("aba", "b")
