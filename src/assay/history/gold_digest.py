"""The digest of a gold standard: of what it says, whatever the order of its rows or the ends of its lines."""

import hashlib
from pathlib import Path

import polars as pl

from assay.core.gold import Gold
from assay.errors import AssayError
from assay.formats import read_gold
from assay.formats.source import file_digest
from assay.store.evaluations_packed import pack_plain


def gold_digest(gold: Gold) -> str:
    """Return the SHA-256 of the rows of a gold standard, in the order of their ids.

    >>> one, other = {"q": {"a": 1, "b": 0}}, {"q": {"b": 0, "a": 1}}
    >>> gold_digest(Gold.from_mapping(one)) == gold_digest(Gold.from_mapping(other))
    True
    """
    made = hashlib.sha256()
    for table in (gold.table, gold.details):
        made.update(pack_plain(None if table is None else _columns(table)))
    made.update(pack_plain(sorted(gold.unjudged)))
    return made.hexdigest()


def _columns(table: pl.DataFrame) -> dict[str, list[object]]:
    names = sorted(table.columns)
    return table.select(names).sort(names).to_dict(as_series=False)


def rows_digest(path: str | None, digest: str | None, form: str | None = None) -> str | None:
    """Return the digest of the rows of a file of gold that still has this digest of its bytes; else the latter.

    `form` is the name of its format; without one it is recognised.
    """
    if path is None or digest is None:
        return digest
    try:
        if file_digest(Path(path)) != digest:
            return digest
        return gold_digest(read_gold(path, form))
    except (AssayError, OSError):
        return digest
