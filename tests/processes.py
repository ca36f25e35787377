"""Commands in processes of their own that need not import everything first, which is most of what a small one does.

One process imports the command line and then waits; each command is a copy of it (a fork), made before any thread
was. Under coverage, and off Linux, each command is started from nothing.
"""

import os
import subprocess
import sys
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

import assay

ROOT = Path(__file__).parents[1]
COPIES = sys.platform == "linux" and "coverage" not in sys.modules
LIBRARIES = ["rich.progress", "scipy.stats", "sqlalchemy", "altair", "jinja2", "httpx", "pyoxigraph", "rdflib", "yaml"]


def run(
    argv: list[str], folder: Path, environment: dict[str, str], stdin: bytes = b"", *, fresh: bool = False,
    merged: bool = False,
) -> subprocess.CompletedProcess:  # fmt: skip
    """Run `assay ARGV...` in a folder; a fresh process has the limits of this one, a merged one says all on stdout."""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80"} | environment
    if fresh or not COPIES:
        command = [sys.executable, "-m", "assay", *argv]
        error = subprocess.STDOUT if merged else subprocess.PIPE
        return subprocess.run(
            command, cwd=folder, env=environment, input=stdin, stdout=subprocess.PIPE, stderr=error, check=False
        )
    with TemporaryDirectory() as kept:
        streams = [Path(kept, name) for name in ("in", "out", "out" if merged else "err")]
        streams[0].write_bytes(stdin)
        process = _forks().Process(target=_assay, args=(argv, folder, environment, streams))
        process.start()
        process.join()
        return subprocess.CompletedProcess(argv, process.exitcode, *(one.read_bytes() for one in streams[1:]))


@cache
def _forks() -> ForkServerContext:
    forks = get_context("forkserver")
    forks.set_forkserver_preload([*LIBRARIES, *(one.name for one in walk_packages(assay.__path__, "assay."))])
    return forks


def _assay(argv: list[str], folder: Path, environment: dict[str, str], streams: list[Path]) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, (path, name) in enumerate(zip(streams, ("stdin", "stdout", "stderr"), strict=True)):
        with path.open("ab" if number else "rb") as file:
            os.dup2(file.fileno(), number)
        lines = 1 if number == 2 else -1  # standard error is written line by line, as in a process of its own
        setattr(sys, name, open(number, "w" if number else "r", lines, encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.argv = ["assay", *argv]
    from assay.cli.main import main

    main()
