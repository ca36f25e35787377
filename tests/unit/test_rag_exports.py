"""Exports of LangSmith, TruLens and ragas, small ones in their documented shapes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.errors import AssayError
from assay.formats.rag_exports import question_of, rows_of_export
from assay.formats.rag_files import read_records, records_of

DOCUMENT = {"page_content": "Rome is old.", "type": "Document", "metadata": {"id": "p1", "title": "Rome"}}
OTHER = {"page_content": "Paris is large.", "type": "Document", "metadata": {"id": "p2", "title": "Paris"}}

LANGSMITH = [
    {
        "id": "r1", "trace_id": "t1", "parent_run_id": None, "run_type": "chain", "name": "qa",
        "inputs": {"question": "how old?"}, "outputs": {"answer": "very"}, "reference_example_id": "e1",
        "start_time": "2026-01-01T10:00:00.000000", "end_time": "2026-01-01T10:00:02.500000",
        "feedback_stats": {"correctness": {"n": 1, "avg": 1.0}},
    },
    {
        "id": "r3", "trace_id": "t1", "parent_run_id": "r1", "run_type": "retriever", "name": "second",
        "inputs": {"query": "how old?"}, "outputs": {"documents": [OTHER]}, "start_time": "2026-01-01T10:00:01.000000",
    },
    {
        "id": "r2", "trace_id": "t1", "parent_run_id": "r1", "run_type": "retriever", "name": "first",
        "inputs": {"query": "how old?"}, "outputs": {"documents": [DOCUMENT]},
        "start_time": "2026-01-01T10:00:00.500000",
    },
    {
        "id": "r4", "trace_id": "t1", "parent_run_id": "r1", "run_type": "llm", "name": "model",
        "inputs": {"messages": []}, "outputs": {"generations": []},
    },
]  # fmt: skip
EXAMPLES = [
    {
        "id": "e1", "inputs": {"question": "how old?"},
        "outputs": {"answer": "2,800 years", "documents": ["p1", "p9"]}, "metadata": {"type": "age"},
    }
]  # fmt: skip


def lines(folder, name, rows):
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder / name


def test_runs_of_one_trace_are_one_question():
    assert rows_of_export(LANGSMITH) == [
        {
            "question": "how old?",
            "retrieved": [DOCUMENT, OTHER],
            "id": "e1",
            "answer": "very",
            "correct": 1.0,
            "latency": 2.5,
        }
    ]


def test_runs_inside_runs_are_of_their_trace():
    root, *children = LANGSMITH
    inside = [{name: value for name, value in child.items() if name != "trace_id"} for child in children]
    assert rows_of_export([{**root, "child_runs": inside}]) == rows_of_export(LANGSMITH)


def test_a_retriever_alone_is_a_question_without_an_answer():
    (row,) = rows_of_export(
        [{"id": "r", "run_type": "retriever", "inputs": {"query": "who?"}, "outputs": {"output": ["a"]}}]
    )
    assert row == {"question": "who?", "retrieved": ["a"]}


def test_runs_are_judged_by_the_examples_that_they_name(tmp_path):
    runs, gold = lines(tmp_path, "runs.jsonl", LANGSMITH), lines(tmp_path, "examples.jsonl", EXAMPLES)
    found = assay.evaluate_rag([runs], "R@5 Complete@5", gold=gold)
    assert found.mean == {"runs": {"R@5": 0.5, "Complete@5": 0.0}}
    records = read_records(gold, gold=True)
    assert records.questions["answers"].to_list() == [["2,800 years"]]
    assert records.questions["type"].to_list() == ["age"]


def test_the_table_of_an_experiment(tmp_path):
    row = {
        "example_id": "e1", "inputs.question": "how old?", "outputs.answer": "very", "outputs.documents": [DOCUMENT],
        "reference.answer": "2,800 years", "reference.documents": ["p1"], "feedback.correctness": 0.5,
        "execution_time": 1.5,
    }  # fmt: skip
    (found,) = rows_of_export([row])
    assert found == {
        "id": "e1", "question": "how old?", "answer": "very", "answers": "2,800 years", "needed": ["p1"],
        "retrieved": [DOCUMENT], "correct": 0.5, "latency": 1.5,
    }  # fmt: skip
    assert assay.evaluate_rag([[found]], "R@1").mean["system"] == {"R@1": 1.0}


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ("who?", "who?"),
        ({"input": "who?", "history": "none"}, "who?"),
        ({"messages": [{"role": "user", "content": "who?"}, {"role": "assistant", "content": "Ada"}]}, "who?"),
        ([{"type": "human", "content": "who?"}, {"type": "ai", "content": "Ada"}], "who?"),
        ({"input": {"question": "who?"}}, "who?"),
        ({"prompt": "who?"}, "who?"),
        ({"a": "x", "b": "y"}, None),
        (None, None),
    ],
)
def test_where_a_question_stands(inputs, text):
    assert question_of(inputs) == text


TRULENS = {
    "record_id": "record_hash_1", "app_name": "rag", "app_version": "base", "input": "how old?", "output": "very",
    "latency": 3, "total_tokens": 120,
    "record_json": json.dumps({
        "main_input": "how old?",
        "calls": [
            {"stack": [{"path": "app", "method": {"name": "query"}}], "args": {"q": "how old?"}, "rets": "very"},
            {"stack": [{"path": "app", "method": {"name": "query"}}, {"path": "app", "method": {"name": "retrieve"}}],
             "args": {"q": "how old?"}, "rets": ["Rome is old.", "Paris is large."]},
        ],
    }),
}  # fmt: skip


def test_records_of_trulens(tmp_path):
    assert rows_of_export([TRULENS]) == [
        {"question": "how old?", "answer": "very", "retrieved": ["Rome is old.", "Paris is large."], "latency": 3}
    ]
    truth = [{"query": "how old?", "query_id": "1", "expected_response": "very", "expected_chunks": [
        {"text": "Rome is old.", "expect_score": 1.0}, {"text": "Oslo is cold.", "expect_score": 0.0}]}]  # fmt: skip
    records, gold = lines(tmp_path, "records.jsonl", [TRULENS]), lines(tmp_path, "truth.jsonl", truth)
    found = assay.evaluate_rag([records], "P@2 R@2", gold=gold, match="exact")
    assert found.mean == {"records": {"P@2": 0.5, "R@2": 1.0}}


def test_spans_of_trulens():
    name = "ai.observability."
    spans = [
        {"record_attributes": {f"{name}record_id": "1", f"{name}span_type": "record_root",
                               f"{name}record_root.input": "how old?", f"{name}record_root.output": "very"}},
        {"record_attributes": json.dumps({f"{name}record_id": "1", f"{name}span_type": "retrieval",
                                          f"{name}retrieval.query_text": "rome age",
                                          f"{name}retrieval.retrieved_contexts": ["Rome is old."]})},
    ]  # fmt: skip
    assert rows_of_export(spans) == [{"question": "how old?", "answer": "very", "retrieved": ["Rome is old."]}]


RAGAS = {
    "user_input": "how old?", "retrieved_contexts": ["Rome is old.", "Paris is large."], "response": "very",
    "retrieved_context_ids": ["p1", "p2"], "reference_contexts": ["Rome is old."], "reference_context_ids": ["p1"],
    "reference": "2,800 years",
}  # fmt: skip


def test_a_dataset_of_ragas_is_read_as_it_is(tmp_path):
    assert rows_of_export([RAGAS]) is None
    found = assay.evaluate_rag([lines(tmp_path, "ragas.jsonl", [RAGAS])], "R@2 P@2")
    assert found.mean == {"ragas": {"R@2": 1.0, "P@2": 0.5}}


def test_results_of_ragas_say_how_correct_answers_are(tmp_path):
    path = lines(tmp_path, "result.jsonl", [{**RAGAS, "answer_correctness": 0.75, "context_recall": 1.0}])
    records = read_records(path)
    assert records.questions["correct"].to_list() == [0.75]
    assert records.slices == ["context_recall"]


def test_test_sets_of_ragas_are_gold(tmp_path):
    new = {"eval_sample": {"user_input": "how old?", "reference_contexts": ["Rome is old."], "reference": "very"},
           "synthesizer_name": "single_hop"}  # fmt: skip
    old = {"question": "how old?", "contexts": ["Rome is old."], "ground_truth": "very", "evolution_type": "simple"}
    for row in (new, old):
        records = read_records(lines(tmp_path, "test.jsonl", [row]), gold=True)
        assert records.needed["text"].to_list() == ["Rome is old."]
        assert records.questions["answers"].to_list() == [["very"]]


def test_answers_of_the_first_ragas(tmp_path):
    row = {"question": "who?", "contexts": ["a"], "ground_truths": ["Ada", "A."], "answer": "Ada"}
    assert rows_of_export([row])[0]["answers"] == ["Ada", "A."]


@pytest.mark.parametrize("rows", [[], [1], [{"question": "who?", "retrieved": []}], [{"id": "a"}, "b"]])
def test_rows_of_no_export_are_left_alone(rows):
    assert rows_of_export(rows) is None


NAMES = """
    run_type inputs outputs trace_id parent_run_id child_runs start_time end_time feedback_stats reference_example_id
    inputs.question outputs.documents reference.answer feedback.correctness record_id record_json record_attributes
    calls stack method name rets latency query expected_chunks expect_score eval_sample user_input question contexts
    evolution_type ground_truths metadata messages content role type documents answer correctness avg
    answer_correctness ai.observability.record_id ai.observability.retrieval.retrieved_contexts
    ai.observability.record_root.input
"""
KEYS = NAMES.split()
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "who?", "2026", "{}"])
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
MARKS = [
    ("run_type", "inputs"), ("inputs.question", "outputs.documents"), ("inputs", "outputs"), ("record_attributes",),
    ("record_id", "record_json"), ("query", "expected_chunks"), ("eval_sample",), ("question", "evolution_type"),
]  # fmt: skip


@st.composite
def exports(draw):
    marks = draw(st.sampled_from(MARKS))
    rows = st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6)
    return [{**draw(rows), **{mark: draw(JSON) for mark in marks}} for _ in range(draw(st.integers(1, 3)))]


@given(exports())
def test_whatever_stands_in_an_export_it_gives_rows_or_an_error_with_its_place(rows):
    found = rows_of_export(rows)
    assert found is None or all(isinstance(row, dict) for row in found)
    said = "export: rows"
    try:
        records_of(found or rows, name="export")
    except AssayError as error:
        said = str(error)
    assert said.startswith("export")
