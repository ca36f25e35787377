"""Retrievers asked live, by what they offer."""

from dataclasses import dataclass, field
from typing import Any

import pytest

import assay
from assay.errors import InputError
from assay.tasks.rag.retrievers import ask, retrieve


@dataclass
class Document:
    """As LangChain's."""

    page_content: str
    metadata: dict[str, Any] = field(default_factory=dict)
    id: str | None = None


@dataclass
class Node:
    """As LlamaIndex'."""

    node_id: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)

    def get_content(self):
        return self.text


@dataclass
class NodeWithScore:
    node: Node
    score: float | None

    @property
    def metadata(self):
        return self.node.metadata


class LangChain:
    def invoke(self, question):
        return [Document("Rome is old.", {"source": "rome.txt"}, "p1"), Document(question, {"title": "Echo"}, "p2")]


class OldLangChain:
    def get_relevant_documents(self, question):
        assert question
        return [Document("Rome is old.", {"doc_id": 7, "relevance_score": 0.25})]


class LlamaIndex:
    name = "vectors"

    def retrieve(self, question):
        assert question
        return [NodeWithScore(Node("n1", "Rome is old."), 0.9), NodeWithScore(Node("n2", "Paris"), 0.4)]

    def invoke(self, question):
        raise AssertionError(question)


QUESTIONS = [
    {"id": "q1", "question": "how old?", "needed": ["p1"], "hops": 1},
    {"id": "q2", "question": "who?", "needed": ["p9"]},
]


def test_documents_of_langchain():
    row = ask(LangChain(), QUESTIONS)[0]
    assert row["retrieved"] == [
        {"id": "p1", "text": "Rome is old.", "document": "rome.txt"},
        {"id": "p2", "text": "how old?", "document": "Echo"},
    ]
    assert row["hops"] == 1
    assert row["latency"] >= 0


def test_documents_of_langchain_as_it_was():
    (row,) = ask(OldLangChain(), {"q": "how old?"})
    assert row["retrieved"] == [{"id": 7, "text": "Rome is old.", "score": 0.25}]


def test_nodes_of_llamaindex_with_their_scores():
    found = retrieve(LlamaIndex(), [{"question": "how old?", "needed": ["n1"]}])
    assert (found.name, found.scored) == ("vectors", True)
    assert found.run.frame().rows() == [("how old?", "n1", 0.9), ("how old?", "n2", 0.4)]


def test_what_was_retrieved_is_evaluated_and_its_seconds_are_costs():
    found = retrieve(LangChain(), QUESTIONS, k=1)
    assert found.items["item"].to_list() == ["p1", "p1"]
    assert assay.evaluate(found.gold, found.run, "R@1").mean == {"R@1": 0.5}
    costs = found.run.costs()
    assert costs.columns == ["query", "latency"]
    assert costs["query"].to_list() == ["q1", "q2"]
    assert (costs["latency"] >= 0).all()


def test_rows_can_be_judged_beside_a_file(tmp_path):
    rows = ask(LangChain(), QUESTIONS)
    assert assay.evaluate_rag({"live": rows}, "HR@2").mean == {"live": {"HR@2": 0.5}}


def test_a_function_with_triples_pairs_and_texts():
    def graph(question):
        return [("Ada", "born in", "London"), ("p1", 0.5), "a text"]

    (row,) = ask(graph, ["where?"])
    assert row["retrieved"] == [("Ada", "born in", "London"), {"id": "p1", "score": 0.5}, "a text"]
    assert row["question"] == "where?"


def test_questions_of_a_file_and_gold_beside_it(tmp_path):
    file = tmp_path / "gold.jsonl"
    file.write_text('{"id": "q1", "question": "how old?", "needed": ["p1"], "type": "age"}\n')
    found = retrieve(LangChain(), file, gold=file)
    assert found.run.frame()["query"].unique().to_list() == ["q1"]
    assert found.gold.table["item"].to_list() == ["p1"]
    assert found.records.slices == ["type", "latency"]


def test_gold_under_other_ids_is_joined_by_the_text_and_so_are_seconds():
    found = retrieve(LangChain(), ["how old?"], gold=[{"id": "g1", "question": "how old?", "needed": ["p1"]}])
    assert list(found.run.seconds) == ["g1"]


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InputError, match="expected a function or an object with retrieve, invoke"):
        ask(object(), ["who?"])
    with pytest.raises(InputError, match="expected a list for 'who\\?', found str"):
        ask(str.upper, ["who?"])
    with pytest.raises(InputError, match="record 2: expected a text under question, found None"):
        ask(LangChain(), [{"question": "who?"}, {"text": "why?"}])


def test_a_failing_retriever_fails_with_its_question():
    def broken(question):
        raise ConnectionError("no server")

    with pytest.raises(ConnectionError) as failed:
        ask(broken, ["who?"])
    assert failed.value.__notes__ == ["while broken was asked 'who?'"]
