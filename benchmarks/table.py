"""The lines that are printed, and noted for the table of all."""

from pathlib import Path

from benchmarks.measuring import Measured
from benchmarks.summary import Line

LARGE = 100_000_000
"""From this many bytes on, memory is given as a multiple of the file too; below, the libraries outweigh it."""
HEADED: list[tuple[str, str]] = []
NOTED: list[Line] = []
"""What was printed so far: headings and contenders."""


def heading(letter: str, what: str, file: Path | None = None) -> str:
    """Return the line that names a benchmark."""
    size = f" ({file.stat().st_size / 1e6:,.0f} MB)" if file else ""
    HEADED.append((letter, f"{what}{size}"))
    return f"\n{letter}  {what}{size}"


def difference(rival: str, tolerance: float, values: int, apart: float) -> bool:
    """Print whether a rival's values are ours, and return it."""
    equal = apart <= tolerance
    verdict = "equal" if equal else "DIFFERENT"
    print(f"   {verdict}: {values:,} values, at most {apart:.1g} from those of {rival} (tolerance {tolerance:.1g})")
    return equal


def row(name: str, spent: Measured, ours: Measured, file: Path | None = None) -> str:
    """Return the line of one contender: its time, as a ratio too, and its peak memory, beside the file if given."""
    ratio = spent.seconds / ours.seconds
    NOTED.append(Line(*HEADED[-1], name, spent.seconds, ratio, spent.peak, len(spent.times)))
    memory = "" if spent.peak is None else f"{spent.peak / 2**20:,.0f} MiB"
    large = file is not None and file.stat().st_size >= LARGE
    beside = f"{spent.peak / file.stat().st_size:.2f} × file" if large and spent.peak else ""
    note = "" if len(spent.times) > 1 else "(1 run)"
    return f"   {name:14}{spent.seconds:9.3f} s {ratio:8.2f} × Assay's time {memory:>12}  {beside:14}{note}".rstrip()
