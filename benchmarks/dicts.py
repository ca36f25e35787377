"""Benchmarks of dicts of dicts in memory: calls in this process."""

from dataclasses import dataclass
from importlib.util import find_spec

import polars as pl

import assay
from benchmarks import inputs
from benchmarks.inputs import DEEP, MATRIX, SHORT, Shape, as_dicts
from benchmarks.measuring import call, in_turns
from benchmarks.options import Options
from benchmarks.table import difference, heading, row
from benchmarks.tools import MEASURES, VALUES, TrecEval, largest_difference

ROUNDS = 7
RIVAL, TOLERANCE = "pytrec_eval", 1e-9
Dicts = dict[str, dict[str, float]]


@dataclass(frozen=True)
class DictBenchmark:
    """Gold and a run as `{query: {item: number}}`; the rival is pytrec_eval."""

    letter: str
    what: str
    shape: Shape

    def run(self, options: Options) -> bool:
        """Compare the values, then the times; return whether all values were equal."""
        if find_spec(RIVAL) is None or RIVAL in options.without:
            print(heading(self.letter, "left out: no pytrec_eval (pip install pytrec_eval-terrier)"))
            return True
        shape = options.shape(self.shape)
        gold = as_dicts(inputs.gold_table(shape), "grade")
        run = as_dicts(inputs.run_table(shape), "score")
        inputs.run_table.cache_clear()
        print(heading(self.letter, f"{shape.queries:,} queries × {shape.retrieved:,}, {self.what}"))
        ours, theirs = values_of_assay(gold, run), values_of_pytrec_eval(gold, run)
        equal = difference(RIVAL, TOLERANCE, ours.height, largest_difference(ours, theirs))
        if equal:
            contenders = [lambda: evaluate(gold, run), lambda: pytrec_eval(gold, run)]
            found = in_turns([lambda c=c: call(c) for c in contenders], options.times(ROUNDS))
            for name, spent in zip(("Assay", RIVAL), found, strict=True):
                print(row(name, spent, found[0]))
        return equal


def evaluate(gold: Dicts, run: Dicts) -> assay.Evaluation:
    """Evaluate as a user would, from plain dicts to values."""
    return assay.evaluate(gold, run, " ".join(MEASURES))


def pytrec_eval(gold: Dicts, run: Dicts) -> Dicts:
    """Do the same with pytrec_eval."""
    import pytrec_eval as rival

    wanted = {"P.10", "recall.100", "recip_rank", "map", "ndcg_cut.10"}
    found: Dicts = rival.RelevanceEvaluator(gold, wanted).evaluate(run)
    return found


def values_of_assay(gold: Dicts, run: Dicts) -> pl.DataFrame:
    """Return query, measure, value."""
    return evaluate(gold, run).per_query.select(pl.col(name).cast(kind) for name, kind in VALUES.items())


def values_of_pytrec_eval(gold: Dicts, run: Dicts) -> pl.DataFrame:
    """Return query, measure, value."""
    rows = [
        (query, TrecEval.names[name], value)
        for query, values in pytrec_eval(gold, run).items()
        for name, value in values.items()
    ]
    return pl.DataFrame(rows, schema=VALUES, orient="row")


DICTS = [
    DictBenchmark("G", "5 judged, dicts in memory", MATRIX),
    DictBenchmark("Gshort", "1 judged, dicts in memory", SHORT),
    DictBenchmark("Gdeep", "1,500 judged, dicts in memory", DEEP),
]
