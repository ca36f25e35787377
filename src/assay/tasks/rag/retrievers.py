"""Retrievers asked live: LangChain's, LlamaIndex' and any function, by what they offer; neither library is needed."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from assay.errors import InputError
from assay.tasks.rag.questions import Questions, several

Row = dict[str, Any]
Given = str | os.PathLike[str] | Mapping[str, str] | Iterable[str | Mapping[str, Any]]

METHODS = ("retrieve", "invoke", "get_relevant_documents")
"""How LlamaIndex, LangChain, and LangChain before version 0.1 are asked."""
NAMES = ("id", "doc_id", "document_id", "source_id", "chunk_id", "_id")
"""Under which keys metadata name a passage."""
DOCUMENTS = ("title", "source", "file_name", "doc", "url")
SCORES = ("score", "relevance_score", "_score", "similarity")


def retrieve(
    retriever: Any, questions: Given, *, k: int | None = None, name: str | None = None, **options: Any
) -> Questions:
    """Ask a retriever each question and return what it brought, ready to be evaluated, with the seconds it took.

    Parameters
    ----------
    retriever
        An object with `.retrieve(text)` (LlamaIndex: nodes with scores), `.invoke(text)` or
        `.get_relevant_documents(text)` (LangChain: documents), or a function of the text.
    questions
        A file, `{id: question}`, or rows with question and, where known, id, needed or proofs, and further columns.
    k
        How many of what comes back are kept; all if None.
    options
        Those of `several`: gold, unit, match, threshold.

    Raises
    ------
    InputError
        An object that cannot be asked, an answer that is no list, a row without a question.

    >>> found = retrieve(lambda question: ["Paris", "Rome"], [{"question": "where?", "needed": ["Rome"]}])
    >>> found.run.frame()["item"].to_list(), sorted(found.run.seconds)
    (['Paris', 'Rome'], ['where?'])
    """
    rows = ask(retriever, questions, k=k)
    (found,) = several({name or name_of(retriever): rows}, **options).systems
    seconds = dict(zip(found.records.questions["query"], (row["latency"] for row in rows), strict=True))
    return replace(found, run=replace(found.run, seconds=seconds))


def ask(retriever: Any, questions: Given, *, k: int | None = None) -> list[Row]:
    """Ask a retriever each question; return the rows with `retrieved` and `latency` (seconds).

    Parameters and errors are those of `retrieve`. The rows may be kept as JSON Lines and evaluated later.

    >>> row = ask(lambda question: [("p1", 0.5), ("p2", 0.25)], {"q1": "where?"}, k=1)[0]
    >>> row["id"], row["question"], row["retrieved"]
    ('q1', 'where?', [{'id': 'p1', 'score': 0.5}])
    """
    call = caller(retriever)
    rows = []
    for row in _rows(questions):
        start = perf_counter()
        try:
            brought = call(row["question"])
        except Exception as error:
            error.add_note(f"while {name_of(retriever)} was asked {row['question']!r}")
            raise
        latency = perf_counter() - start
        if not isinstance(brought, list | tuple):
            msg = f"{name_of(retriever)}: expected a list for {row['question']!r}, found {type(brought).__name__}"
            raise InputError(msg, hint="a retriever, not a chain that answers, is asked.")
        rows.append({**row, "retrieved": [item_of(one) for one in brought[:k]], "latency": latency})
    return rows


def caller(retriever: Any) -> Callable[[str], Any]:
    """Return how an object is asked."""
    for method in METHODS:
        found = getattr(retriever, method, None)
        if callable(found):
            return found  # type: ignore[no-any-return]
    if callable(retriever):
        return retriever  # type: ignore[no-any-return]
    msg = f"retriever: expected a function or an object with {', '.join(METHODS)}, found {type(retriever).__name__}"
    raise InputError(msg)


def name_of(retriever: Any) -> str:
    """Return what a retriever is called: its own name, else that of its class."""
    name = getattr(retriever, "name", None) or getattr(retriever, "__name__", None)
    return name if isinstance(name, str) and name != "<lambda>" else type(retriever).__name__


def item_of(brought: Any) -> Any:
    """Return one thing that a retriever brought as `rag_items` reads it.

    A document (page_content, metadata), a node with its score (node, score), a pair of id and score, or what is
    plain already: a text, a triple, an object.

    >>> from types import SimpleNamespace as Made
    >>> item_of(Made(page_content="Rome is old.", metadata={"title": "Rome"}, id="p7"))
    {'id': 'p7', 'text': 'Rome is old.', 'document': 'Rome'}
    >>> item_of(Made(node=Made(node_id="n1", text="Rome is old.", metadata={}), score=0.5))
    {'id': 'n1', 'text': 'Rome is old.', 'score': 0.5}
    """
    if isinstance(brought, tuple) and len(brought) == 2 and isinstance(brought[1], int | float):
        inner = item_of(brought[0])
        return {**(inner if isinstance(inner, dict) else {"id": inner}), "score": float(brought[1])}
    node = getattr(brought, "node", None)
    if node is not None:
        score = getattr(brought, "score", None)
        return _described(node) | ({} if score is None else {"score": float(score)})
    return _described(brought) if hasattr(brought, "metadata") else brought


def _described(document: Any) -> Row:
    """Return id, text, document and score of a LangChain document or a LlamaIndex node; what is unknown is left out."""
    metadata = document.metadata if isinstance(document.metadata, Mapping) else {}
    own = getattr(document, "id", None) or getattr(document, "node_id", None)
    found = {
        "id": own or _first(metadata, NAMES),
        "text": _content(document),
        "document": _first(metadata, DOCUMENTS),
        "score": _first(metadata, SCORES),
        "tokens": metadata.get("tokens"),
    }
    return {part: value for part, value in found.items() if value is not None}


def _content(document: Any) -> str | None:
    for part in ("page_content", "text"):
        text = getattr(document, part, None)
        if isinstance(text, str):
            return text
    read = getattr(document, "get_content", None)
    text = read() if callable(read) else None
    return text if isinstance(text, str) else None


def _first(metadata: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((metadata[name] for name in names if metadata.get(name) is not None), None)


def _rows(questions: Given) -> list[Row]:
    """Return the questions as rows."""
    if isinstance(questions, str | os.PathLike):
        return _of_file(questions)
    if isinstance(questions, Mapping):
        return [{"id": str(query), "question": text} for query, text in questions.items()]
    rows = [{"question": one} if isinstance(one, str) else dict(one) for one in questions]
    for number, row in enumerate(rows, 1):
        if not isinstance(row.get("question"), str):
            msg = f"questions, record {number}: expected a text under question, found {row.get('question')!r}"
            raise InputError(msg)
    return rows


def _of_file(path: str | os.PathLike[str]) -> list[Row]:
    """Return the questions of a file, with what it says of each; the needed facts are those of `gold`."""
    from assay.formats.rag_files import read_records

    found = read_records(path, gold=True)
    table = found.questions.drop("at", "answer", "correct", "answers")
    rows = [{name: value for name, value in row.items() if value is not None} for row in table.to_dicts()]
    return [{"id": row["query"], "question": row.pop("query"), **row} for row in rows]
