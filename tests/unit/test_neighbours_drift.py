"""Drift between two versions of vectors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError
from assay.tasks.neighbours import drift
from assay.tasks.neighbours.overlap import overlaps
from assay.tasks.neighbours.procrustes import displacements
from assay.tasks.neighbours.retraining import retraining

LISTS = st.lists(st.sets(st.integers(0, 9), max_size=5), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def old():
    return np.random.default_rng(3).normal(size=(80, 6))


def rotation(size):
    return np.linalg.qr(np.random.default_rng(4).normal(size=(size, size)))[0]


@given(LISTS, st.randoms())
def test_overlap_is_that_of_sets(lists, random):
    others = [set(random.sample(range(10), random.randint(0, 5))) for _ in lists]

    def table(sets):
        return np.array(
            [[*sorted(one, key=lambda _: random.random()), *[-1] * (5 - len(one))] for one in sets], np.int64
        )

    overlap, jaccard = overlaps(table(lists), table(others))
    assert overlap.tolist() == pytest.approx(
        [len(a & b) / max(len(a), len(b), 1) for a, b in zip(lists, others, strict=True)]
    )
    assert jaccard.tolist() == pytest.approx(
        [len(a & b) / max(len(a | b), 1) for a, b in zip(lists, others, strict=True)]
    )


@pytest.mark.parametrize(("metric", "shift"), [("cosine", 0.0), ("dot", 0.0), ("l2", 3.0)])
def test_a_turned_space_did_not_move(old, metric, shift):
    found = drift(old, old @ rotation(6) + shift, metric=metric, k=5)
    assert found.figures[0].mean == pytest.approx(1.0)
    assert found.table["displacement"].max() < 1e-9


def test_the_rotation_is_the_best_one():
    random = np.random.default_rng(5)
    old, new = random.normal(size=(30, 3)), random.normal(size=(30, 3))
    best = (displacements(old, new, "dot") ** 2).sum()
    scale = (old**2).sum(axis=1).mean()
    for _ in range(200):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
        assert best <= ((old @ turn - new) ** 2).sum() / scale + 1e-9


def test_the_item_that_moved_is_named_with_what_it_lost(old):
    new = old.copy()
    new[17] = -old[17]
    names = [f"n{i}" for i in range(80)]
    found = drift(old, new, names=names, k=5, moved=3)
    assert found.moved[0].name == "n17"
    assert found.moved[0].overlap == 0
    assert len(found.moved) == 3
    assert found.moved[0].displacement > 1.5
    assert not set(found.moved[0].lost) & set(found.moved[0].gained)


def test_rows_are_joined_by_name_whatever_their_order(old):
    names = [f"n{i}" for i in range(80)]
    order = np.random.default_rng(6).permutation(80)[:70]
    found = drift(old, old[order], names=names, new_names=[names[i] for i in order], k=5)
    assert found.shared == 70
    assert found.figures[0].mean == 1.0
    assert found.notices == ("10 of 80 vectors of old are not in all versions and left out.",)


def test_drift_by_type_is_the_mean_of_its_items(old):
    new = old + np.random.default_rng(7).normal(size=old.shape) * np.linspace(0, 1, 80)[:, None]
    kinds = ["calm"] * 40 + ["wild"] * 39 + [None]
    found = drift(old, new, types=kinds, k=5)
    assert [(one.type, one.items) for one in found.types] == [("wild", 39), ("calm", 40)]
    rows = found.table.filter(type="wild")
    assert found.types[0].overlap == pytest.approx(rows["overlap"].mean())
    assert found.types[0].displacement == pytest.approx(rows["displacement"].mean())


def test_versions_of_other_dimensions_and_vectors_of_zeros(old):
    new = np.hstack([old, np.zeros((80, 2))])
    new[0] = 0
    found = drift(old, new, k=5)
    assert found.figures[2].undefined == 1
    assert found.table.filter(name="0")["displacement"][0] is None
    assert found.figures[2].mean == pytest.approx(0, abs=1e-9)
    assert len(found.notices) == 2


def test_the_signal_needs_both_a_twin_and_a_task():
    low, high = np.full(40, 0.5), np.linspace(0.8, 0.9, 40)
    worse = ({str(i): 0.5 for i in range(20)}, {str(i): 0.4 for i in range(20)})
    same = (worse[0], worse[0])
    assert retraining(low).signal is None
    assert len(retraining(low).needs) == 2
    assert retraining(low, high, worse).signal is True
    assert retraining(low, high, same).signal is False
    assert retraining(high, high, worse).signal is False
    assert retraining(high, high).signal is False
    assert (retraining(low, high).moved, retraining(low, high).signal) == (True, None)
    assert retraining(low, None, worse).worse is True
    assert retraining(low, high, worse[::-1]).worse is False
    assert retraining(low, high, worse).needs == ()


def test_a_twin_says_what_chance_alone_changes(old):
    random = np.random.default_rng(8)
    twin = old @ rotation(6) + 0.05 * random.normal(size=old.shape)
    moved = drift(old, old + random.normal(size=old.shape), twin=twin, k=5).retraining
    calm = drift(old, old + 0.05 * random.normal(size=old.shape), twin=twin, k=5).retraining
    assert moved.moved is True
    assert calm.moved is False
    assert calm.signal is False


def test_mistakes_are_said(old):
    with pytest.raises(AssayError, match="expected 3 names or more that all versions have, found 0"):
        drift(old, old, names=[f"a{i}" for i in range(80)], new_names=[f"b{i}" for i in range(80)])
    with pytest.raises(AssayError, match="moved: expected a number of at least 1, found 0"):
        drift(old, old, moved=0)
    with pytest.raises(AssayError, match="task: expected queries that both results have, found none"):
        retraining(np.ones(3), task=({"a": 1}, {"b": 1}))
