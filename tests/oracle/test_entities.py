"""Figures of clusters and pairs against reported mistakes, scikit-learn and er-evaluation.

Each line of reported_entities.jsonl is one report: where it was made, the input and what must come out.
"""

import itertools
import json
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from assay.tasks.entities.churn import compare_resolutions
from assay.tasks.entities.clusters import judge_clusters
from assay.tasks.entities.pairs import judge_pairs
from assay.tasks.entities.sampled import estimate_clusters
from assay.tasks.entities.sources import possible_pairs

pytestmark = pytest.mark.oracle

LINES = Path(__file__).with_name("reported_entities.jsonl").read_text("utf-8").splitlines()
REPORTS = {one["id"]: (one["input"], one["expected"]) for one in map(json.loads, LINES)}


def clusters(entities):
    """Return the frame of records 0, 1, 2 … or of a mapping."""
    named = entities if isinstance(entities, dict) else dict(enumerate(entities))
    return pl.DataFrame({"record": list(named), "entity": list(named.values())}, strict=False)


def frame(pairs):
    return pl.DataFrame(pairs, schema=["left", "right"], orient="row")


# ------------------------------------------------------------------------------------------- reports


def test_all_figures_of_one_example():
    asked, expected = REPORTS["er-01-cluster-metrics"]
    found = judge_clusters(clusters(asked["ref"]), clusters(asked["pred"]))
    pairwise = expected["pairwise"]
    counted = found.pairs.true_positives, found.pairs.proposed, found.pairs.true
    assert counted == (pairwise["tp"], pairwise["pred_pairs"], pairwise["true_pairs"])
    for ours, theirs in (
        (found.pairwise, pairwise),
        (found.exact_cluster, expected["cluster"]),
        (found.b_cubed, expected["b_cubed_record"]),
        (found.b_cubed_by_cluster, expected["b_cubed_cluster_weighted"]),
        (found.ceaf_m, expected["ceaf_m"]),
        (found.ceaf_e, expected["ceaf_e"]),
    ):
        for name in {"precision", "recall", "f1"} & theirs.keys():
            assert getattr(ours, name) == pytest.approx(theirs[name], abs=1e-12)
    assert found.exact_cluster.counts["exact"] == expected["cluster"]["exact"]
    assert found.ceaf_e.counts["aligned"] == pytest.approx(expected["ceaf_e"]["sum"], abs=1e-12)
    assert [found.muc.counts["shared"], found.muc.counts["true"]] == expected["muc"]["recall"]
    assert [found.muc.counts["shared"], found.muc.counts["proposed"]] == expected["muc"]["precision"]


def test_true_negatives_are_what_is_left_of_all_pairs():
    asked, expected = REPORTS["er-02-true-negatives"]
    found = judge_pairs(frame(asked["gold_pairs"]), frame(asked["pred_pairs"]), records=asked["n_records"])
    counts = found.counts
    counted = counts.true_positives, counts.false_positives, counts.false_negatives, counts.true_negatives
    assert counted == tuple(expected[name] for name in ("tp", "fp", "fn", "tn"))
    assert (found.precision, found.recall) == (expected["precision"], expected["recall"])


def test_self_pairs_are_dropped_with_their_count():
    asked, expected = REPORTS["er-03-self-pairs-in-gold"]
    entities = {record: place for place, group in enumerate(asked["pred_clusters"]) for record in group}
    found = judge_pairs(frame(asked["gold_pairs"]), clusters(entities))
    assert found.left_out.true_self == expected["dropped_self_pairs"]
    assert found.counts.true_positives == expected["tp"]
    assert (found.precision, found.recall) == (expected["precision"], expected["recall"])
    assert any("with itself" in notice for notice in found.notices)


def test_pairs_between_several_sources():
    asked, expected = REPORTS["er-06-cartesian-n-sources"]
    found = [possible_pairs(asked["source_sizes"], link) for link in ("link", "both", "dedupe")]
    assert found == [expected[name] for name in ("pairs", "link_and_dedupe_pairs", "dedupe_only_pairs")]


# ------------------------------------------------------------------------------------ other programs


@pytest.mark.parametrize("seed", range(20))
def test_entropies_and_rand_are_scikit_learns(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    true, proposed = random.integers(0, 1 + seed, (2, 80))
    found = judge_clusters(true, proposed)
    theirs = metrics.homogeneity_completeness_v_measure(true, proposed)
    assert (found.homogeneity, found.completeness, found.v_measure) == pytest.approx(theirs, abs=1e-9)
    assert found.adjusted_rand == pytest.approx(metrics.adjusted_rand_score(true, proposed), abs=1e-12)
    churn = compare_resolutions(clusters(true), clusters(proposed))
    assert churn.rand == pytest.approx(metrics.rand_score(true, proposed), abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_the_curve_is_scikit_learns(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(seed)
    entity = random.integers(0, 12, 30)
    every = list(itertools.combinations(range(30), 2))
    match = np.array([entity[a] == entity[b] for a, b in every])
    score = np.round(random.random(len(every)) + 0.5 * match, 1)
    kept = random.random(len(every)) < 0.6
    table = frame(every).with_columns(score=pl.Series(score)).filter(pl.Series(kept))
    curve = judge_pairs(clusters(entity.tolist()), table, points=10_000).curve
    lowest = np.where(kept, score, -1.0)
    assert curve.roc_area == pytest.approx(metrics.roc_auc_score(match, lowest), abs=1e-12)
    assert curve.roc_area_proposed == pytest.approx(metrics.roc_auc_score(match[kept], score[kept]), abs=1e-12)
    missed = metrics.average_precision_score(match[kept], score[kept]) * match[kept].sum() / match.sum()
    assert curve.average_precision == pytest.approx(missed, abs=1e-12)
    assert [point.threshold for point in curve.points] == sorted(set(score[kept].tolist()), reverse=True)
    for point in curve.points:
        at = judge_pairs(clusters(entity.tolist()), table, threshold=point.threshold)
        assert (at.precision, at.recall, at.f1) == (point.precision, point.recall, point.f1)
        assert point.f1 == pytest.approx(metrics.f1_score(match, lowest >= point.threshold), abs=1e-12)
    assert curve.best.f1 == max(point.f1 for point in curve.points)


def their_inputs(seed, size=400):
    """Return true and proposed clusters as theirs (pandas) and as ours."""
    pandas = pytest.importorskip("pandas")
    random = np.random.default_rng(seed)
    true = random.integers(0, size // 3, size)
    proposed = np.where(random.random(size) < 0.8, true, random.integers(0, size // 3, size))
    return pandas.Series(true), pandas.Series(proposed), clusters(true.tolist()), clusters(proposed.tolist())


@pytest.mark.parametrize("seed", range(3))
def test_figures_are_those_of_er_evaluation(seed):
    theirs = pytest.importorskip("er_evaluation").metrics
    reference, prediction, truth, proposed = their_inputs(seed)
    found = judge_clusters(truth, proposed)
    for name, ours in (
        ("pairwise", found.pairwise), ("cluster", found.exact_cluster), ("b_cubed", found.b_cubed_by_cluster)
    ):  # fmt: skip
        for part, value in (("precision", ours.precision), ("recall", ours.recall), ("f", ours.f1)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert value == pytest.approx(getattr(theirs, f"{name}_{part}")(prediction, reference), abs=1e-12)


@pytest.mark.parametrize("design", ["clusters", "records"])
def test_errors_of_estimates_are_those_of_er_evaluation(design):
    theirs = pytest.importorskip("er_evaluation").estimators
    reference, prediction, truth, proposed = their_inputs(7, size=3000)
    drawn = np.random.default_rng(1).choice(np.unique(reference), 300, replace=False)
    sample, given_to = reference[reference.isin(drawn)], truth.filter(pl.col("entity").is_in(drawn.tolist()))
    found = estimate_clusters(given_to, proposed, design=design, population=10**12).estimates
    weights = {"clusters": "uniform", "records": "cluster_size"}[design]
    asked = [("pairwise", "pairwise"), ("cluster", "exact_cluster"), ("b_cubed", "b_cubed_by_cluster")]
    for (name, ours), part in itertools.product(asked, ("precision", "recall")):
        if (name, part) == ("cluster", "precision"):
            continue  # theirs multiplies by the known number of proposed clusters and has a larger error
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value, error = getattr(theirs, f"{name}_{part}_estimator")(prediction, sample, weights)
        assert found[ours][part].error == pytest.approx(error, rel=1e-6), (name, part)
        # theirs is corrected for a bias that falls with the number of clusters
        assert found[ours][part].value == pytest.approx(value, abs=0.1 * error), (name, part)


def test_persons_with_one_number_are_judged_as_scikit_learn_does(data):
    metrics = pytest.importorskip("sklearn.metrics")
    table = pl.read_csv(data / "er" / "febrl" / "dataset3.csv", infer_schema=False)
    table = table.select(pl.all().str.strip_chars()).rename(str.strip)
    record = pl.col("rec_id").alias("record")
    truth = table.select(record, pl.col("rec_id").str.extract(r"rec-(\d+)-").alias("entity"))
    proposed = table.select(record, pl.col("soc_sec_id").replace("", None).alias("entity"))
    found = judge_clusters(truth, proposed)
    assert (found.records, found.true_clusters, found.missing) == (5000, 2000, proposed["entity"].null_count())
    own = pl.coalesce("entity", "record")
    true, given = truth["entity"].to_list(), proposed.select(own).to_series().to_list()
    (_, wrong), (missed, right) = metrics.cluster.pair_confusion_matrix(true, given).tolist()
    counts = found.pairs
    assert (2 * counts.true_positives, 2 * counts.false_positives, 2 * counts.false_negatives) == (right, wrong, missed)
    assert found.adjusted_rand == pytest.approx(metrics.adjusted_rand_score(true, given), abs=1e-12)
    assert found.v_measure == pytest.approx(metrics.v_measure_score(true, given), abs=1e-9)
    assert found.split + found.exact_cluster.counts["exact"] <= 2000
