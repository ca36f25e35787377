"""Runs in many files: folders, patterns, partitions; and what the options of an engine refuse."""

import hashlib
from pathlib import Path

import polars as pl
import pytest

import assay
from assay.core.run import Run, StreamedRows
from assay.errors import AssayError, InputError, MissingExtraError, ParameterError, RunError, UnknownNameError
from assay.formats import read_run
from assay.formats.datasets import TABLES, Dataset, digest_of
from assay.inputs import open_run

ROWS = pl.DataFrame({"query": ["007", "007", "8", "8"], "item": ["1", "b", "1", "c"], "score": [1.0, 2.0, 3.0, 4.0]})
GOLD = {"007": {"1": 1}, "8": {"c": 1}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one run in two files, the same run in partitions, in CSV, and files that are no part of it."""
    plain, parts = tmp_path / "plain", tmp_path / "parts"
    plain.mkdir()
    ROWS[:2].write_parquet(plain / "bm25-0.parquet")
    ROWS[2:].write_parquet(plain / "bm25-1.parquet")
    (plain / "_SUCCESS.parquet").touch()
    for query in ("007", "8"):
        (parts / f"query={query}").mkdir(parents=True)
        ROWS.filter(pl.col("query") == query).drop("query").write_parquet(parts / f"query={query}" / "0.parquet")
    ROWS.write_csv(tmp_path / "run.csv")
    return tmp_path


PLACES = ["plain", "plain/*.parquet", "plain/bm25-[01].parquet", "parts", "parts/query=*", "parts/*/0.parquet"]


@pytest.mark.parametrize("place", PLACES)
def test_a_folder_or_a_pattern_is_one_run(folder: Path, place: str) -> None:
    run = read_run(folder / place)
    assert run.frame().equals(ROWS)
    assert run.name == {"plain/bm25-[01].parquet": "bm25"}.get(place, place.partition("/")[0])
    assert assay.evaluate(GOLD, run, "RR").mean == {"RR": 0.75}


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # what Dask's reader of Parquet does
@pytest.mark.parametrize("engine", ["duckdb", "dask"])
@pytest.mark.parametrize("place", [*PLACES, "run.csv"])
def test_another_engine_reads_the_same_run(folder: Path, place: str, engine: str) -> None:
    pytest.importorskip("pandas" if engine == "dask" else "duckdb", reason=f"needs the extra {engine}")
    pytest.importorskip("dask.dataframe" if engine == "dask" else "duckdb", reason=f"needs the extra {engine}")
    run = open_run(str(folder / place), engine=engine)
    assert run.frame().sort("query", "item").equals(ROWS)
    assert assay.evaluate(GOLD, run, "RR").mean == {"RR": 0.75}
    assert run.name == open_run(str(folder / place)).name
    assert run.origin is not None
    assert run.origin.path == str(folder / place)


def test_the_digest_is_that_of_the_list_of_digests(folder: Path) -> None:
    run = read_run(folder / "plain")
    files = sorted((folder / "plain").glob("bm25*"))
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    for place in ("plain", "plain/*.parquet", "plain/b*"):
        assert digest_of(str(folder / place)) == digest
    assert run.origin is not None
    assert run.origin.digest() == digest
    one = open_run(str(files[0]), engine="polars")
    assert one.origin is not None
    assert Dataset.of(str(files[0])).origin().digest() == one.origin.digest()
    assert Dataset.of(str(folder / "run.csv"), TABLES).origin().format == "csv"


def test_a_name_that_looks_like_a_pattern_is_a_file_where_there_is_one(tmp_path: Path) -> None:
    file = tmp_path / "run[1].parquet"
    ROWS.write_parquet(file)
    assert Dataset.find(file) is None
    assert read_run(file).frame().equals(ROWS)


def test_a_lazy_frame_streams(folder: Path) -> None:
    run = Run.from_frame(pl.scan_parquet(folder / "plain" / "bm25*").rename({"query": "qid"}))
    assert isinstance(run.rows, StreamedRows)
    assert run.frame().equals(ROWS)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("nothing*.parquet", "expected files that match, found none"),
        ("empty", "expected a file, found a folder without Parquet files"),
        ("*", "expected the same partitions in each folder (query), found others"),
        ("*.csv", "expected files that end in .parquet, .pq, found"),
    ],
)
def test_what_is_no_run_in_parquet_is_said(folder: Path, place: str, said: str) -> None:
    (folder / "empty").mkdir()
    if place == "*":
        (folder / "run.csv").unlink()
    with pytest.raises(InputError) as found:
        read_run(folder / place)
    assert said in str(found.value)


def test_columns_that_differ_from_file_to_file_are_said(folder: Path) -> None:
    ROWS.rename({"score": "points"}).write_parquet(folder / "plain" / "z.parquet")
    with pytest.raises(RunError, match="plain: expected rows, found an error"):
        read_run(folder / "plain").frame()


@pytest.mark.parametrize(
    ("asked", "kind", "said"),
    [
        ({"engine": "duck"}, UnknownNameError, "no engine is called 'duck'. Did you mean 'duckdb'"),
        ({"engine": "duckdb", "options": {"memory_limi": "1GB"}}, UnknownNameError, "Did you mean 'memory_limit'"),
        ({"engine": "duckdb", "options": {"threads": "many"}}, ParameterError, "--engine-option threads: expected"),
        ({"engine": "duckdb", "format": "trec"}, ParameterError, "expected Parquet or CSV files, found trec"),
        ({"engine": "polars", "options": {"threads": "1"}}, ParameterError, "expected an engine that has settings"),
        ({"options": {"threads": "1"}}, ParameterError, "expected an engine that has settings"),
        ({"engine": "dask", "memory": 1 << 30}, ParameterError, "expected an engine that takes a limit, found dask"),
        ({"engine": "dask", "options": {"workers": "1"}}, UnknownNameError, "no option of the engine dask"),
    ],
    ids=["engine", "setting", "value", "format", "polars", "none", "memory", "dask"],
)
def test_what_an_engine_does_not_take_is_said(folder: Path, asked: dict, kind: type[AssayError], said: str) -> None:
    pytest.importorskip("duckdb", reason="needs the extra duckdb")
    pytest.importorskip("dask.dataframe", reason="needs the extra dask")
    with pytest.raises(kind) as found:
        open_run(str(folder / "plain"), **asked)
    assert said in str(found.value)


def test_the_limit_of_memory_is_the_engine_s(folder: Path) -> None:
    pytest.importorskip("duckdb", reason="needs the extra duckdb")
    run = open_run(str(folder / "plain"), engine="duckdb", memory=300_000_000, options={"threads": "1"})
    said = run.rows.native.query("run", "select current_setting('memory_limit'), current_setting('threads')").fetchall()
    assert said == [("286.1 MiB", 1)]


@pytest.mark.parametrize("engine", ["duckdb", "dask", "spark"])
def test_a_missing_library_is_said(folder: Path, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("duckdb", "dask.dataframe", "pyspark.sql"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(MissingExtraError, match=f"the engine {engine} needs"):
        open_run(str(folder / "plain"), engine=engine, options={"scheduler": "threads"} if engine == "dask" else {})


def test_types_that_engines_would_write_in_different_ways_are_refused() -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs the extra duckdb")
    with pytest.raises(RunError, match="expected text or whole numbers in the column 'item'"):
        Run.from_frame(duckdb.sql("select 'q' as query, 1.5 as item, 1.0 as score"))
    with pytest.raises(RunError, match="expected numbers in the column 'score'"):
        Run.from_frame(duckdb.sql("select 'q' as query, 'a' as item, true as score"))
    wrong = Run.from_frame(duckdb.sql("select 'q' as query, 'a' as item, 'high' as score"))
    with pytest.raises(RunError, match="run: expected rows, found an error of the engine"):
        assay.evaluate({"q": {"a": 1}}, wrong, "RR")
    whole = Run.from_frame(duckdb.sql("select 7 as query, 1::tinyint as item, 1.5::float as score, 3 as tokens"))
    assert assay.evaluate({"7": {"1": 1}}, whole, "RR").mean == {"RR": 1.0}
    costs = whole.costs()
    assert costs is not None
    assert costs.rows() == [("7", 3.0)]


def test_nothing_is_left_in_the_user_s_database(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs the extra duckdb")
    with duckdb.connect(tmp_path / "runs.duckdb") as made:
        made.execute("create table run as select 'q' as query, 'a' as item, 1.0::double as score")
    with duckdb.connect(tmp_path / "runs.duckdb", read_only=True) as connection:
        run = Run.from_frame(connection.table("run"), name="bm25")
        assert assay.evaluate({"q": {"a": 1}}, run, "RR").mean == {"RR": 1.0}
        assert connection.execute(
            "select table_name from duckdb_tables() union all select view_name from duckdb_views() where not internal"
        ).fetchall() == [("run",)]
