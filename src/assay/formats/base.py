"""`Format`: what every file format says about itself, and the registry that holds them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import BinaryIO, ClassVar, Literal

import polars as pl

from assay.core.gold import Gold
from assay.core.origin import Origin
from assay.core.registry import Registry
from assay.core.run import Run
from assay.formats.source import Source

Kind = Literal["gold", "run"]
Blocks = Iterable[pl.DataFrame]


class Format(ABC):
    """One file format, read and written.

    Each holds gold and runs.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    aliases: ClassVar[tuple[str, ...]] = ()
    examples: ClassVar[Mapping[Kind, bytes]] = {}

    def example(self, kind: Kind) -> bytes:
        """Return a small file of gold or of a run, which the tests read."""
        return self.examples[kind]

    @abstractmethod
    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """Say whether the first bytes of a file look like this format."""

    @abstractmethod
    def guess(self, source: Source) -> Kind | None:
        """Say whether a file of this format holds gold or a run, if its beginning tells."""

    @abstractmethod
    def read_gold(self, source: Source) -> Gold:
        """Read judgments into memory; the gold is called as the file."""

    @abstractmethod
    def read_run(self, source: Source, name: str) -> Run:
        """Read answers; their rows stream where the format allows."""

    @abstractmethod
    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write rows of query, item and grade."""

    @abstractmethod
    def write_run(self, blocks: Blocks, out: BinaryIO, name: str) -> None:
        """Write rows of query, item and score (and position where there is one) of a run of that name."""

    def origin(self, source: Source, lines: Callable[[str, str], list[int]] | None = None) -> Origin:
        """Name a source of this format in results and messages; `lines` finds the lines of a pair."""
        if lines is None:
            return Origin(source.path, self.name, source.digest)
        return Origin(source.path, self.name, source.digest, lines)


FORMATS: Registry[Format] = Registry("format", see="assay convert --help")
"""All formats, in the order in which a file is held against them."""
