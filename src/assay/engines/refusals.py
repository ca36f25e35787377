"""Refusals: what a run may hold that the policy calls an error, worded once for every way of reading it."""

from collections.abc import Collection

from assay.core.run import Run
from assay.errors import RunError


def extra_queries(run: Run, extra: Collection[str]) -> RunError:
    """Make the error for answers to queries without gold."""
    place = run.origin.path if run.origin else run.name
    names = ", ".join(repr(name) for name in sorted(extra)[:3])
    msg = f"{place}: expected only queries with gold, found {len(extra)} without: {names}"
    return RunError(msg, hint="extra='ignore' leaves them out.")


def no_number(run: Run, query: str, item: str) -> RunError:
    """Make the error for a score that is NaN."""
    msg = f"{_place(run, query, item)}: expected a number as score of item {item!r} for query {query!r}, found NaN"
    return RunError(msg, hint="nan='worst' ranks such items last.")


def repeated_item(run: Run, query: str, item: str) -> RunError:
    """Make the error for an item that a ranking holds twice."""
    msg = f"{_place(run, query, item)}: item {item!r} occurs more than once for query {query!r}"
    return RunError(msg, hint="duplicates='first' or 'best' keeps one of them.")


def _place(run: Run, query: str, item: str) -> str:
    return run.origin.place(query, item) if run.origin else run.name
