"""`Backend`: what an engine that owns frames has to do beyond what narwhals speaks."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import narwhals as nw
import polars as pl

from assay.core.registry import Registry
from assay.errors import ParameterError


class Backend(ABC):
    """One engine that owns lazy frames: DuckDB, Spark, Dask, a database behind Ibis.

    Ranks are counted by one expression for all of them; a backend only opens data, takes small tables in,
    and says how its text is compared.
    """

    name: ClassVar[str]
    extra: ClassVar[str]
    """The extra of Assay that brings it."""
    reads_files: ClassVar[bool] = True
    """Whether runs are opened by the names of files; else by names that the engine knows."""

    ranks: ClassVar[bool] = True
    """Whether it can rank rows within their query; else whole rankings are fetched for their first places."""
    memory_option: ClassVar[str | None] = None
    """The option that says how many bytes it may hold, where it has one."""

    def limited(self, options: Mapping[str, str], memory: int | None) -> Mapping[str, str]:
        """Return the options of `open` with a limit of bytes; what they say themselves wins.

        Raises
        ------
        ParameterError
            A limit for an engine that sets its own.
        """
        if memory is None:
            return options
        if self.memory_option is None:
            msg = f"--memory: expected an engine that takes a limit, found {self.name}"
            raise ParameterError(msg, hint="its own settings say how much it may hold.")
        return {self.memory_option: f"{memory}B", **options}

    @abstractmethod
    def owns(self, native: object) -> bool:
        """Tell whether a frame is this engine's; its library is not imported for that."""

    def check(self, native: Any) -> None:
        """Refuse a frame whose engine does not take texts for equal by their bytes.

        Raises
        ------
        UnsupportedError
            Numbers would not be those of other engines.
        """
        del native

    @abstractmethod
    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Return a small table as a frame of the engine that owns `native`, so that both can be joined."""

    @abstractmethod
    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Return a run that lies in Parquet or CSV files (or what this engine reads) as a lazy frame.

        Raises
        ------
        MissingExtraError
            The library is not installed.
        ParameterError
            An option that this engine does not know.
        """

    def bytewise(self, frame: nw.LazyFrame[Any], column: str, name: str) -> nw.LazyFrame[Any]:
        """Add a text column as something that this engine orders by UTF-8 bytes; most order text so by themselves."""
        return frame.with_columns(nw.col(column).alias(name))


BACKENDS: Registry[Backend] = Registry("engine")
"""Every backend by its name."""
