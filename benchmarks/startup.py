"""The benchmark of starting: the command line on a tiny file beside what it has to load anyway."""

import sys
from dataclasses import dataclass

from benchmarks import inputs
from benchmarks.files import compared
from benchmarks.inputs import TINY, made
from benchmarks.measuring import execute, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import Assay, IrMeasures

ROUNDS = 11


@dataclass(frozen=True)
class StartBenchmark:
    """`assay evaluate` on two queries; the rivals are `import polars` and an interpreter that does nothing."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the values with ir_measures where that is installed, then the times."""
        gold = made(options.folder, "gold.qrels", inputs.gold, TINY)
        run = made(options.folder, "sorted.run", inputs.plain, TINY)
        inputs.run_table.cache_clear()
        print(heading(self.letter, f"starting: {TINY.queries} queries × {TINY.retrieved}"))
        rivals = options.present([IrMeasures()])
        equal = [difference(rival.name, rival.tolerance, *found) for rival, found in compared(rivals, gold, run)]
        commands = {
            "Assay": Assay().command(gold, run),
            "import polars": [sys.executable, "-c", "import polars"],
            "nothing": [sys.executable, "-c", "pass"],
        } | {rival.name: rival.command(gold, run) for rival in rivals}
        measured = in_turns([lambda c=c: execute(c)[0] for c in commands.values()], options.times(ROUNDS))
        for name, spent in zip(commands, measured, strict=True):
            print(row(name, spent, measured[0]))
        return all(equal)


START = [StartBenchmark("start")]
