"""Explanations of real runs: the values are those of `evaluate`, and judged items make the changes."""

import numpy as np
import pytest
from tests.unit.test_explain import total

from assay.evaluate import DEFAULT, evaluate
from assay.explain import explain_changes, explain_many, most_changed, worst


@pytest.mark.parametrize("run", ["input.pircRBa1.gz", "input.VTcdhgp1.gz"])
def test_real_values_are_those_of_evaluate(data, run):
    folder = data / "ir" / "trec-robust03"
    gold, path = str(folder / "qrels.robust03.txt.gz"), str(folder / "top100" / run)
    result = evaluate(gold, path, f"{DEFAULT} SetP Judged@10 RBP ERR@20 Bpref")
    queries = worst(result, "AP", 3) + worst(result, "P@10", 60)[-2:]
    for figure in result.figures:
        values = dict(result.per_query.filter(measure=figure.name).select("query", "value").iter_rows())
        for found in explain_many(gold, path, queries, figure.name):
            assert found.value == values[found.query]
            assert total(found) == pytest.approx(found.value, abs=1e-12)
            assert found.value <= found.highest + 1e-12


def test_real_changes_are_made_by_judged_items(data):
    folder = data / "ir" / "trec-robust03"
    gold = str(folder / "qrels.robust03.txt.gz")
    runs = [str(folder / "top100" / f"input.{name}.gz") for name in ("pircRBa1", "VTcdhgp1")]
    before, after = (evaluate(gold, run, "AP nDCG@10") for run in runs)
    for measure in ("AP", "nDCG@10"):
        for found in explain_changes(gold, *runs, most_changed(before, after, measure, 4), measure):
            assert found.difference
            assert sum(move.change for move in found.moves) == pytest.approx(found.difference, abs=1e-12)
            assert np.isclose(found.other, 0, atol=1e-12)
