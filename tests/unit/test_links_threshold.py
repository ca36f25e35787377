"""Thresholds for populating a graph: the bound, the counts, the list and its flags."""

import itertools
import json
from fractions import Fraction
from math import comb

import jsonschema
import numpy as np
import pytest
from tests.unit.link_rankings import random_graph, random_scores

from assay.errors import ParameterError, RunError
from assay.report.links_threshold import render, to_frame
from assay.report.schema.links_threshold import LINKS_THRESHOLD
from assay.statistics.threshold import cut_at, fewest, lower_bound, threshold
from assay.tasks.links import admitted as blocks
from assay.tasks.links.admitted import Asked, admitted
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.models.transe import TransE
from assay.tasks.links.threshold import threshold_links

GRAPH = random_graph(3, entities=9, triples=80)
RNG = np.random.default_rng(2)
VECTORS = RNG.normal(size=(9, 4)), RNG.normal(size=(2, 4))
MODELS = {"dot": DistMult(*VECTORS), "l2": TransE(*VECTORS, norm=2, gamma=3.0), "l1": TransE(*VECTORS, norm=1)}
NEGATIVES = np.array([
    row for row in itertools.product(range(9), range(2), range(9))
    if row not in {tuple(one) for one in GRAPH.triples().tolist()}
])  # fmt: skip


def scored(levels=8):
    """Return a model with many ties that scores right triples higher, most of the time."""
    scores = random_scores(GRAPH, 1, levels)("tail", slice(None), slice(None)).copy()
    scores[tuple(GRAPH.triples()[:, [0, 1, 2]].T)] += 0.5
    return Scorer(lambda e, r, _: scores[e, r], 9, 2)


def candidates(model):
    """Return every candidate triple with its score: all tails of the pairs of head and relation in train."""
    pairs = sorted({(h, r) for h, r, _ in GRAPH.splits["train"].tolist()})
    rows = np.array([(h, r, t) for h, r in pairs for t in range(9)])
    return rows, model.asked("tail", *rows.T)


@pytest.mark.parametrize(("right", "labels", "confidence"), [(29, 29, 0.95), (7, 10, 0.9), (1, 4, 0.5)])
def test_the_lower_bound_is_the_share_that_makes_the_labels_unlikely(right, labels, confidence):
    low = lower_bound(right, labels, confidence)
    tail = sum(comb(labels, k) * low**k * (1 - low) ** (labels - k) for k in range(right, labels + 1))
    assert tail == pytest.approx(1 - confidence, abs=1e-9)


def test_as_few_labels_as_can_do():
    assert fewest(0.9, 0.95) == 29
    assert Fraction(9, 10) ** 29 < Fraction(5, 100) < Fraction(9, 10) ** 28
    assert threshold(np.arange(28.0), np.ones(28, bool), 0.9, 0.95) is None
    assert threshold(np.arange(29.0), np.ones(29, bool), 0.9, 0.95).labels == 29


def test_ties_are_never_cut():
    scores = np.array([2.0] * 30 + [1.0] * 40 + [0.0] * 10)
    right = np.array([True] * 68 + [False] * 12)
    found = threshold(scores, right, 0.8, 0.9)
    assert (found.score, found.labels, found.right) == (1.0, 70, 68)
    assert found.low == pytest.approx(lower_bound(68, 70, 1 - 0.1 / found.tried))
    assert cut_at(scores, right, 5.0, 0.9).labels == 0


def test_the_confidence_holds_although_many_cuts_are_tried():
    rng, missed, found = np.random.default_rng(0), 0, 0
    for _ in range(400):
        scores = rng.random(120)
        chance = 0.3 + 0.6 * scores
        cut = threshold(scores, rng.random(120) < chance, 0.8, 0.8)
        if cut:
            found += 1
            missed += 0.3 + 0.6 * (1 + cut.score) / 2 < 0.8
    assert found > 10
    assert missed / 400 <= 0.2


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("queries", [1, 256])
def test_admitted_triples_are_those_of_every_score(name, queries, monkeypatch):
    monkeypatch.setattr(blocks, "QUERIES", queries)
    model = MODELS[name]
    rows, scores = candidates(model)
    floor = np.array([scores[7], np.inf])
    found = admitted(model, Asked.of(GRAPH), floor, 1000)
    above = (scores >= floor[0]) & (rows[:, 1] == 0)
    train, held = ({tuple(one) for one in GRAPH.triples(*of).tolist()} for of in (("train",), ("valid", "test")))
    wanted = [tuple(one) for one in rows[above].tolist()]
    kinds = [2 if one in train else int(one in held) for one in wanted]
    assert found.counts[:, 0].tolist() == [kinds.count(kind) for kind in range(3)]
    assert found.counts[:, 1].tolist() == [0, 0, 0]
    assert sorted(map(tuple, found.triples.tolist())) == sorted(
        one for one, kind in zip(wanted, kinds, strict=True) if kind < 2
    )
    assert (np.diff(found.scores) <= 0).all()
    few = admitted(model, Asked.of(GRAPH), floor, 3)
    assert few.cut
    assert few.triples.tolist() == found.triples[:3].tolist()
    assert few.counts.tolist() == found.counts.tolist()


def test_the_threshold_of_labels_and_what_it_admits():
    model = scored()
    found = threshold_links(GRAPH, model, negatives=NEGATIVES, precision=0.3, confidence=0.6, by_relation=True)
    rows, scores = candidates(model)
    held = {tuple(one) for one in GRAPH.triples("valid", "test").tolist()}
    train = {tuple(one) for one in GRAPH.triples("train").tolist()}
    overall = found.overall
    valid = model.asked("tail", *GRAPH.splits["valid"].T)
    wrong = model.asked("tail", *NEGATIVES.T)
    assert (overall.positives, overall.negatives) == (len(valid), len(wrong))
    assert overall.chosen.right == (valid >= overall.score).sum()
    assert overall.chosen.labels == (np.append(valid, wrong) >= overall.score).sum()
    assert overall.chosen.low >= 0.3
    above = [tuple(one) for one in rows[scores >= overall.score].tolist()]
    assert overall.held == sum(one in held for one in above)
    assert overall.known == sum(one in train for one in above)
    assert overall.admitted == len(above) - overall.held - overall.known
    assert overall.floor == pytest.approx(overall.held / (overall.held + overall.admitted))
    assert overall.candidates == len(rows)
    assert [one.group for one in found.thresholds] == ["all", "r0", "r1"]
    for row in found.triples.iter_rows(named=True):
        number = tuple(int(row[name][1:]) for name in ("head", "relation", "tail"))
        assert (row["split"] is not None) == (number in held)
        assert number not in train


def test_wrong_triples_count_once_and_not_where_a_split_holds_them():
    plain = threshold_links(GRAPH, scored(), negatives=NEGATIVES, precision=0.3, confidence=0.6)
    more = np.concatenate([NEGATIVES, NEGATIVES[:5], GRAPH.splits["train"][:7], GRAPH.splits["test"][:2]])
    found = threshold_links(GRAPH, scored(), negatives=more, precision=0.3, confidence=0.6)
    assert found.overall == plain.overall


def test_a_checked_threshold_was_chosen_by_other_labels():
    model = scored()
    found = threshold_links(
        GRAPH, model, negatives=NEGATIVES[::2], check_negatives=NEGATIVES[1::2], precision=0.5, confidence=0.6
    )
    checked = found.overall.checked
    right = model.asked("tail", *GRAPH.splits["test"].T) >= found.overall.score
    wrong = model.asked("tail", *NEGATIVES[1::2].T) >= found.overall.score
    assert (checked.right, checked.labels) == (right.sum(), right.sum() + wrong.sum())
    assert checked.low == pytest.approx(lower_bound(checked.right, checked.labels, 0.6))
    assert [one.method for one in found.calibrations] == ["sigmoid", "platt", "isotonic"]
    assert found.calibrations[0].labels == len(GRAPH.splits["test"]) + len(NEGATIVES[1::2])


def test_a_closed_world_takes_all_that_no_split_holds_for_wrong():
    model = scored()
    found = threshold_links(GRAPH, model, closed=True, precision=0.5, confidence=0.6)
    rows, scores = candidates(model)
    train = {tuple(one) for one in GRAPH.triples("train").tolist()}
    held = {tuple(one) for one in GRAPH.triples("valid", "test").tolist()}
    new = np.array([tuple(one) not in train for one in rows.tolist()])
    right = np.array([tuple(one) in held for one in rows.tolist()])
    overall = found.overall
    assert (overall.positives, overall.negatives) == (right.sum(), (new & ~right).sum())
    assert overall.chosen.labels == (new & (scores >= overall.score)).sum()
    assert overall.chosen.precision == pytest.approx(overall.floor)
    assert found.labels == "closed-world"
    assert any("Closed world" in line for line in found.notices)


def test_nothing_is_admitted_where_labels_cannot_say():
    found = threshold_links(GRAPH, MODELS["dot"], negatives=NEGATIVES[:2], precision=0.5, confidence=0.9)
    assert found.overall.score is None
    assert found.overall.admitted == 0
    assert "do not tell right from wrong" in found.overall.why
    few = threshold_links(GRAPH, MODELS["dot"], negatives=NEGATIVES, precision=0.999, confidence=0.99)
    assert "without an error are needed" in few.overall.why
    assert few.triples.height == 0
    assert few.overall.floor is None


def test_the_result_is_the_same_in_any_order_and_in_every_form():
    turned = KnowledgeGraph(
        GRAPH.entities, GRAPH.relations, {split: rows[::-1] for split, rows in GRAPH.splits.items()}, name="tiny"
    )
    one, two = (
        threshold_links(graph, scored(), negatives=wrong, precision=0.3, confidence=0.6, by_relation=True)
        for graph, wrong in ((GRAPH, NEGATIVES), (turned, NEGATIVES[::-1]))
    )
    assert one.overall.admitted > 0
    jsonschema.validate(json.loads(json.dumps(one.to_dict(), allow_nan=False)), LINKS_THRESHOLD)
    assert json.dumps(one.to_dict()) == json.dumps(two.to_dict())
    assert max(map(len, render(one, width=100).splitlines())) <= 100
    assert to_frame(one)["admitted"].to_list() == [group.admitted for group in one.thresholds]


def test_what_cannot_be_searched_is_refused():
    model = MODELS["dot"]
    with pytest.raises(ParameterError, match="both or none"):
        threshold_links(GRAPH, model)
    with pytest.raises(ParameterError, match="both or none"):
        threshold_links(GRAPH, model, negatives=NEGATIVES, closed=True)
    with pytest.raises(ParameterError, match="between 0 and 1"):
        threshold_links(GRAPH, model, negatives=NEGATIVES, precision=1.0)
    alone = KnowledgeGraph.from_arrays(GRAPH.splits["train"], test=GRAPH.splits["test"], entities=9, relations=2)
    with pytest.raises(ParameterError, match="test only"):
        threshold_links(alone, model, negatives=NEGATIVES, check_negatives=NEGATIVES)
    with pytest.raises(ParameterError, match="head, relation and tail"):
        threshold_links(GRAPH, model, negatives=np.zeros((3, 2), int))
    with pytest.raises(ParameterError, match="entity"):
        threshold_links(GRAPH, model, negatives=np.array([[0, 0, 9]]))
    broken = Scorer(lambda e, *_: np.full((len(e), 9), np.nan), 9, 2)
    with pytest.raises(RunError, match="finite"):
        threshold_links(GRAPH, broken, negatives=NEGATIVES)
