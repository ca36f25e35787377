"""The benchmark of the drop-in: all of trec_eval's measures for each query of A, printed as trec_eval prints them."""

import os
import sys
from dataclasses import dataclass

from benchmarks import inputs
from benchmarks.inputs import SORTED, made
from benchmarks.measuring import execute, in_turns
from benchmarks.options import Options
from benchmarks.table import heading, row
from benchmarks.tools import Assay, TrecEval

ROUNDS = 3
EVERYTHING = ["-q", "-c", "-m", "all_trec"]


@dataclass(frozen=True)
class DropInBenchmark:
    """`assay trec_eval -m all_trec -q -c` beside `assay evaluate` with five measures, and beside the C program."""

    letter: str

    def run(self, options: Options) -> bool:
        """Compare the bytes with the C program's where it is there, then the times."""
        shape = options.shape(SORTED)
        gold = made(options.folder, "gold.qrels", inputs.gold, shape)
        run = made(options.folder, "sorted.run", inputs.plain, shape)
        inputs.run_table.cache_clear()
        print(heading(self.letter, f"all of trec_eval's measures for each of {shape.queries:,} queries", run))
        commands = {
            "Assay, five": Assay().command(gold, run),
            "drop-in, all": [sys.executable, "-m", "assay", "trec_eval", *EVERYTHING, str(gold), str(run)],
        }
        rivals = options.present([TrecEval()])
        if rivals:
            commands["trec_eval, all"] = [os.environ["TREC_EVAL"], *EVERYTHING, str(gold), str(run)]
        equal = not rivals or same_lines(commands["drop-in, all"], commands["trec_eval, all"])
        measured = in_turns([lambda c=c: execute(c)[0] for c in commands.values()], options.times(ROUNDS))
        for name, spent in zip(commands, measured, strict=True):
            print(row(name, spent, measured[0]))
        return equal


def same_lines(ours: list[str], theirs: list[str]) -> bool:
    """Print how many lines differ, and return whether none does."""
    mine, other = execute(ours)[1].splitlines(), execute(theirs)[1].splitlines()
    apart = sum(one != two for one, two in zip(mine, other, strict=False)) + abs(len(mine) - len(other))
    print(f"   {'DIFFERENT' if apart else 'equal'}: {len(mine):,} lines, {apart:,} differ from trec_eval's")
    return not apart


DROP_IN = [DropInBenchmark("trec")]
