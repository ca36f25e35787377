"""The process that holds the graph of a `Worker`, and how the two speak: messages over standard input and output."""

import json
import os
import queue
import threading
import time
from typing import IO, Any

from assay.core.answers import Answer
from assay.core.terms import Term
from assay.errors import AssayError
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.store import Store

LENGTH = 8
"""Bytes that say how long the message is that follows them."""


def serve() -> None:
    """Be the process that holds the graph: read requests from standard input until it ends, and answer each."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    to, asked = os.fdopen(os.dup(1), "wb"), _requests(os.fdopen(os.dup(0), "rb"))
    os.dup2(2, 1)  # what a library prints must not stand between answers
    paths, folder, most_rows, name = asked.get()
    try:
        store = Store.open(paths, folder)
    except AssayError as error:
        send(to, ("failed", type(error).__name__, error.message, error.hint))
        return
    except Exception as error:  # noqa: BLE001 - the process that waits has to hear of it
        send(to, ("failed", "InputError", f"{', '.join(paths)}: expected RDF, found an error: {error}", None))
        return
    store.name = name
    send(to, ("ready",))
    while True:
        send(to, _answer(store, asked.get(), most_rows))


def _answer(store: Store, query: str, most_rows: int) -> Answer:
    begun = time.monotonic()
    try:
        return store.select(query, most_rows)
    except QueryError as error:
        said = error.message if error.hint is None else f"{error.message} ({error.hint})"
    except BaseException as error:  # noqa: BLE001 - a panic of the engine is no Exception
        said = f"{store.name}: the engine failed: {error}"
    return Answer("error", message=said, seconds=time.monotonic() - begun)


def _requests(stream: IO[bytes]) -> "queue.SimpleQueue[Any]":
    """Return requests as they come. The end of standard input ends this process, even in the middle of a query."""
    asked: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        while (request := receive(stream)) is not None:
            asked.put(request)
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    return asked


def send(stream: IO[bytes], message: object) -> None:
    """Write one message as JSON: what arrives is data, whoever wrote it."""
    content = json.dumps(message, default=_plain).encode()
    stream.write(len(content).to_bytes(LENGTH) + content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Return the next message, a tuple as a list; None at the end."""
    head = stream.read(LENGTH)
    content = stream.read(int.from_bytes(head)) if len(head) == LENGTH else b""
    if len(head) < LENGTH or len(content) < int.from_bytes(head):
        return None
    message = json.loads(content)
    return _answer_of(message) if isinstance(message, dict) else message


def _plain(value: Term | Answer) -> Any:
    """Return what stands in JSON for a term, a list, and for an answer, an object."""
    if isinstance(value, Term):
        return value.kind, value.value, value.datatype, value.language
    return {name: getattr(value, name) for name in Answer.__slots__}


def _answer_of(message: dict[str, Any]) -> Answer:
    rows = tuple(tuple(None if cell is None else Term(*cell) for cell in row) for row in message.pop("rows"))
    columns, scores = tuple(message.pop("columns")), message.pop("scores")
    return Answer(**message, columns=columns, rows=rows, scores=None if scores is None else tuple(scores))
