"""Profile `pykeen` against PyKEEN's own evaluator, run on trained vectors; and what it gets wrong, as tests."""

from functools import cache

import numpy as np
import polars as pl
import pytest

from assay import PROFILES, evaluate
from assay.errors import RunError
from assay.tasks.links.evaluate import evaluate_links, evaluate_ranking
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models import Scorer, from_pykeen
from assay.tasks.links.profiled import protocol_like
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank

pytestmark = [pytest.mark.torch, pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

TRAINED = [
    "umls_complex", "umls_distmult", "umls_transe_l1", "umls_transe_l2", "umls_rotate", "nations_complex",
    "kinships_complex",
]  # fmt: skip
CLASSES = {"complex": "ComplEx", "distmult": "DistMult", "transe": "TransE", "rotate": "RotatE"}
OURS = {
    "inverse_harmonic_mean_rank": "RR", "arithmetic_mean_rank": "MR", "median_rank": "MedianRank",
    "geometric_mean_rank": "GeometricMeanRank", "hits_at_1": "HR@1", "hits_at_3": "HR@3", "hits_at_10": "HR@10",
    "adjusted_arithmetic_mean_rank": "AMR", "adjusted_arithmetic_mean_rank_index": "AMRI",
    "adjusted_inverse_harmonic_mean_rank": "AdjustedMRR", "adjusted_hits_at_k.10": "AdjustedHits@10",
}  # fmt: skip
SIDES = ("tail", "head")
FLOAT32 = 3e-7


@pytest.fixture(scope="module")
def pykeen():
    pytest.importorskip("torch")
    return pytest.importorskip("pykeen")


def factory(triples, entities, relations):
    """Return their triples of numbers; every entity and relation has one, as in the pipeline."""
    import torch
    from pykeen.triples import CoreTriplesFactory

    return CoreTriplesFactory(torch.as_tensor(triples, dtype=torch.long), entities, relations)


def with_vectors(arrays, name):
    """Return a model of PyKEEN with given vectors."""
    import torch
    from pykeen.models import model_resolver

    entity, relation = arrays["entity_0"], arrays["relation_0"]
    kind = name.split("_")[1]
    options = {"scoring_fct_norm": int(name[-1])} if kind == "transe" else {}
    training = factory(arrays["train"], len(entity), len(relation))
    model = model_resolver.make(
        CLASSES[kind], triples_factory=training, embedding_dim=entity.shape[1], random_seed=0, **options
    )
    for representation, vectors in zip(
        (model.entity_representations[0], model.relation_representations[0]), (entity, relation), strict=True
    ):
        values = np.ascontiguousarray(vectors).view(np.float32)
        representation._embeddings.weight.data = torch.tensor(values.reshape(len(vectors), -1))
    return model.eval()


@cache
def evaluated(data, name):
    """Run PyKEEN's evaluator, tails and heads filtered by all splits; return it, its figures, our graph and model."""
    import torch
    from pykeen.evaluation import RankBasedEvaluator

    arrays = dict(np.load(data / "kg" / "trained" / f"{name}.npz"))
    model = with_vectors(arrays, name)
    evaluator = RankBasedEvaluator(clear_on_finalize=False)
    train, valid, test = (torch.as_tensor(arrays[split], dtype=torch.long) for split in ("train", "valid", "test"))
    figures = evaluator.evaluate(
        model, test, additional_filter_triples=[train, valid], batch_size=256, use_tqdm=False
    )  # fmt: skip
    graph = KnowledgeGraph.from_arrays(
        *(arrays[split].astype(np.int64) for split in ("train", "valid", "test")),
        entities=len(arrays["entity_0"]), relations=len(arrays["relation_0"]),
    )  # fmt: skip
    return evaluator, figures, graph, from_pykeen(model)


def ranks_of(evaluator, kind):
    return np.concatenate([np.concatenate(evaluator.ranks[side, kind]) for side in SIDES]).astype(float)


@pytest.mark.parametrize("name", TRAINED)
def test_ranks_and_candidates_are_those_of_its_evaluator(pykeen, data, name):
    evaluator, _, graph, model = evaluated(data, name)
    ranking = rank(graph, model, protocol_like("pykeen"))
    for kind in ("optimistic", "realistic", "pessimistic"):
        assert ranking.ranks(kind).tolist() == ranks_of(evaluator, kind).tolist(), kind
    many = np.concatenate([np.concatenate(evaluator.num_candidates[side]) for side in SIDES])
    assert ranking.table["candidates"].to_list() == many.tolist()


@pytest.mark.parametrize("name", TRAINED)
def test_figures_are_those_of_its_evaluator(pykeen, data, name):
    """To 1e-9 where its metrics read the ranks in float64, to float32 where they read them as it keeps them."""
    from pykeen.evaluation.rank_based_evaluator import RankBasedMetricResults, RankPack, _iter_ranks

    evaluator, figures, graph, model = evaluated(data, name)
    found = evaluate_links(graph, model, " ".join(OURS.values()), protocol=protocol_like("pykeen")).filtered
    packs = [
        RankPack(one.target, one.rank_type, one.ranks.astype(np.float64), one.num_candidates, None)
        for one in _iter_ranks(evaluator.ranks, evaluator.num_candidates)
    ]
    double = RankBasedMetricResults.from_ranks(evaluator.metrics, packs)
    for side in (None, *SIDES):
        for theirs, measure in OURS.items():
            key = f"{side or 'both'}.realistic.{theirs}"
            assert found.figure(measure, side).mean == pytest.approx(double.get_metric(key), abs=1e-9), key
            assert found.figure(measure, side).mean == pytest.approx(
                figures.get_metric(key), rel=FLOAT32, abs=FLOAT32
            ), key


@pytest.mark.parametrize("levels", [4, 10**6])
@pytest.mark.parametrize("seed", range(5))
def test_a_run_under_the_profile_has_its_ranks(pykeen, seed, levels):
    import torch
    from pykeen.evaluation.ranks import Ranks

    scores = np.random.default_rng(seed).integers(0, levels, (30, 20)).astype(float)
    theirs = Ranks.from_scores(torch.tensor(scores[:, :1]), torch.tensor(scores))
    gold = {f"q{row:02d}": {"i00": 1} for row in range(len(scores))}
    run = {f"q{row:02d}": {f"i{place:02d}": one for place, one in enumerate(line)} for row, line in enumerate(scores)}
    for kind in ("realistic", "optimistic", "pessimistic"):
        profile = PROFILES["pykeen"] if kind == "realistic" else PROFILES["pykeen"].but(ties=kind)
        found = evaluate(gold, run, "MR RR HR@3", profile=profile)
        ranks = getattr(theirs, kind).numpy().astype(float)
        values = {name: rows["value"].to_list() for (name,), rows in found.per_query.group_by("measure")}
        assert values["MR"] == ranks.tolist()
        assert values["RR"] == pytest.approx((1 / ranks).tolist())
        assert values["HR@3"] == (ranks <= 3).tolist()


def test_entities_that_train_lacks_are_dropped_as_its_factories_do(pykeen):
    from pykeen.triples import TriplesFactory

    train = [("a", "r", "b"), ("b", "r", "c"), ("c", "s", "a")]
    test = [("a", "r", "c"), ("d", "r", "a"), ("b", "s", "a"), ("a", "t", "b")]
    training = TriplesFactory.from_labeled_triples(np.array(train))
    testing = TriplesFactory.from_labeled_triples(
        np.array(test), entity_to_id=training.entity_to_id, relation_to_id=training.relation_to_id
    )  # fmt: skip
    graph = KnowledgeGraph.from_arrays(train, test=test)
    model = Scorer(lambda entity, *_: np.zeros((len(entity), 4)), 4, 3)
    ranking = rank(graph, model, protocol_like("pykeen"))
    assert ranking.table.height == 2 * testing.num_triples == 4
    assert ranking.table["raw_candidates"].unique().to_list() == [training.num_entities] == [3]
    assert rank(graph, model, protocol_like("pykeen", unseen="keep")).table.height == 8


def test_without_train_and_valid_it_filters_by_test_alone(pykeen, data):
    from pykeen.evaluation import RankBasedEvaluator

    _, figures, graph, model = evaluated(data, "nations_complex")
    arrays = dict(np.load(data / "kg" / "trained" / "nations_complex.npz"))
    evaluator = RankBasedEvaluator(clear_on_finalize=False)
    import torch

    evaluator.evaluate(
        with_vectors(arrays, "nations_complex"), torch.as_tensor(arrays["test"], dtype=torch.long),
        batch_size=256, use_tqdm=False,
    )  # fmt: skip
    ours = rank(graph, model, Protocol(known=("test",)))
    assert ours.ranks().tolist() == ranks_of(evaluator, "realistic").tolist()
    assert evaluate_ranking(ours, "RR")["RR"] < figures.get_metric("both.realistic.inverse_harmonic_mean_rank") / 2


def test_fault_a_model_of_nan_is_better_than_perfect(pykeen, data):
    """The realistic rank is (1 + 0) / 2, since nothing is greater than NaN and nothing equals it: an MRR of 2."""
    import torch
    from pykeen.evaluation import RankBasedEvaluator

    arrays = dict(np.load(data / "kg" / "trained" / "nations_complex.npz"))
    arrays["entity_0"] = np.full_like(arrays["entity_0"], np.nan)
    model = with_vectors(arrays, "nations_complex")
    evaluator = RankBasedEvaluator(metrics=["mrr", "hits@k"], metrics_kwargs=[None, {"k": 1}], add_defaults=False)
    test = torch.as_tensor(arrays["test"], dtype=torch.long)
    theirs = evaluator.evaluate(model, test, batch_size=256, use_tqdm=False)
    assert (theirs.get_metric("both.realistic.mrr"), theirs.get_metric("hits@1")) == (2.0, 1.0)
    _, _, graph, _ = evaluated(data, "nations_complex")
    with pytest.raises(RunError, match="NaN or infinite"):
        rank(graph, from_pykeen(model))
    worst = evaluate_links(graph, from_pykeen(model), "RR", protocol=Protocol(nan="worst"))
    assert worst["RR"] < 0.3


def test_fault_its_interval_of_90_percent_is_that_of_10(pykeen, data):
    """It takes the percentiles ci/2 and 100 - ci/2: 45 and 55 for 90; and triples of one question as independent."""
    evaluator, _, graph, model = evaluated(data, "nations_complex")
    key = "both.realistic.inverse_harmonic_mean_rank"
    drawn = np.array(evaluator.finalize_multi(n_boot=50)[key])
    theirs = evaluator.finalize_with_confidence(n_boot=50)[key][1]
    assert theirs == pytest.approx(np.diff(np.percentile(drawn, [45, 55])).item())
    ours = evaluate_links(graph, model, "RR", interval=0.9).filtered.figure("RR").interval
    assert ours.high - ours.low > 5 * theirs
    assert pl.Series(drawn).is_between(ours.low, ours.high).mean() > 0.8
