"""The benchmark of scale: runs in Parquet of a million to a hundred million rows, each engine within its memory.

What counts is how the work of a row grows with the number of rows, in seconds of CPU, and how much a whole process
holds. Beside the engines DuckDB alone scans the same file, and ranks every row of the smaller ones by a window.
"""

import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.inputs import ITEMS, PART, SEED, Shape, made, scaled
from benchmarks.measuring import Measured, Spent, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading
from benchmarks.tools import VALUES, largest_difference, read_values

SHAPES = tuple(Shape(queries, 1_000, 10) for queries in (1_000, 10_000, 100_000))
START = Shape(2, 1_000, 10)
"""What starting takes is measured on this one, and taken from the rest."""
SHORT = 0.1
"""Less CPU than this many seconds says nothing about a row."""
CHUNK = 1_000
"""Queries that are made at a time."""
MEASURES = "RR AP nDCG@10 NumRet"
TABLE = ["--per-query", "--output", "parquet"]
ALONE = Path(__file__).with_name("duckdb_alone.py")
GB = 1_000_000_000


@dataclass(frozen=True)
class Contender:
    """One way to count, and the bytes that its process may take; 0 where its memory lies in other processes.

    It takes part up to the shape of the number `largest`. `measure` is the only one that DuckDB alone gives.
    """

    name: str
    limit: int
    options: tuple[str, ...] = ()
    largest: int = len(SHAPES) - 1
    measure: str | None = None
    pattern: bool = False

    def present(self, options: Options) -> bool:
        """Tell whether it can be started here, and is wanted."""
        needed = {"duckdb": ("duckdb", "pyarrow"), "spark": ("pyspark", "pyarrow")}.get(self.name.split()[0], ())
        java = self.name != "spark" or shutil.which("java") is not None
        return self.name not in options.without and java and all(map(find_spec, needed))

    def command(self, gold: Path, run: Path) -> list[str]:
        """Return the command that prints the values of all queries; a pattern is read as a LazyFrame of Polars."""
        if self.measure is not None:
            return [sys.executable, str(ALONE), *self.options, str(gold), str(run), "3GB"]
        path = f"{run.parent}/scale-[r]un.parquet" if self.pattern else str(run)
        return [sys.executable, "-m", "assay", "evaluate", str(gold), path, "-m", MEASURES, *TABLE, *self.options]

    def values(self, output: bytes) -> pl.DataFrame:
        """Read query, measure and value."""
        if self.measure is None:
            return pl.read_parquet(BytesIO(output)).select(*VALUES)
        table = read_values(BytesIO(output), new_columns=["query", "value"], schema_overrides=[pl.String, pl.Float64])
        return table.with_columns(measure=pl.lit(self.measure))


DUCKDB = ("--engine", "duckdb", "--engine-option", "memory_limit=3GB", "--engine-option", "threads=2")
CONTENDERS = (
    Contender("local", GB, ("--memory", "1GB")),
    Contender("polars", 4 * GB, pattern=True),
    Contender("duckdb", 4 * GB, DUCKDB),
    Contender("spark", 0, ("--engine", "spark", "--engine-option", "master=local[2]"), largest=1),
    Contender("duckdb scan", 4 * GB, ("scan",), measure="NumRet"),
    Contender("duckdb window", 4 * GB, ("window",), largest=1, measure="RR"),
)


@dataclass(frozen=True)
class ScaleBenchmark:
    """All engines on runs that grow tenfold."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the values of all engines, and print what each took for a row."""
        shapes = [scaled(shape, PART) for shape in SHAPES[:-1]] if options.small else SHAPES
        contenders = [one for one in CONTENDERS if one.present(options)]
        print(heading(self.letter, "1,000 answers to a query, 10 judged retrieved; CPU of whole processes, less start"))
        equal, start = _turn(START, contenders, options)
        first: dict[str, float] = {}
        for number, shape in enumerate(shapes):
            taking_part = [one for one in contenders if number <= one.largest]
            same, found = _turn(shape, taking_part, options)
            equal = equal and same
            if not same:
                break
            for one in taking_part:
                print(_row(one, found[one.name], start[one.name], shape, first))
        return equal


def _turn(shape: Shape, contenders: list[Contender], options: Options) -> tuple[bool, dict[str, Measured]]:
    """Run all on one shape, and say whether their values are those of the first."""
    gold = made(options.folder, "scale-gold.parquet", write_gold, shape)
    run = made(options.folder, "scale-run.parquet", write_run, shape)
    print(f"   {shape.queries * shape.retrieved:,} rows ({run.stat().st_size / 1e6:,.1f} MB)")
    outputs: dict[str, bytes] = {}

    def spent(one: Contender) -> Spent:
        taken, outputs[one.name] = execute(one.command(gold, run))
        return taken

    found = in_turns([partial(spent, one) for one in contenders], options.times(1))
    first, *others = ((one.name, one.values(outputs[one.name])) for one in contenders)
    equal = [_compared(first[1], theirs, name) for name, theirs in others]
    return all(equal), dict(zip(outputs, found, strict=True))


def _compared(ours: pl.DataFrame, theirs: pl.DataFrame, name: str) -> bool:
    """Compare the values of the measures that both give."""
    both = ours.filter(pl.col("measure").is_in(theirs["measure"].unique().implode()))
    return difference(name, 0.0, theirs.height, largest_difference(both, theirs))


def _row(one: Contender, found: Measured, start: Measured, shape: Shape, first: dict[str, float]) -> str:
    """Return the line of one contender: work for a row beside that of its smallest run, and memory beside its limit."""
    rows = shape.queries * shape.retrieved
    name, wall = f"   {one.name:14}", f"{found.seconds:9.1f} s wall"
    if not one.limit:
        return f"{name}{'':33}{wall}   CPU and memory are those of other processes"
    cpu = max(found.cpu - start.cpu, 0.0)
    base = first.setdefault(one.name, cpu / rows) if cpu >= SHORT else None
    growth = f"{cpu / rows / base:8.2f} × per row" if base else f"{'':18}"
    peak = found.peak or 0
    held = f"{peak / GB:.2f} of {one.limit / GB:.0f} GB" + ("" if peak <= one.limit else ", OVER")
    return f"{name}{growth}{cpu:9.1f} s CPU{wall}   {held}"


def write_run(shape: Shape, path: Path) -> None:
    """Write the answers, query by query, in no order within a query; scores have four decimals, so some tie."""
    import pyarrow.parquet as pq

    writer: pq.ParquetWriter | None = None
    for start, queries in _chunks(shape):
        random = np.random.default_rng([SEED, start, 1])
        score = np.round(random.gamma(2, 4, queries * shape.retrieved), 4)
        item = _items(shape, start, queries).ravel()
        table = pl.DataFrame({"query": _names(start, queries, shape.retrieved), "item": item, "score": score})
        table = table.with_columns(pl.format("d{}", "item").alias("item")).to_arrow()
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def write_gold(shape: Shape, path: Path) -> None:
    """Write grades of items that are retrieved at any place, and one for each query of an item that is not."""
    parts = []
    for start, queries in _chunks(shape):
        random = np.random.default_rng([SEED, start, 2])
        place = random.random((queries, shape.retrieved)).argpartition(shape.judged, axis=1)[:, : shape.judged]
        item = np.take_along_axis(_items(shape, start, queries), place, axis=1)
        item = np.concatenate([item, np.full((queries, 1), ITEMS)], axis=1).ravel()
        grade = random.integers(0, 3, (queries, shape.judged + 1))
        grade[:, 0] = 1
        names = _names(start, queries, shape.judged + 1)
        parts.append(pl.DataFrame({"query": names, "item": item, "grade": grade.ravel()}))
    pl.concat(parts).with_columns(pl.format("d{}", "item").alias("item")).write_parquet(path)


def _chunks(shape: Shape) -> Iterator[tuple[int, int]]:
    """Yield the first query and the number of queries of each part."""
    return ((start, min(CHUNK, shape.queries - start)) for start in range(0, shape.queries, CHUNK))


def _items(shape: Shape, start: int, queries: int) -> np.ndarray:
    """Return the numbers of the items retrieved, shape (queries, retrieved), different within a query."""
    random = np.random.default_rng([SEED, start])
    first, step = random.integers(1, ITEMS, (2, queries, 1))
    return (first + np.arange(shape.retrieved) * step) % ITEMS


def _names(start: int, queries: int, times: int) -> pl.Series:
    return pl.select(pl.format("q{}", pl.Series(np.repeat(start + np.arange(queries), times)))).to_series()


SCALE = [ScaleBenchmark("scale")]
