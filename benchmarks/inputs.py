"""The inputs, made once and kept in a folder: judgments and runs of several shapes and formats.

All are drawn from one seed. Scores have four decimals and differ within a query by more than single precision
can blur, so that a tool that keeps them in 32 bits ranks the same way; T and Z are about ties on purpose.
"""

import gzip
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

import numpy as np
import polars as pl

SEED = 20
ITEMS = 8_841_823
"""How many items there are to retrieve: a prime, so that start + place × step never repeats within a query."""
PART = 0.02
"""What `--small` makes of the number of queries."""


@dataclass(frozen=True)
class Shape:
    """How many queries, items retrieved and items judged for each of them (at most, if `judged` is 2)."""

    queries: int
    retrieved: int
    judged: int


SORTED = Shape(6_980, 1_000, 2)
DEEP = Shape(50, 1_000, 1_500)
SHORT = Shape(100_000, 10, 1)
MATRIX = Shape(1_000, 1_000, 5)
TINY = Shape(2, 3, 1)


def scaled(shape: Shape, part: float) -> Shape:
    """Return a shape with a part of the queries."""
    return Shape(max(round(shape.queries * part), 2), shape.retrieved, shape.judged)


@lru_cache(maxsize=1)
def run_table(shape: Shape) -> pl.DataFrame:
    """Return query, item, rank and score, sorted by query and rank."""
    random = np.random.default_rng(SEED)
    start = random.integers(0, ITEMS, (shape.queries, 1))
    step = random.integers(1, ITEMS, (shape.queries, 1))
    place = np.arange(shape.retrieved)
    gaps = random.integers(1, 300, (shape.queries, shape.retrieved))
    return pl.DataFrame(
        {
            "query": np.repeat(1_000_000 + np.arange(shape.queries), shape.retrieved),
            "item": ((start + place * step) % ITEMS).ravel(),
            "rank": np.tile(place + 1, shape.queries),
            "score": ((400_000 - np.cumsum(gaps, axis=1)) / 10_000).ravel(),
        }
    ).with_columns(pl.col("query", "item").cast(pl.String))


def gold_table(shape: Shape) -> pl.DataFrame:
    """Return query, item and grade: some judged items are retrieved, at early ranks rather than late, some are not.

    The first judgment of each query is relevant.
    """
    random = np.random.default_rng(SEED + 1)
    chosen = [_judged_places(shape, random) for _ in range(shape.queries)]
    many = np.array([len(places) for places in chosen])
    query = np.repeat(np.arange(shape.queries), many)
    place = np.concatenate(chosen)
    inside = place < shape.retrieved
    rows = query * shape.retrieved + np.minimum(place, shape.retrieved - 1)
    item = run_table(shape)["item"].gather(rows)
    other = pl.Series(ITEMS + place).cast(pl.String)
    grade = random.integers(0, 4, len(query))
    grade[np.cumsum(many) - many] = random.integers(1, 4, shape.queries)
    return pl.DataFrame(
        {
            "query": pl.Series(1_000_000 + query).cast(pl.String),
            "item": item.zip_with(pl.Series(inside), other),
            "grade": grade,
        }
    )


def _judged_places(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Return places of judged items, from 0; those past the end of the ranking were not retrieved."""
    if shape.judged > shape.retrieved:
        return random.permutation(2 * shape.judged)[: shape.judged]
    many = random.integers(1, 3) if shape.judged == 2 else shape.judged
    places = np.floor(np.exp(random.uniform(0, np.log(2 * shape.retrieved), 4 * many))).astype(int) - 1
    return random.permutation(np.unique(places))[:many]


def write_trec(table: pl.DataFrame, path: Path, *, separator: str = " ", decimals: int = 4) -> None:
    """Write a run of six columns."""
    constant = {name: text for name, text in {"Q0": "Q0", "system": "bm25"}.items() if name not in table.columns}
    six = table.with_columns(**{name: pl.lit(text) for name, text in constant.items()})
    six.select("query", "Q0", "item", "rank", "score", "system").write_csv(
        path, separator=separator, include_header=False, quote_style="never", float_precision=decimals
    )


def write_gold(table: pl.DataFrame, path: Path) -> None:
    """Write qrels."""
    table.select("query", pl.lit("0").alias("iter"), "item", "grade").write_csv(
        path, separator=" ", include_header=False, quote_style="never"
    )


def plain(shape: Shape, path: Path) -> None:
    """Sorted by query and rank, single blanks."""
    write_trec(run_table(shape), path)


def shuffled(shape: Shape, path: Path) -> None:
    """The same lines in any order."""
    write_trec(run_table(shape).sample(fraction=1, shuffle=True, seed=SEED), path)


def ragged(shape: Shape, path: Path) -> None:
    """The same rows, parted by tabs and runs of blanks, some lines with blanks at their end."""
    table = run_table(shape)
    random = np.random.default_rng(SEED + 2)

    def padded(name: str) -> pl.Expr:
        return pl.col(name) + pl.Series(np.array(["", "", " ", "   "])[random.integers(0, 4, table.height)])

    rows = table.with_columns(Q0=pl.lit("Q0"), system=pl.lit("bm25"))
    write_trec(rows.with_columns(padded(name) for name in ("query", "Q0", "item", "system")), path, separator="\t")


def packed(shape: Shape, path: Path) -> None:
    """The same text in gzip."""
    text = path.with_suffix(".unpacked")
    plain(shape, text)
    with text.open("rb") as source, gzip.open(path, "wb", compresslevel=1) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    text.unlink()


def parquet(shape: Shape, path: Path) -> None:
    """The same rows as a table in Parquet."""
    run_table(shape).select("query", "item", "score").write_parquet(path)


def long_ids(shape: Shape, path: Path) -> None:
    """The same rows with ids of 28 characters."""
    write_trec(run_table(shape).with_columns(lengthened()), path)


def lengthened() -> pl.Expr:
    """Return the ids, filled up to 28 characters."""
    return pl.format("msmarco_v2_passage_{}", pl.col("item").str.zfill(9)).alias("item")


def coarse(shape: Shape, path: Path) -> None:
    """Shuffled, scores with one decimal: many ties."""
    write_trec(run_table(shape).sample(fraction=1, shuffle=True, seed=SEED), path, decimals=1)


def equal(shape: Shape, path: Path) -> None:
    """Every score 0: each item is tied with all of its query."""
    write_trec(run_table(shape).with_columns(score=pl.lit(0.0)), path, decimals=0)


def gold(shape: Shape, path: Path) -> None:
    """The judgments."""
    write_gold(gold_table(shape), path)


def gold_of_long_ids(shape: Shape, path: Path) -> None:
    """The judgments of items with ids of 28 characters."""
    write_gold(gold_table(shape).with_columns(lengthened()), path)


def made(folder: Path, name: str, make: Callable[[Shape, Path], None], shape: Shape) -> Path:
    """Return the file of that name, made now unless an earlier call has."""
    path = folder / f"{shape.queries}x{shape.retrieved}x{shape.judged}" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole(path, partial(make, shape))
    return path


def whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let a file be written beside its place, and put it there once it is whole."""
    unfinished = path.with_name(f"unfinished-{path.name}")
    write(unfinished)
    unfinished.replace(path)


def as_dicts(table: pl.DataFrame, number: str) -> dict[str, dict[str, float]]:
    """Return a table as a dict of dicts."""
    groups = table.group_by("query", maintain_order=True).agg("item", number)
    return {
        query: dict(zip(items, values, strict=True))
        for query, items, values in zip(
            groups["query"], groups["item"].to_list(), groups[number].to_list(), strict=True
        )
    }
