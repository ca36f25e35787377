"""How much of a run an engine holds: what was asked for, or a share of the machine's memory."""

import os
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

from assay.core.run import FrameRows, MappingRows, Run

SHARE = 3
"""Of so many parts of the limit one is for rows that are held; they are counted with arrays beside them."""
AHEAD = 4
"""Of so many parts of the limit one is for blocks that are read ahead."""
CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much memory a container may have."""


def rows_held(run: Run) -> int:
    """Return how many bytes of rows may be held before the run is gone over in several passes.

    Without a limit it is one of half the memory of the machine or container; rows that lie in memory already
    have none.
    """
    if run.memory is not None:
        return run.memory // SHARE
    if isinstance(run.rows, FrameRows | MappingRows):
        return sys.maxsize
    return machine_memory() // 2 // SHARE


def narrowed(run: Run) -> Run:
    """Return the run with its rows in blocks that leave room under its limit, where it has one."""
    within = getattr(run.rows, "within", None)
    return run if run.memory is None or within is None else replace(run, rows=within(run.memory // AHEAD))


@cache
def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of the container; more than any where nobody knows."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return sys.maxsize
    try:
        return min(whole, int(CONTAINER.read_text()))
    except (OSError, ValueError):
        return whole
