"""Measures by hand: small rankings whose values follow from the definition on paper, and what each measure declares."""

import math
from dataclasses import fields
from inspect import signature

import pytest

from assay.core.judged import UNJUDGED, Judged
from assay.measures import MEASURES, Measure, parse
from assay.measures.base import measure as declare

INF = math.inf
LOG3 = math.log2(3)
GREEDY = (0.0, 1 / (1 - 1 / math.e))

BOUNDS = {
    "MR": (1, INF), "MedianRank": (1, INF), "GeometricMeanRank": (1, INF), "AMR": (0, 2), "AMRI": (-1, 1),
    "AdjustedMRR": (-INF, 1), "AdjustedHits": (-INF, 1), "Utility": (-INF, INF), "YAAP": (-INF, INF),
    "alpha_nDCG": GREEDY, "nERR_IA": GREEDY, "nNRBP": GREEDY,
} | dict.fromkeys((
    "NumQ", "NumRet", "NumRel", "NumRelRet", "DCG", "IDCG", "NumNonRelRet", "NumPrefs", "NumPrefsFul",
    "NumPrefsFulRet", "statAP",
), (0, INF))  # fmt: skip
"""The lowest and the highest value, where it is not 0 and 1."""

SUMMED = "NumQ NumRet NumRel NumRelRet NumNonRelRet NumPrefs NumPrefsFul NumPrefsFulRet"
OF_EMPTY = f"{SUMMED} Judged Unj Noise RBPResid TopicRBPResid Utility".replace("NumQ ", "")
LOW_IS_GOOD = "MR MedianRank GeometricMeanRank AMR Unj NumNonRelRet Noise RBPResid TopicRBPResid"
RISING = "HR RR NumRel NumRelRet GP SDCG ERR P RBP SetP SetR SetF SetAP SetRelP"
WITH_CUTOFF = (
    "HR AdjustedHits Judged Unj GP GR SDCG alpha_DCG ERR_IA F1 F P_IA StRecall IPrec R RCap Complete P RelP RprecMult "
    "P_AvgJG RprecMult_AvgJG Noise"
)
WITHOUT_WORST = "MR MedianRank GeometricMeanRank AMR AMRI AdjustedMRR AdjustedHits Noise YAAP"
WORST = {"RBPResid": 1, **dict.fromkeys(WITHOUT_WORST.split())}
FLAGS = {
    "summed": SUMMED, "counts_empty": OF_EMPTY, "rises": RISING, "needs_at": WITH_CUTOFF,
    "needs_candidates": "AMR AMRI AdjustedMRR AdjustedHits",
}  # fmt: skip

DEFAULTS = {
    "p": {"Compat": 0.95, "NRBP": 0.5, "nNRBP": 0.5, "RBP": 0.8, "RBPResid": 0.8,
          "TopicRBP": 0.9, "TopicRBPResid": 0.9},
    "alpha": dict.fromkeys(("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"), 0.5),
    "beta": {"F": 1, "SetF": 1},
    "base": {"DCG": 2, "IDCG": 2},
    "floor": {"GMAP": 1e-5, "GMBpref": 1e-5},
    "collection": dict.fromkeys(("AMR", "AMRI", "AdjustedMRR", "AdjustedHits", "Utility"), 0),
    "hit": {"Utility": 1}, "noise": {"Utility": -1}, "miss": {"Utility": 0}, "rest": {"Utility": 0},
}  # fmt: skip


@pytest.mark.parametrize("name", MEASURES)
def test_bounds_and_the_worst_value(name):
    assert MEASURES[name].bounds == pytest.approx(BOUNDS.get(name, (0, 1)))
    assert MEASURES[name].worst == WORST.get(name, 0)
    assert MEASURES[name].higher_is_better == (name not in LOW_IS_GOOD.split())


@pytest.mark.parametrize(("flag", "names"), FLAGS.items(), ids=FLAGS)
def test_what_measures_declare(flag, names):
    assert {name for name in MEASURES if getattr(MEASURES[name], flag)} == {*names.split()}


@pytest.mark.parametrize(("parameter", "defaults"), DEFAULTS.items(), ids=DEFAULTS)
def test_defaults(parameter, defaults):
    found = {name: part.default for name in MEASURES for part in fields(MEASURES[name]) if part.name == parameter}
    assert found == defaults


def test_a_measure_lies_between_0_and_1_unless_its_author_says():
    assert signature(declare).parameters["bounds"].default == Measure.bounds == (0, 1)


def test_items_of_grade_1_are_relevant_unless_said():
    rels = [part.default for measure in MEASURES.values() for part in fields(measure) if part.name == "rel"]
    assert set(rels) == {1}


CASES = [
    ("P@4", [1, 0, 2], [1, 2, 0], 0.5),
    ("P(rel=0.5)@2", [0.5, 0.4], [0.5, 0.4], 0.5),
    ("R@2", [1, 0, 1], [1, 1, 1], 1 / 3),
    ("RCap@2", [1, 0, 1], [1, 1, 1], 0.5),
    ("RCap@3", [1, 0, 1], [1, 1], 1),
    ("RelP@2", [1, 0, 1], [1, 1, 1], 0.5),
    ("RelP@3", [1, 0, 1], [1, 1], 1),
    ("Complete@3", [1, 0, 1], [1, 1], 1),
    ("Complete@2", [1, 0, 1], [1, 1], 0),
    ("Rprec", [0, 1, 1], [1, 1], 0.5),
    ("Rprec", [1], [1, 1, 1, 1], 0.25),
    ("RprecMult@0.5", [0, 1], [1, 1], 0),
    ("RprecMult@0", [1], [1], 0),
    ("RprecMult@1.05", [1, 0], [1], 1),
    ("RprecMult@1.1", [1, 0], [1], 0.5),
    ("HR@2", [0, 0, 1], [1], 0),
    ("HR@3", [0, 0, 1], [1], 1),
    ("F1@3", [1, 0, 1], [1, 1, 1, 1, 1], 0.5),
    ("F(beta=2)@2", [1, 0], [1], 5 / 6),
    ("F@3", [1, 0, 1], [1, 1, 1, 1, 1], 0.5),
    ("RR", [0, 0, 1, 1], [1, 1], 1 / 3),
    ("RR@2", [0, 0, 1], [1], 0),
    ("AP", [1, 0, 1], [1, 1, 1], (1 + 2 / 3) / 3),
    ("AP@2", [1, 1, 1], [1, 1, 1], 2 / 3),
    ("AP(norm='min')@2", [1, 1, 1], [1, 1, 1], 1),
    ("AP(norm='min')@3", [1, 0, 0], [1, 1], 0.5),
    ("AP(norm='min')", [1, 0, 0], [1, 1], 0.5),
    ("AP(norm='found')", [0, 1, 0, 1], [1, 1, 1], 0.5),
    ("AP(norm='found')", [0, 0], [1], 0),
    ("GMAP", [0, 1], [1, 1], 0.25),
    ("YAAP", [0, 1], [1, 1], math.log(1.5 / 2.5)),
    ("Bpref", [0, 1, 1], [0, 1, 1], 0),
    ("Bpref", [0, None, 1, 0, 1], [0, 0, 1, 1], 0.25),
    ("Bpref", [0, 1], [0, 0, 0, 1, 1, 1], (1 - 1 / 3) / 3),
    ("Bpref", [None, -1, 1], [1, 1, -1], 0.5),
    ("Bpref(rel=2)", [1, 2], [1, 1, 2, 2], 0.25),
    ("GMBpref", [0, None, 1, 0, 1], [0, 0, 1, 1], 0.25),
    ("infAP", [0, 1], [0, 1], 0.5 + 0.5 * 1e-5 / (1 + 2e-5)),
    ("infAP", [1, -1, 1], [1, -1, 1], (1 + (1 + 2 * (1 + 1e-5) / (1 + 2e-5)) / 3) / 2),
    ("infAP", [1, None, 1], [1, 1], (1 + (1 + 1 * (1 + 1e-5) / (1 + 2e-5)) / 3) / 2),
    ("IPrec@0.5", [0, 1, 1], [1, 1], 2 / 3),
    ("IPrec@1", [0, 1, 0], [1, 1], 0),
    ("IPrec@0", [0, 1, 0], [1, 1], 0.5),
    ("IPrec(rounding='trunc')@0.35", [1, 0], [1, 1, 1], 1),
    ("IPrec(rounding='ceil')@0.35", [1, 0], [1, 1, 1], 0),
    ("IPrec(rounding='round')@0.5", [1, 0], [1, 1, 1], 0),
    ("IPrec(rounding='round')@0.4", [1, 0], [1, 1, 1], 1),
    ("IPrec(rounding='trunc')@0.4", [1, 0], [1, 1, 1], 0),
    ("11pt(rounding='round')", [1, 0], [1, 1, 1], 5 / 11),
    ("11pt(rounding='trunc')", [1, 0], [1, 1, 1], 4 / 11),
    ("11pt", [0, 1], [1, 1], 6 * 0.5 / 11),
    ("DCG", [3, 0, 2], [3, 2], 4),
    ("DCG@2", [1, 2, 4], [1, 2, 4], 1 + 2 / LOG3),
    ("DCG(gain='exp')", [2, -1, 2], [2, 2, -1], 3 + 3 / 2),
    ("DCG(base=4)", [0, 0, 1], [1], 1),
    ("DCG(gains={0:1,1:0.5,2:-3})", [0, 1, 2], [0, 1, 2], 1 + 0.5 / LOG3),
    ("DCG(gains={-1:5,1:1})", [-1, 1], [-1, 1], 1 / LOG3),
    ("IDCG", [0], [1, 2], 2 + 1 / LOG3),
    ("IDCG(base=4)@1", [0], [1, 2], 4),
    ("IDCG(gains={1:9})", [0], [1, 2], 9 + 2 / LOG3),
    ("nDCG", [0, 0, 3], [3], 0.5),
    ("nDCG@1", [1, 2], [1, 2], 0.5),
    ("nDCG(gain='exp')@1", [1, 2], [1, 2], 1 / 3),
    ("nDCG(gains={1:4})@1", [2, 1], [1, 2], 0.5),
    ("SDCG@2", [1, 0], [1], 1 / (1 + 1 / LOG3)),
    ("SDCG(max_rel=2,gain='exp')@1", [1], [1], 1 / 3),
    ("GP@4", [2, 0, 1, -1, 2], [2, 1, 2, -1], 3 / 8),
    ("GP(max_rel=4)@2", [1, 1], [1, 1], 0.25),
    ("GR@2", [4, -1, 1], [4, 1, 1, 1, 1, -1], 0.5),
    ("GP@2", [-0.5, 1], [-0.5, 1], 0.5),
    ("GR@2", [-0.5, 1], [-0.5, 1, 3], 0.25),
    ("ERR", [0, 1], [1], 0.25),
    ("ERR", [-0.5, 1], [-0.5, 1], 0.25),
    ("ERR", [1, 2, 2], [1, 2, 2], 1 / 4 + 3 / 4 * 3 / 4 / 2 + 3 / 4 / 4 * 3 / 4 / 3),
    ("ERR@2", [1, 2, 2], [1, 2, 2], 1 / 4 + 3 / 4 * 3 / 4 / 2),
    ("ERR(max_rel=4)", [1], [1], 1 / 16),
    ("RBP(p=0.5)", [1, 0, 1], [1, 1], 0.625),
    ("RBP(p=0.5)@2", [1, 0, 1], [1, 1], 0.5),
    ("RBP(p=0.5,gain='linear')", [1, 2], [1, 2], 0.5),
    ("RBP(p=0.5,gain='exp',max_rel=3)", [1, 2], [1, 2], 1 / 14 + 3 / 28),
    ("RBPResid(p=0.5)", [1, None, 0], [1, 0], 0.375),
    ("RBPResid(p=0.5)@1", [1, None, 0], [1, 0], 0.5),
    ("RBPResid(p=0.5)", [-1, 0], [-1, 0], 0.75),
    ("TopicRBP(p=0.5)", [1, 2], [1, 2], 0.5),
    ("TopicRBP(p=0.5)", [0.5, 1], [0.5, 1], 0.5),
    ("TopicRBP(p=0.5)", [0.5], [0.5], 0.25),
    ("TopicRBP(p=0.5,gains={1:4,3:8})", [1, 2], [1, 2], 0.5 * 4 / 8 + 0.25 * 2 / 8),
    ("TopicRBP(p=0.5,gains={3:0.5})", [0.5], [0.5], 0.25),
    ("TopicRBPResid(p=0.5)", [1, None, 0], [1, 0], 0.375),
    ("TopicRBPResid(p=0.5)", [1, 0, 0], [1, 0, 0], 0),
    ("TopicRBPResid(p=0.5)", [-1], [-1], 1),
    ("BinG", [0, 1, 1], [1, 1, 1], 2 / LOG3 / 3),
    ("BinG", [1, None, 0, 1], [1, 1, 0], (1 + 0.5) / 2),
    ("G", [1, 0, 2], [2, 1, 0], (1 / LOG3 + 2 / math.log2(2 + 4 - 3)) / 3),
    ("G", [0, 0, 1], [1], 1 / math.log2(2 + 3 - 1)),
    ("G", [2, 2], [2, 2], 1),
    ("G(gains={1:3})", [2, 1], [1, 2], (2 / LOG3 + 3 / 1) / 5),
    ("Compat(p=0.5)", [0, 1], [0, 1], 1 - 1 / (2 * math.log(2))),
    ("Compat(p=0.5)", [1, 2], [1, 2], (4 * math.log(2) - 2) / (4 * math.log(2) - 1)),
    ("Compat(p=0.5)", [0.5], [0.5, 0], 1),
    ("nDCGrel", [1, 0, 1], [1, 1], (1 + (1 + 0.5) / (1 + 1 / LOG3)) / 2),
    ("nDCGrel", [0, 1], [1, 1], (1 / LOG3) / (1 + 1 / LOG3)),
    ("nDCGrel(gains={1:0,2:1})", [1, 2], [1, 2], 1 / LOG3),
    ("RnDCG", [0, 1, 0], [1, 0, 0], (0 + 1 / LOG3) / 2),
    ("RnDCG", [0, 1], [1], 0),
    ("RnDCG", [1], [1], 1),
    ("RnDCG", [1, 2], [2, 1], (0.5 + (1 + 2 / LOG3) / (2 + 1 / LOG3)) / 2),
    ("Utility", [1, 0, 0], [1, 1], -1),
    ("Utility(hit=2,noise=-3,miss=-5,rest=7,collection=10)", [1, 0, 0], [1, 1], 2 - 6 - 5 + 7 * (10 - 3 - 1)),
    ("SetP", [1, 0, 0, 2], [1, 2], 0.5),
    ("SetP", [], [1], 0),
    ("SetR", [0, 0, 1], [1, 2, 0], 0.5),
    ("SetF", [1], [1, 1], 2 / 3),
    ("SetF(beta=2)", [1], [1, 1], 5 / 9),
    ("SetF", [0], [1], 0),
    ("SetAP", [1, 0], [1, 1, 1, 1], 1 / 8),
    ("SetAP", [], [1], 0),
    ("SetRelP", [1, 0, 0], [1, 1], 0.5),
    ("SetRelP", [], [1], 0),
    ("NumRet", [1, None, 0], [1, 0], 3),
    ("NumRel", [1], [1, 2, 0, -1], 2),
    ("NumRelRet", [1, 0, None], [1, 2, 0], 1),
    ("NumNonRelRet", [1, 0, None, -1, 0], [1, 0, 0, -1], 2),
    ("Judged@4", [1, None, 0], [1, 0], 2 / 3),
    ("Judged@1", [1, None, 0], [1, 0], 1),
    ("Unj@4", [1, None, 0], [1, 0], 0.25),
    ("MR", [0, 1, 0, 1], [1, 1], 3),
    ("MedianRank", [1, 0, 1, 0, 0, 1], [1, 1, 1], 3),
    ("MedianRank", [1, 1, 0, 1, 0, 1], [1, 1, 1, 1], 3),
    ("GMR", [1, 0, 0, 1], [1, 1], 2),
    ("AMR(collection=9)", [0, 1], [1], 0.4),
    ("AMRI(collection=9)", [0, 1], [1], 0.75),
    ("AMRI(collection=5)", [1, 0, 1], [1, 1], 2 / 3),
    ("AdjustedMRR(collection=2)", [0, 1], [1], (0.5 - 0.75) / (1 - 0.75)),
    ("AdjustedMRR(collection=3)", [0, 1, 1], [1, 1], (0.5 - 5 / 6) / (1 - 5 / 6)),
    ("AdjustedHits(collection=4)@2", [0, 0, 1], [1], -1),
    ("AdjustedHits(collection=4)@2", [0, 0, 1, 1], [1, 1], -5),
    ("Noise@4", [1, None, 0], [1, 0], 2 / 3),
    ("ContextP@3", [0, 1, 1], [1, 1, 1], (1 / 2 + 2 / 3) / 2),
]  # fmt: skip
"""A measure, the grades of a ranking (None: not judged), all grades of the gold, and the value on paper."""

UNDEFINED = [
    ("P@1", [0], [0]), ("P(rel=2)@1", [1], [1]), ("nDCG", [0], [0]), ("nDCG(gains={1:0})", [1], [1]),
    ("DCG", [-1], [-1]), ("MR", [1], [1, 1]), ("MedianRank", [], [1]), ("GMR", [0, 1], [1, 1]),
    ("AMRI(collection=2)", [1, 1], [1, 1]), ("AdjustedMRR(collection=2)", [1, 1], [1, 1]),
    ("AdjustedHits(collection=3)@3", [0, 1], [1]), ("AdjustedHits(collection=3)@5", [0, 1], [1]),
    ("AdjustedHits(collection=3)@2", [0, 1], [1, 1]), ("Judged@3", [], [1]), ("Noise@3", [], [1]),
    ("RprecMult@1", [0], [0]), ("TopicRBP", [0], [0]), ("IPrec@0", [0], [0]),
]  # fmt: skip


def ids_of(cases):
    return [f"{text} of {grades} in {gold}" for text, grades, gold, *_ in cases]


@pytest.mark.parametrize(("text", "grades", "gold", "value"), CASES, ids=ids_of(CASES))
def test_the_value_on_paper(text, grades, gold, value):
    measure = parse(text)
    known = [UNJUDGED if grade is None else grade for grade in grades]
    assert measure.of(grades, gold) == pytest.approx(value, rel=1e-12)
    assert measure.by_the_book(known, gold) == pytest.approx(value, rel=1e-12)


WITH_EXPECTATION = [case for case in CASES if type(parse(case[0])).expected is not Measure.expected]


@pytest.mark.parametrize(("text", "grades", "gold", "value"), WITH_EXPECTATION, ids=ids_of(WITH_EXPECTATION))
def test_without_ties_the_value_on_paper_is_expected(text, grades, gold, value):
    judged = Judged.of_grades([UNJUDGED if grade is None else grade for grade in grades], gold)
    assert parse(text).expected(judged)[0] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("text", "grades", "gold"), UNDEFINED, ids=ids_of(UNDEFINED))
def test_what_is_undefined(text, grades, gold):
    assert parse(text).of(grades, gold) is None


@pytest.mark.parametrize(("text", "grades", "gold"), UNDEFINED, ids=ids_of(UNDEFINED))
def test_the_book_is_undefined_where_the_formula_is(text, grades, gold):
    if parse(text).defined(Judged.of_grades(grades, gold))[0]:
        assert math.isnan(parse(text).by_the_book(grades, gold))


@pytest.mark.parametrize("text", ["AP", "GMAP", "nDCG", "GP@1", "GR@1", "SDCG@1", "Compat"])
def test_the_book_is_undefined_where_nothing_is_relevant(text):
    assert math.isnan(parse(text).by_the_book([0, -1], [0, -1]))


@pytest.mark.parametrize(("rank", "value"), [(1000, 0.99**999 / 1000), (1001, 0)])
def test_rankings_are_compared_down_to_place_1000(rank, value):
    best = math.fsum(0.99 ** (depth - 1) / depth for depth in range(1, 1001))
    alone = [UNJUDGED] * (rank - 1) + [1]
    assert parse("Compat(p=0.99)").kernel(Judged.of_grades(alone, [1]))[0] == pytest.approx(value / best, rel=1e-9)
    assert parse("Compat(p=0.99)").by_the_book(alone, [1]) == pytest.approx(value / best, rel=1e-9)
