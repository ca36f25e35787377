"""LangSmith's runs, examples and tables of experiments as rows of questions."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

Row = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]

QUESTION = ("question", "query", "input", "user_input", "text")
ANSWER = ("answer", "response", "output", "result", "text", "content")
CONTEXTS = ("documents", "contexts", "context", "retrieved", "retrieved_contexts", "source_documents", "output")
NEEDED = ("needed", "documents", "contexts", "reference_contexts", "supporting_facts", "gold", "proofs")
CORRECT = ("correctness", "correct", "answer_correctness", "qa", "cot_qa")
"""Under which names a judgment of the answer stands in feedback."""
USERS = frozenset({"human", "user"})


def is_run(row: Mapping[str, Any]) -> bool:
    """Tell whether this is a run of a trace."""
    return "run_type" in row and "inputs" in row


def is_experiment(row: Mapping[str, Any]) -> bool:
    """Tell whether this is a row of the table of an experiment, with keys such as inputs.question."""
    return any(key.startswith("inputs.") for key in row) and any(key.startswith("outputs.") for key in row)


def is_example(row: Mapping[str, Any]) -> bool:
    """Tell whether this is an example of a dataset."""
    return isinstance(row.get("inputs"), Mapping) and "outputs" in row and "run_type" not in row


def run_rows(rows: Rows) -> list[Row]:
    """Read runs: those of one trace become one row, what its retrievers returned in the order of time."""
    traces: dict[str, list[Mapping[str, Any]]] = {}
    for run in _unfolded(rows):
        traces.setdefault(str(run.get("trace_id") or run.get("id")), []).append(run)
    return [_trace(runs) for runs in traces.values()]


def _unfolded(rows: Rows) -> Iterator[Mapping[str, Any]]:
    """Yield runs and the runs inside them, which may say no trace of their own."""
    for run in rows:
        yield run
        trace = run.get("trace_id") or run.get("id")
        yield from _unfolded([{**child, "trace_id": trace} for child in objects_in(run.get("child_runs"))])


def _trace(runs: Rows) -> Row:
    root = next((run for run in runs if not run.get("parent_run_id")), runs[0])
    retrievers = sorted(
        (run for run in runs if run.get("run_type") == "retriever"), key=lambda run: str(run.get("start_time") or "")
    )
    documents = [one for run in retrievers or [root] for one in contexts_in(run.get("outputs"))]
    found: Row = {"question": text_in(root.get("inputs"), QUESTION), "retrieved": documents}
    if root.get("reference_example_id"):
        found["id"] = str(root["reference_example_id"])
    if root.get("run_type") != "retriever":
        found["answer"] = text_in(root.get("outputs"), ANSWER)
    known = {"correct": _correct(root.get("feedback_stats")), "latency": _seconds(root)}
    return found | {name: one for name, one in known.items() if one is not None}


def example_rows(rows: Rows) -> list[Row]:
    """Read examples of a dataset: the gold for runs, which name them by reference_example_id."""
    return [_example(row) for row in rows]


def _example(row: Mapping[str, Any]) -> Row:
    outputs, further = (one if isinstance(one := row.get(name), Mapping) else {} for name in ("outputs", "metadata"))
    plain = {name: one for name, one in further.items() if isinstance(one, str | int | float)}
    found: Row = {**plain, "question": text_in(row["inputs"], QUESTION)}
    if row.get("id"):
        found["id"] = str(row["id"])
    needed = next((name for name in NEEDED if isinstance(outputs.get(name), list)), None)
    if needed is not None:
        found["proofs" if needed == "proofs" else "needed"] = outputs[needed]
    answer = text_in(outputs, ANSWER)
    if answer is not None:
        found["answers"] = answer
    return found


def experiment_rows(rows: Rows) -> list[Row]:
    """Read the table of an experiment: inputs., outputs., reference. and feedback. before the names of columns."""
    return [_experiment(row) for row in rows]


def _experiment(row: Mapping[str, Any]) -> Row:
    parts: dict[str, Row] = {"inputs": {}, "outputs": {}, "reference": {}, "feedback": {}}
    for key, value in row.items():
        part, _, name = key.partition(".")
        if name and part in parts:
            parts[part][name] = value
    found = _example({"inputs": parts["inputs"], "outputs": parts["reference"], "id": row.get("example_id")})
    found |= {"retrieved": contexts_in(parts["outputs"]), "answer": text_in(parts["outputs"], ANSWER)}
    scored = {name: {"avg": value} for name, value in parts["feedback"].items()}
    known = {"correct": _correct(scored), "latency": row.get("execution_time")}
    return found | {name: one for name, one in known.items() if one is not None}


def objects_in(value: object) -> list[Mapping[str, Any]]:
    """Return the objects of a list; what is no list of objects holds none."""
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def contexts_in(outputs: object) -> list[Any]:
    """Return the documents among the outputs of a run; those without are an empty list."""
    if isinstance(outputs, list):
        return outputs
    if not isinstance(outputs, Mapping):
        return []
    return next((outputs[name] for name in CONTEXTS if isinstance(outputs.get(name), list)), [])


def text_in(held: object, names: Sequence[str]) -> str | None:
    """Return a text: itself, under one of the names, of the last message of a user, or the only one there is."""
    if isinstance(held, str):
        return held
    if isinstance(held, list):
        return _message(held)
    if not isinstance(held, Mapping):
        return None
    for name in (*names, "messages"):
        value = held.get(name)
        found = text_in(value, names) if isinstance(value, Mapping | list) else value
        if isinstance(found, str):
            return found
    texts = [value for value in held.values() if isinstance(value, str)]
    return texts[0] if len(texts) == 1 else None


def _message(messages: Sequence[Any]) -> str | None:
    """Return what the last message of a user says; without users, what the last message says."""
    said = [
        (one.get("type") or one.get("role"), one.get("content")) for one in messages if isinstance(one, Mapping)
    ]  # fmt: skip
    texts = [(who, text) for who, text in said if isinstance(text, str)]
    by_users = [text for who, text in texts if who in USERS]
    said_last = by_users or [text for _, text in texts]
    return said_last[-1] if said_last else None


def _correct(feedback: object) -> float | None:
    """Return the mean judgment of the answer, if there is one from 0 to 1."""
    if not isinstance(feedback, Mapping):
        return None
    for name in CORRECT:
        held = feedback.get(name)
        mean = held.get("avg") if isinstance(held, Mapping) else held
        if isinstance(mean, int | float) and 0 <= mean <= 1:
            return float(mean)
    return None


def _seconds(run: Mapping[str, Any]) -> float | None:
    """Return how long a run took."""
    try:
        start, end = (datetime.fromisoformat(str(run[name])) for name in ("start_time", "end_time"))
        return (end - start).total_seconds()
    except (KeyError, ValueError, TypeError):
        return None
