"""Audits simulated on graphs that people labelled as a whole: does the interval hold, and how many labels does it take.

1,000 audits each (400 where statements are drawn for real), drawn by the seeds from 0 on and ended by the rule: an
interval of ± .05 or less after 30 draws.
The figures in the tests for draws one by one, of an endless graph, were found independently by another program.
"""

import json
from functools import lru_cache

import numpy as np
import pytest

from assay.graph.accuracy.draws import design_of, draw
from assay.graph.accuracy.statements import Statements
from assay.statistics.cluster_sample import cluster_share, simple_share, stratified_share
from assay.statistics.share_intervals import share_ends

AUDITS, REAL_AUDITS, LEAST, MARGIN = 1000, 400, 30, 0.05
ends = lru_cache(None)(share_ends)
pytestmark = [pytest.mark.slow, pytest.mark.oracle]


@pytest.fixture(scope="module")
def labelled(data):
    """Return statements and which of them are right."""
    if not (data / "rdf" / "kg-accuracy").is_dir():
        pytest.skip("needs the labelled graphs")

    @lru_cache
    def of(name):
        said = json.loads((data / "rdf" / "kg-accuracy" / f"{name}_gt.json").read_text())
        graph = json.loads((data / "rdf" / "kg-accuracy" / f"{name}_kg.json").read_text())
        right = {tuple(map(str, graph[key])): float(label) for key, label in said.items()}
        return Statements.of(right), right

    return of


@lru_cache
def audits_one_by_one(labels, method):
    """Return how often the interval holds, and the mean number of labels, of draws with replacement."""
    values, held, used = np.array(labels), 0, 0
    for seed in range(AUDITS):
        found = np.random.default_rng(seed).choice(values, 600).cumsum()
        for n in range(LEAST, 600):
            low, high = ends(method, found[n - 1] / n, n, 0.95)
            if (high - low) / 2 <= MARGIN:
                held += low <= values.mean() <= high
                used += n
                break
    return held / AUDITS, used / AUDITS


@pytest.mark.parametrize(
    ("name", "method", "coverage", "labels"),
    [
        ("yago", "wald", 0.232, 31), ("yago", "wilson", 0.946, 40), ("yago", "exact", 0.997, 41),
        ("yago", "ahpd", 0.998, 32), ("nell", "wald", 0.904, 96), ("nell", "wilson", 0.969, 116),
        ("nell", "exact", 0.983, 131), ("nell", "ahpd", 0.924, 96), ("dbpedia", "wald", 0.899, 184),
        ("dbpedia", "wilson", 0.948, 191), ("dbpedia", "exact", 0.949, 209),
    ],
)  # fmt: skip
def test_intervals_hold_as_often_as_another_program_found(labelled, name, method, coverage, labels):
    _, right = labelled(name)
    held, used = audits_one_by_one(tuple(right.values()), method)
    assert held == pytest.approx(coverage, abs=0.035)
    assert used == pytest.approx(labels, rel=0.05)


def audits(statements, right, kind, most):
    """Return how often the interval holds, the mean number of labels and the mean estimate, of samples drawn for real.

    They are looked at after every third draw.
    """
    truth, held, used, values = np.mean(list(right.values())), 0, 0, []
    for seed in range(REAL_AUDITS):
        drawn = draw(statements, design_of(statements, kind, seed=seed), most)
        numbers = np.array([row.draw for row in drawn])
        labels = np.array([right[row.statement] for row in drawn])
        strata = {row.stratum: row.weight for row in drawn}
        names = list(strata)
        stratum = np.array([names.index(row.stratum) for row in drawn])
        sizes = np.array(list(strata.values())) * len(statements)
        for last in range(LEAST, int(numbers[-1]) + 1, 3):
            n = int(np.searchsorted(numbers, last, side="right"))
            share = (
                cluster_share(labels[:n], numbers[:n]) if kind == "cluster"
                else simple_share(labels[:n], len(statements)) if kind == "simple"
                else stratified_share(labels[:n], stratum[:n], sizes)
            )  # fmt: skip
            found = share.interval()
            if (found.high - found.low) / 2 <= MARGIN:
                break
        held += found.low <= truth <= found.high
        used += n
        values.append(share.value)
    return held / REAL_AUDITS, used / REAL_AUDITS, np.mean(values) - truth


@pytest.mark.parametrize(
    ("name", "kind", "most"),
    [
        (name, kind, most)
        for name, most in (("yago", 240), ("nell", 360), ("dbpedia", 480))
        for kind in ("simple", "cluster", "stratified")
    ],
)
def test_samples_drawn_for_real_hold_the_accuracy_of_the_graph(labelled, name, kind, most):
    statements, right = labelled(name)
    held, used, bias = audits(statements, right, kind, most)
    assert held >= 0.92
    assert used < most
    assert abs(bias) < 0.012  # ending early where labels happen to be right favours them a little
