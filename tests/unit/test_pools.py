"""Pools: which pairs are chosen, in which order, and that the order of the input has no say in it."""

from itertools import islice

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.run import Run
from assay.errors import AssayError, ParameterError, UnknownNameError
from assay.judging.found import found
from assay.judging.pool_rankings import PENDING, Rankings
from assay.judging.pool_strata import read_bands
from assay.judging.pool_walks import walk
from assay.judging.pools import pool, sample_gold

A = {"q1": ["a", "b", "c", "d"], "q2": ["x", "y"]}
B = {"q1": ["c", "e", "a"], "q3": ["m"]}


def runs(count=4, queries=6, items=40, deep=25, seed=0):
    """Runs that share items: the lower the run's number, the more of the first half it brings up."""
    made = []
    for number in range(count):
        random = np.random.default_rng([seed, number])
        rankings = {}
        for query in range(queries):
            height = random.random(items) + (np.arange(items) < items // 2) * (0.8 - 0.2 * number)
            rankings[f"q{query}"] = [f"d{item}" for item in np.argsort(-height)[:deep]]
        made.append(Run.from_mapping(rankings, name=f"run{number}"))
    return made


def gold(queries=6, items=40):
    """The first half of the items is relevant."""
    return Gold.from_mapping(
        {f"q{query}": {f"d{item}": int(item < items // 2) for item in range(items)} for query in range(queries)}
    )


def keys(frame):
    return list(frame.select("query", "item").iter_rows())


def test_depth_takes_the_first_places_of_each_run():
    made = pool([A, B], depth=2)
    assert set(keys(made.table)) == {
        ("q1", "a"), ("q1", "b"), ("q1", "c"), ("q1", "e"), ("q2", "x"), ("q2", "y"), ("q3", "m"),
    }  # fmt: skip
    assert made.table.columns == ["query", "item", "stratum", "probability", "runs", "rank"]
    assert (len(made), made.pooled, made.queries, made.judged) == (7, 7, 3, 0)
    assert made.table["rank"].is_sorted()
    assert [(one.pairs, one.alone) for one in made.runs] == [(4, 4), (3, 3)]


def test_a_budget_takes_the_best_ranks_and_treats_queries_alike():
    made = pool([A, B], budget=4)
    assert made.table["rank"].to_list() == [1, 1, 1, 1]
    assert keys(made.table)[:3] == [("q1", "a"), ("q2", "x"), ("q3", "m")]


def test_judged_pairs_are_counted_and_not_named_again():
    made = pool([A, B], depth=2, judged={"q1": {"a": 1, "b": 0, "d": 1}, "q9": {"z": 1}})
    assert (len(made), made.judged, made.relevant) == (5, 2, 1)
    assert not {("q1", "a"), ("q1", "b")} & set(keys(made.table))


def test_a_pair_nobody_could_judge_is_not_named_again_and_tells_nothing():
    made = pool([A, B], depth=2, judged={"q1": {"a": -1}})
    assert ("q1", "a") not in keys(made.table)
    assert (made.judged, made.relevant) == (1, 0)


@pytest.mark.parametrize("ties", ["id-desc", "id-asc"])
def test_ties_follow_the_policy(ties):
    tied = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    made = pool([tied], depth=1, policy=Policy(ties=ties))
    assert made.table["item"].to_list() == [{"id-desc": "c", "id-asc": "a"}[ties]]


@pytest.mark.parametrize("strategy", ["depth", "mtf", "bandit", "stratified"])
def test_neither_the_order_of_runs_nor_of_rows_matters(strategy):
    given_runs = runs()
    shuffled = [
        Run.from_frame(run.frame().sample(fraction=1, shuffle=True, seed=3), name=run.name) for run in given_runs[::-1]
    ]
    terms = {"depth": 20, "budget": 70, "seed": 5}
    assert pool(given_runs, strategy, **terms).table.equals(pool(shuffled, strategy, **terms).table)


@pytest.mark.parametrize("strategy", ["mtf", "bandit"])
def test_a_query_has_no_part_in_the_walk_of_another(strategy):
    rankings = Rankings.of(runs(), 20, Policy())
    alone = Rankings.of([Run.from_frame(run.frame().filter(query="q3"), name=run.name) for run in runs()], 20, Policy())

    def way(some):
        told = some.told(gold(), 1)
        return [some.pairs.row(pair)[:2] for pair in walk(some, strategy, told, seed=2)]

    assert [pair for pair in way(rankings) if pair[0] == "q3"] == way(alone)


@pytest.mark.parametrize("strategy", ["mtf", "bandit"])
@pytest.mark.parametrize("share", ["equal", "found"])
def test_judging_pair_by_pair_goes_the_way_of_the_simulation(strategy, share):
    rankings, truth = Rankings.of(runs(), 20, Policy()), gold()
    simulated = list(islice(walk(rankings, strategy, rankings.told(truth, 1), share=share, seed=1), 40))
    done = []
    while len(done) < 40:
        judged = None
        if done:
            judged = Gold(
                pl.DataFrame(done, orient="row", schema=["query", "item"]).join(truth.table, on=["query", "item"])
            )
        step = pool(runs(), strategy, depth=20, budget=40, batch=1, judged=judged, share=share, seed=1)
        done += keys(step.table)
    assert done == [rankings.pairs.row(pair)[:2] for pair in simulated]


def test_move_to_front_stays_with_the_run_that_finds():
    lists = {"one": {"q": ["r1", "r2", "n1", "r3"]}, "two": {"q": ["n2", "n3"]}}
    rankings = Rankings.of([Run.from_mapping(one, name=name) for name, one in lists.items()], 9, Policy())
    told = rankings.told(Gold.from_mapping({"q": {"r1": 1, "r2": 1, "r3": 1, "n1": 0, "n2": 0, "n3": 0}}), 1)
    way = [rankings.pairs["item"][pair] for pair in walk(rankings, "mtf", told)]
    assert way == ["r1", "r2", "n1", "n2", "n3", "r3"]


@pytest.mark.parametrize("strategy", ["depth", "mtf", "bandit"])
@given(data=st.data())
def test_every_walk_goes_through_each_pair_once(strategy, data):
    items = st.lists(st.sampled_from("abcdef"), unique=True, max_size=6)
    some = data.draw(st.lists(st.dictionaries(st.sampled_from(["p", "q"]), items, max_size=2), min_size=1, max_size=3))
    some = [{query: row for query, row in one.items() if row} for one in some]
    some = [one for one in some if one] or [{"q": ["a"]}]
    rankings = Rankings.of([Run.from_mapping(one, name=str(n)) for n, one in enumerate(some)], 6, Policy())
    count = rankings.pairs.height
    told = data.draw(st.lists(st.sampled_from([PENDING, 0, 1]), min_size=count, max_size=count))
    for share in ("equal", "found"):
        assert sorted(walk(rankings, strategy, told, share=share)) == list(range(count))


def test_learning_finds_more_and_more_where_it_is_found_finds_most():
    curve = found(runs(count=6, queries=20, items=200, deep=100), gold(20, 200), budget=600)
    last = {name: counts[-1] for name, counts in curve.relevant.items()}
    assert last["bandit"] > last["depth"]
    assert curve.budgets[-1] == 600
    assert all(counts == tuple(sorted(counts)) for counts in curve.relevant.values())


def test_a_sample_holds_the_smaller_one_and_says_its_chances():
    small, large = (pool(runs(), "stratified", depth=20, budget=budget, seed=4) for budget in (60, 90))
    assert len(small) <= 60 < len(large) <= 90
    assert set(keys(small.table)) <= set(keys(large.table))
    sizes = small.sample.group_by("query", "stratum").agg(
        all=pl.len(), drawn=pl.col("drawn").sum(), chance=pl.col("probability").first()
    )
    assert (sizes["drawn"] / sizes["all"] - sizes["chance"]).abs().max() < 1e-12
    assert small.sample.height == small.pooled


def test_samples_are_unbiased_in_how_much_is_relevant():
    truth, sums = gold(), []
    for seed in range(60):
        drawn = pool(runs(), "stratified", depth=20, budget=80, seed=seed).table.join(truth.table, on=["query", "item"])
        sums.append((drawn["grade"] / drawn["probability"]).sum())
    rankings = Rankings.of(runs(), 20, Policy())
    right = sum(rankings.told(truth, 1))
    assert abs(np.mean(sums) - right) < 3 * np.std(sums) / np.sqrt(len(sums))


def test_a_sample_becomes_gold_for_estimated_measures():
    sample = pool(runs(), "stratified", depth=20, budget=80)
    rows = sample_gold(sample, gold())
    assert rows.columns == ["query", "item", "grade", "stratum", "probability"]
    assert rows.height == sample.pooled
    assert (rows["grade"] >= 0).sum() == len(sample)
    with pytest.raises(ParameterError, match="expected a sample"):
        sample_gold(pool(runs(), depth=3), gold())


def test_further_strata_lie_below_the_depth():
    made = pool(runs(), depth=5, random=3, per_run=1, seed=1)
    assert {one.name for one in made.strata} == {"random", "run"}
    more = made.table.filter(pl.col("stratum") != "depth")
    assert more["rank"].min() > 5
    assert more.filter(stratum="random").group_by("query").len()["len"].unique().to_list() == [3]
    assert made.table.select("query", "item").is_duplicated().any() is False
    assert more.filter(stratum="random")["probability"].max() < 1


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({}, "expected a depth or a budget"),
        ({"strategy": "bandit", "depth": 5}, "expected a budget"),
        ({"strategy": "mtf", "budget": 0}, "expected a whole number of at least 1"),
        ({"depth": -1}, "depth: expected a whole number"),
        ({"strategy": "stratified", "budget": 3}, "two of each stratum"),
        ({"strategy": "stratified", "depth": 3}, "expected a budget or strata"),
    ],
)
def test_what_cannot_be_done_is_said(terms, message):
    with pytest.raises(AssayError, match=message):
        pool(runs(), **terms)


def test_unknown_strategies_and_no_runs_are_refused():
    with pytest.raises(UnknownNameError, match="Did you mean 'bandit'"):
        pool([A], "bandits", budget=3)
    with pytest.raises(ParameterError, match="found none"):
        pool([], depth=3)
    with pytest.raises(AssayError, match="found a function"):
        pool([list], depth=3)


@pytest.mark.parametrize("text", ["", "10", "10:0", "10:2", "30:1,10:1", "10:x"])
def test_bands_that_make_no_sense_are_refused(text):
    with pytest.raises(ParameterError, match="RANK:SHARE"):
        read_bands(text)


def test_a_pool_as_plain_data_tells_all():
    told = pool(runs(), depth=3).to_dict(command=["gold", "pool"])
    assert told["command"] == ["gold", "pool"]
    assert len(told["pairs"]) == told["pooled"]
    assert told["policy"]["ties"] == "id-desc"
