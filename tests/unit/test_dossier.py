"""What a report is drawn from, against `evaluate`, `explain` and `compare` asked one by one."""

import numpy as np
import polars as pl
import pytest

from assay.core.explanation import ExplainedChange, Explanation
from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.dossier import dossier, write_report
from assay.dossier.explained import MOST
from assay.errors import ParameterError, UnknownNameError
from assay.evaluate import evaluate
from assay.explain import explain, explain_change

RNG = np.random.default_rng(4)
QUERIES = [f"q{n}" for n in range(8)]
GOLD = {q: {f"d{n}": int(RNG.integers(0, 3)) for n in RNG.choice(12, 6, replace=False)} for q in QUERIES}
RUNS = [{q: {f"d{n}": float(RNG.integers(0, 9)) for n in range(12)} for q in QUERIES} for _ in range(3)]
ASPECTS = Gold.from_details(
    pl.DataFrame({"query": ["p", "p", "q", "q"], "group": list("1212"), "item": list("abab"), "grade": [1, 1, 0, 1]})
)


@pytest.fixture(scope="module")
def found():
    return dossier(GOLD, RUNS, "AP nDCG@5", weights={q: n + 1 for n, q in enumerate(QUERIES)}, by="relevant")


@pytest.mark.parametrize("policy", [Policy(), Policy(ties="realistic"), Policy(missing="skip", unjudged="drop")])
def test_curves_are_what_evaluate_says_of_each_cutoff(policy):
    runs = [RUNS[0], {q: items for q, items in RUNS[1].items() if q != "q3"}]
    found = dossier(GOLD, runs, "AP", policy=policy)
    labels = dict(zip(found.labels, runs, strict=True))
    longest = 6 if policy.unjudged == "drop" else 12  # of 12 items six are judged
    assert {point.k for point in found.curves} == {min(k, longest) for k in (1, 2, 3, 4, 5, 7, 10, 15)}
    assert {point.measure for point in found.curves} == {"P", "R", "F1", "HR", "nDCG"}
    for point in found.curves:
        name = f"{point.measure}@{point.k}"
        assert point.mean == evaluate(GOLD, labels[point.run], name, policy=policy)[name]
        assert point.ceiling >= point.mean - 1e-12
    assert len(found.precision_recall) == 22
    for point in found.precision_recall:
        name = f"IPrec@{point.recall:g}"
        assert point.precision == evaluate(GOLD, labels[point.run], name, policy=policy)[name]


def test_runs_that_answer_other_queries_have_ceilings_of_their_own():
    gold = {"one": {"a": 1}, "two": {"a": 1, "b": 1}}
    runs = [{"one": ["a"]}, {"two": ["a", "b"]}, {"one": ["x"], "two": ["a"]}]
    found = dossier(gold, runs, "P@1", policy=Policy(missing="skip"))
    ceilings = [point.ceiling for point in found.curves if (point.measure, point.k) == ("R", 1)]
    assert ceilings == [1.0, 0.5, 0.75]


def test_the_parts_are_those_of_the_verbs(found):
    assert len(found.explained) == 2 * len(QUERIES)
    for (run, query, measure), one in found.explained.items():
        alone = explain_change(GOLD, RUNS[0], RUNS[found.labels.index(run)], query, measure, places=12)
        assert isinstance(one, ExplainedChange)
        assert one.difference == alone.difference
        assert [move.to_dict() for move in one.moves] == [move.to_dict() for move in alone.moves]
        assert sum(move.change for move in one.moves) + one.other == pytest.approx(one.difference)
    assert found.comparison.baseline == found.labels[0]
    assert [slicing.column for slicing in found.slices] == ["relevant items"]
    assert (found.health.work_measure, len(found.health.work_runs)) == ("AP", 2)
    assert found.title == f"{', '.join(found.labels)} by gold"


def test_one_run_is_explained_by_its_worst_queries():
    found = dossier(GOLD, RUNS[:1], "AP")
    assert (found.comparison, len(found.explained)) == (None, len(QUERIES))
    for (_, query, measure), one in found.explained.items():
        assert isinstance(one, Explanation)
        assert one.value == explain(GOLD, RUNS[0], query, measure).value
        assert sum(place.contribution for place in one.places) + one.rest == pytest.approx(one.value)


def test_explanations_are_few_however_many_runs_there_are():
    names = [f"q{n}" for n in range(90)]
    runs = [{name: ["x"] * shift + ["a"] for name in names} for shift in (0, 1, 2)]
    found = dossier({name: {"a": 1} for name in names}, runs, "RR", policy=Policy(duplicates="first"))
    assert len(found.explained) == MOST


def test_costs_stand_beside():
    rows = {"query": QUERIES, "item": ["d1"] * 8, "score": [1.0] * 8, "tokens": range(8), "latency_ms": [20] * 8}
    run = Run.from_frame(pl.DataFrame(rows))
    found = dossier(GOLD, [run], "P@1")
    assert [(one.cost, one.mean, one.total, one.queries) for one in found.costs] == [
        ("latency", 0.02, pytest.approx(0.16), 8), ("tokens", 3.5, 28, 8)
    ]  # fmt: skip
    pair = dossier(GOLD, [run, RUNS[0]], "P@1")
    assert pair.comparison.costs == pair.costs
    assert {one.run for one in pair.costs} == {pair.labels[0]}


@pytest.mark.parametrize(("runs", "measures"), [(1, "GMAP"), (2, "NumQ GMAP"), (2, "NumRet"), (1, "MR"), (2, "MR")])
def test_measures_that_have_no_work_list_or_no_mean(runs, measures):
    found = dossier(GOLD, RUNS[:runs], measures)
    assert {figure.name for figure in found.evaluations[0].figures} == set(measures.split())
    assert len(found.health.figures) == runs * len(measures.split())
    assert (found.health.work_measure in {"NumRet", "MR"}) == bool(found.health.work_measure)


def test_the_work_list_is_for_the_first_measure_that_has_one():
    assert dossier(GOLD, RUNS[:2], "GMAP P@3").health.work_measure == "P@3"


def test_aspects_have_a_report_too():
    found = dossier(ASPECTS, [{"p": ["a"], "q": ["x", "b"]}, {"p": ["b", "a"]}], "alpha_nDCG@5")
    assert found.health.work == ()
    assert all(one.difference is not None for one in found.explained.values())
    assert found.curves


def test_what_these_conventions_do_not_have_is_left_out():
    expected = dossier(GOLD, RUNS[:1], "AP", policy=Policy(ties="expected"))
    assert expected.precision_recall == ()
    assert len({point.measure for point in expected.curves}) == 5
    fractional = {"q": {"a": 0.5, "b": 1.5}, "r": {"a": 1}}
    found = dossier(fractional, [{"q": ["a"], "r": ["a"]}], "nDCG")
    assert {point.measure for point in found.curves} == {"nDCG"}
    assert found.precision_recall == ()
    with pytest.raises(ParameterError, match="needs to know which grades are relevant"):
        dossier(fractional, [{"q": ["a"]}], "P@1")


def test_a_report_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "report.html"
    with pytest.raises(UnknownNameError, match="no pairs is called 'nonsense'"):
        write_report(GOLD, RUNS[:1], path, "P@1", pairs="nonsense")
    assert list(tmp_path.iterdir()) == []
    found = write_report(GOLD, RUNS[:1], path, "P@1", title="Here & <there>")
    text = path.read_text(encoding="utf-8")
    assert found.title == "Here & <there>"
    assert "Here &amp; &lt;there&gt;" in text
    assert "<there>" not in text
    assert text.rstrip().endswith("</html>")
