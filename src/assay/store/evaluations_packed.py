"""What a store of evaluations keeps as bytes: numbers, ids, groups, and the head of a run. Nothing in it is run."""

import hashlib
import json
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import numpy as np
import polars as pl

from assay.core.hits import Floats

FAST = 1
"""The level of compression: the next one up takes twice the time for some percent."""


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def queries_digest(queries: tuple[str, ...]) -> str:
    """Return the SHA-256 of ids of queries, in whatever order they are given.

    >>> queries_digest(("b", "a")) == queries_digest(("a", "b"))
    True
    """
    return digest_of(pack_plain(sorted(queries, key=str.encode)))


def pack_numbers(numbers: Floats) -> bytes:
    """Return numbers as compressed little-endian float64.

    >>> unpack_numbers(pack_numbers(np.array([0.5, float("nan")]))).tolist()
    [0.5, nan]
    """
    return zlib.compress(np.ascontiguousarray(numbers, dtype="<f8").tobytes(), FAST)


def unpack_numbers(packed: bytes) -> Floats:
    """Return the numbers, shape (n,)."""
    return np.frombuffer(zlib.decompress(packed), "<f8").astype(np.float64)


def pack_json(plain: Any) -> bytes:
    """Return plain data as compressed JSON, keys in order."""
    return zlib.compress(pack_plain(plain), FAST)


def pack_plain(plain: Any) -> bytes:
    """Return plain data as JSON, keys in order."""
    return json.dumps(plain, ensure_ascii=True, sort_keys=True, separators=(",", ":")).encode()


def unpack_json(packed: bytes) -> Any:
    """Return plain data."""
    return json.loads(zlib.decompress(packed))


def pack_frame(frame: pl.DataFrame) -> bytes:
    """Return a table as Parquet."""
    out = BytesIO()
    frame.write_parquet(out, compression="zstd", compression_level=FAST)
    return out.getvalue()


def unpack_frame(packed: bytes) -> pl.DataFrame:
    """Return the table."""
    return pl.read_parquet(BytesIO(packed))


def pack_groups(groups: Mapping[str, Mapping[str, str]]) -> bytes | None:
    """Return the slices of queries; None without any."""
    return pack_json({column: dict(values) for column, values in groups.items()}) if groups else None
