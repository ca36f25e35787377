"""`compare`: pairs, tests, family, verdicts, movers, notices."""

import json

import numpy as np
import polars as pl
import pytest
from tests.unit.evaluations import collection, evaluation, with_difference

import assay.statistics.effect
from assay.compare import compare, compare_evaluations
from assay.core.comparison import letter
from assay.core.policy import Policy
from assay.errors import ParameterError, UnknownNameError, UnsupportedError


def test_five_queries_give_the_exact_p_of_all_sign_patterns():
    found = compare_evaluations(with_difference([0.3, 0.1, 0.2, -0.1, 0.4]))["new", "AP"]
    assert found.significance.p == 0.1875
    assert found.significance.method == "sign flips, exact"
    assert found.difference == pytest.approx(0.18)
    assert (found.wins, found.ties, found.losses) == (4, 0, 1)
    assert found.verdict == "cannot be resolved"


def test_the_baseline_is_no_member_of_the_family():
    found = compare(*collection(), "RR", baseline="middle")
    assert [(one.run, one.baseline) for one in found.contrasts] == [("good", "middle"), ("bad", "middle")]
    assert found.family.tests == 2


def test_two_systems_of_trec_8_have_the_published_p_values(data):
    table = pl.read_csv(data / "ir" / "urbano2019-scores" / "adhoc8_ap.csv")
    pair = [evaluation(name, table[name].to_list()) for name in ("run125", "run126")]
    student = compare_evaluations(pair, test="t").contrasts[0].significance
    flipped = compare_evaluations(pair).contrasts[0].significance
    assert student.p == pytest.approx(0.0013193972, abs=1e-10)
    assert abs(flipped.p - 0.0012) < 3 * np.sqrt(0.0012 / 10_000)


def test_queries_are_joined_by_id_and_no_order_matters():
    gold, runs = collection()
    plain = compare(gold, runs, "RR nDCG@3", by={q: str(i % 3) for i, q in enumerate(gold)})
    mixed = {name: dict(reversed(run.items())) for name, run in runs.items()}
    again = compare(dict(reversed(gold.items())), mixed, "RR nDCG@3", by={q: str(i % 3) for i, q in enumerate(gold)})
    assert json.dumps(again.to_dict()["comparison"]) == json.dumps(plain.to_dict()["comparison"])


def test_a_missing_query_counts_as_the_policy_says():
    gold, runs = collection()
    runs["bad"] = {q: items for q, items in runs["bad"].items() if q not in {"q00", "q01"}}
    counted = compare(gold, {"good": runs["good"], "bad": runs["bad"]}, "RR")
    left = compare(gold, {"good": runs["good"], "bad": runs["bad"]}, "RR", policy=Policy(missing="skip"))
    assert (counted["bad", "RR"].queries, counted["bad", "RR"].left_out) == (30, 0)
    assert any("2 of 30 gold queries have no answer" in line for line in counted.evaluations[1].notices)
    assert (left["bad", "RR"].queries, left["bad", "RR"].left_out) == (28, 2)
    assert any("up to 2 (bad against good by RR)" in line for line in left.notices)


def test_the_means_are_those_of_the_shared_queries():
    gold, runs = collection()
    part = {q: runs["good"][q] for q in list(gold)[:20]}
    found = compare(gold, {"middle": runs["middle"], "part": part}, "RR", policy=Policy(missing="skip"))
    one = found["part", "RR"]
    assert one.difference == pytest.approx(one.mean - one.baseline_mean)
    assert one.mean == pytest.approx(found.evaluations[1].mean["RR"])
    assert one.baseline_mean != pytest.approx(found.evaluations[0].mean["RR"])


def test_better_and_worse_follow_the_direction_of_the_measure():
    gold, runs = collection(60)
    found = compare(gold, {"bad": runs["bad"], "good": runs["good"]}, "RR MR")
    assert (found["good", "RR"].verdict, found["good", "MR"].verdict) == ("better", "better")
    assert found["good", "MR"].difference < 0 < found["good", "RR"].difference
    assert found["good", "MR"].wins > found["good", "MR"].losses
    assert found["good", "MR"].helped[0].change < 0
    turned = compare(gold, {"good": runs["good"], "bad": runs["bad"]}, "MR")
    assert turned["bad", "MR"].verdict == "worse"


def test_equal_runs_differ_by_nothing_and_nothing_is_claimed():
    found = compare_evaluations(with_difference(np.zeros(40)))["new", "AP"]
    assert (found.difference, found.significance.p, found.verdict) == (0.0, 1.0, "cannot be resolved")
    assert (found.wins, found.ties, found.losses) == (0, 40, 0)
    assert found.effect is None
    assert found.power.detectable is None


def test_a_measure_without_any_value_is_not_tested():
    gold, runs = collection()
    found = compare(gold, {"good": runs["good"], "none": {q: ["x"] for q in gold}}, "RR MR")
    assert found["none", "MR"].significance.why == "no query has a value in both runs"
    assert found["none", "MR"].difference is None
    assert found.family.tests == 1


def test_a_small_difference_within_the_margin_is_called_irrelevant():
    random = np.random.default_rng(3)
    pair = with_difference(random.normal(0, 0.01, 200))
    assert compare_evaluations(pair, margin=0.05)["new", "AP"].verdict == "no difference that matters"
    assert compare_evaluations(pair)["new", "AP"].verdict == "cannot be resolved"
    wide = with_difference(random.normal(0, 0.4, 20).clip(-0.5, 0.5))
    assert compare_evaluations(wide, margin=0.05)["new", "AP"].verdict == "cannot be resolved"


def test_an_undefined_test_leaves_the_family_and_is_listed():
    runs = [
        evaluation("old", {"AP": [0.1, 0.2, 0.3, 0.4], "RR": [0.5] * 4}),
        evaluation("new", {"AP": [0.2, 0.4, 0.3, 0.6], "RR": [0.5] * 4}),
    ]
    found = compare_evaluations(runs, test="t")
    assert found.family.tests == 1
    assert [one[:3] for one in found.family.undefined] == [("new", "old", "RR")]
    assert found["new", "AP"].significance.adjusted == found["new", "AP"].significance.p
    assert any(line.startswith("not tested, and not in the family: RR.") for line in found.notices)


def test_figures_that_are_no_mean_are_shown_and_not_tested():
    found = compare(*collection(), "RR GMAP NumRelRet")
    assert found.family.tests == 2
    assert {measure for _, _, measure, _ in found.family.undefined} == {"GMAP", "NumRelRet"}
    one = found["middle", "NumRelRet"]
    assert one.difference == one.mean - one.baseline_mean
    assert (one.significance.p, one.interval.low) == (None, None)


def test_the_correction_is_over_all_pairs_and_measures():
    found = compare(*collection(), "RR P@1 nDCG@3")
    ps = [one.significance.p for one in found.contrasts]
    holm = np.maximum.accumulate(np.sort(ps) * np.arange(len(ps), 0, -1)).clip(max=1)
    assert sorted(one.significance.adjusted for one in found.contrasts) == pytest.approx(holm.tolist())
    alone = compare(*collection(), "RR P@1 nDCG@3", correction="none")
    assert [one.significance.final for one in alone.contrasts] == ps


def test_all_pairs_and_their_letters():
    found = compare(*collection(60), "RR", pairs="all")
    assert len(found.contrasts) == 3
    assert found.letters("RR") == {"good": "bc", "middle": "c", "bad": ""}
    assert [letter(place) for place in (0, 27)] == ["a", "ab"]


def test_a_family_too_large_for_the_flips_is_said_aloud():
    many = [evaluation(f"s{i}", np.random.default_rng(i).random(40)) for i in range(12)]
    found = compare_evaluations(many, pairs="all", flips=100)
    assert any("only 100 sign flips are drawn" in line and "--flips 3000" in line for line in found.notices)
    assert not any("sign flips" in line for line in compare_evaluations(many, pairs="all").notices)
    few = compare_evaluations(with_difference([0.1, 0.2, 0.3, 0.1]))
    assert any("1 of 1 test cannot" in line and "test." in line and "correction" not in line for line in few.notices)
    assert any("4 independent queries are few" in line for line in few.notices)


def test_skewed_differences_are_said_aloud():
    pair = with_difference([0.5] + [0.0] * 48 + [0.001])
    assert any("come from a few queries (skewness of 2 or more)" in line for line in compare_evaluations(pair).notices)


def test_movers_are_the_largest_changes_with_the_ranks_of_their_relevant_items():
    gold = {f"q{i}": {"a": 1, "b": 1} for i in range(6)}
    old = {f"q{i}": ["x", "a", "b"] for i in range(6)}
    new = old | {"q1": ["a", "b"], "q2": ["a", "x"], "q3": ["x", "y", "z"]}
    found = compare(gold, {"old": old, "new": new}, "AP", movers=2)["new", "AP"]
    assert [(one.query, one.ranks_before, one.ranks_after) for one in found.helped] == [("q1", (2.0, 3.0), (1.0, 2.0))]
    assert [(one.query, one.ranks_after) for one in found.hurt] == [("q3", ()), ("q2", (1.0,))]
    assert found.hurt[0].change == pytest.approx(-(1 / 2 + 2 / 3) / 2)
    assert compare(gold, {"old": old, "new": new}, "AP", movers=0)["new", "AP"].helped == ()


def test_weights_and_clusters_enter_differences_intervals_and_tests():
    gold, runs = collection()
    weights = pl.DataFrame(
        {"query": list(gold), "weight": [1.0 + i for i in range(30)], "cluster": [i // 3 for i in range(30)]}
    )
    found = compare(gold, runs, "RR", weights=weights)
    one = found["middle", "RR"]
    assert one.difference == pytest.approx(found.evaluations[1].mean["RR"] - found.evaluations[0].mean["RR"])
    assert (one.interval.units, one.significance.units) == (10, 10)
    with pytest.raises(UnsupportedError, match="wilcoxon"):
        compare(gold, runs, "RR", weights=weights, test="wilcoxon")


def test_the_effect_size_is_that_of_the_statistics():
    differences = np.array([0.1, 0.3, -0.1, 0.2, 0.0])
    found = compare_evaluations(with_difference(differences))["new", "AP"]
    assert found.effect == pytest.approx(assay.statistics.effect.effect_size(differences))


def test_measures_that_order_the_runs_alike_have_a_tau_of_one():
    found = compare(*collection(60), "RR P@1 MR")
    assert found.agreement["RR", "P@1"] == pytest.approx(1.0)
    assert found.agreement["RR", "MR"] == pytest.approx(1.0)
    assert compare(*[collection()[0], dict(list(collection()[1].items())[:2])], "RR AP").agreement == {}


def test_runs_are_named_by_their_names_and_told_apart():
    gold, runs = collection()
    found = compare(gold, list(runs.values()), "RR", baseline=2)
    assert found.labels == ("run", "run (2)", "run (3)")
    assert found.baseline == "run (3)"
    with pytest.raises(UnknownNameError, match=r"no run is called 'god'\. Did you mean 'good'"):
        compare(gold, runs, "RR", baseline="god")


def test_one_run_or_a_pooled_list_cannot_be_compared():
    gold, runs = collection()
    with pytest.raises(ParameterError, match="expected two or more to compare, found 1"):
        compare(gold, [runs["good"]], "RR")
    with pytest.raises(ParameterError, match="which can be paired, found pooled"):
        compare(gold, runs, "RR", aggregate="pooled")


def test_a_notebook_shows_a_table_with_everything_escaped():
    gold, runs = collection()
    page = compare(gold, {"good": runs["good"], "<script>": runs["bad"]}, "RR")._repr_html_()
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert page.count("<tr>") == 2


@pytest.mark.slow
def test_all_pairs_of_129_systems_by_three_measures():
    random = np.random.default_rng(1)
    many = [evaluation(f"s{i}", {m: random.random(50) for m in ("AP", "P@10", "RR")}) for i in range(129)]
    found = compare_evaluations(many, pairs="all", test="t", correction="hommel")
    assert found.family.tests == len(found.contrasts) == 129 * 128 // 2 * 3
    assert {one.interval.method for one in found.contrasts} == {"t"}
    assert any("intervals are Student's t" in line for line in found.notices)
    one = found.contrasts[5000]
    assert one.interval.low < one.difference < one.interval.high


def test_a_micro_average_is_compared_where_all_runs_weigh_queries_alike():
    gold, runs = collection()
    runs["bad"] = {q: [*items, "w"] for q, items in runs["bad"].items()}
    found = compare(gold, runs, "R@2 SetP", aggregate="micro")
    one = found["bad", "R@2 (micro)"]
    assert one.difference == pytest.approx(
        found.evaluations[2].mean["R@2 (micro)"] - found.evaluations[0].mean["R@2 (micro)"]
    )
    assert "each run weighs the queries in its own way" in found["bad", "SetP (micro)"].significance.why


def test_letters_of_many_runs_are_parted_by_commas():
    many = [evaluation(f"s{i}", np.full(30, i / 40) + np.arange(30) / 1000) for i in range(28)]
    letters = compare_evaluations(many, pairs="all", flips=100_000).letters("AP")
    assert letters["s3"] == "a,b,c"
    assert letters["s27"].endswith("z,aa")
