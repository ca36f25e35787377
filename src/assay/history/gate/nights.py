"""Earlier looks at the same baseline: evaluations of the store that a nightly gate put there."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from assay.core.history import Recorded
from assay.core.hits import Floats
from assay.history.gate.baseline_file import baseline_text
from assay.history.gate.paired import aligned

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore

TAG = "gate-baseline"
"""The tag of a look; its value names the baseline that was looked at."""


def baseline_tag(before: Recorded) -> str:
    """Return the name of a baseline by its content: another baseline begins another row of looks."""
    return hashlib.sha256(baseline_text(before).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def looks_at(store: "HistoryStore", suite: str, tag: str) -> tuple[int, ...]:
    """Return the ids of the looks at a baseline so far, in the order of time."""
    if suite not in {one.name for one in store.suites()}:
        return ()
    return tuple(one.id for one in store.list(suite, tag=f"{TAG}={tag}"))


def values_of(
    store: "HistoryStore", looks: Sequence[int], measures: Iterable[str], queries: tuple[str, ...]
) -> dict[str, Floats]:
    """Return the values of each measure at each look, shape (looks, queries), in the order of these queries."""
    found = {}
    for measure in measures:
        asked, matrix = store.values(looks, measure)
        found[measure] = aligned(matrix.reshape(len(looks), len(asked)), asked, queries)
    return found
