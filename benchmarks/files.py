"""Benchmarks from file to table: whole processes, from the first byte read to the table printed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from benchmarks import inputs
from benchmarks.inputs import DEEP, SHORT, SORTED, Shape, made, whole
from benchmarks.measuring import Measured, execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import MEASURES, MS_MARCO, Assay, AssayOn, IrMeasures, Ranx, Tool, TrecEval, largest_difference

ROUNDS = 5
C_AND_PYTHON = (TrecEval(), IrMeasures())
ALL = (TrecEval(), IrMeasures(), Ranx())


@dataclass(frozen=True)
class FileBenchmark:
    """One input; `rivals` read the same file, and `beside_plain` compares with A, the plain form of its rows."""

    letter: str
    what: str
    shape: Shape
    file: str
    make: Callable[[Shape, Path], None]
    rivals: tuple[Tool, ...]
    beside_plain: bool = False
    measures: tuple[str, ...] = MEASURES
    gold_file: str = "gold.qrels"
    make_gold: Callable[[Shape, Path], None] = inputs.gold

    def run(self, options: Options) -> bool:
        """Compare the values, then the times; return whether all values were equal."""
        shape = options.shape(self.shape)
        gold = made(options.folder, self.gold_file, self.make_gold, shape)
        run = made(options.folder, self.file, self.make, shape)
        rivals = options.present(self.rivals)
        if self.beside_plain:
            rivals.append(AssayOn(other=made(options.folder, "sorted.run", inputs.plain, shape)))
        inputs.run_table.cache_clear()
        print(heading(self.letter, f"{shape.queries:,} queries × {shape.retrieved:,}, {self.what}", run))
        equal = [
            difference(rival.name, rival.tolerance, *found)
            for rival, found in compared(rivals, gold, run, self.measures)
        ]
        if all(equal):
            tools = [Assay(measures=self.measures), *rivals]
            measured = measure(tools, gold, run, options.times(ROUNDS))
            for tool, spent in zip(tools, measured, strict=True):
                print(row(tool.name, spent, measured[0], run if tool is tools[0] else None))
        return all(equal)


def compared(
    rivals: list[Tool], gold: Path, run: Path, measures: tuple[str, ...] = MEASURES
) -> Iterator[tuple[Tool, tuple[int, float]]]:
    """Yield each rival with the number of values and how far they lie apart from ours at most."""
    ours = Assay(measures=measures).values(gold, run)
    for rival in rivals:
        yield rival, (ours.height, largest_difference(ours, kept_values(rival, gold, run, measures)))


def kept_values(tool: Tool, gold: Path, run: Path, measures: tuple[str, ...]) -> pl.DataFrame:
    """Return the values of a tool, kept beside the input: some take minutes. Those of Assay are always made anew."""
    which = "" if measures == MEASURES else "-".join(("", *measures))
    path = run.with_name(f"values-of-{tool.name}{which}-{run.name}.parquet")
    if isinstance(tool, Assay):
        return tool.values(gold, run)
    if not path.exists():
        whole(path, tool.values(gold, run).write_parquet)
    return pl.read_parquet(path)


def measure(tools: list[Tool], gold: Path, run: Path, rounds: int) -> list[Measured]:
    """Measure whole processes in turns."""
    return in_turns([lambda tool=tool: execute(tool.command(gold, run))[0] for tool in tools], rounds)


FILES = [
    FileBenchmark("A", "sorted", SORTED, "sorted.run", inputs.plain, ALL),
    FileBenchmark(
        "M", f"A by what MS MARCO reports: {' '.join(MS_MARCO)}", SORTED, "sorted.run", inputs.plain,
        (IrMeasures(measures=MS_MARCO),), measures=MS_MARCO,
    ),
    FileBenchmark("B", "the lines of A shuffled", SORTED, "shuffled.run", inputs.shuffled, ALL),
    FileBenchmark("C", "A with tabs and runs of blanks", SORTED, "ragged.run", inputs.ragged, (TrecEval(),), True),
    FileBenchmark("D", "A in gzip", SORTED, "sorted.run.gz", inputs.packed, (), True),
    FileBenchmark("E", "1,500 judged for each", DEEP, "sorted.run", inputs.plain, ALL),
    FileBenchmark("F", "short rankings", SHORT, "sorted.run", inputs.plain, ALL),
    FileBenchmark("H", "A in Parquet", SORTED, "sorted.parquet", inputs.parquet, (), True),
    FileBenchmark(
        "L", "ids of 28 characters", SORTED, "long.run", inputs.long_ids, C_AND_PYTHON,
        gold_file="long.qrels", make_gold=inputs.gold_of_long_ids,
    ),
    FileBenchmark("T", "B with scores of one decimal", SORTED, "coarse.run", inputs.coarse, C_AND_PYTHON),
    FileBenchmark("Z", "every score equal", SORTED, "equal.run", inputs.equal, C_AND_PYTHON),
]  # fmt: skip
