"""DuckDB: relations of any connection, and Parquet or CSV files of any number and size."""

import atexit
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar
from uuid import uuid4

import polars as pl

from assay.engines.backends.base import BACKENDS, Backend
from assay.errors import InputError, MissingExtraError, ParameterError, UnknownNameError, UnsupportedError

PARQUET = "read_parquet($files, hive_partitioning = true, hive_types_autocast = false)"
CSV = "read_csv($files, header = true, all_varchar = true)"
"""Ids stay the text that they are: 007 is no 7."""
BYTES = frozenset({"", "binary", "c", "posix"})
"""The collations that compare bytes."""


class DuckDB(Backend):
    """A relation of DuckDB. It orders text by its bytes; small tables join its connection for the time of a query."""

    name: ClassVar[str] = "duckdb"
    extra: ClassVar[str] = "duckdb"
    memory_option: ClassVar[str | None] = "memory_limit"

    def owns(self, native: object) -> bool:
        """Tell whether it is a relation."""
        return type(native).__module__.partition(".")[0] in {"duckdb", "_duckdb"}

    def table(self, native: Any, small: pl.DataFrame) -> Any:
        """Return a relation of the same connection that reads the table where it lies in memory.

        Nothing is written into the user's database, which may be read-only.
        """
        held = small.to_arrow()  # found by its name in the query, and kept alive by the relation
        name = f"assay_{uuid4().hex}"
        made = native.query(name, "select * from held").set_alias(name)
        del held
        return made

    def check(self, native: Any) -> None:
        """Refuse a connection with a collation, which takes different texts for one or orders them by a language."""
        [(order,)] = native.query("assay", "select lower(current_setting('default_collation'))").fetchall()
        if order not in BYTES:
            msg = f"duckdb: expected text to be compared by its bytes, found the collation {order!r}"
            raise UnsupportedError(msg, hint="SET default_collation = '' on the connection.")

    def open(self, paths: Sequence[str], options: Mapping[str, str]) -> Any:
        """Return a relation over Parquet or CSV files, in a connection of its own that lies in memory.

        Options are settings of DuckDB, such as memory_limit=3GB, threads=2 and temp_directory=/tmp.
        """
        duckdb = _library()
        connection = _database(tuple(sorted(options.items()))).cursor()
        reader = CSV if paths[0].lower().endswith((".csv", ".tsv", ".csv.gz", ".tsv.gz")) else PARQUET
        try:
            return connection.sql(f"select * from {reader}", params={"files": list(paths)})  # noqa: S608 - one of two texts
        except duckdb.Error as problem:
            msg = f"{paths[0]}: expected Parquet or CSV files, found an error of DuckDB: {_first_line(problem)}"
            raise InputError(msg) from None


def _library() -> Any:
    """Return DuckDB's library."""
    try:
        import duckdb
        import pyarrow as pa  # noqa: F401 - hands tables over
    except ImportError:
        raise MissingExtraError.of("the engine duckdb", "duckdb (with pyarrow)", DuckDB.extra) from None
    return duckdb


@lru_cache(maxsize=1)
def _database(options: tuple[tuple[str, str], ...]) -> Any:
    """Return a database in memory, which all runs that are opened with the same settings share, and its limits too."""
    duckdb = _library()
    made = duckdb.connect(config={"preserve_insertion_order": "false"})
    if "temp_directory" not in dict(options):
        folder = tempfile.mkdtemp(prefix="assay-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        made.execute("set temp_directory = $folder", {"folder": folder})
    known = [name for (name,) in made.execute("select name from duckdb_settings()").fetchall()]
    for name, value in options:
        if name not in known:
            raise UnknownNameError.of("setting of DuckDB", name, known, see="SELECT name FROM duckdb_settings()")
        try:
            made.execute(f"set {name} = '{value.replace(chr(39), chr(39) * 2)}'")
        except duckdb.Error as problem:
            msg = f"--engine-option {name}: expected a value that DuckDB takes, found {value!r}"
            raise ParameterError(msg, hint=_first_line(problem)) from None
    return made


def _first_line(problem: Exception) -> str:
    return str(problem).strip().partition("\n")[0]


BACKENDS.add(DuckDB.name, DuckDB())
