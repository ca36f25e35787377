"""Measuring: whole processes with their peak memory, calls in this process, in turns, and their medians."""

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

LAUNCH = Path(__file__).with_name("launch.py")
SLOW = 10.0
"""Whatever takes longer than this many seconds runs once."""


class CommandFailedError(Exception):
    """A command that was to be measured ended with an error."""


@dataclass(frozen=True)
class Spent:
    """What one execution took; `peak` is in bytes. It and the seconds of CPU are None for a call in this process."""

    seconds: float
    peak: int | None = None
    cpu: float | None = None


@dataclass(frozen=True)
class Measured:
    """The executions of one contender."""

    times: tuple[Spent, ...]

    @property
    def seconds(self) -> float:
        """The median of the times."""
        return median(spent.seconds for spent in self.times)

    @property
    def cpu(self) -> float:
        """The median of the seconds of CPU, 0 where nobody knows them."""
        return median(spent.cpu or 0.0 for spent in self.times)

    @property
    def peak(self) -> int | None:
        """The highest memory of any execution."""
        return max((spent.peak for spent in self.times if spent.peak is not None), default=None)


def execute(command: Sequence[str]) -> tuple[Spent, bytes]:
    """Run a command to its end; return what it took and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(LAUNCH), str(out), *command], capture_output=True, text=True, check=True
        )
        code, seconds, peak, cpu = done.stdout.split()
        if int(code):
            msg = f"{' '.join(command)}\n{done.stderr}"
            raise CommandFailedError(msg)
        return Spent(float(seconds), int(peak), float(cpu)), out.read_bytes()


def call(function: Callable[[], object]) -> Spent:
    """Call a function in this process, with the garbage of earlier calls collected before."""
    gc.collect()
    start = time.perf_counter()
    function()
    return Spent(time.perf_counter() - start)


def in_turns(contenders: Sequence[Callable[[], Spent]], rounds: int) -> list[Measured]:
    """Measure A B C A B C …; a slow one only in the first round."""
    times: list[list[Spent]] = [[] for _ in contenders]
    for _ in range(rounds):
        for contender, spent in zip(contenders, times, strict=True):
            if not spent or spent[0].seconds <= SLOW:
                spent.append(contender())
    return [Measured(tuple(spent)) for spent in times]
