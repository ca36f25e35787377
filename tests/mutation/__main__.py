"""Change the measures in small ways, one at a time, and see whether the tests notice.

A change makes a number one higher or lower, < to <=, + to -, `and` to `or`, True to False, takes away a sign or a
`not`, or lets a loop never run. It is made by Cosmic Ray in a copy of the tree. What no test notices is
printed and ends in failure, unless SURVIVORS.md says why no test can notice it. A share of the changes is drawn by
their digest, so that it is the same one each time.
"""

import argparse
import ast
import hashlib
import os
import re
import shlex
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cosmic_ray.commands import execute, init
from cosmic_ray.config import ConfigDict
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkResult

from tests.mutation.selection import FOLDER, SPARED, measures_of, modules, tests_of
from tests.mutation.survivors import change_of, explained

ROOT = Path(__file__).parents[2]
LEFT_BEHIND = shutil.ignore_patterns(".*", "build", "dist", "htmlcov", "__pycache__", "node_modules")
KINDS = re.compile(
    r"core/(NumberReplacer|AddNot|Replace(And|Or|True|False|Break|Continue)With\w+|ZeroIterationForLoop|"
    r"ReplaceUnaryOperator_Delete_\w+|ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul|"
    r"Pow_Mul|BitAnd_BitOr|BitOr_BitAnd|LShift_RShift|RShift_LShift)|"
    r"ReplaceComparisonOperator_(Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is))"
)
"""The kinds of change, of those that Cosmic Ray knows."""
LONGEST = 90.0
"""Seconds after which a change counts as noticed: it made a loop endless."""
UNEXPLAINED = "unnoticed"

Span = tuple[tuple[int, int], tuple[int, int]]
"""From (line, column) to (line, column)."""


def silent_spans(source: str) -> list[Span]:
    """Return where a change computes nothing else: types, how a record is kept, and the words of errors."""
    found: list[ast.expr | ast.stmt | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found += [one for one in node.decorator_list if "dataclass" in ast.unparse(one)]
        if isinstance(node, ast.Raise):
            found.append(node)
        found += [getattr(node, "annotation", None), getattr(node, "returns", None)]
    return [((one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset)) for one in found if one is not None]


def is_drawn(change: MutationSpec, share: float) -> bool:
    """Draw a change by the digest of what it is."""
    told = f"{change.module_path.name} {change.operator_name} {change.occurrence}"
    return int(hashlib.sha256(told.encode()).hexdigest()[:8], 16) < share * 2**32


def leave_out(work: WorkDB, share: float) -> None:
    """Leave out the changes that change no number, and those that are not drawn."""
    for item in list(work.pending_work_items):
        change = item.mutations[0]
        spans = silent_spans(change.module_path.read_text("utf-8"))
        silent = any(start <= change.start_pos < end for start, end in spans)
        if silent or not KINDS.fullmatch(change.operator_name) or not is_drawn(change, share):
            work.set_result(item.job_id, WorkResult(worker_outcome=WorkerOutcome.SKIPPED))


def command_for(module: str) -> str:
    """Return the command that tests a module."""
    plugins = ("tests.mutation.selection", "no:randomly", "no:cacheprovider")
    options = [word for plugin in plugins for word in ("-p", plugin)]
    options += ["--exitfirst", "--quiet", "--hypothesis-profile=mutation", "-k", SPARED]
    return shlex.join([sys.executable, "-m", "pytest", *options, *tests_of(module)])


def try_module(module: str, share: float, database: str) -> Counter[str]:
    """Make the changes of a module, one by one, and print those that the tests do not notice."""
    os.environ["ASSAY_MUTATED"] = " ".join(measures_of(module))
    command = command_for(module)
    if os.waitstatus_to_exitcode(os.system(f"{command} >/dev/null")):
        sys.exit(f"{module}: the tests fail before anything is changed: {command}")
    counts: Counter[str] = Counter()
    with use_db(database, WorkDB.Mode.create) as work:
        init([FOLDER / f"{module}.py"], work, {})
        leave_out(work, share)
        execute(work, ConfigDict({"distributor": {"name": "local"}, "timeout": LONGEST, "test-command": command}))
        for item, result in work.completed_work_items:
            if result.worker_outcome is not WorkerOutcome.SKIPPED:
                outcome = verdict(module, result)
                counts[outcome] += 1
                if outcome == UNEXPLAINED:
                    print(f"{item.mutations[0].operator_name}\n{result.diff}\n")  # noqa: T201 - this is what was asked for
    print(f"{module}: {told(counts)}", flush=True)  # noqa: T201
    return counts


def verdict(module: str, result: WorkResult) -> str:
    """Say whether the tests noticed a change, and whether it is known that they cannot."""
    if result.test_outcome is not TestOutcome.SURVIVED:
        return "noticed"
    return "explained" if change_of(module, result.diff) in explained() else UNEXPLAINED


def told(counts: Counter[str]) -> str:
    """Say how many changes there were, and what became of them."""
    return f"{counts.total()} changes, {counts[UNEXPLAINED]} unnoticed, {counts['explained']} that no test can notice"


def main() -> None:
    """Try the modules that are named, else all, in a copy of the tree."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    asked.add_argument("modules", nargs="*", choices=[*modules(), []], metavar="MODULE", help="a file of measures")
    asked.add_argument("--share", type=float, default=0.25, help="how many of the changes are made")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = shutil.copytree(ROOT, Path(folder) / "tree", ignore=LEFT_BEHIND)
        os.chdir(tree)
        os.environ["PYTHONPATH"] = f"{tree / 'src'}{os.pathsep}{tree}"
        counts: Counter[str] = Counter()
        for module in given.modules or modules():
            counts += try_module(module, given.share, f"{folder}/{module}.sqlite")
    print(told(counts))  # noqa: T201
    sys.exit(counts[UNEXPLAINED] > 0)


if __name__ == "__main__":
    main()
