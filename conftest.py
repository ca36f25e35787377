"""The pages are tests: python and console blocks of the README, the docs and the examples.

A console block shows a session. Each line that begins with ``$ `` is run from the root of the repository,
and must print what stands below it, blanks at the ends of lines aside.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sybil import Example, Sybil
from sybil.integration.pytest import SybilItem
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser
from tests import processes

ROOT = Path(__file__).parent
ALLOWED = ("assay", "cat", "head")  # what a console block may run
LONG = {
    "test_lost_executor", "test_example_pykeen", "test_history_browser", "test_benchmarks", "test_links_published",
    "test_gaps_real", "test_links_page_browser", "test_lexical_page_browser", "test_judging_browser", "test_real_files",
    "test_accuracy_simulated", "test_cli_json", "test_cli_graph_gaps", "test_links_spark", "test_hostile_files",
    "test_trec_eval",
}  # fmt: skip
"""Tests of few functions that take long: begun last, they would keep one process busy while the others have ended."""
PATTERNS = ("README.md", "docs/*.md", "docs/*/*.md", "docs/*/*/*.md", "examples/*/README.md")


def sessions(block: str) -> list[tuple[str, list[str]]]:
    r"""Split a console block into its commands and the lines that each should print.

    >>> sessions("$ assay measures \\\n    P\nP@k\n$ assay --version\nassay 0.1.0\n")
    [('assay measures \\\n    P', ['P@k']), ('assay --version', ['assay 0.1.0'])]
    """
    found: list[tuple[str, list[str]]] = []
    unfinished = False
    for line in map(str.rstrip, block.splitlines()):
        if unfinished:
            command, printed = found.pop()
            found.append((f"{command}\n{line}", printed))
        elif line.startswith("$ "):
            found.append((line[2:], []))
        elif found:
            found[-1][1].append(line)
        unfinished = line.endswith("\\") and (unfinished or line.startswith("$ "))
    return found


def run(command: str) -> list[str]:
    """Run one command as a reader would, on a terminal of 80 columns without colours."""
    first = command.split(maxsplit=1)[0]
    if first not in ALLOWED:
        message = f"a console block runs {', '.join(ALLOWED)}, not {first!r}; put it into a block of sh"
        raise ValueError(message)
    if first == "assay" and not set(command) & set("|<>;&"):
        words = in_bash(f"printf '%s\\0' {command}").split("\0")[1:-1]
        printed = processes.run(words, ROOT, {"NO_COLOR": "1"}, merged=True).stdout.decode()
    else:
        printed = in_bash(command)
    return [line.rstrip() for line in printed.splitlines()]


def in_bash(command: str) -> str:
    """Return what a command prints, with what it says on standard error."""
    here = Path(sys.executable).parent
    path = f"{here}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = os.environ | {"PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False, encoding="utf-8",
    ).stdout  # fmt: skip


def stripped(lines: list[str]) -> str:
    """Join lines, without empty ones at either end."""
    return "\n".join(lines).strip("\n")


def evaluate_console(example: Example) -> str | None:
    """Say where a session prints something else than the page shows."""
    for command, shown in sessions(example.parsed):
        printed = stripped(run(command))
        if printed != stripped(shown):
            return f"$ {command}\n--- the page shows\n{stripped(shown)}\n--- the command printed\n{printed}"
    return None


pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("console", evaluate_console), SkipParser()],
    patterns=PATTERNS,
    path=str(ROOT),
).pytest()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Undo the shuffle of pytest-randomly within a page, where later blocks build on earlier ones; begin long files."""
    places = [i for i, item in enumerate(items) if isinstance(item, SybilItem)]
    blocks = sorted((items[i] for i in places), key=lambda item: (str(item.path), item.example.line))
    for place, block in zip(places, blocks, strict=True):
        items[place] = block
    items.sort(key=lambda item: item.path.stem not in LONG)


@pytest.fixture(autouse=True)
def names_in_doctests(doctest_namespace: dict[str, object]) -> None:
    """Let the examples of a measure use the names that its users import."""
    from assay.measures import MEASURES, parse

    known = {name: MEASURES[name] for name in MEASURES.names() if name != "Hits"}  # Hits: rows of judged items
    doctest_namespace.update(known, parse=parse, np=np)
