"""Dask: dataframes of pandas in parts, on this machine or on a cluster."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from assay.engines.backends.base import BACKENDS, Backend
from assay.errors import MissingExtraError, UnknownNameError

OPTIONS = ("scheduler", "num_workers", "address")
"""How parts are worked on: threads, processes or synchronous; how many at a time; a cluster's address."""


class Dask(Backend):
    """A dataframe of Dask. It orders text by its characters, which is the order of their bytes."""

    name: ClassVar[str] = "dask"
    extra: ClassVar[str] = "dask"
    ranks: ClassVar[bool] = False

    def owns(self, native: object) -> bool:
        """Tell whether it is a dataframe of Dask."""
        return type(native).__module__.partition(".")[0] in {"dask", "dask_expr"}

    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Return the table as a dataframe of one part."""
        del native
        import dask.dataframe

        return dask.dataframe.from_pandas(small.to_pandas(), npartitions=1)

    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Return a dataframe over Parquet or CSV files; what folders or CSV files say stays text.

        Options are scheduler (threads, processes, synchronous), num_workers, and address of a cluster's scheduler.
        """
        try:
            import dask.dataframe
        except ImportError:
            raise MissingExtraError.of("the engine dask", "dask[dataframe]", self.extra) from None
        _set(options)
        if paths[0].lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz")):
            separator = "\t" if ".tsv" in paths[0].lower() else ","
            compression = "gzip" if paths[0].lower().endswith(".gz") else None
            return dask.dataframe.read_csv(
                list(paths), sep=separator, dtype=str, keep_default_na=False, compression=compression,
                blocksize=None if compression else "default",
            )  # fmt: skip
        return dask.dataframe.read_parquet(list(paths), dataset=_partitions(paths[0]))


def _set(options: Mapping[str, str]) -> None:
    import dask

    for name, value in options.items():
        if name not in OPTIONS:
            raise UnknownNameError.of("option of the engine dask", name, OPTIONS)
        if name == "address":
            try:
                from dask.distributed import Client
            except ImportError:
                raise MissingExtraError.of("a cluster of Dask", "distributed", Dask.extra) from None
            Client(value)
        else:
            dask.config.set({name: int(value) if value.isdecimal() else value})


def _partitions(path: str) -> dict[str, Any]:
    """Return how the columns that folders give are read."""
    keys = [folder.partition("=")[0] for folder in Path(path).parts[:-1] if "=" in folder.strip("=")]
    if not keys:
        return {}
    import pyarrow as pa
    from pyarrow.dataset import partitioning

    return {"partitioning": partitioning(pa.schema([(key, pa.string()) for key in keys]), flavor="hive")}


BACKENDS.add(Dask.name, Dask())
