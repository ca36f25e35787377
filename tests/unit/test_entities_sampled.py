"""Figures estimated from sampled true clusters: a census is exact, weights undo the drawing, intervals hold."""

import json

import numpy as np
import polars as pl
import pytest

from assay.errors import InputError, ParameterError, UnknownNameError
from assay.statistics.ratio import Ratio
from assay.tasks.entities.clusters import judge_clusters
from assay.tasks.entities.sampled import estimate_clusters

PARTS = ("precision", "recall", "f1")


def resolved(seed, records=3000):
    """Return the truth and a proposal with mistakes; large clusters are the worse ones."""
    random = np.random.default_rng(seed)
    true = (records / 3 * random.power(0.6, records)).astype(np.int64)
    crowded = np.bincount(true)[true] > 4
    moved = random.random(records) < np.where(crowded, 0.3, 0.05)
    proposed = np.where(moved, random.integers(0, records // 3, records), true)
    truth = pl.DataFrame({"record": np.arange(records), "entity": true})
    return truth, truth.with_columns(entity=pl.Series(proposed))


def figures(truth, proposed):
    found = judge_clusters(truth, proposed, listed=0)
    return {name: getattr(found, name) for name in ("pairwise", "b_cubed", "b_cubed_by_cluster", "exact_cluster")}


def sampled(truth, entities):
    return truth.filter(pl.col("entity").is_in(list(entities)))


@pytest.mark.parametrize("design", ["clusters", "records"])
def test_a_census_has_no_error_and_is_the_figure(design):
    truth, proposed = resolved(0)
    found = estimate_clusters(truth, proposed, design=design)
    assert (found.share, found.population) == (1.0, found.clusters)
    assert "all true clusters were sampled: the figures are exact" in found.notices
    for name, figure in figures(truth, proposed).items():
        for part in PARTS:
            one = found.estimates[name][part]
            assert one.value == pytest.approx(getattr(figure, part), abs=1e-12)
            assert (one.error, one.interval.low, one.interval.high) == (0.0, one.value, one.value)


@pytest.mark.parametrize("design", ["clusters", "records"])
def test_intervals_hold_the_figure_as_often_as_they_say(design):
    truth, proposed = resolved(1)
    expected = figures(truth, proposed)
    random = np.random.default_rng(2)
    held, draws, low, high = 0, 60, [], []
    for _ in range(draws):
        if design == "clusters":
            entities = random.choice(truth["entity"].unique().sort().to_numpy(), 120, replace=False)
        else:
            entities = np.unique(truth["entity"].to_numpy()[random.choice(truth.height, 120, replace=False)])
        one = estimate_clusters(sampled(truth, entities.tolist()), proposed, design=design).estimates["b_cubed"][
            "recall"
        ]
        held += one.interval.low <= expected["b_cubed"].recall <= one.interval.high
        low.append(one.interval.low)
        high.append(one.interval.high)
    assert held >= 0.85 * draws
    assert np.mean(low) < expected["b_cubed"].recall < np.mean(high)


def test_weights_undo_that_large_clusters_are_drawn_more_often():
    truth, proposed = resolved(3)
    recall = figures(truth, proposed)["exact_cluster"].recall
    random = np.random.default_rng(4)
    drawn = np.unique(truth["entity"].to_numpy()[random.choice(truth.height, 400)])
    sample = sampled(truth, drawn.tolist())
    weighted, naive = (
        estimate_clusters(sample, proposed, design=design).estimates["exact_cluster"]["recall"].value
        for design in ("records", "clusters")
    )
    assert abs(weighted - recall) < 0.05 < abs(naive - recall)


def test_given_weights_are_those_of_the_designs():
    truth, proposed = resolved(5, 300)
    sample = sampled(truth, truth["entity"].unique().sort()[::3].to_list())
    sizes = sample.group_by("entity").len("size")
    given = sizes.select("entity", weight=7 / pl.col("size"))
    one = estimate_clusters(sample, proposed, weights=given, population=500)
    other = estimate_clusters(sample, proposed, design="records", population=500)
    for name, part in ((name, part) for name in one.estimates for part in PARTS):
        assert one.estimates[name][part].value == pytest.approx(other.estimates[name][part].value, abs=1e-12)
        assert one.estimates[name][part].error == pytest.approx(other.estimates[name][part].error, abs=1e-12)
    assert (one.design, one.population_given, one.share) == ("weights", True, one.clusters / 500)


def test_the_population_is_estimated_where_it_is_not_given():
    truth, proposed = resolved(6)
    clusters = truth["entity"].n_unique()
    half = sampled(truth, truth["entity"].unique().sort()[::2].to_list())
    found = estimate_clusters(half, proposed)
    assert found.population == pytest.approx(clusters, rel=0.1)
    assert "estimated from the number of records" in found.notices[0]
    known = estimate_clusters(half, proposed, population=clusters)
    ratio = found.estimates["pairwise"]["f1"].error / known.estimates["pairwise"]["f1"].error
    assert ratio == pytest.approx(((1 - found.share) / (1 - known.share)) ** 0.5)


def test_agreement_of_all_sampled_clusters_is_no_certainty():
    proposed = pl.DataFrame({"record": range(40), "entity": [n // 2 for n in range(40)]})
    found = estimate_clusters(proposed.head(10), proposed).estimates["pairwise"]["precision"]
    assert (found.value, found.error) == (1.0, 0.0)
    assert (found.interval.method, found.interval.warnings) == ("exact", ("few",))
    assert found.interval.low == pytest.approx(1 - (1 - 0.025 ** (1 / 5)))


def test_an_interval_that_few_large_clusters_make_is_flagged():
    whole = Ratio.of(np.append(np.ones(30), 400.0), np.append(np.ones(30), 900.0), np.ones(31))
    assert whole.interval(0.95).warnings == ("skewed",)
    assert whole.interval(0.95, share=1.0).warnings == ()


def test_one_cluster_gives_no_interval_and_single_records_no_recall():
    proposed = pl.DataFrame({"record": ["a", "b", "c"], "entity": [1, 1, 2]})
    found = estimate_clusters(proposed.filter(pl.col("record") == "c"), proposed)
    assert found.estimates["b_cubed"]["precision"].interval.method == "none"
    recall = found.estimates["pairwise"]["recall"]
    assert (recall.value, recall.error, recall.interval, recall.to_dict()["low"]) == (None, None, None, None)


def test_everything_is_plain_data():
    truth, proposed = resolved(7, 100)
    found = estimate_clusters(truth.head(50), proposed.head(90))
    plain = json.loads(json.dumps(found.to_dict()))
    assert plain["estimates"]["pairwise"]["f1"]["interval"]["method"] == "t"
    assert repr(found).startswith("SampledFigures(")


def test_the_harmonic_mean_of_nothing_is_nothing():
    none = Ratio.of(np.zeros(3), np.ones(3), np.ones(3))
    assert none.harmonic(none).value == 0.0
    assert Ratio.of(np.ones(3), np.zeros(3), np.ones(3)) is None


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"design": "cluster"}, UnknownNameError, "no design is called 'cluster'"),
        ({"level": 95}, ParameterError, "expected a level between 0 and 1, found 95"),
        ({"population": 1}, ParameterError, "expected at least the 2 sampled clusters, found 1"),
        ({"weights": pl.DataFrame({"entity": ["A"]})}, InputError, "expected the columns entity and weight"),
        ({"weights": pl.DataFrame({"entity": ["A"], "weight": [1.0]})}, InputError, "found none for 'B'"),
        ({"weights": pl.DataFrame({"entity": ["A", "B"], "weight": [1.0, -1.0]})}, InputError, "found none for 'B'"),
        ({"weights": pl.DataFrame({"entity": ["A", "A"], "weight": [1.0, 1.0]})}, InputError, "found one again"),
    ],
)
def test_what_cannot_be_estimated_is_refused(options, error, message):
    sample = pl.DataFrame({"record": [1, 2, 3], "entity": ["A", "A", "B"]})
    with pytest.raises(error) as caught:
        estimate_clusters(sample, sample.with_columns(pl.col("entity").str.to_lowercase()), **options)
    assert message in str(caught.value)
