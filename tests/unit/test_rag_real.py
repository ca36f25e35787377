"""Questions over real graphs: proofs are paths, and a toy retriever brings what lies around the entity asked for."""

from collections import defaultdict

import pytest

import assay
from assay.tasks.rag.questions import several
from assay.tasks.rag.stages import judge_stages
from assay.tasks.rag.tokens import with_tokens
from assay.tasks.rag.tuning import tune_rag

MOST = 150


def facts(path):
    """Return the triples of a graph that start at each entity, in the order of the file."""
    found = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        triple = tuple(line.split("\t"))
        if len(triple) == 3:
            found[triple[0]].append(triple)
    return found


def around(graph, start, hops):
    """Return the triples within some hops, nearest first."""
    border, found = [start], {}
    for _ in range(hops):
        new = [fact for entity in border for fact in graph.get(entity, [])]
        found |= dict.fromkeys(new)
        border = [fact[2] for fact in new]
    return list(found)


def triples_of(path):
    parts = path.split("#")
    parts = parts[: parts.index("<end>")] if "<end>" in parts else parts
    return [tuple(parts[place : place + 3]) for place in range(0, len(parts) - 2, 2)]


def paths(graph, start, relations, answers):
    """Return every path along the relations that ends at an answer: each proves one."""
    border = [[start]]
    for relation in relations:
        border = [
            [*path, fact] for path in border for fact in graph.get(path[-1][2] if len(path) > 1 else start, [])
            if fact[1] == relation
        ]  # fmt: skip
    return [path[1:] for path in border if path[-1][2] in answers]


@pytest.fixture(scope="module")
def one_proof(data):
    folder = data / "rag" / "pathquestion"
    graph = facts(folder / "2H-kb.txt")
    lines = (folder / "PQ-2H.txt").read_text("utf-8").splitlines()
    rows = []
    for number, line in enumerate(lines[:: max(len(lines) // MOST, 1)]):
        question, _, path = line.split("\t")
        proof = triples_of(path)
        rows.append({"id": f"pq{number}", "question": question, "start": proof[0][0], "proofs": [proof]})
    return graph, rows


@pytest.fixture(scope="module")
def many_proofs(data):
    folder = data / "rag" / "wc2014"
    graph = facts(folder / "WC2014.txt")
    rows = []
    lines = (folder / "WC-P2.txt").read_text("utf-8").splitlines()
    for number, line in enumerate(lines[:: max(len(lines) // MOST, 1)]):
        question, _, path, answers, _ = line.split("\t")
        proof = triples_of(path)
        found = paths(graph, proof[0][0], [fact[1] for fact in proof], set(filter(None, answers.split("/"))))
        rows.append({"id": f"wc{number}", "question": question, "start": proof[0][0], "proofs": found or [proof]})
    return graph, rows


def retrieved(graph, rows, hops):
    return [{**row, "retrieved": around(graph, row["start"], hops)} for row in rows]


def deducible(row, k):
    first = set(row["retrieved"][:k])
    return any(set(proof) <= first for proof in row["proofs"])


@pytest.mark.parametrize("graph", ["one_proof", "many_proofs"])
def test_a_question_is_deducible_when_a_path_is_inside(graph, request):
    rows = retrieved(*request.getfixturevalue(graph), 2)
    for k in (1, 5, 20, 1000):
        found = assay.evaluate_rag([rows], f"Deducible@{k} ProofR@{k}")["system"]
        expected = {row["id"]: float(deducible(row, k)) for row in rows}
        table = found.scores.table.filter(measure=f"Deducible@{k}")
        assert dict(zip(table["query"], table["value"], strict=True)) == expected
        shares = [
            max(len(set(proof) & set(row["retrieved"][:k])) / len(set(proof)) for proof in row["proofs"])
            for row in rows
        ]  # fmt: skip
        assert found[f"ProofR@{k}"] == pytest.approx(sum(shares) / len(shares))


def test_two_hops_bring_every_path_and_one_hop_none(one_proof):
    graph, rows = one_proof
    near, far = retrieved(graph, rows, 1), retrieved(graph, rows, 2)
    assert assay.evaluate_rag([far], "Deducible@100000")["system"]["Deducible@100000"] == 1.0
    assert assay.evaluate_rag([near], "Deducible@100000")["system"]["Deducible@100000"] < 0.05
    found = tune_rag({"hops-1": near, "hops-2": far}, "Deducible", over="file")
    assert [point.value for point in found.points] == [1.0, 2.0]
    assert found.best[0].setting == "2"
    assert found.best[0].alike == ()


def test_all_of_several_proofs_is_more_than_an_answer_needs(many_proofs):
    found = assay.evaluate_rag([retrieved(*many_proofs, 2)], "Deducible@20 Complete@20 ProofR@20 R@20")["system"]
    assert found["Deducible@20"] >= found["Complete@20"]
    assert found["ProofR@20"] >= found["R@20"]
    assert found["Deducible@20"] > found["Complete@20"]


def test_tokens_to_the_first_proof_by_hand(many_proofs):
    rows = retrieved(*many_proofs, 2)
    read = several([rows])
    judged = assay.evaluate(read.gold, read.systems[0].run, "Deducible@1", policy=read.policy())
    table = with_tokens(judged, read.systems[0], read.gold, budgets=[100]).scores.table

    def tokens(row):
        place = next((k for k in range(1, len(row["retrieved"]) + 1) if deducible(row, k)), None)
        return None if place is None else float(sum(len(" ".join(fact).split()) for fact in row["retrieved"][:place]))

    expected = {row["id"]: tokens(row) for row in rows}
    own = table.filter(measure="TokensToProof")
    assert dict(zip(own["query"], own["value"], strict=True)) == expected
    within = table.filter(measure="Deducible(tokens=100)")
    assert dict(zip(within["query"], within["value"], strict=True)) == {
        query: float(spent is not None and spent <= 100) for query, spent in expected.items()
    }


def test_a_pipeline_loses_each_question_once(many_proofs):
    graph, rows = many_proofs
    candidates = retrieved(graph, rows, 2)
    answered = [
        {**row, "retrieved": row["retrieved"][::-1], "correct": len(row["question"]) % 3 > 0} for row in candidates
    ]
    found = judge_stages({"candidates": candidates, "reranked": answered}, at=[50, 10])
    assert sum(loss.lost.questions for loss in found.losses) + found.reached.questions == len(rows)
    first, second = (one.figures[0].mean for one in found.stages)
    assert found.losses[0].lost.questions + found.losses[1].lost.questions == round((1 - second) * len(rows))
    assert found.stages[1].ceiling >= found.stages[1].figures[2].mean
    assert first == pytest.approx(sum(deducible(row, 50) for row in candidates) / len(rows))
