"""`python -m benchmarks [NAMES] [--small] [--rounds N] [--without RIVAL] [--out FILE]`: run the benchmarks."""

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

import polars as pl

from assay import __version__
from benchmarks.clicks import CLICKS
from benchmarks.dicts import DICTS
from benchmarks.dropin import DROP_IN
from benchmarks.entities import ENTITIES
from benchmarks.files import FILES
from benchmarks.graph import GRAPH
from benchmarks.growth import GROWTH, draw
from benchmarks.history import HISTORY
from benchmarks.inputs import TINY, gold, made, plain, run_table, whole
from benchmarks.judging import JUDGING
from benchmarks.lexical import LEXICAL
from benchmarks.links import LINKS
from benchmarks.many import MANY
from benchmarks.measuring import SLOW, execute
from benchmarks.neighbours import NEIGHBOURS
from benchmarks.options import Options
from benchmarks.rag import RAG
from benchmarks.resampling import STATISTICS
from benchmarks.scale import SCALE
from benchmarks.startup import START
from benchmarks.summary import markdown
from benchmarks.table import NOTED
from benchmarks.tools import MEASURES, Assay, IrMeasures, Ranx, Tool, TrecEval

GROUPS = [
    FILES, GROWTH, DICTS, START, DROP_IN, STATISTICS, LINKS, NEIGHBOURS, ENTITIES, RAG, LEXICAL, GRAPH, CLICKS, JUDGING,
    HISTORY, MANY, SCALE,
]  # fmt: skip
BENCHMARKS = {one.letter: one for group in GROUPS for one in group}


def main() -> int:
    """Run what is asked for; 1 if a value differs from a rival's, 2 for a wrong name."""
    args = _arguments()
    unknown = [name for name in args.names if name not in BENCHMARKS]
    if unknown:
        print(f"benchmarks: expected names among {' '.join(BENCHMARKS)}, found {' '.join(unknown)}", file=sys.stderr)
        return 2
    args.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    print(f"Assay {__version__}, Python {platform.python_version()}, Polars {pl.__version__}; {' '.join(MEASURES)}.")
    print(f"Medians of runs in turns; whatever takes more than {SLOW:.0f} s runs once. Peak memory of whole processes.")
    options = Options(args.folder, args.small, args.rounds, args.without)
    _warm_up(options)
    unequal = [name for name in args.names or BENCHMARKS if not BENCHMARKS[name].run(options)]
    table = markdown(NOTED, unequal)
    print(f"\n{table}")
    if args.out is not None:
        whole(args.out, lambda unfinished: unfinished.write_text(table, "utf-8"))
    if args.chart is not None:
        draw(NOTED, args.chart)
    print(f"The inputs stay in {args.folder}; delete it when you are done.")
    return 1 if unequal else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Compare Assay with other tools.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{' '.join(BENCHMARKS)}; all if none is named")
    parser.add_argument("--small", action="store_true", help="a fiftieth of the queries and one round: a quick look")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "assay-benchmarks", help="where inputs are kept"
    )
    parser.add_argument("--rounds", type=int, help="how often each contender runs (files 5, dicts 7, start 11)")
    parser.add_argument(
        "--without", action="append", default=[], metavar="RIVAL", help="leave out a rival; may be given again"
    )
    parser.add_argument("--out", type=Path, help="write the table of everything, in Markdown, to this file as well")
    parser.add_argument("--chart", type=Path, help="draw growth as SVG to this file")
    return parser.parse_args()


def _warm_up(options: Options) -> None:
    """Say which rivals there are and start all once: ranx compiles at its first call, Python what is not installed."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else Assay would be compiled at each start, and no rival would
    files = made(options.folder, "gold.qrels", gold, TINY), made(options.folder, "sorted.run", plain, TINY)
    run_table.cache_clear()
    execute(Assay().command(*files))
    rivals: list[Tool] = [TrecEval(), IrMeasures(), Ranx()]
    for rival in rivals:
        if rival.installed() and rival.name not in options.without:
            execute(rival.command(*files))
        elif rival.name not in options.without:
            print(f"Left out: {rival.name} ({rival.missing}).")


if __name__ == "__main__":
    sys.exit(main())
