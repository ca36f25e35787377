"""Counts over entity vectors in shards, made by the tasks of Spark."""

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from assay.engines.shards import spread
from assay.engines.shares import Across, Part, Share
from assay.errors import RunError

TASKS = 256
"""So many tasks at most, which share the shards: each sends its counts once."""


def in_spark(session: Any) -> Across:
    """Return what counts in a session of Spark, in this process or of Spark Connect.

    One task counts one shard, or several where there are more than 256. A task that fails is tried again by Spark,
    and only what one attempt sent is added. Workers open the files by the paths that they have here, and import
    Assay: install it there, or send it with `--py-files`.
    """

    def across(share: Share, spans: Sequence[slice]) -> Iterator[Part]:
        groups = [[spans[number] for number in numbers] for numbers in spread(len(spans), TASKS)]

        def count(batches: Iterable[Any]) -> Iterator[Any]:
            for batch in batches:
                found = [share.count(groups[number]).to_bytes() for number in batch.column(0).to_pylist()]
                yield type(batch).from_pydict({"part": found})

        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")  # which has no part here
                rows = session.range(0, len(groups), 1, len(groups)).mapInArrow(count, "part binary").collect()
        except Exception as problem:
            raise _error(len(spans), problem) from problem
        return (Part.from_bytes(bytes(row["part"])) for row in rows)

    return across


def _error(shards: int, problem: Exception) -> RunError:
    lines = [line.strip() for line in str(problem).strip().splitlines()]
    own = [line for line in lines if line.startswith(("assay.errors.", "ModuleNotFoundError"))]
    said = (own or lines or [type(problem).__name__])[0]
    hint = "each worker opens the files by the same paths, and needs Assay installed."
    return RunError(f"spark: expected counts of {shards:,} shards, found an error: {said}", hint=hint)
