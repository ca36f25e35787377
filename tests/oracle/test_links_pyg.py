"""PyTorch Geometric's LinkPred metrics against our lists with many right answers, and what differs, each as a test."""

import numpy as np
import polars as pl
import pytest

from assay import evaluate
from assay.core.policy import Policy
from assay.errors import RunError
from assay.tasks.links.evaluate import evaluate_links
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models import Scorer, from_pyg
from assay.tasks.links.protocol import Protocol

pytestmark = [pytest.mark.torch, pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

ENTITIES, RELATIONS = 40, 3
OURS = {
    "Precision": "P@{k}", "Recall": "R@{k}", "F1": "F1@{k}", "MAP": "AP(norm='min')@{k}", "NDCG": "nDCG@{k}",
    "MRR": "RR@{k}", "HitRatio": "HR@{k}",
}  # fmt: skip
FLOAT32 = 1e-6
TAILS = Protocol(sides=("tail",))


def metric(name, k, lists, right):
    """Return one of their metrics: the first k of each list, and the right (list, item) pairs."""
    torch, metrics = pytest.importorskip("torch"), pytest.importorskip("torch_geometric.metrics")
    made = getattr(metrics, f"LinkPred{name}")(k)
    made.update(torch.tensor(lists), torch.tensor(np.array(right, np.int64).reshape(-1, 2).T))
    return float(made.compute())


def graph_and_scores(seed):
    random = np.random.default_rng(seed)
    every = random.permutation(ENTITIES * RELATIONS * 5)
    rows = np.column_stack(np.unravel_index(every, (5, RELATIONS, ENTITIES)))[:300]
    graph = KnowledgeGraph.from_arrays(
        rows[:160], rows[160:240], rows[240:], entities=ENTITIES, relations=RELATIONS
    )  # fmt: skip
    scores = random.random((ENTITIES, RELATIONS, ENTITIES))
    return graph, scores, Scorer(lambda entity, relation, _: scores[entity, relation], ENTITIES, RELATIONS)


def lists_of(graph, scores, longest):
    """Return for each question the best answers that train and valid do not hold, and the right (list, tail) pairs."""
    test = graph.splits["test"].tolist()
    questions = sorted({(head, relation) for head, relation, _ in test})
    known = {question: set() for question in questions}
    for head, relation, tail in graph.triples("train", "valid").tolist():
        known.get((head, relation), set()).add(tail)
    best = [
        [tail for tail in np.argsort(-scores[question]).tolist() if tail not in known[question]][:longest]
        for question in questions
    ]
    return best, [(questions.index((head, relation)), tail) for head, relation, tail in test]


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("seed", range(3))
def test_lists_of_many_answers_have_their_figures(seed, name, k):
    graph, scores, model = graph_and_scores(seed)
    best, right = lists_of(graph, scores, 10)
    measure = OURS[name].format(k=k)
    found = evaluate_links(graph, model, measure, protocol=TAILS).under("multi-answer")
    assert found[measure] == pytest.approx(metric(name, k, best, right), abs=FLOAT32)
    assert found.queries == len(best)
    assert 0 < found[measure] < 1


def test_difference_their_map_is_divided_by_the_smaller_of_k_and_right():
    """Five right, two of them in the first three: (1 + 2/3) / 3; trec_eval divides by 5, others by the 2 found."""
    gold = {"q": dict.fromkeys("acxyz", 1)}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    theirs = metric("MAP", 3, [[0, 1, 2]], [(0, item) for item in (0, 2, 7, 8, 9)])
    found = evaluate(gold, run, "AP(norm='min')@3 AP@3 AP(norm='found')@3")
    assert theirs == pytest.approx(5 / 9)
    assert list(found.mean.values()) == pytest.approx([5 / 9, 1 / 3, 5 / 6])


def test_difference_a_question_without_a_right_answer_is_left_out_unsaid():
    gold, run = {"0": {"1": 1}, "1": {"1": 0}}, {"0": {"1": 2.0, "2": 1.0}, "1": {"1": 2.0, "2": 1.0}}
    assert metric("Recall", 2, [[1, 2], [1, 2]], [(0, 1)]) == 1.0
    assert evaluate(gold, run, "R@2", policy=Policy(empty="skip"))["R@2"] == 1.0
    counted = evaluate(gold, run, "R@2")
    assert counted["R@2"] == 0.5
    assert counted.figures[0].undefined == 1


def test_fault_an_answer_given_twice_counts_twice():
    """Recall 1.5 of 1 at most; a list holds an answer once, and the second is refused or left out."""
    theirs = {name: metric(name, 3, [[1, 1, 1]], [(0, 1), (0, 2)]) for name in ("Recall", "F1", "MAP", "NDCG")}
    assert theirs == pytest.approx({"Recall": 1.5, "F1": 1.2, "MAP": 1.5, "NDCG": 1.3065736})
    rows = pl.DataFrame({"query": ["q"] * 3, "item": ["b"] * 3, "score": [3.0, 2.0, 1.0]})
    gold = {"q": {"b": 1, "c": 1}}
    with pytest.raises(RunError, match="more than once"):
        evaluate(gold, rows, "R@3")
    assert evaluate(gold, rows, "R@3", policy=Policy(duplicates="first"))["R@3"] == 0.5


def test_fault_a_right_answer_named_twice_halves_recall():
    assert metric("Recall", 1, [[1]], [(0, 1), (0, 1)]) == 0.5
    graph = KnowledgeGraph.from_arrays([[0, 0, 2]], test=[[0, 0, 1], [0, 0, 1]], entities=3, relations=1)
    model = Scorer(lambda entity, *_: np.tile([0.1, 0.9, 0.2], (len(entity), 1)), 3, 1)
    assert evaluate_links(graph, model, "R@1", protocol=TAILS).under("multi-answer")["R@1"] == 1.0


def test_difference_ties_are_as_the_list_happens_to_have_them():
    """Equal scores, one right: the list decides between 0 and 1; the mean over all orders is 1/4."""
    assert [metric("Precision", 1, [[place]], [(0, 2)]) for place in range(4)] == [0, 0, 1, 0]
    graph = KnowledgeGraph.from_arrays([[1, 0, 2]], test=[[0, 0, 2]], entities=4, relations=1)
    model = Scorer(lambda entity, *_: np.zeros((len(entity), 4)), 4, 1)
    figure = evaluate_links(graph, model, "P@1", protocol=TAILS).under("multi-answer").figure("P@1")
    assert figure.ties == {"optimistic": 1.0, "realistic": 0.0, "pessimistic": 0.0, "expected": 0.25}


def test_difference_known_answers_take_places_unless_the_list_leaves_them_out():
    graph, scores, model = graph_and_scores(5)
    best, right = lists_of(graph, scores, 10)
    questions = sorted({(head, relation) for head, relation, _ in graph.splits["test"].tolist()})
    unfiltered = [np.argsort(-scores[question])[:10].tolist() for question in questions]
    ours = evaluate_links(graph, model, "R@10", protocol=TAILS).under("multi-answer")["R@10"]
    theirs = [metric("Recall", 10, lists, right) for lists in (unfiltered, best)]
    assert theirs[0] < theirs[1] == pytest.approx(ours, abs=FLOAT32)


@pytest.mark.parametrize("kind", ["DistMult", "ComplEx", "TransE", "RotatE"])
def test_difference_the_test_of_a_model_is_raw_and_its_mean_rank_counts_from_zero(kind):
    torch, kge = pytest.importorskip("torch"), pytest.importorskip("torch_geometric.nn.kge")
    torch.manual_seed(0)
    model = getattr(kge, kind)(ENTITIES, RELATIONS, 16)
    graph = graph_and_scores(1)[0]
    with torch.no_grad():
        theirs = model.test(*torch.tensor(graph.splits["test"]).T, batch_size=64, k=10, log=False)
    raw = evaluate_links(graph, from_pyg(model), "MR RR HR@10", protocol=TAILS).under("raw")
    assert raw["MR"] - 1 == pytest.approx(theirs[0], rel=FLOAT32)
    assert (raw["RR"], raw["HR@10"]) == pytest.approx(theirs[1:], rel=FLOAT32)
