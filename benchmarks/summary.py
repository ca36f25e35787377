"""One table in Markdown of all that was measured, headed by the machine and the versions."""

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

RIVALS = (
    "ir-measures", "ranx", "pytrec-eval-terrier", "pykeen", "torch", "scipy", "scikit-learn", "rdflib", "pyoxigraph",
    "bm25s", "rank-bm25", "duckdb", "pyspark", "polars", "numpy", "numba",
)  # fmt: skip
"""The distributions whose versions a ratio depends on."""


@dataclass(frozen=True)
class Line:
    """One contender of one benchmark: its median time, beside that of Assay, and its peak memory in bytes."""

    benchmark: str
    what: str
    contender: str
    seconds: float
    ratio: float
    peak: int | None
    runs: int

    def cells(self) -> tuple[str, ...]:
        """Return what stands in the table; ¹ marks what ran once."""
        memory = "" if self.peak is None else f"{self.peak / 2**20:,.0f} MiB"
        once = "" if self.runs > 1 else "¹"
        return self.benchmark, self.what, self.contender, f"{self.seconds:.3g} s{once}", f"{self.ratio:.2f}", memory


def markdown(lines: Iterable[Line], unequal: Iterable[str]) -> str:
    """Return the table, after the machine and the versions, and before what was not equal."""
    head = ("", "input", "contender", "time", "of Assay's time", "peak memory")
    rows = [head, ("---", "---", "---", "--:", "--:", "--:"), *(line.cells() for line in lines)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in rows)
    different = list(unequal)
    verdict = f"Different values: {'; '.join(different)}." if different else "No value that was compared differed."
    return f"{machine()}\n\n{versions()}\n\n{table}\n\n¹ ran once. {verdict}\n"


def machine() -> str:
    """Say what was measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0
    return f"{_processor()}, {os.cpu_count()} processors, {memory:.0f} GiB; {platform.system()}, {platform.machine()}."


def _processor() -> str:
    told = Path("/proc/cpuinfo")
    lines = told.read_text("utf-8").splitlines() if told.is_file() else []
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.processor())


def versions() -> str:
    """Say which versions were measured, and which rivals are not there."""
    found, absent = [f"Python {platform.python_version()}", f"assay {version('assay')}"], []
    for name in RIVALS:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            absent.append(name)
    return f"{', '.join(found)}." + (f" Not installed: {', '.join(absent)}." if absent else "")
