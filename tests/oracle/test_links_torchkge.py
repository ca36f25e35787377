"""TorchKGE's link prediction on tiny graphs: its filter is ours, its ties are pessimistic; its faults as tests."""

from types import SimpleNamespace

import numpy as np
import pytest

from assay.errors import RunError
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models import ComplEx, DistMult, Scorer, TransE
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import rank

pytestmark = [pytest.mark.torch, pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

ENTITIES, RELATIONS = 6, 2
SIZES = (20, 10, 10)
FLOAT32 = 1e-6


@pytest.fixture(scope="module")
def kge():
    pytest.importorskip("torch")
    return pytest.importorskip("torchkge")


def tiny(seed):
    """Return a graph of few entities, so that questions share answers, and a table of scores of few levels."""
    random = np.random.default_rng(seed)
    every = random.permutation(ENTITIES * RELATIONS * ENTITIES)[: sum(SIZES)]
    triples = np.column_stack(np.unravel_index(every, (ENTITIES, RELATIONS, ENTITIES)))
    graph = KnowledgeGraph.from_arrays(
        *np.split(triples, np.cumsum(SIZES)[:2]), entities=ENTITIES, relations=RELATIONS
    )  # fmt: skip
    return graph, random.integers(0, 4, (2, RELATIONS, ENTITIES, ENTITIES)).astype(float)


def ours(scores):
    return Scorer(
        lambda entity, relation, side: scores[int(side == "head"), relation, entity], scores.shape[3], scores.shape[1]
    )  # fmt: skip


def theirs(kge, graph, model, *, alone=False):
    """Return their evaluator of the test triples, whose filter holds all splits, or test `alone`."""
    import torch

    splits = ("test",) if alone else ("train", "valid", "test")
    heads, relations, tails = torch.tensor(np.concatenate([graph.splits[split] for split in splits])).T.contiguous()
    numbers = [{str(one): one for one in range(many)} for many in (len(graph.entities), len(graph.relations))]
    whole = kge.KnowledgeGraph(
        kg={"heads": heads, "tails": tails, "relations": relations}, ent2ix=numbers[0], rel2ix=numbers[1]
    )  # fmt: skip
    test = whole if alone else whole.split_kg(sizes=tuple(len(graph.splits[split]) for split in splits))[2]
    evaluator = kge.LinkPredictionEvaluator(model, test)
    evaluator.evaluate(b_size=3, verbose=False)
    return evaluator


def table(scores):
    """Return scores as one of their models."""
    import torch

    class Table(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scores = torch.nn.Parameter(torch.tensor(scores), requires_grad=False)

        def inference_prepare_candidates(self, head, tail, relation, entities):
            assert entities
            return head, tail, relation, None

        def inference_scoring_function(self, head, tail, relation):
            side, entity = (0, head) if tail is None else (1, tail)
            return self.scores[side, relation, entity]

    return Table()


def ranks_of(evaluator):
    parts = SimpleNamespace(
        raw=(evaluator.rank_true_tails, evaluator.rank_true_heads),
        filtered=(evaluator.filt_rank_true_tails, evaluator.filt_rank_true_heads),
    )
    return {name: np.concatenate([side.numpy() for side in sides]) for name, sides in vars(parts).items()}


@pytest.mark.parametrize("seed", range(25))
def test_ranks_are_the_pessimistic_ones(kge, seed):
    graph, scores = tiny(seed)
    ranking = rank(graph, ours(scores))
    for protocol, found in ranks_of(theirs(kge, graph, table(scores))).items():
        assert ranking.ranks("pessimistic", protocol).tolist() == found.tolist(), protocol
    assert ranking.ranks("optimistic").tolist() != ranking.ranks("pessimistic").tolist()


@pytest.mark.parametrize("seed", range(5))
def test_figures_are_those_of_pessimistic_ties(kge, seed):
    graph, scores = tiny(seed)
    evaluator = theirs(kge, graph, table(scores))
    found = evaluate_links(graph, ours(scores), "RR MR HR@1 HR@3", protocol=Protocol(ties="pessimistic"))
    for place, protocol in enumerate(("raw", "filtered")):
        figures = found.under(protocol)
        assert figures["RR"] == pytest.approx(evaluator.mrr()[place], rel=FLOAT32)
        assert figures["MR"] == pytest.approx(evaluator.mean_rank()[place], rel=FLOAT32)
        for k in (1, 3):
            assert figures[f"HR@{k}"] == pytest.approx(evaluator.hit_at_k(k)[place], rel=FLOAT32)


MODELS = {
    "DistMultModel": DistMult,
    "ComplExModel": lambda *parts: ComplEx(np.hstack(parts[:2]), np.hstack(parts[2:]), layout="halves"),
    "TransEModel": lambda entity, relation: TransE(entity, relation, norm=1),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_theirs_has_the_ranks_of_ours(kge, name):
    import torch

    torch.manual_seed(1)
    graph = tiny(1)[0]
    more = {"dissimilarity_type": "L1"} if name == "TransEModel" else {}
    model = getattr(kge, name)(8, ENTITIES, RELATIONS, **more)
    ranking = rank(graph, MODELS[name](*(one.detach().numpy() for one in model.get_embeddings())))
    for protocol, found in ranks_of(theirs(kge, graph, model)).items():
        assert ranking.ranks("pessimistic", protocol).tolist() == found.tolist(), protocol


@pytest.mark.parametrize("seed", range(5))
def test_the_filter_is_what_the_evaluated_graph_was_split_from(kge, seed):
    """A test set that is read by itself knows nothing of train and valid: their answers stay candidates."""
    graph, scores = tiny(seed)
    alone = ranks_of(theirs(kge, graph, table(scores), alone=True))["filtered"]
    assert rank(graph, ours(scores), Protocol(known=("test",))).ranks("pessimistic").tolist() == alone.tolist()
    assert rank(graph, ours(scores)).ranks("pessimistic").mean() < alone.mean()


def test_a_constant_model_is_last_everywhere(kge):
    """All orders are alike: the expected MRR of n candidates is H(n)/n, theirs 1/n."""
    graph = KnowledgeGraph.from_arrays([[1, 0, 2]], [[1, 0, 3]], [[0, 0, 1]], entities=4, relations=1)
    evaluator = theirs(kge, graph, table(np.zeros((2, 1, 4, 4))))
    assert evaluator.mrr()[1] == pytest.approx(1 / 4)
    figure = evaluate_links(graph, ours(np.zeros((2, 1, 4, 4))), "RR").filtered.figure("RR")
    assert figure.ties["pessimistic"] == 1 / 4
    assert figure.ties["expected"] == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4)


def test_fault_a_model_of_nan_has_rank_0_and_an_infinite_mrr(kge):
    graph, scores = tiny(0)
    evaluator = theirs(kge, graph, table(np.full_like(scores, np.nan)))
    assert set(ranks_of(evaluator)["filtered"].tolist()) == {0}
    assert evaluator.mrr() == (np.inf, np.inf)
    assert evaluator.hit_at_k(1) == (1.0, 1.0)
    with pytest.raises(RunError, match="NaN or infinite"):
        rank(graph, ours(np.full_like(scores, np.nan)))


def test_fault_the_mark_of_the_filter_is_a_score(kge):
    """Known answers are set to minus infinity, and tie with a true entity that scores as low: 4 of 4 instead of 2."""
    graph = KnowledgeGraph.from_arrays([[0, 0, 2]], [[0, 0, 3]], [[0, 0, 1]], entities=4, relations=1)
    scores = np.zeros((2, 1, 4, 4))
    scores[0, 0, 0] = [0.5, -np.inf, 0.2, 0.1]
    assert ranks_of(theirs(kge, graph, table(scores)))["filtered"][0] == 4
    scores[0, 0, 0, 1] = -1e300
    assert rank(graph, ours(scores)).ranks("pessimistic")[0] == 2
