"""The benchmark of many runs: one call for all of them, beside one call for each."""

import shutil
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks import inputs
from benchmarks.inputs import SEED, Shape, made, run_table, scaled, write_trec
from benchmarks.measuring import Spent, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import VALUES, Assay, IrMeasures, Tool, largest_difference

GRID = Shape(50, 1_000, 100)
RUNS = 400
ROUNDS = 3
SAMPLE = 10
"""How many of the runs a contender that is called for each of them is called for; its time is scaled up to all."""


def variant(shape: Shape, path: Path, *, number: int) -> None:
    """One of many runs: the items of each query in another order, near the first, with scores of its own."""
    random = np.random.default_rng([SEED, number])
    table = run_table(shape)
    places = np.arange(shape.retrieved) * random.uniform(0.5, 2, (shape.queries, shape.retrieved))
    order = np.argsort(places, axis=1) + shape.retrieved * np.arange(shape.queries)[:, np.newaxis]
    write_trec(table.with_columns(item=table["item"].gather(order.ravel())), path)


@dataclass(frozen=True)
class ManyBenchmark:
    """All runs of a grid search in one call, without and with a cache, and in a call for each."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the values, then the times."""
        shape, count = (scaled(GRID, inputs.PART), 6) if options.small else (GRID, RUNS)
        gold = made(options.folder, "gold.qrels", inputs.gold, shape)
        runs = [
            made(options.folder, f"many-{number:03}.run", partial(variant, number=number), shape)
            for number in range(count)
        ]
        inputs.run_table.cache_clear()
        what = f"{count} runs of {shape.queries:,} queries × {shape.retrieved:,}, in one call and in one for each"
        print(heading(self.letter, what))
        sample = runs[:: max(count // SAMPLE, 1)]
        rivals: list[Tool] = [*options.present([IrMeasures()]), Assay()]
        cache = options.folder / "cache-of-many"
        equal = [*_equal(gold, runs, sample, rivals), _equal_from_cache(gold, runs, cache)]
        if all(equal):
            contenders = {
                "one call": lambda: execute(_command(gold, runs))[0],
                "from the cache": lambda: execute(_command(gold, runs, "--cache", str(cache)))[0],
            } | {f"{tool.name} each": partial(_each, tool, gold, sample, count / len(sample)) for tool in rivals}
            measured = in_turns(list(contenders.values()), options.times(ROUNDS))
            print(f"   Calls for each: {len(sample)} of {count} made, their time × {count / len(sample):g}.")
            for name, spent in zip(contenders, measured, strict=True):
                print(row(name, spent, measured[0]))
        return all(equal)


def _command(gold: Path, runs: list[Path], *more: str) -> list[str]:
    command = Assay().command(gold, runs[0])
    place = command.index(str(runs[0]))
    return [*command[:place], *map(str, runs), *command[place + 1 :], *more]


def _values(gold: Path, runs: list[Path], *more: str) -> pl.DataFrame:
    """Return run, query, measure and value of one call for all runs."""
    _, output = execute([*_command(gold, runs), "--per-query", "--output", "parquet", *more])
    return pl.read_parquet(BytesIO(output)).select("run", *VALUES)


def _equal(gold: Path, runs: list[Path], sample: list[Path], rivals: list[Tool]) -> list[bool]:
    """Compare the values of the sample with those of a call for each."""
    ours = _values(gold, runs).partition_by("run", as_dict=True, include_key=False)
    found = []
    for rival in rivals:
        apart = [largest_difference(ours[run.stem,], rival.values(gold, run)) for run in sample]
        values = sum(ours[run.stem,].height for run in sample)
        name = "calls of Assay for each" if isinstance(rival, Assay) else rival.name
        found.append(difference(name, rival.tolerance, values, max(apart)))
    return found


def _equal_from_cache(gold: Path, runs: list[Path], cache: Path) -> bool:
    """Fill the cache, and compare what is taken from it."""
    shutil.rmtree(cache, ignore_errors=True)
    first, again = (_values(gold, runs, "--cache", str(cache)) for _ in range(2))
    apart = 0.0 if first.equals(again) and first.equals(_values(gold, runs)) else float("inf")
    return difference("a call without the cache", 0.0, first.height, apart)


def _each(tool: Tool, gold: Path, sample: list[Path], scale: float) -> Spent:
    """Call a tool for each run of the sample, and scale its time up to all."""
    spent = [execute(tool.command(gold, run))[0] for run in sample]
    peaks = [one.peak for one in spent if one.peak is not None]
    return Spent(scale * sum(one.seconds for one in spent), max(peaks, default=None))


MANY = [ManyBenchmark("many")]
