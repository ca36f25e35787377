"""The benchmark of clicks: logs of one and of fifty million rows, graded in bounded memory.

Polars alone, in one lazy query, adds up shown and clicks of each pair: what any tool has to do at least. What a whole
process of Assay holds grows with the pairs and searches with a click, not with the rows.
"""

import sys
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.inputs import SEED, Shape, made
from benchmarks.measuring import Measured, Spent, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import VALUES, largest_difference

QUERIES, ITEMS = 100_000, 15
SHAPES = (Shape(100_000, 10, ITEMS), Shape(5_000_000, 10, ITEMS))
"""Searches, items shown in each, items that each query has."""
CHUNK = 100_000
MODELS = ("ctr", "pbm", "sdbn")
ALONE = """
import sys, polars as pl
log = pl.scan_csv(sys.argv[1]).group_by("query", "item").agg(pl.len(), pl.col("click").sum())
found = log.filter(pl.col("len") >= 10).select("query", "item", raw=pl.col("click") / pl.col("len"))
found.collect(engine="streaming").write_parquet(sys.stdout.buffer)
"""


@dataclass(frozen=True)
class ClicksBenchmark:
    """Grades of clicks by several models, and the rate alone by Polars."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the rates, then print time and memory of each model."""
        shapes = SHAPES[:1] if options.small else SHAPES
        return all(_turn(self.letter, options.shape(shape), options) for shape in shapes)


def _turn(letter: str, shape: Shape, options: Options) -> bool:
    path = made(options.folder, "clicks.csv", write_log, shape)
    rows = shape.queries * shape.retrieved
    print(heading(letter, f"{rows:,} rows, {QUERIES:,} queries", path))
    outputs: dict[str, bytes] = {}

    def spent(name: str, command: list[str]) -> Spent:
        taken, outputs[name] = execute(command)
        return taken

    grade = [sys.executable, "-m", "assay", "gold", "clicks", str(path), "--quiet", "-o", "parquet", "--model"]
    commands = {name: [*grade, name] for name in MODELS} | {"polars": [sys.executable, "-c", ALONE, str(path)]}
    found = in_turns([partial(spent, *one) for one in commands.items()], options.times(1))
    rates = [_rates(outputs[name]) for name in ("ctr", "polars")]
    equal = difference("polars", 1e-12, rates[1].height, largest_difference(*rates))
    for name, one in zip(commands, found, strict=True):
        print(_line(name, one, found[0], path, rows))
    return equal


def _line(name: str, one: Measured, ours: Measured, path: Path, rows: int) -> str:
    return f"{row(name, one, ours, path):76} {rows / one.seconds / 1e6:6.1f} million rows/s"


def _rates(output: bytes) -> pl.DataFrame:
    table = pl.read_parquet(BytesIO(output))
    return table.select(query=pl.concat_str("query", pl.lit(" "), "item"), measure=pl.lit("raw"), value="raw").select(
        *VALUES
    )


def write_log(shape: Shape, path: Path) -> None:
    """Write searches: queries as often as Zipf says, items by a noisy order, clicks by place and item."""
    random = np.random.default_rng(SEED)
    goodness = random.beta(1, 4, (QUERIES, ITEMS)).astype(np.float32)
    share = 1 / np.arange(1, QUERIES + 1)
    with path.open("wb") as file:
        for first in range(0, shape.queries, CHUNK):
            query = random.choice(QUERIES, min(CHUNK, shape.queries - first), p=share / share.sum())
            block = _block(random, goodness, query, first, shape.retrieved)
            block.write_csv(file, include_header=first == 0)


def _block(
    random: np.random.Generator, goodness: np.ndarray, query: np.ndarray, first: int, shown: int
) -> pl.DataFrame:
    noisy = goodness[query] + random.normal(0, 0.2, (len(query), ITEMS))
    item = np.argsort(-noisy, axis=1)[:, :shown]
    look = 1 / np.arange(1, shown + 1)
    click = random.random(item.shape) < look * np.take_along_axis(goodness[query], item, 1)
    numbers = {
        "session": np.repeat(first + np.arange(len(query)), shown), "query": np.repeat(query, shown),
        "item": (np.repeat(query, shown) * ITEMS + item.ravel()), "rank": np.tile(np.arange(1, shown + 1), len(query)),
        "click": click.ravel().astype(np.int8),
    }  # fmt: skip
    named = {"session": "session-{}", "query": "what people ask for {}", "item": "document-{}"}
    return pl.DataFrame(numbers).with_columns(pl.format(text, pl.col(name)).alias(name) for name, text in named.items())


CLICKS = [ClicksBenchmark("clicks")]
