"""Measures of proofs: the best proof by plain loops, and the mean over all orders of tied items."""

import math
import random
from itertools import permutations, product

import pytest
from tests.oracle.pairs import judge_scores

from assay.errors import UnsupportedError
from assay.measures import parse

ASKED = [f"{name}{cutoff}" for name in ("Deducible", "ProofR") for cutoff in ("", "@1", "@2", "@3", "@5")]
MEASURES = [parse(text) for text in ASKED]


def proofs_of(seed):
    """Make alternative proofs that share items, a ranking, and the orders that its ties allow."""
    rng = random.Random(seed)
    items = [f"d{number}" for number in range(6)]
    proofs = [rng.sample(items, rng.randint(1, 3)) for _ in range(rng.randint(1, 4))]
    shown = rng.sample([*items, "other 1", "other 2"], rng.randint(1, 6))
    scores = {item: float(rng.randint(1, 3)) for item in shown}
    levels = [[item for item in scores if scores[item] == level] for level in (3.0, 2.0, 1.0)]
    orders = [[item for level in order for item in level] for order in product(*map(permutations, levels))]
    return proofs, scores, orders


def by_the_book(measure, proofs, ranking):
    """Return the value by the definition, as a loop over proofs."""
    shown = set(ranking[: measure.k])
    shares = [sum(item in shown for item in proof) / len(proof) for proof in proofs]
    return float(max(shares) == 1) if measure.name == "Deducible" else max(shares)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_the_best_proof_counts(measure):
    for seed in range(60):
        proofs, _, (ranking, *_) = proofs_of(seed)
        assert measure.of_proofs(proofs, ranking) == by_the_book(measure, proofs, ranking), (proofs, ranking)


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_expected_is_the_mean_over_all_orders(measure):
    for seed in range(60):
        proofs, scores, orders = proofs_of(seed)
        groups = [[dict.fromkeys(proof, 1.0)] for proof in proofs]
        values = [by_the_book(measure, proofs, order) for order in orders]
        expected = measure.expected(judge_scores(groups, scores))[0]
        assert expected == pytest.approx(math.fsum(values) / len(values), abs=1e-12), (proofs, scores)


@pytest.mark.parametrize("name", ["Deducible@2", "ProofR@2"])
def test_a_longer_ranking_never_loses(name):
    measure = parse(name)
    for seed in range(40):
        proofs, _, (ranking, *_) = proofs_of(seed)
        values = [(type(measure) @ k).of_proofs(proofs, ranking) for k in range(1, 8)]
        assert values == sorted(values)
        assert values[-1] == type(measure)().of_proofs(proofs, ranking)


def test_one_proof_is_recall_and_completeness():
    for seed in range(40):
        proofs, _, (ranking, *_) = proofs_of(seed)
        grades = [float(item in proofs[0]) for item in ranking]
        gold = [1.0] * len(proofs[0])
        for k in (1, 3):
            for proof, plain in (("ProofR", "R"), ("Deducible", "Complete")):
                assert parse(f"{proof}@{k}").of_proofs(proofs[:1], ranking) == parse(f"{plain}@{k}").of(grades, gold)


def test_too_many_tied_items_are_refused_not_guessed():
    proof = [f"d{number}" for number in range(20)]
    judged = judge_scores([[dict.fromkeys(proof, 1.0)]], dict.fromkeys(proof, 1.0))
    with pytest.raises(UnsupportedError, match="at most 16 tied items that a proof needs, found 20"):
        parse("ProofR@3").expected(judged)


def test_an_item_of_grade_0_is_in_no_proof():
    assert parse("Deducible@1").of_groups([{"a": 1.0, "b": 0.0}], ["a"]) == 1
    assert parse("Deducible@1").of_groups([{"a": 0.0}], ["a"]) is None


def test_noise_is_of_what_is_shown():
    assert parse("Noise@5").of([1, 0, 0]) == pytest.approx(2 / 3)
    assert parse("Noise@2").of([1, 0, 0]) == 0.5
    assert parse("Noise@2").of([0], gold=[0]) == 1
    assert parse("Noise@2").of([], gold=[0]) is None


def test_context_precision_is_average_precision_over_recall():
    rng = random.Random(3)
    for _ in range(50):
        grades = [float(rng.random() < 0.4) for _ in range(6)]
        gold = [grade for grade in grades if grade] + [1.0] * rng.randint(0, 3)
        found = sum(grades[:4])
        context = parse("ContextP@4").of(grades, gold)
        if found:
            assert context == pytest.approx(parse("AP@4").of(grades, gold) / parse("R@4").of(grades, gold))
            assert context == parse("AP(norm='found')@4").of(grades, gold)
        elif gold:
            assert context == 0
