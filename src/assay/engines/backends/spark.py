"""Spark: runs that lie in a cluster are judged where they lie; only the judged rows come back."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import polars as pl

from assay.engines.backends.base import BACKENDS, Backend
from assay.errors import InputError, MissingExtraError, ParameterError

QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
"""Settings of a session that is made here; options may say otherwise."""

PLACES = ("master", "remote")
"""Options that say where a session runs: a master (`local[4]`, `spark://host:7077`) or a Spark Connect server."""

GUESSES = "spark.sql.sources.partitionColumnTypeInference.enabled"
"""Whether Spark takes the folder `query=007` for a number."""


class Spark(Backend):
    """DataFrames of PySpark, of a session in this process or of Spark Connect. Spark orders text by its bytes."""

    name: ClassVar[str] = "spark"
    extra: ClassVar[str] = "spark"

    def owns(self, native: object) -> bool:
        """Tell whether a frame is a DataFrame of PySpark."""
        kind = type(native)
        return kind.__name__ == "DataFrame" and kind.__module__.startswith("pyspark.sql.")

    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Hand a small table to the session of a DataFrame."""
        return native.sparkSession.createDataFrame(small.to_arrow())

    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Read Parquet or CSV files as one DataFrame; what folders or CSV files say stays text.

        Options are `master`, `remote` and every setting that begins with `spark.`. Without options a session
        that runs already is used; the settings of such a session are changed as far as Spark allows.
        """
        with warnings.catch_warnings():  # of pandas, which is not used here
            warnings.filterwarnings(
                "ignore", "PySpark does not yet fully support pandas", FutureWarning
            )  # not used here
            session = _session(options)
            try:
                return _read(session, list(paths))
            except Exception as problem:
                raise _error(paths[0], "Parquet or CSV files", problem) from problem


def _read(session: Any, paths: list[str]) -> Any:
    """Read files, among them those of Hive's partitions."""
    ending = paths[0].lower().removesuffix(".gz").rpartition(".")[2]
    if ending in {"csv", "tsv"}:
        separator = "\t" if ending == "tsv" else ","
        return session.read.csv(paths, header=True, sep=separator, quote='"', escape='"')
    folders = paths[0].split("/")
    keys = [place for place, folder in enumerate(folders[:-1]) if "=" in folder]
    reader = session.read.option("basePath", "/".join(folders[: keys[0]]) or ".") if keys else session.read
    before = session.conf.get(GUESSES)
    session.conf.set(GUESSES, "false")
    try:
        return reader.parquet(*paths)
    finally:
        session.conf.set(GUESSES, before)


def _session(options: Mapping[str, str]) -> Any:
    """Return a session with these settings."""
    try:
        import pyarrow as pa  # noqa: F401 - hands tables over
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingExtraError.of("the engine spark", "pyspark and pyarrow", Spark.extra) from None
    for name in options:
        if name not in PLACES and not name.startswith("spark."):
            msg = f"engine spark: expected the option master, remote or one that begins with 'spark.', found {name!r}"
            raise ParameterError(msg)
    running = SparkSession.getActiveSession()
    if running is not None and not options:
        return running
    settings = options if running is not None else {**QUIET, **options}
    builder = SparkSession.builder
    for name, value in settings.items():
        builder = getattr(builder, name)(value) if name in PLACES else builder.config(name, value)
    try:
        return builder.getOrCreate()
    except Exception as problem:
        raise _error("engine spark", "a session (Spark needs Java)", problem) from problem


def _error(place: str, expected: str, problem: Exception) -> InputError:
    said = str(problem).strip().partition("\n")[0]
    return InputError(f"{place}: expected {expected}, found an error of Spark: {said}")


BACKENDS.add(Spark.name, Spark(), aliases=("pyspark",))
