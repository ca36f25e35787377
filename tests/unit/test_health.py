"""Health of the gold, against evaluations of gold that was changed by hand."""

import random
from itertools import product

import numpy as np
import polars as pl
import pytest

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.engines.head import head
from assay.errors import OverlapError, ParameterError, UnknownNameError, UnsupportedError
from assay.evaluate import evaluate, evaluate_all
from assay.formats import read_gold, read_run
from assay.health import ceiling, health, worklist
from assay.measures import parse
from assay.statistics.agreement import kendall_tau

MEASURES = "P@2 R@1 R@2 AP AP@2 nDCG nDCG@2 F1@2 RR RBP ERR Bpref GMAP IPrec@0.5 NumRelRet NumQ MR"
GOLD = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "c": 1, "d": -1}, "q3": {"z": 0}, "q4": {"m": 1}}
RUN = {"q1": ["x", "a"], "q2": ["d", "a", "b"], "q3": ["y"]}
WEIGHTS = {"q1": 1, "q2": 3, "q3": 2, "q4": 0.5}


def judgings(gold, run, top):
    """Every gold that judging the open items could make."""
    places = [(q, item) for q in gold for item in run.get(q, []) if gold[q].get(item, -1) < 0]
    for grades in product(range(top + 1), repeat=len(places)):
        made = {q: dict(items) for q, items in gold.items()}
        for (query, item), grade in zip(places, grades, strict=True):
            made[query][item] = grade
        yield made


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize(
    "policy", [Policy(), Policy(empty="skip"), Policy(empty="one"), Policy(missing="skip"), Policy(unjudged="drop")]
)
def test_no_judging_gives_a_figure_outside_the_bounds_and_the_exact_ones_are_reached(policy, weights):
    found = health(GOLD, RUN, MEASURES, policy=policy, weights=weights).figures
    figures = [evaluate(gold, RUN, MEASURES, policy=policy, weights=weights) for gold in judgings(GOLD, RUN, 2)]
    for one in found:
        reached = [figure[one.measure] for figure in figures]
        values = [value for value in reached if value is not None]
        low, high = one.bounds.low, one.bounds.high
        assert low is None or low <= min(values) + 1e-12, one
        assert high is None or high >= max(values) - 1e-12, one
        if one.bounds.exact:
            assert (low, high) == pytest.approx((min(values), max(values)), abs=1e-12), one
    assert sum(one.bounds.exact for one in found) == (13 if policy.empty == "zero" else 1)  # NumRelRet


def test_a_gold_that_is_complete_leaves_nothing_open():
    gold = {"q1": {"a": 1, "b": 0, "x": 0}, "q2": {"a": 1}}
    for one in health(gold, {"q1": ["x", "a"], "q2": ["a"]}, "P@1 Bpref AP MR").figures:
        assert (one.bounds.low, one.bounds.high) == (one.mean, one.mean)
        assert one.condensed == one.mean


@pytest.mark.parametrize("ties", ["expected", "realistic", "optimistic", "pessimistic"])
def test_tie_rules_without_places_leave_the_bounds_of_the_measure(ties):
    run = {"q1": {"x": 1.0, "a": 1.0}, "q4": {"m": 1.0}}
    bounds = health(GOLD, run, "P@1", policy=Policy(ties=ties)).figures[0].bounds
    assert (bounds.low, bounds.high, bounds.exact) == (0.25, 0.5, False)  # q1 is open, q4 is right


def test_condensed_judged_and_ceiling():
    found = {one.measure: one for one in health(GOLD, RUN, "P@2 AP nDCG@2 NumRet").figures}
    condensed = evaluate(GOLD, RUN, "P@2 AP nDCG@2", policy=Policy(unjudged="drop"))
    for name in ("P@2", "AP", "nDCG@2"):
        assert found[name].condensed == condensed[name]
    assert found["AP"].condensed > found["AP"].mean
    assert found["P@2"].judged == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)
    assert found["AP"].judged is None
    assert found["P@2"].ceiling == pytest.approx((1 / 2 + 1 + 0 + 1 / 2) / 4)
    assert found["AP"].ceiling == 0.75
    assert found["NumRet"].ceiling is None
    assert found["NumRet"].summed


def test_a_ceiling_is_over_the_queries_of_its_figure():
    policy = Policy(missing="skip")
    evaluation = evaluate(GOLD, RUN, "P@2", policy=policy, weights=WEIGHTS)
    one = health(GOLD, RUN, "P@2", policy=policy, weights=WEIGHTS).figures[0]
    assert one.ceiling == pytest.approx((1 * 0.5 + 3 * 1) / 6)
    assert ceiling(parse("P@2"), evaluation.judged, evaluation.samples["P@2"], policy) == one.ceiling


def test_the_share_of_queries_that_ties_decide():
    gold = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
    run = {"q1": {"a": 1, "x": 1}, "q2": {"a": 2, "x": 1}, "q3": {"x": 1, "y": 1, "a": 1}, "q4": {"a": 2, "x": 1}}
    found = {one.measure: one.tied for one in health(gold, run, "P@1 P@2 P@3").figures}
    assert found == {"P@1": 0.5, "P@2": 0.25, "P@3": 0.0}


def some_runs(seed):
    rng = random.Random(seed)
    items = [f"d{n}" for n in range(14)]
    gold = {f"q{q}": {item: rng.choice((-1, 0, 0, 1, 2)) for item in rng.sample(items, 8)} for q in range(6)}
    runs = [
        {q: {item: float(rng.randint(0, 6)) for item in rng.sample(items, rng.randint(2, 8))} for q in gold}
        for _ in range(4)
    ]
    return gold, runs


@pytest.mark.parametrize(
    "policy",
    [Policy(), Policy(ties="optimistic"), Policy(ties="expected"), Policy(unjudged="drop", negative="nonrelevant")],
)
@pytest.mark.parametrize("depth", [None, 3])
def test_a_run_left_out_is_judged_without_its_own_finds(policy, depth):
    gold, runs = some_runs(1)
    found = health(gold, runs, "P@3 AP nDCG@2", policy=policy, depth=depth)
    assert found.depth == depth
    for one in found.left_out:
        number = int(one.run.partition("(")[2].strip(")") or 1) - 1
        cut = depth or int(one.measure.partition("@")[2] or 100)
        tops = [(tops_of if policy.ties == "id-desc" else reach_of)(run, cut) for run in runs]
        alone = {pair for pair in tops[number] if sum(pair in top for top in tops) == 1}
        less = {q: {d: g for d, g in items.items() if (q, d) not in alone} for q, items in gold.items()}
        less = {q: items or {"nothing": 0} for q, items in less.items()}
        assert one.mean == evaluate(gold, runs[number], one.measure, policy=policy)[one.measure]
        assert one.without == pytest.approx(evaluate(less, runs[number], one.measure, policy=policy)[one.measure])
        assert one.unique == sum(gold[q].get(d, 0) >= 1 for q, d in alone)


def tops_of(run, depth):
    """The first places of each query, tied items by falling id."""
    ranked = {q: sorted(sorted(items, reverse=True), key=lambda item: -items[item]) for q, items in run.items()}
    return {(q, item) for q, items in ranked.items() for item in items[:depth]}


def reach_of(run, depth):
    """The items that some order of tied items puts into the first places of each query."""
    return {
        (q, item)
        for q, items in run.items()
        for item, score in items.items()
        if sum(other > score for other in items.values()) < depth
    }


def test_places_and_the_agreement_of_orders():
    gold, runs = some_runs(2)
    found = health(gold, runs, "P@3 NumNonRelRet")
    for measure, sign in (("P@3", 1), ("NumNonRelRet", -1)):
        rows = [one for one in found.left_out if one.measure == measure]
        means = [one.mean for one in rows]
        assert found.tau[measure] == kendall_tau(means, [one.without for one in rows])
        for number, one in enumerate(rows):
            others = np.delete(means, number)
            assert one.place == 1 + (sign * (others - one.mean) > 0).sum()
            assert one.place_without == 1 + (sign * (others - one.without) > 0).sum()


def test_one_run_leaves_none_out():
    found = health(GOLD, RUN, "P@2")
    assert (found.left_out, found.tau, found.work) == ((), None, ())


def test_robust_runs_lose_what_leaving_them_out_of_the_pool_costs(data):
    folder = data / "ir" / "trec-robust03"
    runs = [read_run(path) for path in sorted((folder / "top100").iterdir())]
    gold = read_gold(folder / "qrels.robust03.txt.gz")
    pool = pl.concat(head(run, 10, Policy()).select("query", "item") for run in runs).unique()
    pooled = gold.table.join(pool, on=["query", "item"], how="semi")
    found = health(Gold(pooled), runs, "P@10")
    change = {one.run: one.without - one.mean for one in found.left_out}
    assert len(pool) == 6107
    assert min(change, key=change.get) == "input.NLPR03vb10"
    assert min(change.values()) == pytest.approx(-0.072, abs=5e-4)
    assert np.median(list(change.values())) == pytest.approx(-0.019, abs=5e-4)


@pytest.mark.parametrize("weights", [None, {f"q{n}": n + 1 for n in range(6)}])
@pytest.mark.parametrize("policy", [Policy(), Policy(empty="skip"), Policy(empty="one", missing="skip")])
@pytest.mark.parametrize("measure", ["P@3", "nDCG@3", "AP", "R@2", "NumRelRet"])
def test_the_gain_of_an_item_is_how_far_the_difference_moves_when_it_is_judged(measure, policy, weights):
    gold, runs = some_runs(3)
    gold["q5"] = {"d0": 0}
    runs = [runs[0] | {"q4": {}}, runs[1]]
    options = {"policy": policy, "weights": weights}

    def difference(truth):
        old, new = (one[measure] for one in evaluate_all(truth, runs, measure, **options))
        return new - old

    found = health(gold, runs, measure, work=1000, **options)
    now, gains = difference(gold), {(one.query, one.item): one.gain for one in found.work}
    for query, item in {(q, d) for run in runs for q, items in run.items() for d in items}:
        if gold[query].get(item, -1) < 0:
            judged = gold | {query: gold[query] | {item: 2}}
            moved = abs(difference(judged) - now)
            in_reach = any((query, item) in tops_of(run, int(measure.partition("@")[2] or 100)) for run in runs)
            assert gains.get((query, item), 0) == pytest.approx(moved if in_reach else 0, abs=1e-12)
    assert list(gains.values()) == sorted(gains.values(), reverse=True)
    assert found.work_measure == measure
    assert len(found.work_runs) == 2


def test_a_work_list_names_ranks_and_can_be_for_other_runs_and_measures():
    gold, runs = some_runs(4)
    found = health(gold, runs, "P@3", work=5, work_runs=["run (3)"], work_measure="nDCG@2")
    assert (found.work_runs, found.work_measure, len(found.work)) == (("run (3)",), "nDCG@2", 5)
    for one in found.work:
        (rank,) = one.ranks
        assert (one.query, one.item) in tops_of(runs[2], int(rank))
        assert (one.query, one.item) not in tops_of(runs[2], int(rank) - 1)
    both = health({"q": {"a": 1}}, [{"q": ["x", "a"]}, {"q": ["a"]}], "P@2", work=9).work
    assert [(one.item, one.ranks) for one in both] == [("x", (1.0, None))]


def test_the_work_list_alone_is_that_of_health():
    gold, runs = some_runs(6)
    alone = worklist(gold, runs[:2], "nDCG@3", 7)
    whole = health(gold, runs, "AP nDCG@3", work=7, work_measure="nDCG@3")
    assert (alone.work, alone.work_measure, alone.figures) == (whole.work, "nDCG@3", ())
    with pytest.raises(ParameterError, match="runs: expected one run or two, found 4"):
        worklist(gold, runs)
    with pytest.raises(ParameterError, match="most: expected a whole number of at least 1, found 0"):
        worklist(gold, runs[:1], most=0)


def test_the_work_list_is_by_default_for_the_first_measure_that_has_one():
    assert health(GOLD, RUN, "GMAP P@2", work=1).work_measure == "P@2"


def test_nothing_to_judge():
    assert health({"q": {"a": 1}}, [{"q": ["a"]}, {"q": ["a"]}], "P@1", work=3).work == ()


def test_weights_that_leave_only_an_empty_query():
    weights = {"q1": 0, "q2": 0, "q3": 1, "q4": 0}
    found = health(GOLD, RUN, "P@2", weights=weights, policy=Policy(empty="skip")).figures[0]
    assert (found.mean, found.ceiling, found.condensed) == (None, None, None)
    assert found.bounds.high >= 0.5  # y may be relevant


def test_what_is_asked_wrongly():
    with pytest.raises(ParameterError, match="runs: expected one or more"):
        health(GOLD, [], "P@2")
    with pytest.raises(ParameterError, match="depth: expected a whole number of at least 1, found 0"):
        health(GOLD, RUN, "P@2", depth=0)
    with pytest.raises(UnknownNameError, match="no run is called 'bm25'"):
        health(GOLD, RUN, "P@2", work=1, work_runs=["bm25"])
    with pytest.raises(ParameterError, match="work_runs: expected one run or two"):
        health(GOLD, [RUN, RUN, RUN], "P@2", work=1, work_runs=["run", "run (2)", "run (3)"])
    with pytest.raises(UnsupportedError, match="GMAP: a work-list needs a mean"):
        health(GOLD, RUN, "GMAP", work=1)
    with pytest.raises(OverlapError):
        health(GOLD, {"other": ["a"]}, "P@2")


def test_the_order_of_runs_queries_and_rows_changes_no_figure():
    gold, runs = some_runs(5)
    turned = {q: dict(reversed(items.items())) for q, items in reversed(gold.items())}
    back = [{q: dict(reversed(items.items())) for q, items in reversed(run.items())} for run in runs]
    assert health(gold, runs, "P@3 AP", work=20).to_dict() == health(turned, back, "P@3 AP", work=20).to_dict()
