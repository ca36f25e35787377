"""Agreement of judges equals that of the libraries and papers that people trust."""

import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.labels import Labels
from assay.formats.labels import read_labels
from assay.judging.agree import agree
from assay.statistics.judges import LEVELS, alpha_of, coincidences, krippendorff_alpha
from assay.statistics.reliability import cohen_kappa, counted, fleiss_kappa, gwet_ac1, percent_agreement

pytestmark = pytest.mark.oracle

GRADES = st.sampled_from([0.0, 1.0, 2.0, 4.0])
PANELS = st.tuples(st.integers(2, 12), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.one_of(GRADES, st.just(math.nan)))
)
WHOLE = st.tuples(st.integers(2, 12), st.integers(2, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=GRADES)
)

HOW_TO = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
"""Four observers of twelve units, from Krippendorff's "Computing Krippendorff's alpha-reliability" (2011)."""


def panel(rows_are_judges: list[list[Any]]) -> np.ndarray[Any, Any]:
    return np.array(rows_are_judges, np.float64).T


@given(PANELS, st.sampled_from(LEVELS))
def test_alpha_is_that_of_krippendorff(grades, level):
    import krippendorff

    labels = [row[~np.isnan(row)].tolist() for row in grades]
    found = krippendorff_alpha(labels, level)
    pairable = [one for one in labels if len(one) > 1]
    if len(pairable) < 2 or len({label for one in pairable for label in one}) < 2:
        assert found is None
        return
    theirs = krippendorff.alpha(reliability_data=grades.T, level_of_measurement=level)
    assert found == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    scale, counts = counted(grades)
    assert alpha_of(coincidences(counts), scale, level) == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@given(WHOLE, st.sampled_from([None, "linear", "quadratic"]))
def test_kappa_is_that_of_scikit_learn(grades, weights):
    from sklearn.metrics import cohen_kappa_score

    first, second = grades[:, 0], grades[:, 1]
    found = cohen_kappa(first, second, weights)
    if len(set(first) | set(second)) < 2:
        assert found is None
        return
    scale = [0.0, 1.0, 2.0, 3.0, 4.0]  # with the grade between, so that places are distances
    theirs = cohen_kappa_score(first, second, labels=scale, weights=weights)
    assert found == pytest.approx(theirs, rel=1e-9, abs=1e-12)


@given(WHOLE)
def test_fleiss_is_that_of_statsmodels(grades):
    from statsmodels.stats.inter_rater import fleiss_kappa as theirs

    _, counts = counted(grades)
    if counts.shape[1] < 2:
        assert fleiss_kappa(grades) is None
        return
    assert fleiss_kappa(grades) == pytest.approx(theirs(counts), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_the_published_example_of_alpha(level, value):
    labels = [[one for one in unit if one is not None] for unit in zip(*HOW_TO, strict=True)]
    assert krippendorff_alpha(labels, level) == pytest.approx(value, abs=5e-4)


def test_the_same_example_by_the_other_coefficients():
    # Printed by the R package irrCAC for its sample data cac.raw4raters, which are these.
    grades = panel(HOW_TO)
    assert percent_agreement(grades) == pytest.approx(0.8181818, abs=5e-8)
    assert gwet_ac1(grades) == pytest.approx(0.77544, abs=5e-6)
    assert fleiss_kappa(grades) == pytest.approx(0.76117, abs=5e-6)


def test_the_published_example_of_fleiss():
    # Fleiss 1971 as worked through in Wikipedia's "Fleiss' kappa": ten subjects, fourteen raters, five categories.
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1), (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    grades = np.array([np.repeat(np.arange(5), row) for row in counts], np.float64)
    assert fleiss_kappa(grades) == pytest.approx(0.210, abs=5e-4)
    assert percent_agreement(grades) == pytest.approx(0.378, abs=5e-4)


def test_one_dissent_of_five_raters_is_an_alpha_of_exactly_nothing():
    rows = [[3, 3, 3, 3, 3], [3, 3, 3, 3, 3], [3, 3, None, None, 3], [3, 3, 3, 3, 1], [3, None, 3, 3, 3]]
    labels = [[one for one in unit if one is not None] for unit in zip(*rows, strict=True)]
    assert krippendorff_alpha(labels) == 0


def test_agreement_that_other_tools_got_wrong():
    lines = (Path(__file__).parent / "reported_agreement.jsonl").read_text("utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    table = cases["kappa-basic"]["input"]["table"]
    first = [i for i, row in enumerate(table) for many in row for _ in range(many)]
    second = [j for row in table for j, many in enumerate(row) for _ in range(many)]
    assert cohen_kappa(first, second) == pytest.approx(cases["kappa-basic"]["expected"]["kappa"], rel=1e-12)
    single = cases["kappa-single-label"]["input"]
    assert cohen_kappa(single["a"], single["b"]) is None
    both = np.column_stack([single["a"], single["b"]])
    assert (percent_agreement(both), gwet_ac1(both, single["labels"])) == (1, 1)
    for name, tolerance in (("alpha-one-disagreement", 1e-12), ("alpha-howto", 5e-4)):
        rows = cases[name]["input"]["rows_are_raters"]
        labels = [[one for one in unit if one is not None] for unit in zip(*rows, strict=True)]
        for key, value in cases[name]["expected"].items():
            level = cases[name]["input"]["level"] if key == "alpha" else key
            assert krippendorff_alpha(labels, level) == pytest.approx(value, abs=tolerance)


def test_two_annotators_of_rag25(data: Path):
    folder = data / "ir" / "trec-rag25"
    files = [folder / "qrels.rag25.test.txt.gz", folder / "qrels.rag25.test-umbrela2.txt.gz"]
    (found,) = agree(read_labels(files), interval=None).between
    assert found.pairs == 10_284
    assert found.coefficients["kappa"].value == pytest.approx(0.233, abs=5e-4)
    assert found.coefficients["quadratic"].value == pytest.approx(0.492, abs=5e-4)


def _columns(labels: Labels) -> dict[str, np.ndarray]:
    """The grades of each judge in the order of the pairs, NaN where a judge said none."""
    wide = labels.pairs.join(labels.table.pivot("judge", index=["query", "item"], values="grade"), on=["query", "item"])
    return {judge: wide[judge].cast(pl.Float64).fill_null(np.nan).to_numpy() for judge in labels.judges}


def test_a_person_and_33_programs_of_llmjudge(data: Path):
    import krippendorff
    from sklearn.metrics import cohen_kappa_score

    folder = data / "ir" / "llmjudge-dl23"
    programs = read_labels(folder / "llm_labels.csv.gz")
    assert (len(programs.judges), programs.pairs.height) == (33, 4_423)
    alone = agree(programs, interval=None)
    assert alone.alpha.value == pytest.approx(0.535, abs=5e-4)
    theirs = krippendorff.alpha(reliability_data=list(_columns(programs).values()), level_of_measurement="ordinal")
    assert alone.alpha.value == pytest.approx(theirs, rel=1e-9)
    both = read_labels([folder / "llm_labels.csv.gz", folder / "human.qrels.txt"])
    found = agree(both, reference="human", interval=None).between
    kappas = sorted((one.coefficients["kappa"].value, one.second) for one in found)
    assert (kappas[-1][0], kappas[0][0]) == pytest.approx((0.286, 0.060), abs=5e-4)
    assert {one.second: one.coefficients["quadratic"].value for one in found}[kappas[-1][1]] == pytest.approx(
        0.504, abs=5e-4
    )
    columns = _columns(both)
    for one in found:
        person, program = columns[one.first].astype(int), columns[one.second].astype(int)
        scale = list(range(11))
        assert one.coefficients["kappa"].value == pytest.approx(cohen_kappa_score(person, program, labels=scale))
        quadratic = cohen_kappa_score(person, program, labels=scale, weights="quadratic")
        assert one.coefficients["quadratic"].value == pytest.approx(quadratic)


@given(PANELS)
def test_alpha_by_its_definition(grades):
    labels = [row[~np.isnan(row)].tolist() for row in grades]
    units = [one for one in labels if len(one) > 1]
    every = [label for one in units for label in one]
    if len(units) < 2 or len(set(every)) < 2:
        return
    seen = sum(2 * sum((a - b) ** 2 for a, b in combinations(one, 2)) / (len(one) - 1) for one in units) / len(every)
    chance = 2 * sum((a - b) ** 2 for a, b in combinations(every, 2)) / (len(every) * (len(every) - 1))
    assert krippendorff_alpha(labels, "interval") == pytest.approx(1 - seen / chance, rel=1e-9, abs=1e-12)
