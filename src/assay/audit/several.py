"""What there is to say about several runs side by side: is one of them there twice?"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import polars as pl

from assay.audit.run_findings import place_of
from assay.core.audit import Finding
from assay.core.run import Run


def fingerprint(rows: pl.DataFrame) -> tuple[int, int]:
    """Return a number that equal rows share, in whatever order they stand."""
    hashes = rows.select(pl.struct("query", "item", "score").hash()).to_series()
    return rows.height, int(hashes.to_numpy().sum())


def several_findings(runs: Sequence[Run], prints: Sequence[tuple[int, int] | None]) -> Iterator[Finding]:
    """Yield which runs are equal or share a name; `prints` are their fingerprints, None where unknown."""
    same: dict[object, list[Run]] = defaultdict(list)
    names: dict[str, list[Run]] = defaultdict(list)
    for run, mark in zip(runs, prints, strict=True):
        names[run.name].append(run)
        if mark is not None and mark[0]:
            same[mark].append(run)
    for group in same.values():
        if len(group) > 1:
            yield Finding(
                "note",
                "equal-runs",
                f"runs with the same answers and the same scores: {len(group)}",
                "Their numbers are equal, and a comparison of them says nothing.",
                tuple(place_of(run) for run in group),
            )
    for name, group in names.items():
        if len(group) > 1:
            yield Finding(
                "note",
                "equal-names",
                f"runs that are called {name!r}: {len(group)}",
                "Tables tell them apart by their paths.",
                tuple(place_of(run) for run in group),
            )
