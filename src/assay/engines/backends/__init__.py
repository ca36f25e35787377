"""The engines that own frames, one file each; their libraries are loaded when they are asked for."""

from assay.engines.backends import dask, duckdb, ibis, polars, spark  # noqa: F401 - they add themselves
from assay.engines.backends.base import BACKENDS, Backend

__all__ = ["BACKENDS", "Backend", "owner"]


def owner(native: object) -> Backend | None:
    """Return the engine that owns a frame; None where no engine here does."""
    return next((backend for backend in BACKENDS.values() if backend.owns(native)), None)
