"""Fusion against the hybrid runs of five collections, and against another library where it is installed."""

from collections import defaultdict

import pytest

from assay import Policy, evaluate
from assay.core.gold import Gold
from assay.core.run import Run
from assay.engines.fuse import fuse
from assay.formats import read_run

COLLECTIONS = ("cacm", "cisi", "cranfield", "scifact", "vaswani")
K, HELD, READ = 60, 100, 1000
"""The hybrid runs were made of the first 1,000 places of both lists; the files hold 100 of each."""
ROUNDED = 6e-7


def scores_of(run):
    found = defaultdict(dict)
    for query, item, score in run.frame().select("query", "item", "score").rows():
        found[query][item] = score
    return found


def runs_of(data, collection, *names):
    folder = data / "ir" / collection / "runs"
    return [read_run(folder / f"{name}.run.gz") for name in names]


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_hybrid_runs_come_out_again(data, collection):
    """Each score is equal, but for one rank below the 100 places that are known, where a list has the item there."""
    sparse, dense, hybrid = map(scores_of, runs_of(data, collection, "bm25", "dense-wordllama", "hybrid-rrf60"))
    in_order = Policy(ties="order")
    fused = scores_of(fuse(runs_of(data, collection, "bm25", "dense-wordllama"), k=K, policy=in_order))
    equal = 0
    for query, items in hybrid.items():
        for item, score in items.items():
            rest = score - fused[query].get(item, 0.0)
            lists = (item in sparse[query]) + (item in dense[query])
            if abs(rest) <= ROUNDED:
                equal += 1
            elif lists == 1:
                assert 1 / (K + READ) - ROUNDED <= rest <= 1 / (K + HELD + 1) + ROUNDED
            else:
                assert lists == 0
                assert 0 < rest <= 2 / (K + HELD + 1) + ROUNDED
    both = sum(len(sparse[query].keys() & dense[query].keys()) for query in hybrid)
    assert equal >= both > 0


FIGURES = {
    "cacm": (0.454, 0.485, 0.226, 0.360),
    "cranfield": (0.322, 0.350, 0.302, 0.344),
    "cisi": (0.364, 0.391, 0.380, 0.405),
    "vaswani": (0.437, 0.441, 0.061, 0.277),
    "scifact": (0.679, 0.646, 0.513, 0.636),
}
GOLD = {"cacm": "qrels.txt", "cranfield": "cranqrel", "vaswani": "qrels", "scifact": "qrels.test.txt"}


def gold_of(data, collection):
    if collection != "cisi":
        return data / "ir" / collection / GOLD[collection]
    rows = [line.split() for line in (data / "ir" / "cisi" / "CISI.REL").read_text().splitlines() if line.strip()]
    judged = defaultdict(dict)
    for query, item, *_ in rows:
        judged[query][item] = 1
    return Gold.from_mapping(judged)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_the_figures_of_sparse_dense_and_hybrid(data, collection):
    """The table was made with ties in the order of the file; rounded scores of fusion tie often."""
    names = ("bm25", "bm25-rm3", "dense-wordllama", "hybrid-rrf60")
    gold = gold_of(data, collection)
    runs = runs_of(data, collection, *names)
    found = [evaluate(gold, run, "nDCG@10", policy=Policy(ties="order")).mean["nDCG@10"] for run in runs]
    assert found == pytest.approx(FIGURES[collection], abs=0.00051)


def test_recall_of_fusion_on_scifact(data):
    gold = gold_of(data, "scifact")
    sparse, dense, hybrid = runs_of(data, "scifact", "bm25", "dense-wordllama", "hybrid-rrf60")
    means = [evaluate(gold, run, "R@100").mean["R@100"] for run in (sparse, dense, hybrid, fuse([sparse, dense]))]
    assert means == pytest.approx([0.925, 0.854, 0.946, 0.945], abs=0.0005)


BY_SCORES = {"combsum": "sum", "combmnz": "mnz", "combmax": "max", "combmin": "min", "combanz": "anz", "combmed": "med"}
BY_RANKS = {"rrf": "rrf", "isr": "isr", "borda": "bordafuse"}
NORMS = {"min-max": "min-max", "max": "max", "sum": "sum", "z-score": "zmuv", "rank": "rank", "none": None}
PAIRS = [
    *((method, theirs, "min-max") for method, theirs in (BY_SCORES | BY_RANKS).items()),
    *(("combsum", "sum", norm) for norm in NORMS if norm != "min-max"),
]


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("method", "theirs", "norm"), PAIRS)
def test_scores_equal_those_of_ranx(method, theirs, norm):
    """Where no list ties and none is constant: there the two differ, and ours is stated."""
    ranx = pytest.importorskip("ranx")
    a = {"q1": {"a": 9.0, "b": 7.5, "c": 3.0, "d": 1.0}, "q2": {"a": 2.0, "x": 0.5}}
    b = {"q1": {"c": 0.9, "e": 0.8, "a": 0.1}, "q2": {"x": 0.7, "y": 0.6, "z": 0.2}}
    ours = scores_of(fuse([Run.from_mapping(a), Run.from_mapping(b)], method, norm=norm))
    found = ranx.fuse([ranx.Run(a), ranx.Run(b)], norm=NORMS[norm], method=theirs).to_dict()
    for query, items in ours.items():
        assert dict(items) == pytest.approx(found[query], rel=1e-6)
