"""Polars: a LazyFrame, which the local engine reads in batches."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import polars as pl

from assay.engines.backends.base import BACKENDS, Backend
from assay.errors import ParameterError


class Polars(Backend):
    """A LazyFrame of Polars. It orders text by its bytes."""

    name: ClassVar[str] = "polars"
    extra: ClassVar[str] = ""

    def owns(self, native: object) -> bool:
        """Tell whether it is a LazyFrame."""
        return isinstance(native, pl.LazyFrame)

    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Return the table as it is."""
        del native
        return small.lazy()

    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Return a LazyFrame over Parquet files, or over CSV files with a line of names."""
        if options:
            msg = f"--engine-option: expected none, which the engine polars has not, found {next(iter(options))!r}"
            raise ParameterError(msg)
        if paths[0].lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz")):
            separator = "\t" if ".tsv" in paths[0].lower() else ","
            return pl.scan_csv(list(paths), separator=separator, infer_schema=False)
        return pl.scan_parquet(list(paths))


BACKENDS.add(Polars.name, Polars())
