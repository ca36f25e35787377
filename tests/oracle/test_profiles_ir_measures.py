"""Profile ir_measures against ir_measures 0.4, measure by measure, on collections full of ties.

What cannot be equal is listed in EXCEPTIONS and shown to differ; a profile's `limits` say the same in words.
"""

import shutil

import numpy as np
import pytest

from assay import evaluate

ir_measures = pytest.importorskip("ir_measures", reason="needs ir_measures, the program that is compared with")

pytestmark = pytest.mark.oracle

SEEDS = range(12)
EXACT = 1e-9
ROUNDED = 5.1e-6
"""gdeval prints 5 digits."""

MEASURES = [
    *("P@1", "P@5", "P(rel=2)@5", "P(judged_only=True)@5", "R@5", "R@1000", "R(rel=2)@10", "R(judged_only=True)@5"),
    *("RR", "RR(rel=2)", "RR(judged_only=True)", "RR@1", "RR@5", "RR@1000", "RR(rel=2)@5"),
    *("AP", "AP(rel=2)", "AP@5", "AP(judged_only=True)", "AP(rel=2)@10"),
    *("nDCG", "nDCG@5", "nDCG@100", "nDCG(judged_only=True)@5", "nDCG(gains={1:3,2:5})@5"),
    *("Rprec", "Rprec(rel=2)", "Rprec(judged_only=True)", "Success@1", "Success@5", "Success(rel=2)@5"),
    *("SetP", "SetR", "SetR(rel=2)", "SetF", "SetF(beta=2.0)", "SetF(beta=0.5)", "SetAP", "SetRelP", "SetP(rel=2)"),
    *("Bpref", "Bpref(rel=2)", "infAP", "infAP(rel=2)"),
    *("IPrec@0.0", "IPrec@0.1", "IPrec@0.35", "IPrec@1.0", "IPrec(rel=2)@0.5"),
    *("Judged@1", "Judged@5", "Judged@1000"),
    *("NumQ", "NumRel", "NumRet", "NumRelRet"),
]
OTHER_NAMES = {"NumRelRet": "NumRet(rel=1)"}

COMPAT_DIFFERS = "ir_measures stops at the depth of the longer list instead of going on to 1000"
LEVEL_DIFFERS = "ir_measures writes the level of IPrec with two decimals"


def collection(seed, *, whole=False):
    """Gold and a run with ties, scores that 32 bits cannot tell apart, unjudged, missing, extra and empty queries."""
    chance = np.random.default_rng(seed)
    gold: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(1, 9):
        items = [f"d{i}" for i in chance.permutation(30)]
        low = 0 if number == 2 else -1
        judged = chance.integers(low, 4, 12) if number != 3 else np.zeros(12, int)
        if number != 7:
            gold[str(number)] = dict(zip(items[:12], judged.tolist(), strict=True))
        if number != 5:
            size = int(chance.integers(1, 26))
            scores = chance.integers(0, 5, size) + chance.integers(0, 2, size) * 1e-9
            picked = chance.permutation(items)[:size].tolist()
            run[str(number)] = dict(zip(picked, scores.tolist(), strict=True))
    return gold, run


def theirs(measure, gold, run):
    parsed = ir_measures.parse_measure(OTHER_NAMES.get(measure, measure))
    found = ir_measures.calc([parsed], gold, run)
    return found.aggregated[parsed], {metric.query_id: metric.value for metric in found.per_query}


def ours(measure, gold, run):
    result = evaluate(gold, run, measure, profile="ir_measures")
    return result.figures[0].mean, dict(result.per_query.select("query", "value").iter_rows())


def assert_equal(measure, gold, run, within=EXACT):
    their_mean, their_values = theirs(measure, gold, run)
    mean, values = ours(measure, gold, run)
    assert mean == pytest.approx(their_mean, abs=within)
    for query, value in values.items():
        if measure == "NumQ":
            continue  # a query without a relevant item has no value of its own here, and still counts
        assert (value or 0) == pytest.approx(their_values[query], abs=within), query
    assert all(their_values[query] == 0 for query in set(their_values) - set(values))


@pytest.mark.parametrize("measure", MEASURES)
def test_every_measure_that_both_have_is_equal(measure):
    for seed in SEEDS:
        assert_equal(measure, *collection(seed))


@pytest.mark.skipif(not shutil.which("perl"), reason="ir_measures computes these with a Perl script")
@pytest.mark.parametrize("measure", ["ERR@5", "ERR@20", "nDCG(dcg='exp-log2')@5", "nDCG(dcg='exp-log2')@20"])
def test_measures_of_gdeval_are_equal_to_its_five_digits(measure):
    for seed in SEEDS[:4]:
        assert_equal(measure, *collection(seed), within=ROUNDED)


@pytest.mark.parametrize("measure", ["RBP(rel=1)", "RBP(rel=2,p=0.5)", "SDCG(max_rel=3)@5", "SDCG(max_rel=3)@20"])
def test_measures_of_cwl_eval_are_equal(measure):
    pytest.importorskip("cwl", reason="ir_measures computes these with cwl-eval")
    for seed in SEEDS:
        assert_equal(measure, *collection(seed))


def test_compat_is_equal_where_lists_are_a_thousand_items_deep():
    for seed in SEEDS[:3]:
        gold, run = collection(seed)
        chance = np.random.default_rng(seed)
        deep = {}
        for query, items in run.items():
            ids = [*gold.get(query, {}), *items, *(f"x{i}" for i in range(1000))]
            names = list(dict.fromkeys(ids))[:1000]
            scores = chance.permutation(1000).tolist()
            deep[query] = dict(zip(names, scores, strict=True))
        assert_equal("Compat", gold, deep)
        assert_equal("Compat(p=0.5)", gold, deep)


def test_compat_of_short_lists_differs():
    differences = [abs(theirs("Compat", *found)[0] - ours("Compat", *found)[0]) for found in map(collection, SEEDS)]
    assert max(differences) > EXACT, COMPAT_DIFFERS


def test_levels_of_recall_with_three_decimals_differ():
    gold = {"q": {f"d{i}": 1 for i in range(12)}}
    run = {"q": {**{f"d{i}": 9.0 - i for i in range(4)}, "x": 3.0, "d4": 2.0}}
    assert theirs("IPrec@0.344", gold, run)[0] == theirs("IPrec@0.34", gold, run)[0] == 1.0, LEVEL_DIFFERS
    assert ours("IPrec@0.34", gold, run)[0] == 1.0
    assert ours("IPrec@0.344", gold, run)[0] == pytest.approx(5 / 6)


def test_three_tie_rules_in_one_call():
    gold, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
    result = evaluate(gold, run, "RR RR@10 P@1 RBP Judged@1", profile="ir_measures")
    assert (result["RR"], result["RR@10"], result["P@1"]) == (0.5, 1.0, 0.0)
    assert theirs("RR", gold, run)[0] == 0.5
    assert theirs("RR@10", gold, run)[0] == 1.0
