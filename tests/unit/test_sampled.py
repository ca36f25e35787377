"""Estimates from sampled pools: closed forms, plain loops, and the mean over all samples that chance can draw."""

import itertools
import math

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.evaluate import evaluate

ITEMS, QUERIES = "abcdefgh", ("q1", "q2")
EPSILON = 1e-5

pairs = st.tuples(st.sampled_from(QUERIES), st.sampled_from(ITEMS))
rankings = st.dictionaries(
    st.sampled_from(QUERIES), st.lists(st.sampled_from((*ITEMS, "y", "z")), unique=True, min_size=1), min_size=1
)


def gold_of(rows, third):
    return Gold.from_details(pl.DataFrame(rows, schema=["query", "item", "grade", third], orient="row"))


def run_of(ranked):
    return {query: {item: -place for place, item in enumerate(items)} for query, items in ranked.items()}


def values(gold, ranked, measures):
    run = run_of({query: items for query, items in ranked.items() if query in gold.queries})
    if not run:
        return {}
    return {(name, query): value for _, name, query, value in evaluate(gold, run, measures).per_query.iter_rows()}


def stat_ap(drawn, ranking):
    """Return the estimate from the relevant items that were drawn, `{item: probability}`."""
    total = 0.0
    for place, item in enumerate(ranking, 1):
        if item in drawn:
            above = sum(1 / drawn[other] for other in ranking[: place - 1] if other in drawn)
            total += (1 + above) / place / drawn[item]
    return total / sum(1 / chance for chance in drawn.values())


def xinf_ap(pool, ranking):
    """Return the estimate from a pool, `{item: (grade, stratum)}`."""
    strata = {stratum for _, stratum in pool.values()}
    shares, means = {}, {}
    for stratum in strata:
        own = {item: grade for item, (grade, s) in pool.items() if s == stratum}
        judged = sum(grade >= 0 for grade in own.values())
        right = [item for item, grade in own.items() if grade >= 1]
        shares[stratum] = len(own) * len(right) / judged if judged else 0
        found = [precision_at(place, pool, ranking) for place, item in enumerate(ranking, 1) if item in right]
        means[stratum] = sum(found) / len(right) if right else 0
    return sum(shares[s] * means[s] for s in strata) / sum(shares.values())


def precision_at(place, pool, ranking):
    above = [pool[item] for item in ranking[: place - 1] if item in pool]
    likely = 0.0
    for stratum in {s for _, s in pool.values()}:
        grades = [grade for grade, s in above if s == stratum]
        judged, right = sum(g >= 0 for g in grades), sum(g >= 1 for g in grades)
        likely += len(grades) * (right + EPSILON) / (judged + 2 * EPSILON)
    return (1 + likely) / place


@given(st.dictionaries(pairs, st.tuples(st.sampled_from((0, 1, 2)), st.sampled_from((0, 0.1, 0.5, 1))), min_size=1),
       rankings)  # fmt: skip
def test_stat_ap_follows_its_definition(sample, ranked):
    gold = gold_of([(*pair, float(grade), float(chance)) for pair, (grade, chance) in sample.items()], "probability")
    for (_, query), value in values(gold, ranked, "statAP").items():
        drawn = {item: chance for (q, item), (grade, chance) in sample.items() if q == query and grade and chance}
        if drawn and query in ranked:
            assert value == pytest.approx(stat_ap(drawn, ranked[query]), abs=1e-12)
        elif not drawn:
            assert value is None


@given(st.dictionaries(pairs, st.tuples(st.sampled_from((-1, 0, 1)), st.sampled_from("xyz")), min_size=1), rankings)
def test_xinf_ap_follows_its_definition(pool, ranked):
    gold = gold_of([(*pair, float(grade), stratum) for pair, (grade, stratum) in pool.items()], "group")
    for (_, query), value in values(gold, ranked, "xinfAP").items():
        own = {item: found for (q, item), found in pool.items() if q == query}
        if any(grade == 1 for grade, _ in own.values()):
            assert value == pytest.approx(xinf_ap(own, ranked.get(query, [])), abs=1e-12)
            assert 0 <= value <= 1
        else:
            assert value is None


@given(st.dictionaries(pairs, st.sampled_from((0, 1, 2)), min_size=1), rankings)
def test_with_everything_judged_both_are_average_precision(grades, ranked):
    certain = gold_of([(*pair, float(grade), 1.0) for pair, grade in grades.items()], "probability")
    one = gold_of([(*pair, float(grade), "only") for pair, grade in grades.items()], "group")
    exact, near = values(certain, ranked, "statAP AP"), values(one, ranked, "xinfAP AP")
    for query in {query for _, query in exact}:
        assert exact["statAP", query] == pytest.approx(exact["AP", query], abs=1e-12)
        assert near["xinfAP", query] == pytest.approx(near["AP", query], abs=1e-3)


@given(st.dictionaries(pairs, st.sampled_from((-1, 0, 1, 2)), min_size=1), rankings)
def test_with_one_stratum_xinf_ap_is_inf_ap(grades, ranked):
    gold = gold_of([(*pair, float(grade), "only") for pair, grade in grades.items()], "group")
    found = values(gold, ranked, "xinfAP infAP")
    for query in {query for _, query in found}:
        assert found["xinfAP", query] == pytest.approx(found["infAP", query], abs=1e-12)


def test_the_sum_behind_stat_ap_is_right_on_average_over_all_samples():
    """What estimates R * AP, and what estimates R, are unbiased; their ratio is not, and comes near."""
    ranking, chances = list("arbscd"), {"a": 0.5, "b": 0.25, "c": 0.8, "d": 0.4, "missed": 0.6}
    true_r = len(chances)
    true_ap = sum(n / place for n, place in ((1, 1), (2, 3), (3, 5), (4, 6))) / true_r
    mean_sum = mean_r = mean_ratio = 0.0
    for taken in itertools.product((False, True), repeat=len(chances)):
        drawn = {item: chance for (item, chance), take in zip(chances.items(), taken, strict=True) if take}
        weight = math.prod(c if take else 1 - c for c, take in zip(chances.values(), taken, strict=True))
        if drawn:
            gold = gold_of([("q", item, 1.0, chance) for item, chance in drawn.items()], "probability")
            value, estimated_r = (
                values(gold, {"q": ranking}, "statAP")["statAP", "q"],
                sum(1 / c for c in drawn.values()),
            )
            mean_sum, mean_r = mean_sum + weight * value * estimated_r, mean_r + weight * estimated_r
            mean_ratio += weight * value
    assert mean_r == pytest.approx(true_r)
    assert mean_sum == pytest.approx(true_r * true_ap)
    assert mean_ratio != pytest.approx(true_ap, rel=1e-3)
    assert mean_ratio == pytest.approx(true_ap, rel=0.25)


def test_an_estimate_may_exceed_one():
    gold = gold_of([("q", "a", 1.0, 0.5), ("q", "b", 1.0, 0.5)], "probability")
    assert values(gold, {"q": ["a", "b"]}, "statAP")["statAP", "q"] == 1.25


def test_negative_grades_can_be_taken_for_judged():
    gold = gold_of([("q", "a", -1.0, "s"), ("q", "b", 1.0, "s")], "group")
    run = run_of({"q": ["a", "b"]})
    from assay.core.policy import Policy

    plain = evaluate(gold, run, "xinfAP").mean["xinfAP"]
    strict = evaluate(gold, run, "xinfAP", policy=Policy(negative="nonrelevant")).mean["xinfAP"]
    assert plain == pytest.approx(0.75, abs=1e-4)
    assert strict == pytest.approx(0.5, abs=1e-4)
