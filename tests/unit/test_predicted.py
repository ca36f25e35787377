"""Few human and many machine labels: the estimate against its definition, its coverage, and what is said."""

import gzip
import json
import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import Policy, evaluate
from assay.core.gold import Gold
from assay.errors import InputError, OverlapError, ParameterError, UnsupportedError
from assay.evaluate.predicted import predicted as predicted_figures
from assay.formats import read_gold
from assay.statistics.predicted import predicted

CHANCE = np.random.default_rng(11)
MACHINE = CHANCE.uniform(size=60)
HUMAN = np.clip(0.2 + 0.6 * MACHINE + CHANCE.normal(0, 0.1, 60), 0, 1)


def some(count, values=HUMAN):
    return np.where(np.arange(len(values)) < count, values, np.nan)


def test_the_estimate_is_the_definition():
    found = predicted(MACHINE, some(25))
    y, f = HUMAN[:25], MACHINE[:25]
    slope = np.cov(y, f)[0, 1] / f.var(ddof=1)
    rest = (y - y.mean()) - slope * (f - f.mean())
    gap = MACHINE.mean() - f.mean()
    error = (rest @ rest / 23) * (1 / 25 + gap**2 / ((f - f.mean()) ** 2).sum())
    error += slope**2 * MACHINE.var(ddof=1) / 60
    assert found.lambda_ == pytest.approx(slope)
    assert found.estimate == pytest.approx(y.mean() + slope * gap)
    assert found.high - found.low == pytest.approx(2 * 2.0687 * math.sqrt(error), rel=1e-4)
    assert found.effective == pytest.approx(y.var(ddof=1) / error)
    assert found.saved == pytest.approx(found.effective - 25)
    assert found.correlation == pytest.approx(np.corrcoef(y, f)[0, 1])
    assert (found.human, found.machine) == pytest.approx((y.mean(), MACHINE.mean()))
    assert (found.queries_human, found.queries_machine, found.warnings) == (25, 60, ())


def test_where_people_judged_all_nothing_is_saved():
    found = predicted(MACHINE, HUMAN)
    assert found.estimate == pytest.approx(HUMAN.mean())
    assert found.saved == pytest.approx(0, abs=1.5)


def test_a_machine_that_does_not_vary_or_few_judged_leave_people_alone():
    for machine, human in ((np.full(60, 0.5), some(30)), (MACHINE, some(3)), (1 - MACHINE, some(30))):
        found = predicted(machine, human)
        assert found.lambda_ == 0
        assert found.estimate == pytest.approx(found.human)
        assert found.interval == found.human_interval
        assert found.saved == pytest.approx(0)
        assert "weak" in found.warnings or found.queries_human == 3


def test_one_judged_query_has_no_interval():
    found = predicted(MACHINE, some(1), bounds=(0, 1))
    assert found.effective is None
    assert found.low is None or (found.low, found.high) == (found.human_interval.low, found.human_interval.high)


def test_what_may_be_wrong_unseen_is_in_the_interval_of_a_machine_that_is_right_on_all():
    machine = (np.arange(200) % 3 > 0).astype(float)
    found = predicted(machine, some(10, machine), bounds=(0, 1))
    assert found.estimate == pytest.approx(machine.mean())
    assert (found.effective, found.saved) == (None, None)
    assert found.low < 0.5
    assert found.high > 0.8
    wide = predicted(machine, some(100, machine), bounds=(0, 1))
    assert wide.high - wide.low < (found.high - found.low) / 2


def test_people_who_all_say_the_same_prove_nothing_of_the_others():
    found = predicted(MACHINE, some(8, np.ones(60)), bounds=(0, 1))
    assert (found.estimate, found.high, found.lambda_) == (1.0, 1.0, 0.0)
    assert 0.5 < found.low < 0.7


def test_the_interval_stays_within_the_bounds_of_the_measure():
    values = np.array([0.0, 0.0, 0.1, 0.0, 0.3, 0.0] * 10)
    machine = np.roll(values, 1) + values
    assert predicted(machine, some(6, values)).low < 0
    assert predicted(machine, some(6, values), bounds=(0, 1)).low == 0


def test_equal_weights_change_nothing_and_copies_in_clusters_are_no_new_queries():
    plain = predicted(MACHINE, some(25))
    weighed = predicted(MACHINE, some(25), weights=np.full(60, 3.0))
    copies = predicted(np.repeat(MACHINE, 2), np.repeat(some(25), 2), clusters=np.repeat(np.arange(60), 2))
    for found in (weighed, copies):
        assert (found.estimate, found.low, found.high) == pytest.approx((plain.estimate, plain.low, plain.high))
        assert found.effective == pytest.approx(plain.effective)
    weights = CHANCE.uniform(size=60)
    lone = predicted(MACHINE, HUMAN, weights=weights)
    assert lone.estimate == pytest.approx(np.average(HUMAN, weights=weights))


def test_queries_that_are_no_random_sample_are_called_so():
    order = np.argsort(MACHINE)
    assert "unlike" in predicted(MACHINE[order], some(25, HUMAN[order])).warnings
    assert predicted(MACHINE, some(12)).warnings == ("few",)


@pytest.mark.parametrize(
    ("machine", "human", "level"),
    [(MACHINE, some(0), 0.95), (MACHINE[:5], HUMAN, 0.95), (some(5), HUMAN, 0.95), (MACHINE, HUMAN, 1.0)],
)
def test_what_is_missing_is_said(machine, human, level):
    with pytest.raises(ParameterError, match="a machine value for each query"):
        predicted(machine, human, level=level)


def test_human_queries_without_weight_say_nothing():
    with pytest.raises(ParameterError, match="weight above 0"):
        predicted(MACHINE, some(2), weights=np.where(np.arange(60) < 2, 0.0, 1.0))


def test_a_machine_that_says_nothing_is_not_trusted_by_a_rounding_error():
    judged = [(0, 0), (0, 3), (1, 0), (1, 4), (1, 5), (1, 5), (1, 5), (2, 0), (1, 0), (3, 0), (1, 2), (3, 2), (4, 0)]
    judged += [(4, 4), (4, 5)]
    machine = np.array([f for f, _ in judged] + [0] * 15, np.float64)
    human = np.array([y for _, y in judged] + [np.nan] * 15, np.float64)
    for turn in range(len(machine)):
        found = predicted(np.roll(machine, turn), np.roll(human, turn), bounds=(0, 5))
        assert found.lambda_ == 0
        assert found.low == pytest.approx(1.1188557, abs=1e-7)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=8, max_size=30), st.randoms())
def test_the_order_of_queries_does_not_matter(pairs, random):
    machine = np.array([f for f, _ in pairs], np.float64)
    human = np.array([y for _, y in pairs], np.float64)
    human[len(pairs) // 2 :] = np.nan
    order = list(range(len(pairs)))
    random.shuffle(order)
    first, second = predicted(machine, human, bounds=(0, 5)), predicted(machine[order], human[order], bounds=(0, 5))
    assert second.estimate == pytest.approx(first.estimate)
    assert (second.low, second.high) == pytest.approx((first.low, first.high), abs=1e-6)
    assert first.low - 1e-9 <= first.estimate <= first.high + 1e-9 or first.estimate < 0 or first.estimate > 5


def rankings(human, machine, copies=20, depth=30):
    """Rank the judged items of each query many times, by their human grades and more or less noise."""
    chance = np.random.default_rng(0)
    runs, people, model = {}, {}, {}
    grades = dict(
        machine.table.group_by("query").agg("item", "grade").select("query", pl.struct("item", "grade")).rows()
    )
    for (query,), rows in human.table.group_by("query", maintain_order=True):
        known = dict(zip(rows["item"], rows["grade"], strict=True))
        for copy in range(copies):
            scores = rows["grade"].to_numpy() + chance.normal(0, chance.uniform(0.5, 4), rows.height)
            top = np.argsort(-scores)[:depth]
            name = f"{query}-{copy}"
            runs[name] = {rows["item"][int(place)]: float(scores[place]) for place in top}
            people[name] = known
            model[name] = dict(zip(grades[query]["item"], grades[query]["grade"], strict=True))
    return people, model, runs


def dl23(folder, assessor):
    table = pl.read_csv(gzip.decompress((folder / "llm_labels.csv.gz").read_bytes()))
    model = Gold.from_frame(table.select(query="qid", item="docid", grade=assessor))
    return read_gold(folder / "human.qrels.txt"), model


def covered(human, machine, *, all_queries, judged, repetitions=250):
    """Draw queries and those that people judge; return coverage, mean width, that of people alone, labels saved."""
    chance = np.random.default_rng(7)
    truth, found = human.mean(), []
    for _ in range(repetitions):
        drawn = chance.choice(len(human), all_queries)
        few = chance.choice(all_queries, judged, replace=False)
        values = np.full(all_queries, np.nan)
        values[few] = human[drawn[few]]
        found.append(predicted(machine[drawn], values, bounds=(0, 1)))
    holds = np.mean([one.low <= truth <= one.high for one in found])
    widths = np.mean([[one.high - one.low, one.human_interval.high - one.human_interval.low] for one in found], axis=0)
    return holds, *widths, np.mean([one.saved for one in found])


@pytest.mark.parametrize("measure", ["P(rel=2)@10", "nDCG@10", "R(rel=2)@30"])
@pytest.mark.parametrize("source", ["willia-umbrela1", "TREMA-other", "umbrela"])
def test_coverage_on_real_labels_is_as_stated(data, source, measure):
    if source == "umbrela":
        folder = data / "ir/trec-rag25"
        names = ("qrels.rag25.test.txt.gz", "qrels.rag25.test-umbrela2.txt.gz")
        golds = tuple(read_gold(folder / name) for name in names)
    else:
        golds = dl23(data / "ir/llmjudge-dl23", source)
    people, model, runs = rankings(*golds)
    human, machine = (
        evaluate(gold, runs, measure).per_query["value"].fill_null(0).to_numpy() for gold in (people, model)
    )
    alike = np.corrcoef(human, machine)[0, 1]
    for all_queries, judged in ((200, 20), (100, 50)):
        holds, width, alone, saved = covered(human, machine, all_queries=all_queries, judged=judged)
        assert 0.90 <= holds <= 0.98
        if alike > 0.45:
            assert width < alone
            assert saved > 0
        assert width < 1.03 * alone


def golds(queries=30, judged=12):
    machine = {f"q{n}": {"a": n % 3 > 0, "b": n % 2, "c": 0, "d": 1} for n in range(queries)}
    human = {f"q{n}": {"a": n % 4 > 0, "b": n % 2, "d": 1} for n in range(judged)}
    run = {f"q{n}": ["a", "b", "c"] if n % 5 else ["c", "a", "d"] for n in range(queries)}
    return human, machine, run


def test_a_run_is_judged_by_both_golds():
    human, machine, run = golds()
    found = predicted_figures(human, machine, run, "P@2 nDCG@10 R@3")
    assert [figure.measure for figure in found] == ["P@2", "nDCG@10", "R@3"]
    by_people = evaluate(human, run, "P@2 nDCG@10 R@3")
    by_machine = evaluate(machine, run, "P@2 nDCG@10 R@3")
    for figure in found:
        assert figure.predicted.human == pytest.approx(by_people[figure.measure])
        assert figure.predicted.machine == pytest.approx(by_machine[figure.measure])
        assert (figure.predicted.queries_human, figure.predicted.queries_machine, figure.left_out) == (12, 30, 0)
        assert figure.predicted.low <= figure.predicted.estimate <= figure.predicted.high


def test_it_is_plain_data():
    human, machine, run = golds()
    document = json.loads(json.dumps(predicted_figures(human, machine, run, "P@2")[0].to_dict(), allow_nan=False))
    assert document["measure"] == "P@2"
    assert document["warnings"] == ["few"]
    assert document["interval"]["method"] == "t"
    assert {"estimate", "lambda", "human", "human_interval", "machine", "effective", "saved"} <= document.keys()


def test_weights_and_clusters_reach_the_estimate():
    human, machine, run = golds()
    table = pl.DataFrame({"query": list(machine), "cluster": [f"c{n // 2}" for n in range(30)], "weight": range(1, 31)})
    found = predicted_figures(human, machine, run, "P@2", weights=table)[0].predicted
    assert found.interval.units == 6
    assert found.human == pytest.approx(evaluate(human, run, "P@2", weights=table)["P@2"])


def test_a_query_without_a_value_on_one_side_is_left_out():
    human, machine, run = golds()
    human["q1"] = {"a": 0}
    assert predicted_figures(human, machine, run, "R@3")[0].left_out == 0
    skipped = predicted_figures(human, machine, run, "R@3", policy=Policy(empty="skip"))[0]
    assert (skipped.left_out, skipped.predicted.queries_human) == (1, 11)


def test_golds_that_do_not_fit_are_refused():
    human, machine, run = golds()
    with pytest.raises(OverlapError, match="both people and the machine"):
        predicted_figures({"x": {"a": 1}}, machine, run, "P@2")
    with pytest.raises(InputError, match="found none for 1, such as 'x'"):
        predicted_figures(human | {"x": {"a": 1}}, machine, run, "P@2")
    with pytest.raises(UnsupportedError, match="a mean over queries"):
        predicted_figures(human, machine, run, "GMAP")
    with pytest.raises(UnsupportedError, match="a mean over queries"):
        predicted_figures(human, machine, run, "NumRel")
