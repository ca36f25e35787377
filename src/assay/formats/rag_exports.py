"""Exports of other tools as rows of questions: LangSmith, TruLens, and the shapes of ragas that are no plain rows.

What is read is what these tools document: LangSmith's runs and examples, TruLens' records, spans and ground truth,
ragas' test sets and results. The rows have the keys that `rag_files` reads.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from assay.formats.rag_langsmith import (
    QUESTION,
    example_rows,
    experiment_rows,
    is_example,
    is_experiment,
    is_run,
    objects_in,
    run_rows,
    text_in,
)

Row = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

SPAN = "ai.observability."
RETRIEVING = ("retriev", "relevant_documents")
"""What the names of methods that retrieve hold."""
WRONG = (0, "0", "0.0")
"""The expected score of a passage that is not needed."""
RAGAS_CORRECT = ("answer_correctness", "factual_correctness", "factual_correctness(mode=f1)")


def rows_of_export(rows: Iterable[object]) -> list[Row] | None:
    """Return the rows of an export under the keys question, retrieved, needed, answer, …; None for any other rows.

    Parameters
    ----------
    rows
        The objects of a JSON array, or of the lines of JSON Lines; all of them, since a trace is several.

    >>> rows_of_export([{"record_id": "r1", "input": "who?", "output": "Ada", "record_json": {"calls": []}}])
    [{'question': 'who?', 'answer': 'Ada', 'retrieved': []}]
    >>> rows_of_export([{"question": "who?", "retrieved": ["b"]}]) is None
    True
    """
    held = list(rows)
    objects = [row for row in held if isinstance(row, Mapping)]
    if not objects or len(objects) < len(held):
        return None
    return next((read(objects) for known, read in EXPORTS if all(map(known, objects))), None)


def question_of(inputs: object) -> str | None:
    """Return the text of a question: a text, one under a usual key, the last message of a user, or the only text.

    >>> question_of({"question": "who?"}), question_of({"messages": [{"type": "human", "content": "why?"}]})
    ('who?', 'why?')
    """
    return text_in(inputs, QUESTION)


def _is_record(row: Mapping[str, Any]) -> bool:
    return "record_id" in row and bool({"record_json", "input", "main_input"} & row.keys()) and "retrieved" not in row


def _record_rows(rows: Rows) -> list[Row]:
    """Read TruLens' records, as `get_records_and_feedback` gives them."""
    return [_record(row) for row in rows]


def _record(row: Mapping[str, Any]) -> Row:
    held = _object(row.get("record_json"))
    found: Row = {
        "question": question_of(_first(row, held, "input", "main_input")),
        "answer": _text(_first(row, held, "output", "main_output")),
        "retrieved": _returned(objects_in(held.get("calls"))),
    }
    if isinstance(row.get("latency"), int | float):
        found["latency"] = row["latency"]
    return found


def _first(row: Mapping[str, Any], held: Mapping[str, Any], name: str, main: str) -> Any:
    return next((one for one in (row.get(name), row.get(main), held.get(main)) if one is not None), None)


def _returned(calls: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return what the last call of a method that retrieves gave back; a wrapper stands above what it calls."""
    found: list[Any] = []
    for call in calls:
        stack = objects_in(call.get("stack"))
        method = _object(stack[-1].get("method")).get("name") if stack else None
        returned = call.get("rets")
        if any(word in str(method).lower() for word in RETRIEVING) and isinstance(returned, list):
            found = returned
    return found


def _is_span(row: Mapping[str, Any]) -> bool:
    return any(key.startswith(SPAN) for key in _attributes(row))


def _attributes(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return _object(row.get("record_attributes") or row.get("attributes") or row)


def _span_rows(rows: Rows) -> list[Row]:
    """Read TruLens' spans: those of one record become one row, contexts in the order of the spans."""
    found: dict[str, Row] = {}
    for number, row in enumerate(rows):
        said = _attributes(row)
        record = str(said.get(f"{SPAN}record_id") or row.get("trace_id") or number)
        one = found.setdefault(record, {"question": None, "retrieved": []})
        root = f"{SPAN}record_root."
        one["question"] = one["question"] or said.get(f"{root}input") or said.get(f"{SPAN}retrieval.query_text")
        contexts = said.get(f"{SPAN}retrieval.retrieved_contexts")
        one["retrieved"] += contexts if isinstance(contexts, list) else []
        for key, name in (("answer", "output"), ("answers", "ground_truth_output")):
            if said.get(root + name) is not None:
                one[key] = said[root + name]
    return list(found.values())


def _is_truth(row: Mapping[str, Any]) -> bool:
    return "query" in row and "expected_chunks" in row


def _truth_rows(rows: Rows) -> list[Row]:
    """Read TruLens' ground truth: query, expected_response, expected_chunks."""
    return [_truth(row) for row in rows]


def _truth(row: Mapping[str, Any]) -> Row:
    chunks = row["expected_chunks"]
    found: Row = {"question": row["query"]}
    if chunks is not None:
        listed = chunks if isinstance(chunks, list) else [chunks]
        found["needed"] = [
            one for one in listed if not isinstance(one, Mapping) or one.get("expect_score") not in WRONG
        ]
    if row.get("expected_response") is not None:
        found["answers"] = row["expected_response"]
    return found | {name: one for name, one in row.items() if name.startswith("meta_")}


def _is_ragas(row: Mapping[str, Any]) -> bool:
    known = {"eval_sample", "evolution_type", "ground_truths", *RAGAS_CORRECT}
    return bool(known & row.keys()) and bool({"eval_sample", "question", "user_input"} & row.keys())


def _ragas_rows(rows: Rows) -> list[Row]:
    """Read ragas' test sets (`eval_sample`, or the older `evolution_type`), and results with a score of the answer."""
    return [_ragas(row) for row in rows]


def _ragas(row: Mapping[str, Any]) -> Row:
    sample = row.get("eval_sample")
    found = {**{name: one for name, one in row.items() if name != "eval_sample"}, **_object(sample)}
    found["user_input"] = question_of(found.pop("user_input", None) or found.pop("question", None))
    if "evolution_type" in found and "contexts" in found:  # a test set: its contexts are what questions were made of
        found["needed"] = found.pop("contexts")
    if "ground_truths" in found:
        found["answers"] = found.pop("ground_truths")
    scores = (found.pop(name, None) for name in RAGAS_CORRECT)
    correct = next((one for one in scores if isinstance(one, int | float) and 0 <= one <= 1), None)
    return found if correct is None else {**found, "correct": correct}


def _object(value: object) -> Mapping[str, Any]:
    """Return an object, which some exports hold as text."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


EXPORTS: tuple[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Rows], list[Row]]], ...] = (
    (is_run, run_rows),
    (is_experiment, experiment_rows),
    (is_example, example_rows),
    (_is_span, _span_rows),
    (_is_record, _record_rows),
    (_is_truth, _truth_rows),
    (_is_ragas, _ragas_rows),
)
"""How each export is known, and read."""
