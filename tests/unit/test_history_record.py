"""An evaluation becomes a record that says the same; an old run is judged by new gold as a whole run would be."""

import numpy as np
import polars as pl
import pytest

import assay
from assay.core.policy import Policy
from assay.errors import OverlapError, ParameterError, UnsupportedError
from assay.history.circumstances import code_version, corpus_digest
from assay.history.record import record
from assay.history.rejudge import rejudge

DEEP = 30


@pytest.fixture
def material():
    """Gold, other gold, and a run with ties, deeper than what is kept of it."""
    drawn = np.random.default_rng(7)
    queries = [f"q{n:02}" for n in range(20)]
    items = [f"d{n:02}" for n in range(DEEP)]
    run = {q: {d: float(drawn.integers(0, 12)) for d in items} for q in queries}
    golds = [
        {q: {d: int(drawn.integers(0, 3)) for d in drawn.choice(items, 12, replace=False)} for q in queries}
        for _ in range(2)
    ]
    golds[0]["empty"] = golds[1]["empty"] = {"d00": 0}
    return *golds, assay.Run.from_mapping(run, name="tied")


def same(one, other):
    assert {(f.measure, f.slice): f.mean for f in one.figures} == pytest.approx(
        {(f.measure, f.slice): f.mean for f in other.figures}
    )


def test_a_record_says_what_the_evaluation_says(material):
    gold, _, run = material
    found = assay.evaluate(gold, run, "AP P@5 NumRelRet", interval=0.9)
    made = record(found, suite="web", run=run, head=3, tags={"pr": 7})
    for figure in found.figures:
        kept = made.figure(figure.name)
        assert (kept.mean, kept.queries, kept.undefined) == (figure.mean, figure.queries, figure.undefined)
    assert (made.figure("AP").low, made.figure("AP").high) == (
        found.figure("AP").interval.low,
        found.figure("AP").interval.high,
    )
    assert list(made.queries) == sorted([*gold])
    assert made.head.group_by("query").len()["len"].unique().to_list() == [3]
    assert (made.made.tags, made.made.policy["ties"], made.made.task) == ({"pr": "7"}, "id-desc", "ranking")
    assert made.figure("AP").of_queries
    assert np.nanmean(made.values["AP"]) == pytest.approx(found["AP"])
    assert not made.figure("NumRelRet").of_queries


@pytest.mark.parametrize("empty", ["zero", "skip", "one"])
def test_the_mean_of_the_values_is_the_figure_under_every_convention(material, empty):
    gold, _, run = material
    made = record(assay.evaluate(gold, run, "AP", policy=Policy(empty=empty)), suite="web")
    assert np.nanmean(made.values["AP"]) == pytest.approx(made.figure("AP").mean)
    assert np.isnan(made.values["AP"]).sum() == (empty == "skip")


def test_weights_and_clusters_are_kept(material):
    gold, _, run = material
    table = pl.DataFrame({"query": list(gold), "weight": np.arange(1.0, 22), "cluster": ["a", "b", "c"] * 7})
    made = record(assay.evaluate(gold, run, "AP P@5", weights=table), suite="web")
    known = ~np.isnan(made.values["P@5"])
    mean = np.average(made.values["P@5"][known], weights=made.weights[known])
    assert mean == pytest.approx(made.figure("P@5").mean)
    assert len(set(made.clusters.tolist())) == 3
    again = rejudge(record(assay.evaluate(gold, run, "P@5", weights=table), suite="web", run=run), gold)
    same(again, record(assay.evaluate(gold, run, "P@5", weights=table), suite="web"))
    np.testing.assert_array_equal(again.weights, made.weights)


@pytest.mark.parametrize("aggregate", ["micro", "pooled"])
def test_figures_that_are_no_means_say_so(material, aggregate):
    gold, _, run = material
    made = record(assay.evaluate(gold, run, "P@5", aggregate=aggregate), suite="web")
    assert [figure.of_queries for figure in made.figures] == [False]
    assert made.weights is None


def test_slices_are_figures_of_the_queries_inside(material):
    gold, _, run = material
    by = pl.DataFrame({"query": list(gold), "hops": [1, 2, 3] * 7, "kind": ["a"] * 10 + [None] * 11})
    found = assay.evaluate(gold, run, "AP P@5")
    made = record(found, suite="web", gold=assay.Gold.from_mapping(gold), by=by)
    slices = {figure.slice for figure in made.figures}
    assert slices == {"", "hops=1", "hops=2", "hops=3", "kind=a"}
    for figure in made.figures:
        assert np.nanmean(made.values[figure.measure][made.inside(figure.slice)]) == pytest.approx(figure.mean)
        assert figure.queries == (~np.isnan(made.values[figure.measure][made.inside(figure.slice)])).sum()
    with pytest.raises(ParameterError, match="expected gold beside it"):
        record(found, suite="web", by=by)


def test_gold_from_memory_has_a_digest_of_its_rows(material):
    gold, other, run = material
    digests = {
        record(assay.evaluate(g, run, "AP"), suite="web", gold=assay.Gold.from_mapping(g)).made.gold
        for g in (gold, other, dict(reversed(gold.items())))
    }
    assert len(digests) == 2


@pytest.mark.parametrize("ties", ["id-desc", "id-asc", "order"])
def test_a_head_is_judged_by_new_gold_as_the_whole_run_would_be(material, ties):
    gold, other, run = material
    policy = Policy(ties=ties)
    old = record(assay.evaluate(gold, run, "P@5 nDCG@10 R@10", policy=policy), suite="web", run=run, head=10)
    same(rejudge(old, gold), old)
    again = rejudge(old, other)
    whole = record(assay.evaluate(other, run, "P@5 nDCG@10 R@10", policy=policy), suite="web")
    same(again, whole)
    for measure, values in whole.values.items():
        np.testing.assert_allclose(again.values[measure], values)
    assert (again.made.run, again.made.policy, again.time) == (old.made.run, old.made.policy, old.time)


@pytest.mark.parametrize("measure", ["nDCG@11", "AP", "RR", "Rprec"])
def test_a_measure_that_looks_deeper_than_the_head_is_refused(material, measure):
    gold, _, run = material
    old = record(assay.evaluate(gold, run, "P@5"), suite="web", run=run, head=10)
    with pytest.raises(
        UnsupportedError, match=f"expected measures of the first 10 items, which were kept, found {measure}"
    ):
        rejudge(old, gold, measure)


def test_whole_rankings_are_judged_by_any_measure(material):
    gold, other, run = material
    old = record(assay.evaluate(gold, run, "AP RR nDCG@20"), suite="web", run=run, head=DEEP + 1)
    same(rejudge(old, other), record(assay.evaluate(other, run, "AP RR nDCG@20"), suite="web"))


def test_conventions_that_need_what_was_not_kept_are_refused(material):
    gold, _, run = material
    for policy, found in ((Policy(ties="expected"), "cut off for query"), (Policy(unjudged="drop"), "unjudged items")):
        old = record(assay.evaluate(gold, run, "P@10", policy=policy), suite="web", run=run, head=10)
        with pytest.raises(UnsupportedError, match=found):
            rejudge(old, gold)
    nothing = record(assay.evaluate(gold, run, "P@10"), suite="web")
    with pytest.raises(UnsupportedError, match="expected items that were kept, found none"):
        rejudge(nothing, gold)


def test_queries_that_the_run_was_not_asked_are_left_out(material):
    gold, other, run = material
    old = record(assay.evaluate(gold, run, "P@5"), suite="web", run=run)
    again = rejudge(old, {**other, "new": {"d00": 1}})
    assert "new" not in again.queries
    with pytest.raises(OverlapError, match="expected queries of evaluation 0"):
        rejudge(old, {"new": {"d00": 1}})


def test_the_revision_says_whether_files_differ(tmp_path):
    import subprocess

    def git(*words):
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", tmp_path, *who, *words], check=True, capture_output=True)

    assert code_version(tmp_path) is None
    git("init")
    assert code_version(tmp_path) is None
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "-m", "x")
    clean = code_version(tmp_path)
    assert len(clean) == 40
    (tmp_path / "a").write_text("2")
    assert code_version(tmp_path) == f"{clean}+"
    assert len(corpus_digest(tmp_path / "a")) == 64
