"""Evaluations made of given values, and small collections, for the tests of comparisons."""

from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation, Figure
from assay.core.facts import GoldFacts, RunAudit
from assay.core.policy import Policy
from assay.core.sample import Sample
from assay.core.scores import Scores

GOLD = GoldFacts("gold", None, lambda: "0" * 64)


def evaluation(name, values, **changes):
    """Make the evaluation of one measure or several from the values of its queries."""
    measures = values if isinstance(values, dict) else {"AP": values}
    tables = {
        measure: (pl.Series([f"q{i:03}" for i in range(len(numbers))]), np.array(numbers, np.float64))
        for measure, numbers in measures.items()
    }
    figures = tuple(Figure(m, m, float(numbers.mean()), len(numbers), 0) for m, (_, numbers) in tables.items())
    samples = {m: Sample(queries, numbers, bounds=(0, 1)) for m, (queries, numbers) in tables.items()}
    made = Evaluation(name, GOLD, Policy(), None, figures, Scores.of(name, tables), RunAudit(), samples=samples)
    return replace(made, **changes)


def with_difference(difference, name="new"):
    base = np.full(len(difference), 0.5)
    return [evaluation("old", base), evaluation(name, base + np.array(difference))]


def collection(queries=30, seed=0):
    """Make gold with two relevant items for each query, and three runs: good, shuffled, and bad."""
    random = np.random.default_rng(seed)
    gold = {f"q{i:02}": {"a": 1, "b": 2, "c": 0} for i in range(queries)}
    runs = {
        "good": {q: ["b", "a", "c"] if random.random() < 0.8 else ["c", "a", "b"] for q in gold},
        "middle": {q: random.permutation(["a", "b", "c"]).tolist() for q in gold},
        "bad": {q: ["x", "y", "c", "a", "b"] for q in gold},
    }
    return gold, runs
