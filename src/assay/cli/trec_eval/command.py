"""The command itself: arguments in, bytes and an exit code out."""

import sys
from collections.abc import Iterator

import typer

from assay._version import __version__
from assay.cli.output import deliver
from assay.cli.trec_eval.arguments import (
    CALCULATION_CODE,
    INPUT_CODE,
    USAGE,
    USAGE_CODE,
    Arguments,
    ExitError,
    read_arguments,
)  # fmt: skip
from assay.cli.trec_eval.help import help_text
from assay.cli.trec_eval.inputs import open_run, read_gold, read_run, run_id
from assay.cli.trec_eval.notices import Case, notices_of
from assay.cli.trec_eval.output import pages_of
from assay.cli.trec_eval.ranks import rank
from assay.cli.trec_eval.rows import Row, rows_of
from assay.cli.trec_eval.values import columns_of
from assay.cli.trec_eval.zscores import read_scales, scale
from assay.errors import AssayError, GoldError, RunError, UnsupportedError


def trec_eval(argv: list[str]) -> int:
    """Run a command line of trec_eval and return its exit code; messages go to standard error."""
    try:
        arguments = read_arguments(argv)
        if arguments.version:
            _say(f"assay trec_eval {__version__}: the arguments, names and numbers of trec_eval 10.0")
            return 0
        rows = rows_of(arguments)
        if arguments.help:
            deliver(help_text(rows if arguments.measures else []).encode())
            return 0
        if len(arguments.files) != 2:
            raise ExitError(USAGE_CODE, USAGE.rstrip())
        for page in _evaluated(arguments, rows):
            deliver(page.encode())
    except typer.Exit as end:  # the reader of the output has gone
        return end.exit_code
    except AssayError as problem:
        _say(problem.message)
        if problem.hint:
            _say(f"Hint: {problem.hint}")
        return _code(problem)
    return 0


def _evaluated(arguments: Arguments, rows: list[Row]) -> Iterator[str]:
    gold, fraction = read_gold(arguments.files[0], arguments)
    source = open_run(arguments.files[1], arguments)
    scales = None if arguments.zscores is None else read_scales(arguments.zscores)
    ranked = rank(gold, read_run(source), arguments)
    columns = columns_of(rows, ranked, arguments)
    if not arguments.quiet:
        for notice in notices_of(Case(columns, ranked, gold, arguments, fraction)):
            _say(f"Note: {notice}")
    if scales is not None:
        queries = ranked.judged.names.to_list()
        columns = [scale(column, queries, scales) for column in columns]
    named = arguments.summary and any(row.entry.summary == "run" for row in rows)
    return pages_of(columns, ranked, arguments, run_id(source) if named else "")


def _code(problem: AssayError) -> int:
    """Return the exit code that trec_eval has for such a problem."""
    if isinstance(problem, ExitError):
        return problem.code
    return CALCULATION_CODE if isinstance(problem, GoldError | RunError | UnsupportedError) else INPUT_CODE


def _say(text: str) -> None:
    print(text, file=sys.stderr)
