"""Fusion of runs: each method and norm against a plain computation, and what is refused."""

import math
from collections import defaultdict
from statistics import fmean, median, pstdev
from typing import get_args

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines.fuse import BY_RANK, METHODS, fuse
from assay.engines.fuse_norms import Norm
from assay.errors import AssayError, ParameterError, RunError, UnknownNameError

NORMS = get_args(Norm)
SCORES = st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.5, 8.0])
RANKINGS = st.dictionaries(st.sampled_from("abcdef"), SCORES, min_size=1, max_size=6)
RUN = st.dictionaries(st.sampled_from(["q1", "q2", "q3"]), RANKINGS, min_size=1)
RUNS = st.lists(RUN, min_size=1, max_size=4)


def ranked(scores, depth=None):
    """Order items as TREC does: by score, then by id, both falling."""
    return sorted(scores, key=lambda item: (scores[item], item), reverse=True)[:depth]


def scaled(scores, norm):
    """Return the scores of one list on one scale, one by one."""
    values, order = list(scores.values()), ranked(scores)
    low, high = min(values), max(values)
    total = sum(value - low for value in values)
    by_norm = {
        "rank": lambda item: 1 - order.index(item) / len(order),
        "none": lambda item: scores[item],
        "max": lambda item: scores[item] / high,
        "min-max": lambda item: (scores[item] - low) / (high - low) if total else 1.0,
        "z-score": lambda item: (scores[item] - fmean(values)) / pstdev(values) if total else 0.0,
        "sum": lambda item: (scores[item] - low) / total if total else 1 / len(scores),
    }
    return {item: by_norm[norm](item) for item in scores}


def points_of(lists, weights, item):
    """Return the points of an item by Borda's count."""
    union = {one for scores in lists for one in scores}
    total = 0.0
    for scores, weight in zip(lists, weights, strict=True):
        order = ranked(scores)
        left = (len(union) - len(order) + 1) / 2
        total += weight * (len(union) - order.index(item) if item in scores else left)
    return total


def by_the_book(runs, method, *, k=60.0, norm="min-max", weights=None, depth=None):
    """Fuse query by query and item by item."""
    weights = weights or [1.0] * len(runs)
    fused = {}
    for query in {query for run in runs for query in run}:
        asked = [(run[query], weight) for run, weight in zip(runs, weights, strict=True) if query in run]
        lists = [{item: scores[item] for item in ranked(scores, depth)} for scores, _ in asked]
        given = [weight for _, weight in asked]
        parts = defaultdict(list)
        for scores, weight in zip(lists, given, strict=True):
            scale = {} if method in BY_RANK else scaled(scores, norm)
            for place, item in enumerate(ranked(scores), start=1):
                part = {"rrf": 1 / (k + place), "isr": 1 / place**2}.get(method) or scale.get(item, 0.0)
                parts[item].append(weight * part)
        together = {
            "rrf": sum, "isr": lambda found: sum(found) * len(found), "combsum": sum,
            "combmnz": lambda found: sum(found) * len(found), "combanz": fmean, "combmax": max, "combmin": min,
            "combmed": median,
        }  # fmt: skip
        fused[query] = {
            item: points_of(lists, given, item) if method == "borda" else together[method](found)
            for item, found in parts.items()
        }
    return fused


def as_mapping(run):
    out = defaultdict(dict)
    for query, item, score in run.frame().rows():
        out[query][item] = score
    return dict(out)


def close(found, expected):
    assert found.keys() == expected.keys()
    for query in expected:
        assert found[query] == pytest.approx(expected[query], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("method", sorted(METHODS))
@settings(max_examples=20)
@given(runs=RUNS, depth=st.sampled_from([None, 1, 3]), data=st.data())
def test_each_method_is_what_its_definition_says(method, runs, depth, data):
    weights = data.draw(st.lists(st.sampled_from([0.25, 1.0, 3.0]), min_size=len(runs), max_size=len(runs)))
    fused = fuse(list(map(Run.from_mapping, runs)), method, weights=weights, depth=depth)
    close(as_mapping(fused), by_the_book(runs, method, weights=weights, depth=depth))


@pytest.mark.parametrize("norm", NORMS)
@settings(max_examples=20)
@given(runs=RUNS)
def test_each_norm_is_what_its_definition_says(norm, runs):
    close(
        as_mapping(fuse(list(map(Run.from_mapping, runs)), "combsum", norm=norm)),
        by_the_book(runs, "combsum", norm=norm),
    )


@pytest.mark.parametrize("method", sorted(METHODS))
@settings(max_examples=20)
@given(runs=RUNS, data=st.data())
def test_neither_the_order_of_rows_nor_of_runs_changes_anything(method, runs, data):
    given_runs = list(map(Run.from_mapping, runs))
    mixed = [
        Run.from_frame(pl.DataFrame(data.draw(st.permutations(run.frame().rows(named=True))))) for run in given_runs
    ]
    first = fuse(given_runs, method).frame()
    assert fuse(mixed, method).frame().equals(first)
    assert fuse(mixed[::-1], method).frame().equals(first)


def test_the_fused_list_is_sorted_as_the_policy_orders_ties():
    a, b = Run.from_mapping({"q": ["x", "y"]}), Run.from_mapping({"q": ["y", "x"]})
    assert fuse([a, b]).frame()["item"].to_list() == ["y", "x"]
    assert fuse([a, b], policy=Policy(ties="id-asc")).frame()["item"].to_list() == ["x", "y"]


def test_tied_scores_have_the_ranks_of_the_tie_rule():
    run = Run.from_mapping({"q": {"x": 1.0, "y": 1.0}})
    down, up = (as_mapping(fuse([run], policy=Policy(ties=rule)))["q"] for rule in ("id-desc", "id-asc"))
    assert down == {"y": 1 / 61, "x": 1 / 62}
    assert up == {"x": 1 / 61, "y": 1 / 62}
    order = Run.from_frame(pl.DataFrame({"query": ["q"] * 2, "item": ["x", "y"], "score": [1.0, 1.0]}))
    assert as_mapping(fuse([order], policy=Policy(ties="order")))["q"] == {"x": 1 / 61, "y": 1 / 62}


def test_an_item_or_a_query_that_a_run_lacks_gets_nothing_from_it():
    fused = as_mapping(fuse([Run.from_mapping({"q": {"x": 2.0}}), Run.from_mapping({"p": {"x": 2.0}})]))
    assert fused == {"p": {"x": 1 / 61}, "q": {"x": 1 / 61}}


def test_equal_scores_divide_by_nothing():
    run = Run.from_mapping({"q": {"x": 5.0, "y": 5.0}})
    for norm, value in (("min-max", 1.0), ("z-score", 0.0), ("sum", 0.5), ("max", 1.0)):
        assert as_mapping(fuse([run], "combsum", norm=norm))["q"] == {"x": value, "y": value}


def test_infinite_scores_count_as_the_nearest_finite_one():
    run = Run.from_mapping({"q": {"x": math.inf, "y": 3.0, "z": 1.0, "w": -math.inf}, "p": {"x": math.inf}})
    assert as_mapping(fuse([run], "combsum"))["q"] == {"x": 1.0, "y": 1.0, "z": 0.0, "w": 0.0}
    assert as_mapping(fuse([run], "combsum", norm="none"))["p"] == {"x": 0.0}


def test_what_is_no_number_is_refused_or_stands_last():
    run = Run.from_mapping({"q": {"x": math.nan, "y": 2.0, "z": 1.0}}, name="odd")
    with pytest.raises(RunError, match="odd"):
        fuse([run])
    worst = Policy(nan="worst")
    assert as_mapping(fuse([run], policy=worst))["q"] == {"y": 1 / 61, "z": 1 / 62, "x": 1 / 63}
    assert as_mapping(fuse([run], "combsum", policy=worst))["q"] == {"y": 1.0, "z": 0.0, "x": 0.0}


def test_an_item_twice_is_refused_or_kept_once():
    rows = pl.DataFrame({"query": ["q"] * 3, "item": ["x", "y", "x"], "score": [1.0, 2.0, 3.0]})
    run = Run.from_frame(rows, name="twice")
    with pytest.raises(RunError, match="'x'"):
        fuse([run])
    assert as_mapping(fuse([run], policy=Policy(duplicates="best")))["q"] == {"x": 1 / 61, "y": 1 / 62}
    assert as_mapping(fuse([run], policy=Policy(duplicates="first")))["q"] == {"y": 1 / 61, "x": 1 / 62}


def test_a_match_of_the_query_itself_can_be_dropped():
    run = Run.from_mapping({"q": {"q": 2.0, "x": 1.0}})
    assert as_mapping(fuse([run], policy=Policy(self_match="drop")))["q"] == {"x": 1 / 61}


def test_a_run_of_weight_0_takes_no_part():
    a, b = Run.from_mapping({"q": {"x": 2.0}}), Run.from_mapping({"q": {"y": 1.0}})
    assert as_mapping(fuse([a, b], "combmin", weights=[1, 0])) == {"q": {"x": 1.0}}


def test_so_many_places_are_kept():
    run = Run.from_mapping({"q": list("abcd"), "p": ["a"]})
    assert as_mapping(fuse([run], "isr", keep=2)) == {"q": {"a": 1.0, "b": 0.25}, "p": {"a": 1.0}}


def test_the_constant_of_rrf():
    run = Run.from_mapping({"q": ["x", "y"]})
    assert as_mapping(fuse([run], k=0))["q"] == {"x": 1.0, "y": 0.5}


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        ({"method": "rff"}, UnknownNameError, "Did you mean 'rrf'"),
        ({"norm": "minmax"}, UnknownNameError, "Did you mean 'min-max'"),
        ({"weights": [1.0]}, ParameterError, "one for each of 2 runs, found 1"),
        ({"weights": [1.0, -1.0]}, ParameterError, "found 1, -1"),
        ({"weights": [0.0, 0.0]}, ParameterError, "not all 0"),
        ({"weights": [1.0, math.nan]}, ParameterError, "found 1, nan"),
        ({"k": -1}, ParameterError, "k: expected a number of at least 0, found -1"),
        ({"depth": 0}, ParameterError, "depth: expected at least 1 place, found 0"),
        ({"keep": 0}, ParameterError, "keep: expected at least 1 place, found 0"),
        ({"method": "combsum", "norm": "max"}, ParameterError, "low: expected a highest score above 0"),
    ],
)
def test_what_cannot_be_fused_is_said(said, error, message):
    runs = [Run.from_mapping({"q": {"x": 2.0}}), Run.from_mapping({"q": {"x": -2.0}}, name="low")]
    with pytest.raises(error, match=message):
        fuse(runs, **said)


def test_no_run_at_all():
    with pytest.raises(AssayError, match="expected one or more to fuse, found none"):
        fuse([])


def test_runs_that_are_empty():
    nothing = Run.from_mapping({})
    assert fuse([nothing, Run.from_mapping({"q": ["x"]})]).frame().rows() == [("q", "x", 1 / 61)]
    for method in METHODS:
        assert fuse([nothing], method).frame().height == 0
