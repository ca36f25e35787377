"""`rank`: questions grouped, filters subtracted; equal to ranking triple by triple."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import FormatError, ParameterError, RunError, UnknownNameError
from assay.tasks.links.graph import KnowledgeGraph
from assay.tasks.links.models.distmult import DistMult
from assay.tasks.links.models.scorer import Scorer
from assay.tasks.links.protocol import Protocol
from assay.tasks.links.ranking import Ranking, rank

ENTITIES, RELATIONS = 7, 2


def random_graph(random, timed=False):
    columns = [random.integers(0, ENTITIES, 60), random.integers(0, RELATIONS, 60), random.integers(0, ENTITIES, 60)]
    rows = np.column_stack([*columns, random.integers(0, 3, 60)] if timed else columns)
    return KnowledgeGraph.from_arrays(rows[:25], rows[25:40], rows[40:], entities=ENTITIES, relations=RELATIONS)


def random_scorer(random, levels=4):
    tables = {
        side: random.integers(0, levels, (RELATIONS, ENTITIES, ENTITIES)).astype(float) for side in ("tail", "head")
    }
    return Scorer(lambda entity, relation, side: tables[side][relation, entity], ENTITIES, RELATIONS), tables


def by_hand(graph, tables, protocol, constrained):
    """Return the expected rows: a dict for each side and triple, one candidate at a time."""
    facts = []
    for split, rows in graph.splits.items():
        times = graph.times.get(split, np.zeros(len(rows)))
        facts += [(*row, split, time) for row, time in zip(rows.tolist(), times, strict=True)]
    train = [fact for fact in facts if fact[3] == "train"]
    seen = {one[0] for one in train} | {one[2] for one in train}
    relations = {one[1] for one in train}
    if protocol.unseen == "drop":
        facts = [one for one in facts if one[0] in seen and one[2] in seen and one[1] in relations]
    candidates = [one for one in range(ENTITIES) if protocol.unseen == "keep" or one in seen]
    for side in [side for side in ("tail", "head") if side in protocol.sides]:
        mine, its = (0, 2) if side == "tail" else (2, 0)
        for asked in [one for one in facts if one[3] == protocol.split]:
            same = [
                one for one in facts if one[1] == asked[1] and one[mine] == asked[mine] and one[3] in protocol.known
            ]
            known = {one[its] for one in same}
            answers = {
                one[its] for one in facts if (one[1], one[mine], *one[3:]) == (asked[1], asked[mine], *asked[3:])
            }
            typed = constrained.get((side, asked[1]), candidates)
            pools = {
                "raw_": candidates,
                "": [one for one in candidates if one not in known],
                "list_": [one for one in candidates if one not in known or one in answers],
                "time_": [one for one in candidates if one not in {fact[its] for fact in same if fact[4] == asked[4]}],
                "typed_": [one for one in candidates if one in typed and one not in known],
            }
            scores = tables[side][asked[1], asked[mine]]
            row = {"side": side, "head": asked[0], "relation": asked[1], "tail": asked[2], "target": asked[its]}
            row |= {"typed_inside": asked[its] in typed, "score": scores[asked[its]]}
            for prefix, pool in pools.items():
                others = [scores[one] for one in pool if one != asked[its]]
                row[f"{prefix}greater"] = sum(one > row["score"] for one in others)
                row[f"{prefix}equal"] = sum(one == row["score"] for one in others)
                row[f"{prefix}candidates"] = len(others) + 1
            yield row


@given(
    seed=st.integers(0, 2**32 - 1),
    timed=st.booleans(),
    unseen=st.sampled_from(["keep", "drop"]),
    known=st.sets(st.sampled_from(["train", "valid", "test"])).map(tuple),
    sides=st.sampled_from([("tail", "head"), ("head",), ("head", "tail")]),
    split=st.sampled_from(["valid", "test"]),
    block=st.sampled_from([1, 5, 1024]),
)
def test_every_count_is_that_by_hand(seed, timed, block, **conventions):
    protocol, split, sides = Protocol(**conventions), conventions["split"], conventions["sides"]
    random = np.random.default_rng(seed)
    graph = random_graph(random, timed)
    model, tables = random_scorer(random)
    constrained = {("tail", 0): np.array([5, 1, 3]), ("head", 1): np.arange(4), ("head", 0): np.array([], np.int64)}
    ranking = rank(graph, model, protocol, constrained=constrained, block=block)
    wanted = list(by_hand(graph, tables, protocol, {key: value.tolist() for key, value in constrained.items()}))
    assert ranking.table.height == len(wanted)
    assert ranking.dropped == len(graph.splits[split]) - len(wanted) // len(sides)
    columns = [name for name in wanted[0] if timed or not name.startswith("time_")] if wanted else []
    assert set(ranking.table.columns) - {"query"} == set(columns) or not wanted
    for found, row in zip(ranking.table.iter_rows(named=True), wanted, strict=True):
        assert {name: found[name] for name in columns} == {name: row[name] for name in columns}


def test_equal_questions_have_one_number():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[0, 0, 2], [0, 0, 3], [1, 0, 3]], entities=4, relations=1)
    ranking = rank(graph, Scorer(lambda entity, *_: np.zeros((len(entity), 4)), 4, 1))
    assert ranking.table["query"].to_list() == [0, 0, 1, 2, 3, 3]
    assert ranking.table["side"].to_list() == ["tail"] * 3 + ["head"] * 3


@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_triples_changes_only_the_order_of_rows(seed):
    random = np.random.default_rng(seed)
    graph = random_graph(random)
    model, _ = random_scorer(random)
    order = random.permutation(len(graph.splits["test"]))
    shuffled = {name: random.permutation(rows) for name, rows in graph.splits.items()} | {
        "test": graph.splits["test"][order]
    }
    one = rank(graph, model).table
    other = rank(KnowledgeGraph(graph.entities, graph.relations, shuffled), model).table
    assert one[np.concatenate([order, order + len(order)])].equals(other)


def test_ranks_by_every_tie_rule(tmp_path):
    graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[1, 0, 2]], entities=4, relations=1)
    scores = {"tail": [0.5, 0.5, 0.5, 0.9], "head": [0.1, 0.2, 0.3, 0.3]}
    model = Scorer(lambda entity, _, side: np.tile(scores[side], (len(entity), 1)), 4, 1)
    ranking = rank(graph, model, constrained={("tail", 0): np.array([0, 1]), ("head", 0): np.array([1, 3])})
    assert ranking.ranks().tolist() == [3.0, 3.0]
    assert ranking.ranks("optimistic").tolist() == [2.0, 3.0]
    assert ranking.ranks("pessimistic").tolist() == [4.0, 3.0]
    assert ranking.ranks(protocol="typed").tolist() == [np.inf, 2.0]
    added = rank(graph, model, Protocol(outside="add"), constrained={("tail", 0): np.array([0, 1])})
    assert added.ranks(protocol="typed").tolist() == [2.0, 3.0]
    with pytest.raises(UnknownNameError, match="no protocol of this ranking is called 'time'"):
        ranking.ranks(protocol="time")
    with pytest.raises(UnknownNameError, match="no kind of rank is called 'best'"):
        ranking.ranks("best")


def test_a_ranking_comes_back_from_its_file(tmp_path):
    random = np.random.default_rng(0)
    graph, protocol = random_graph(random), Protocol(unseen="drop", known=("train",), sides=("head",))
    ranking = rank(graph, random_scorer(random)[0], protocol)
    ranking.write_parquet(tmp_path / "ranks.parquet")
    again = Ranking.read_parquet(tmp_path / "ranks.parquet", graph)
    assert again.table.equals(ranking.table)
    assert (again.protocol, again.model, again.nan, again.dropped) == (protocol, ranking.model, 0, ranking.dropped)
    ranking.table.write_parquet(tmp_path / "bare.parquet")
    with pytest.raises(FormatError, match=r"bare.parquet: expected a ranking of graph, found none"):
        Ranking.read_parquet(tmp_path / "bare.parquet", graph)
    smaller = KnowledgeGraph.from_arrays([[0, 0, 1]], entities=2, relations=1)
    with pytest.raises(FormatError, match="found one of another graph"):
        Ranking.read_parquet(tmp_path / "ranks.parquet", smaller)


def test_what_does_not_fit_is_refused():
    graph = KnowledgeGraph.from_arrays([[0, 0, 1]], test=[[1, 0, 2]], entities=4, relations=1)
    with pytest.raises(ParameterError, match=r"one vector for each of the 4 entities of the graph, found 3"):
        rank(graph, DistMult(np.ones((3, 2)), np.ones((1, 2))))
    model = DistMult(np.ones((4, 2)), np.ones((1, 2)))
    with pytest.raises(
        ParameterError, match=r"constrained candidates of relation 0: expected numbers .* from 0 to 3, found 9"
    ):
        rank(graph, model, constrained={("tail", 0): np.array([9])})
    with pytest.raises(ParameterError, match="expected triples of the split valid to rank, found none"):
        rank(graph, model, Protocol(split="valid"))
    with pytest.raises(RunError, match="NaN or infinite"):
        rank(graph, DistMult(np.full((4, 2), np.nan), np.ones((1, 2))))
    worst = rank(graph, DistMult(np.full((4, 2), np.nan), np.ones((1, 2))), Protocol(nan="worst"))
    assert worst.ranks().tolist() == [2.5, 2.5]
    assert worst.nan == 8
