"""Rows of an answer against rows of the gold, by the definition: every assignment is tried."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.answers import rows as module
from assay.tasks.answers.rows import distinct, pooled, projected, row_exact, row_partial, row_superset

KEY = st.sampled_from([("iri", name) for name in "abcd"])
ROWS = st.integers(1, 3).flatmap(lambda width: st.lists(st.tuples(*[KEY | st.none()] * width), max_size=4))


def keys(*texts):
    """Return rows of one-letter terms; a dash is unbound."""
    return [tuple(None if letter == "-" else ("iri", letter) for letter in text) for text in texts]


def by_trying(gold, found):
    """Return the highest credit of all one-to-one assignments, and the most pairs with a common cell of those."""
    bags = [[Counter(key for key in row if key is not None) for row in side] for side in (gold, found)]
    credit = [[(a & b).total() / a.total() if a else float(not b) for b in bags[1]] for a in bags[0]]
    size, best = max(len(gold), len(found)), (0.0, 0)
    for order in itertools.permutations(range(size)):
        pairs = [credit[a][b] for a, b in enumerate(order) if a < len(gold) and b < len(found) and credit[a][b]]
        best = max(best, (round(math.fsum(pairs), 9), len(pairs)))
    return best


@given(ROWS, ROWS)
def test_the_best_assignment_is_that_of_trying_all(gold, found):
    made = row_partial(gold, found)
    hits, pairs = by_trying(gold, found)
    assert made.hits == pytest.approx(hits, abs=1e-8)
    assert made.penalty == pytest.approx(pairs - hits + len(gold) - pairs + len(found) - pairs, abs=1e-8)


@given(ROWS, ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(gold, found, chance):
    for compare in (row_partial, row_exact, row_superset):
        before = compare(gold, found)
        shuffled = compare(chance.sample(gold, len(gold)), chance.sample(found, len(found)))
        assert (before.hits, before.penalty, before.f1) == (shuffled.hits, shuffled.penalty, shuffled.f1)


@given(ROWS)
def test_the_gold_itself_is_all_right(gold):
    for compare in (row_partial, row_exact, row_superset):
        assert compare(gold, gold).f1 == (1 if gold else None)


def test_columns_stand_for_each_other_by_their_values():
    assert projected(keys("ab", "cd"), keys("xba", "ydc")) == keys("ab", "cd")
    assert row_exact(keys("ab", "cd"), keys("ba", "dc")).f1 == 1
    assert row_exact(keys("ab", "cd"), keys("ba", "cd")).hits == 1  # a reversed link is no right one
    assert row_partial(keys("ab", "cd"), keys("ba", "cd")).f1 == 1  # which SPINACH does not see


def test_a_column_that_nothing_stands_for_is_unbound():
    assert projected(keys("ab"), keys("b")) == keys("-b")
    assert row_superset(keys("ab"), keys("b")).hits == 0
    assert row_partial(keys("ab"), keys("b")).hits == 0.5


def test_more_columns_than_are_tried_in_all_orders():
    gold, found = keys("abcdefgh", "ijklmnop"), keys("hgfedcba", "ponmlkji")
    assert row_exact(gold, found).f1 == 1


def test_repeated_rows_count_in_the_published_convention_alone():
    gold, found = keys("a", "b"), keys("a", "a", "b")
    assert row_exact(gold, found).f1 == row_superset(gold, found).f1 == 1
    assert row_partial(gold, found).f1 == pytest.approx(2 * 2 / (2 * 2 + 1))


def test_blank_nodes_of_several_columns_stand_for_each_other_by_their_row():
    one = [(("blank", "0"), ("iri", "a")), (("blank", "1"), ("iri", "b"))]
    other = [(("blank", "0"), ("iri", "b")), (("blank", "1"), ("iri", "a"))]
    assert row_exact(one, other).f1 == row_partial(one, other).f1 == 1


def test_too_many_pairs_leave_whole_rows(monkeypatch):
    gold = [(("iri", "all"), ("iri", str(n))) for n in range(30)]
    found = [*gold[:10], *((("iri", "all"), ("iri", f"x{n}")) for n in range(20))]
    assert row_partial(gold, found).hits == 20
    assert not row_partial(gold, found).whole
    monkeypatch.setattr(module, "MOST_PAIRS", 100)
    assert row_partial(gold, found).hits == 10
    assert row_partial(gold, found).whole


def test_many_rows_take_little_time():
    generator = np.random.default_rng(0)
    gold = [(("iri", str(n)), ("iri", f"v{generator.integers(1000)}")) for n in range(20_000)]
    made = row_partial(gold, gold[:-100] + [(("iri", str(n)), ("iri", "other")) for n in range(19_900, 20_000)])
    assert made.hits == 19_950


def test_values_are_counted_once():
    made = pooled([("iri", "a"), ("iri", "b")], [("iri", "b"), ("iri", "c"), ("iri", "d")])
    assert (made.precision, made.recall, made.f1) == (1 / 3, 1 / 2, 0.4)
    assert pooled([], []).f1 is pooled([], []).precision is pooled([], []).recall is None


def test_distinct_keeps_the_order():
    assert distinct(keys("b", "a", "b")) == keys("b", "a")
