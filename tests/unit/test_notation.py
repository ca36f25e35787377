"""The grammar of measures: what is read, what two readings share, and what is refused with its reason."""

import math
import re

import numpy as np
import pytest

from assay.core.judged import Judged
from assay.errors import ParameterError, UnknownNameError, UnsupportedError
from assay.measures import MEASURES, notation, parse, parse_many
from assay.measures.parameters import PARAMETERS

READ = {
    "ndcg.1=3,2=9": ["nDCG(gains={1:3,2:9})"],
    "ndcg.1=0.5": ["nDCG(gains={1:0.5})"],
    "P.5,10": ["P@5", "P@10"],
    "set_F.4": ["SetF(beta=2)"],
    "set_F_4.0": ["SetF(beta=2)"],
    "set_F": ["SetF"],
    "Rprec_mult.0.5": ["RprecMult@0.5"],
    "iprec_at_recall_0.10": ["IPrec@0.1"],
    "11pt_avg": ["11pt"],
    "11pt(rel=2)": ["11pt(rel=2)"],
    "map map_cut_5": ["AP", "AP@5"],
    "P@{5,1,5}": ["P@1", "P@5"],
    ",P@1,,R@2 , AP,": ["P@1", "R@2", "AP"],
    "nDCG(cutoff=5)": ["nDCG@5"],
    "NRBP(beta=0.25)": ["NRBP(p=0.25)"],
    "SetF(beta=2)": ["SetF(beta=2)"],
    "DCG(dcg='exp-log2')": ["DCG(gain='exp')"],
    "DCG(dcg='log2')": ["DCG"],
    "DCG(gains={1:2,3:4})@{1,2}": ["DCG(gains={1:2,3:4})@1", "DCG(gains={1:2,3:4})@2"],
    "P(rel=1)@1": ["P@1"],
    "P(judged_only=True,rel=2)@1": ["P(rel=2,judged_only=True)@1"],
    "P(rel=2.0)@1.0": ["P(rel=2)@1"],
}
REFUSED = {
    "P@1 P@2": "expected one measure, found 2",
    "": "expected one or more, found none",
    " ,": "expected one or more, found none",
    "P(5)": "parameters are given by name",
    "P(**5)": "parameters are given by name",
    "P@'5'": "expected a number or a set of numbers after @",
    "P@(5,6)": "expected a number or a set of numbers after @",
    "P@5+1": "expected a measure such as",
    "(P)(rel=1)@1(": "expected a measure such as",
    "5": "expected a measure such as",
    "P(rel=x)@1": "expected a measure such as",
    "nDCG(dcg='none')": "no parameter of nDCG is called 'dcg'",
    "P(depth=5)": "no parameter of P is called 'depth'",
    "P": "P needs a cutoff, for example P@10. SetP",
    "IPrec": "IPrec needs a cutoff, for example IPrec@0.1.",
    "P.5,1.e": "expected a number, found '1.e'",
    "AP.5": "expected AP with its cutoff after @ and its parameters in brackets, found 'AP.5'",
    "ndgc.5": "no measure is called 'ndgc'",
    "11pt_avg.5": "no measure is called '11pt_avg'",
    "Bpref@5": "Bpref has no cutoff, found Bpref@5",
}


@pytest.mark.parametrize(("text", "names"), READ.items(), ids=READ)
def test_what_is_read(text, names):
    assert [str(one.measure) for one in parse_many(text)] == names


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_refused(text):
    with pytest.raises((ParameterError, UnknownNameError), match=re.escape(REFUSED[text])):
        parse(text)


def test_a_measure_may_have_as_many_characters_as_are_allowed():
    longest = "P(rel=2." + "0" * (notation.LONGEST - 11) + ")@1"
    assert len(longest) == notation.LONGEST
    assert str(parse(longest)) == "P(rel=2)@1"
    with pytest.raises(ParameterError, match="at most 500 characters, found 501"):
        parse(f"{longest}0")


def test_what_was_typed_is_kept():
    typed = [one.text for one in parse_many("map P@{5,10} P.3,4 recall_5 P@7 AP")]
    assert typed == ["map", "P@5", "P@10", "P.3", "P.4", "recall_5", "P@7"]
    assert [one.text for one in parse_many([MEASURES["AP"], MEASURES["P"] @ 5])] == ["AP", "P@5"]


ALLOWED = {
    "k": ([1, 7], [0, -1, 1.5, True, "1"]),
    "rel": ([-1, 0, 0.5], [math.inf, math.nan, True, "1"]),
    "beta": ([0.1], [0, -1]),
    "p": ([0.01, 0.99], [0, 1]),
    "alpha": ([0, 1], [-0.1, 1.1]),
    "recall": ([0, 1], [-0.1, 1.1]),
    "gain": (["linear", "exp"], ["log", ""]),
    "gains": ([((1, 2),)], [(), ((1, "a"),), {1: 2}]),
    "base": ([1.1, 10], [1, 0]),
    "norm": (["R", "min", "found"], ["r"]),
    "max_rel": ([0.1], [0, -1]),
    "rounding": (["ceil", "trunc", "round"], ["floor"]),
    "floor": ([1e-9], [0, -1]),
    "multiple": ([0, 2.5], [-0.1]),
    "hit": ([-1, 0], ["1"]),
    "noise": ([-1, 0], ["1"]),
    "miss": ([-1, 0], ["1"]),
    "rest": ([-1, 0], ["1"]),
    "collection": ([0, 1], [-1, 1.5]),
    "surplus": (["dropped", "paired"], ["kept"]),
    "judged_only": ([True, False], [0, 1, "yes"]),
}


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_values_that_a_parameter_may_have(name):
    _, allowed, _ = PARAMETERS[name]
    good, bad = ALLOWED[name]
    assert all(map(allowed, good))
    assert not any(map(allowed, bad))


def test_a_measure_is_equal_to_its_like_and_does_not_change():
    one = parse("P(rel=2)@5")
    assert one == MEASURES["P"](k=5.0, rel=np.float64(2))
    assert hash(one) == hash(MEASURES["P"](rel=2, k=5))
    assert one != MEASURES["P"](k=5)
    assert one != MEASURES["RelP"](k=5, rel=2)
    with pytest.raises(AttributeError, match="does not change"):
        one.k = 3
    assert repr(MEASURES["P"]) == "P"


def test_a_class_takes_a_cutoff():
    assert MEASURES["nDCG"] @ 10 == parse("nDCG@10")
    with pytest.raises(ParameterError, match="AMR has no cutoff"):
        MEASURES["AMR"] @ 10


@pytest.mark.parametrize(
    ("text", "above", "below"), [("P@3", 1, 3), ("R@3", 1, 2), ("F1@3", 2, 5), ("SetP", 1, 4), ("SetR", 1, 2)]
)
def test_what_is_added_up_for_a_micro_average(text, above, below):
    found = parse(text).fraction(Judged.of_grades([1, 0, 0, -np.inf], [1, 1, 0, 0]))
    assert [side.tolist() for side in found] == [[above], [below]]


def test_a_micro_average_needs_counts():
    with pytest.raises(UnsupportedError, match="nDCG is not"):
        MEASURES["nDCG"]().fraction(Judged.of_grades([1], [1]))


def test_the_gold_may_not_be_above_the_top_grade():
    judged = Judged.of_grades([3], [3])
    with pytest.raises(ParameterError, match="max_rel of at least 3"):
        MEASURES["ERR"](max_rel=2).kernel(judged)
    assert MEASURES["GP"](max_rel=3, k=1).kernel(judged)[0] == 1


def test_figures_are_weighted_means_or_sums():
    values, weights = np.array([0.25, 0.5]), np.array([3.0, 1.0])
    assert parse("AP").aggregate(values) == 0.375
    assert parse("AP").aggregate(values, weights) == 0.3125
    assert parse("AP").aggregate(values, np.zeros(2)) is None
    assert parse("NumRel").aggregate(values, weights) == 1.25
    assert parse("NumQ").aggregate(values, weights) == 2
    assert parse("GMAP").aggregate(np.array([1.0, 0.0])) == pytest.approx(math.sqrt(1e-5))
    assert parse("GMBpref").aggregate(np.array([1.0, 0.0])) == pytest.approx(math.sqrt(1e-5))
    assert parse("GMAP(floor=0.25)").aggregate(np.array([1.0, 0.0])) == pytest.approx(0.5)
    assert parse("GMR").aggregate(np.array([1.0, 4.0])) == pytest.approx(2)
