"""The arguments, read as trec_eval reads them: options anywhere, long names shortened, numbers as C reads them."""

import getopt
import re
from dataclasses import dataclass, field
from typing import Literal

from assay.errors import AssayError

Version = Literal["9", "10", "documented"]

USAGE_CODE, INPUT_CODE, CALCULATION_CODE, NOTHING_CODE, ZSCORES_CODE = 1, 2, 4, 7, 255
"""Exit codes: usage, files and parameters, calculation, no common query; trec_eval leaves with -1 for z-scores."""

USAGE = """\
Usage: assay trec_eval [-h] [-q] [-m measure[.params]]... [-c] [-n] [-l num] [-J] [-N num] [-M num]
                       [-D level[.qid]] [-R rel_format] [-T results_format] [-Z zscores_file]
                       [--as 9|10|documented] [--quiet] rel_info_file results_file
"""

SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
LONG = {
    "help": "h", "version": "v", "query_eval_wanted": "q", "measure=": "m", "complete_rel_info_wanted": "c",
    "level_for_rel=": "l", "nosummary": "n", "Debug_level=": "D", "Judged_docs_only": "J",
    "Number_docs_in_coll=": "N", "Max_retrieved_per_topic=": "M", "Rel_info_format=": "R", "Results_format=": "T",
    "Output_old_results_format=": "o", "Zscore=": "Z", "as=": "as", "quiet": "quiet",
}  # fmt: skip


class ExitError(AssayError):
    """An end with an exit code of trec_eval's."""

    def __init__(self, code: int, message: str, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code


@dataclass(slots=True)
class Arguments:
    """What was asked for; `measures` as typed, in order, as pairs of name and parameters."""

    measures: list[tuple[str, str | None]] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    help: bool = False
    version: bool = False
    queries: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    quiet: bool = False
    level: int = 1
    most: int | None = None
    collection: int = 0
    query: str | None = None
    debug: bool = False
    rel_format: str = "qrels"
    results_format: str = "trec_results"
    zscores: str | None = None
    version_of: Version = "10"


def read_arguments(argv: list[str]) -> Arguments:
    """Read the command line.

    Raises
    ------
    ExitError
        An option that does not exist, or one without its value.

    >>> read_arguments(["-q", "g", "-mP.5,10", "r", "-l2"]).files
    ['g', 'r']
    """
    try:
        options, files = getopt.gnu_getopt(argv, SHORT, list(LONG))
    except getopt.GetoptError as problem:
        raise ExitError(USAGE_CODE, f"assay trec_eval: {problem}\n{USAGE}".rstrip()) from None
    letters = {f"--{name.rstrip('=')}": letter for name, letter in LONG.items()}
    found = Arguments(files=files)
    for option, value in options:
        _take(found, letters.get(option, option.lstrip("-")), value)
    if found.most is not None and found.most < 0:
        raise ExitError(USAGE_CODE, f"-M: expected a number from 0 on, found {found.most}")
    return found


FLAGS = {
    "h": "help", "v": "version", "q": "queries", "c": "complete", "J": "judged_only", "quiet": "quiet",
}  # fmt: skip
TEXTS = {"R": "rel_format", "T": "results_format", "Z": "zscores"}
NUMBERS = {"l": "level", "N": "collection", "M": "most"}


def _take(found: Arguments, letter: str, value: str) -> None:
    if letter in FLAGS:
        setattr(found, FLAGS[letter], True)
    elif letter in TEXTS:
        setattr(found, TEXTS[letter], value)
    elif letter in NUMBERS:
        setattr(found, NUMBERS[letter], whole(value))
    elif letter == "n":
        found.summary = False
    elif letter == "m":
        name, dot, parameters = value.partition(".")
        found.measures.append((name, parameters if dot else None))
    else:
        _take_other(found, letter, value)


def _take_other(found: Arguments, letter: str, value: str) -> None:
    if letter == "D":
        level, dot, query = value.partition(".")
        found.debug, found.query = whole(level) > 0, query if dot else None
    elif letter == "as":
        if value not in {"9", "10", "documented"}:
            raise ExitError(USAGE_CODE, f"--as: expected 9, 10 or documented, found {value!r}")
        found.version_of = value  # type: ignore[assignment]


def whole(text: str) -> int:
    """Read a whole number as C's atol does: what comes after it is left, and where there is none it is 0.

    >>> whole("23.4"), whole("-2x"), whole("x")
    (23, -2, 0)
    """
    match = re.match(r"\s*[+-]?\d+", text)
    return int(match.group()) if match else 0


def number(text: str) -> float:
    """Read a number as C's atof does.

    >>> number(".25"), number("1e-2,"), number("x")
    (0.25, 0.01, 0.0)
    """
    match = re.match(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text)
    return float(match.group()) if match else 0.0
