"""`Worker`: an embedded graph in processes of its own, so that no query takes longer than it may, nor ends others."""

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self

import assay.errors
from assay.core.answers import Answer
from assay.errors import AssayError, ParameterError
from assay.formats.compression import SUFFIXES
from assay.formats.source import file_digest
from assay.graph.sparql.asking import QueryError
from assay.graph.sparql.serving import receive, send

LARGE = 1 << 28
"""Bytes of files from which on a graph is kept on disk, where a process that starts again finds it at once."""
PACKED = 10
"""So many times as long is what a packed file holds, roughly."""
LONGEST_S = 1e6
"""The longest limit that a timer knows, eleven days."""
MOST_ROWS = 1_000_000


class Worker:
    """RDF files that other processes hold and ask; in the library and on the command line alike.

    A query beyond the limit is a time-out: its process is ended, and the next query starts another. A process that dies
    of a query is an error of that query alone. Use it in a `with` statement, or `close` it.

    Parameters
    ----------
    paths
        RDF files, or one folder that Oxigraph wrote.
    limit_s
        Seconds that one query may take.
    processes
        How many queries are asked at once; each process holds the graph, a large one together on disk.
    most_rows
        Rows of one answer beyond this are left out, and the answer says so.
    large
        Bytes from which on the graph is kept on disk, in a temporary folder.

    Raises
    ------
    InputError, FormatError, MissingExtraError
        As `Store.open`, when it is made.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "few.nt")
    ...     _ = file.write_text("<http://x/a> <http://x/p> <http://x/b> .")
    ...     with Worker([file], limit_s=30) as graph:
    ...         graph.ask("ASK { <http://x/a> ?p ?o }").boolean
    True
    """

    def __init__(
        self,
        paths: Iterable[str | os.PathLike[str]],
        *,
        limit_s: float = 60.0,
        processes: int = 1,
        most_rows: int = MOST_ROWS,
        large: int = LARGE,
    ) -> None:
        if not limit_s > 0 or processes < 1 or most_rows < 1:
            msg = f"limit, processes and rows: expected more than 0, found {limit_s}, {processes} and {most_rows}"
            raise ParameterError(msg)
        self._given = self._paths = [os.fspath(path) for path in paths]
        self.name = ", ".join(self._given)
        self._limit_s, self._most_rows, self._closed = limit_s, most_rows, False
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._running: weakref.WeakSet[_Process] = weakref.WeakSet()
        self._idle: queue.LifoQueue[_Process | None] = queue.LifoQueue()
        for _ in range(processes - 1):
            self._idle.put(None)
        try:
            if sum(map(_size, self._paths)) >= large:
                self._keep_on_disk()
            self._idle.put(self._start())
        except BaseException:
            self.close()
            raise

    def ask(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK; an error or a time-out is an answer with that status."""
        process = self._idle.get()
        try:
            if self._closed:
                return Answer("error", message=f"{self.name}: expected a graph, found that it was closed")
            process = self._start() if process is None else process
            return process.ask(query, self._limit_s)
        except AssayError as error:
            return Answer("error", message=error.message)
        finally:
            self._idle.put(process if process is not None and process.alive else None)

    def select(self, query: str) -> Answer:
        """Return the answer to SELECT or ASK.

        Raises
        ------
        QueryError
            The query is wrong, took too long, or cost its process.
        """
        found = self.ask(query)
        if not found.answered:
            raise QueryError(found.message)
        return found

    @property
    def identity(self) -> str:
        """Its name with a digest of each file, to tell a graph that was changed from what it was."""
        return ", ".join(map(_identity, self._given))

    def close(self) -> None:
        """End the processes and remove what was kept on disk."""
        self._closed = True
        for process in list(self._running):
            process.end()
        if self._folder is not None:
            self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _keep_on_disk(self) -> None:
        """Read the files once, into a temporary folder that every process opens."""
        self._folder = tempfile.TemporaryDirectory(prefix="assay-")
        _Process(self._paths, self._folder.name, self._most_rows, self.name).end()
        self._paths = [self._folder.name]

    def _start(self) -> "_Process":
        process = _Process(self._paths, None, self._most_rows, self.name)
        self._running.add(process)
        return process


class _Process:
    """One process with the graph. Requests go to its standard input, answers come from its standard output."""

    def __init__(self, paths: list[str], folder: str | None, most_rows: int, name: str) -> None:
        _let_interrupt()
        begin = "import sys; sys.path[:] = {}; from assay.graph.sparql.serving import serve; serve()"
        self._process = subprocess.Popen(  # noqa: S603 - this Python with code of this file
            [sys.executable, "-c", begin.format(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._end = weakref.finalize(self, _end, self._process)
        send(self._to, (paths, folder, most_rows, name))
        said = receive(self._from)
        if said is None or said[0] != "ready":
            self.end()
            raise _failure(said, ", ".join(paths))

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, query: str, limit_s: float) -> Answer:
        """Return the answer, or what became of the process."""
        begun = time.monotonic()
        late = threading.Event()
        timer = self._timer(limit_s, late)
        try:
            send(self._to, query)
            found = receive(self._from)
        except (OSError, ValueError):  # a closed stream: somebody ended the process meanwhile
            found = None
        finally:
            timer.cancel()
        if late.is_set() or not isinstance(found, Answer):
            self.end()
        if isinstance(found, Answer):
            return found
        seconds = time.monotonic() - begun
        if late.is_set():
            return Answer("timeout", message=f"no answer within {limit_s:g} s", seconds=seconds)
        code = self._process.returncode
        return Answer("error", message=f"the process of the graph ended with code {code}", seconds=seconds)

    def _timer(self, limit_s: float, late: threading.Event) -> threading.Timer:
        def stop() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(min(limit_s, LONGEST_S), stop)
        timer.daemon = True
        timer.start()
        return timer

    def end(self) -> None:
        """End the process, whatever it does."""
        self._end()

    @property
    def _to(self) -> IO[bytes]:
        return self._process.stdin  # type: ignore[return-value]

    @property
    def _from(self) -> IO[bytes]:
        return self._process.stdout  # type: ignore[return-value]


def _let_interrupt() -> None:
    """Let Ctrl-C end the wait for an answer: Polars, once imported, has the system go on waiting instead."""
    if hasattr(signal, "siginterrupt") and callable(signal.getsignal(signal.SIGINT)):
        signal.siginterrupt(signal.SIGINT, True)


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.wait()


def _failure(said: Any, place: str) -> AssayError:
    if said is None:
        return assay.errors.InputError(f"{place}: expected a graph, found that its process ended while it read it")
    _, kind, message, hint = said
    known: type[AssayError] = getattr(assay.errors, kind, AssayError)
    return known(message, hint=hint)


def _identity(path: str) -> str:
    digest = file_digest(Path(path))
    return path if digest is None else f"{path} (sha256 {digest[:16]})"


def _size(path: str) -> int:
    place = Path(path)
    if not place.is_file():
        return 0
    return place.stat().st_size * (PACKED if place.suffix.lstrip(".").lower() in SUFFIXES else 1)
