"""The value of each row for each query, and the figure of each row."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.cli.trec_eval.arguments import CALCULATION_CODE, Arguments, ExitError
from assay.cli.trec_eval.ranks import Ranked
from assay.cli.trec_eval.rows import Row
from assay.core.judged import Floats, Judged
from assay.errors import UnsupportedError

FLOOR = 1e-5
"""The smallest value that a geometric mean takes."""


@dataclass(frozen=True, slots=True)
class Column:
    """One row of the output for all queries: its values, shape (queries,), or texts."""

    row: Row
    values: Floats
    texts: Sequence[str] = ()


def columns_of(rows: Sequence[Row], ranked: Ranked, arguments: Arguments) -> list[Column]:
    """Return the values of every row.

    Raises
    ------
    ExitError
        A measure that these judgments have no data for.
    """
    return [_column(row, ranked, arguments) for row in rows]


def _column(row: Row, ranked: Ranked, arguments: Arguments) -> Column:
    if row.entry.needs not in _provided(arguments.rel_format):
        msg = f"trec_eval: Can't calculate measure '{row.entry.name}': it needs judgments of the form {row.entry.needs}"
        raise ExitError(CALCULATION_CODE, msg)
    if row.entry.name == "relstring":
        return Column(row, np.zeros(ranked.judged.queries), _strings(row, ranked))
    if not row.measures:
        return Column(row, np.ones(ranked.judged.queries))
    values = _values(row, ranked.judged)
    values = _of_absent(row, values, ranked, arguments)
    return Column(row, np.log(np.maximum(values, FLOOR)) if row.entry.summary == "geometric" else values)


def _provided(rel_format: str) -> tuple[str, ...]:
    return ("", "prefs" if rel_format == "qrels_prefs" else rel_format)


def _values(row: Row, judged: Judged) -> Floats:
    """Return the mean of the row's measures; 0 where one is undefined, as trec_eval prints it."""
    try:
        total = sum((measure.kernel(judged) for measure in row.measures), np.zeros(judged.queries))
    except UnsupportedError as problem:
        raise ExitError(CALCULATION_CODE, f"{row.name}: {problem.message}", hint=problem.hint) from None
    return np.nan_to_num(total / len(row.measures), nan=0.0)


def _of_absent(row: Row, values: Floats, ranked: Ranked, arguments: Arguments) -> Floats:
    """Return the values with those of queries without answers put right."""
    if arguments.version_of == "documented":
        worst = row.measures[0].worst
        return values if worst is None or row.entry.count else np.where(ranked.absent, worst, values)
    if row.entry.name == "Rndcg":
        relevant = ranked.judged.ideal.relevant(arguments.level).count()
        values = np.where(relevant > 0, values, 0.0)
    # the names are compared as printed: utility_2,-1,0,0 keeps what the unknown document costs
    if row.name in {"num_ret", "utility", "rbp_resid"} or row.name.startswith("unj"):
        return np.where(ranked.absent, 0.0, values)
    return values


def _strings(row: Row, ranked: Ranked) -> list[str]:
    """Return the grades of the first places as one character each."""
    judged = ranked.judged
    length = max(0, min(int(row.parameter[0]), int(judged.retrieved.max(initial=0))))
    shown = np.full((judged.queries, length), "-")
    top = judged.top(length)
    digits = np.array([*"0123456789>"])
    signs = np.where(top.grade < 0, ".", digits[np.clip(top.grade, 0, 10).astype(np.int64)])
    shown[top.query, top.rank.astype(np.int64) - 1] = signs
    ends = np.minimum(judged.retrieved, length)
    if row.name == "relstring":
        ends = np.where(ranked.absent, 0, ends)
    return ["".join(line[:end]) for line, end in zip(shown.tolist(), ends.tolist(), strict=True)]


def figure(column: Column, ranked: Ranked) -> float:
    """Return the figure of a run: added in the order of the queries, as trec_eval adds."""
    summary, queries = column.row.entry.summary, ranked.queries
    if summary == "queries":
        return float(queries)
    if summary == "relevant" and ranked.relevant is not None:
        return float(ranked.relevant)
    total = float(np.cumsum(column.values)[-1])
    if summary == "geometric":
        unseen = queries - ranked.judged.queries
        return math.exp((total + unseen * math.log(FLOOR)) / queries)
    return total if summary in {"sum", "relevant"} else total / queries
