"""One file of a cache: what an engine made of one run, as numbers that are checked before they are believed.

A line that names the layout and the SHA-256 of all that follows; a line of JSON with the key, the sizes and what was
noticed; then arrays of little-endian 64-bit integers: of each judged row its row of the gold, its rank, how many stand
above and how many are tied; of each query how many were retrieved and whether it was answered.
"""

import hashlib
import json
from dataclasses import asdict, fields
from typing import Any

import numpy as np

from assay.core.gold import Gold
from assay.core.hits import Hits, Ints
from assay.core.judged import Judged, Notes

LAYOUT = "assay-judged-1"
ROW, QUERY = 4, 2
"""How many numbers there are of a judged row, and of a query."""


class WrongEntryError(Exception):
    """Content that is no ranking of this gold, or not the one that its name promises."""


def packed(judged: Judged, key: str) -> bytes:
    """Return what an engine made of a run as bytes."""
    hits = judged.hits
    head = {"key": key, "rows": len(hits), "queries": judged.queries, "notes": asdict(judged.notes)}
    arrays = (hits.row, hits.rank, hits.above, hits.tied, judged.retrieved, judged.answered)
    numbers = np.concatenate([np.asarray(array).astype("<i8") for array in arrays])
    body = json.dumps(head).encode() + b"\n" + numbers.tobytes()
    return f"{LAYOUT} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def unpacked(content: bytes, key: str, gold: Gold) -> Judged:
    """Return what the engine made of the run.

    Raises
    ------
    WrongEntryError
        Bytes that were not written under this key, or that cannot be a ranking of this gold.
    """
    first, _, body = content.partition(b"\n")
    if first != f"{LAYOUT} {hashlib.sha256(body).hexdigest()}".encode():
        raise WrongEntryError
    head, _, rest = body.partition(b"\n")
    try:
        found = json.loads(head)
        rows, queries, notes = found["rows"], found["queries"], _notes(found["notes"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise WrongEntryError from None
    sizes = (rows, queries)
    whole = found["key"] == key and all(type(size) is int and size >= 0 for size in sizes)
    if not whole or queries != len(gold.queries) or len(rest) != 8 * (ROW * rows + QUERY * queries):
        raise WrongEntryError
    numbers = np.frombuffer(rest, "<i8").astype(np.int64)
    row, rank, above, tied = numbers[: ROW * rows].reshape(ROW, rows)
    retrieved, answered = numbers[ROW * rows :].reshape(QUERY, queries)
    _require(bool(row.min(initial=0) >= 0 and row.max(initial=-1) < len(gold)))
    grade = gold.table["grade"].to_numpy()[row]
    hits = Hits(queries, gold.codes[row], grade, rank.astype(np.float64), above, tied, row)
    _require(_is_ranking(hits, row, retrieved) and bool(np.isin(answered, (0, 1)).all()))
    return Judged(
        gold.queries, hits, gold.ideal, retrieved, answered.astype(np.bool_), judgments=gold.facets, notes=notes
    )


def _is_ranking(hits: Hits, row: Ints, retrieved: Ints) -> bool:
    """Tell whether each judged row stands once, in order, at a place that its query has."""
    query, rank, above, last = hits.query, hits.rank, hits.above, hits.above + hits.tied
    ordered = (np.diff(query) > 0) | ((np.diff(query) == 0) & (np.diff(rank) >= 0))
    inside = (above >= 0) & (above < rank) & (rank <= last) & (last <= retrieved[query])
    return bool(ordered.all() and inside.all() and (retrieved >= 0).all() and len(np.unique(row)) == len(row))


def _notes(found: Any) -> Notes:
    """Return what was noticed, of the kinds that it should be."""
    names = {part.name for part in fields(Notes)} - {"extra_queries"}
    extra = found["extra_queries"]
    _require(isinstance(extra, list) and all(isinstance(name, str) for name in extra))
    _require(set(found) == names | {"extra_queries"} and all(type(found[name]) is int for name in names))
    _require(all(found[name] >= 0 for name in names))
    return Notes(**{**found, "extra_queries": tuple(extra)})


def _require(truth: bool) -> None:
    if not truth:
        raise WrongEntryError
