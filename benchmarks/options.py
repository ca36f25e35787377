"""What one call of the benchmarks asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.inputs import PART, Shape, scaled
from benchmarks.tools import Tool


@dataclass(frozen=True)
class Options:
    """Where inputs are kept, whether they are small, how often each contender runs, which rivals are left out."""

    folder: Path
    small: bool = False
    rounds: int | None = None
    without: Sequence[str] = ()

    def shape(self, full: Shape) -> Shape:
        """Return the shape to use for one."""
        return scaled(full, PART) if self.small else full

    def times(self, usual: int) -> int:
        """Return how often each contender runs."""
        return self.rounds or (1 if self.small else usual)

    def present(self, rivals: Sequence[Tool]) -> list[Tool]:
        """Return the rivals that are installed and not left out."""
        return [rival for rival in rivals if rival.name not in self.without and rival.installed()]
