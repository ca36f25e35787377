"""Rankings of links by brute force: every candidate of every question is looked at."""

import numpy as np
import polars as pl

from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import Ranking


def random_graph(seed, entities=6, relations=2, triples=40):
    """Make a small graph whose splits share questions; names of entities are e0, e1 …"""
    rng = np.random.default_rng(seed)
    every = np.array([(h, r, t) for h in range(entities) for r in range(relations) for t in range(entities)])
    chosen = rng.permutation(every)[:triples]
    train, valid, test = np.split(chosen, [triples // 2, triples // 2 + triples // 5])
    named = [f"e{i}" for i in range(entities)]
    return KnowledgeGraph(
        pl.Series(named), pl.Series([f"r{i}" for i in range(relations)]),
        {"train": train.astype(np.int64), "valid": valid.astype(np.int64), "test": test.astype(np.int64)},
        name="tiny",
    )  # fmt: skip


def random_scores(graph, seed, levels=4):
    """Return scores of all entities for a side, an entity and a relation, of few levels so that there are ties."""
    rng = np.random.default_rng(seed)
    many = len(graph.entities)
    table = rng.integers(0, levels, size=(2, many, len(graph.relations), many)) / levels
    return lambda side, entity, relation: table[int(side == "head"), entity, relation]


def brute_ranking(graph, scores, protocol=None, typed=None, name="brute"):
    """Rank the triples of a split by looking at each candidate; `typed` are candidates by side and relation."""
    protocol = protocol or Protocol()
    rows, questions = [], {}
    for side in protocol.sides:
        for head, relation, tail in graph.splits[protocol.split].tolist():
            given, target = (head, tail) if side == "tail" else (tail, head)
            query = questions.setdefault((side, given, relation), len(questions))
            row = {"side": side, "head": head, "relation": relation, "tail": tail, "query": query, "target": target}
            rows.append(row | counts(graph, protocol, (side, given, relation), target, scores, typed))
    return Ranking(pl.DataFrame(rows), graph, protocol, name)


def counts(graph, protocol, question, target, scores, typed):  # noqa: PLR0917 - a helper of this file
    side, given, relation = question
    score = scores(side, given, relation)
    asked = answers(graph, side, given, relation, [protocol.split])
    known = answers(graph, side, given, relation, protocol.known)
    others = answers(graph, side, given, relation, [one for one in protocol.known if one != protocol.split]) - asked
    every = set(range(len(graph.entities)))
    lists = {"raw_": every, "": every - known, "list_": every - others}
    if typed is not None:
        lists["typed_"] = typed[side, relation] - known
    found = {"score": float(score[target])}
    for prefix, candidates in lists.items():
        rivals = candidates - {target}
        found[f"{prefix}greater"] = sum(score[one] > score[target] for one in rivals)
        found[f"{prefix}equal"] = sum(score[one] == score[target] for one in rivals)
        found[f"{prefix}candidates"] = len(rivals) + 1
    if typed is not None:
        found["typed_inside"] = target in typed[side, relation]
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in found.items()}


def answers(graph, side, given, relation, splits):
    place = (0, 2) if side == "tail" else (2, 0)
    return {
        row[place[1]]
        for split in splits
        for row in graph.splits.get(split, np.zeros((0, 3), int)).tolist()
        if row[1] == relation and row[place[0]] == given
    }


def one_question(scores, test, train=(), entities=None):
    """Return the ranking of the tails of one question (0, 0, ?) with these scores, right answers and known ones."""
    many = entities or len(scores)
    splits = {
        "train": np.array([(0, 0, one) for one in train], np.int64).reshape(-1, 3),
        "test": np.array([(0, 0, one) for one in test], np.int64).reshape(-1, 3),
    }
    graph = KnowledgeGraph(pl.Series([f"e{i}" for i in range(many)]), pl.Series(["r"]), splits, name="one")
    return brute_ranking(graph, lambda *_: np.array(scores), Protocol(sides=("tail",)))
