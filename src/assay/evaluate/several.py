"""Several runs at once, results in the order in which the runs were given."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.core.evaluation import Evaluation
from assay.core.run import FrameRows, LazyRows, MappingRows, Run, StreamedRows
from assay.errors import ParameterError

HELD = 1 << 29
"""Bytes of files that may be read at once; a larger file is read while no other is."""
AHEAD = 4
"""How many runs for each job may be finished and wait for a slower one before them."""

Flying = deque[tuple[Future[Evaluation], int]]


def jobs_for(runs: Iterable[Any], jobs: int | None) -> int:
    """Return how many runs to work on at once: as asked for, else as many as there are cores, and never more than runs.

    Raises
    ------
    ParameterError
        Fewer than one.
    """
    if jobs is not None and jobs < 1:
        msg = f"jobs: expected a whole number of at least 1, found {jobs}"
        raise ParameterError(msg)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(jobs or cores, max(len(runs), 1) if isinstance(runs, Sized) else jobs or cores)


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """Work on runs in threads; a run that is not safe or not wise to read beside others is done alone, in this thread.

    Those are callables, whose latency is recorded; rows of other engines, whose connections belong to a thread; runs
    with a limit of memory; standard input and folders, of which no size is known; and files that are too large.
    """

    opened: Callable[[Any], Run]
    work: Callable[[Run], Evaluation]
    jobs: int

    def results(self, given: Iterable[Any]) -> Iterator[Evaluation]:
        """Yield the result of each run in order; the first error in that order ends it, whatever was faster."""
        flying: Flying = deque()
        with ThreadPoolExecutor(self.jobs, "assay-run") as pool:
            try:
                for one in given:
                    if callable(one):
                        wait([future for future, _ in flying])
                    run = self.opened(one)
                    size = HELD if self.jobs == 1 else _size(run)
                    while flying and not self._room(flying, size):
                        yield flying.popleft()[0].result()
                    if size < HELD:
                        flying.append((pool.submit(self.work, run), size))
                    else:
                        yield self.work(run)
                while flying:
                    yield flying.popleft()[0].result()
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _room(self, flying: Flying, size: int) -> bool:
        """Tell whether a run of this size may be begun; one that is done alone waits for all results before it."""
        held = sum(size for future, size in flying if not future.done())
        return size < HELD and held + size <= HELD and len(flying) < AHEAD * self.jobs


def _size(run: Run) -> int:
    """Return the bytes of a run's file, none for one in memory; of a run that is to be done alone, all that may be."""
    if run.memory is not None or isinstance(run.rows, LazyRows | StreamedRows):
        return HELD
    if run.origin is None or isinstance(run.rows, FrameRows | MappingRows):
        return 0
    file = Path(run.origin.path)
    return file.stat().st_size if file.is_file() else HELD
