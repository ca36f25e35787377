"""`Cache`: the ranks of judged items, kept in a folder, so that a run that was judged before is not read again.

One file holds what an engine made of one run. Its name is the SHA-256 of all that the ranks depend on: the bytes of
the run and their format, the judged pairs, the excluded pairs, the fields of the policy that an engine applies, the
version of Assay and of the layout. Grades, measures and all other conventions are applied anew each time.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Self

import polars as pl

from assay._version import __version__
from assay.core.gold import Gold
from assay.core.judged import Judged
from assay.core.policy import Policy
from assay.core.run import Run
from assay.engines import judge
from assay.errors import InputError
from assay.evaluate.entry import LAYOUT, WrongEntryError, packed, unpacked
from assay.report.amounts import counted

SUFFIX = ".judged"


@dataclass(eq=False)
class Cache:
    """A folder of judged runs, and what was done with it; several processes may use it at once.

    A file that is damaged, or not of this layout, is made again. What it holds is read as numbers, never as code, and
    refused where it is no ranking of this gold; it can still be a wrong ranking: use a folder that others cannot
    write to. Nothing in it is needed, so it may be deleted at any time.

    Parameters
    ----------
    folder
        Where the files are.
    drawers
        One for each run from a file that was judged so far.
    refused, unwritten
        The files that could not be used, and why others could not be written.

    >>> from assay.evaluate import evaluate_all
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "bm25.run").write_text("q1 Q0 a 1 2.5 bm25")
    >>> for _ in range(2):
    ...     cache = Cache.open(folder / "judged")
    ...     results = evaluate_all({"q1": {"a": 1}}, [folder / "bm25.run"], "RR", cache=cache)
    ...     print(results[0]["RR"], *cache.notices())
    1.0 cache: 0 of 1 run taken from it, 1 judged and kept.
    1.0 cache: 1 of 1 run taken from it, 0 judged and kept.
    """

    folder: Path
    drawers: list["Drawer"] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Self:
        """Take a folder, made now unless it is there.

        Raises
        ------
        InputError
            A place where no folder can be.
        """
        path = Path(folder)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            found = "a file" if path.is_file() else f"an error: {error.strerror}"
            msg = f"{path}: expected a folder to keep judged runs in, found {found}"
            raise InputError(msg) from None
        return cls(path)

    def drawer(self, run: Run, gold: Gold, exclude: pl.DataFrame | None) -> "Drawer | None":
        """Return what judges one run from the cache; None for a run that comes from no file."""
        if run.origin is None:
            return None
        inputs = run.origin.digest(), run.origin.format, _digest(gold), None if exclude is None else _pairs(exclude)
        self.drawers.append(made := Drawer(self, inputs))
        return made

    def notices(self) -> Iterator[str]:
        """Yield what a reader of results should know of the cache."""
        kept = [drawer for drawer in self.drawers if not drawer.made]
        if self.drawers:
            made = len(self.drawers) - len(kept)
            every = counted(len(self.drawers), "run")
            yield f"cache: {len(kept):,} of {every} taken from it, {made:,} judged and kept."
        else:
            yield "cache: nothing taken from it or kept; it holds runs from files, no pooled lists."
        if self.refused:
            files = counted(len(self.refused), "file was", "files were")
            yield f"cache: {files} damaged or foreign, such as {min(self.refused)}; judged again."
        if self.unwritten:
            yield f"cache: {counted(len(self.unwritten), 'run')} could not be kept ({min(self.unwritten)})."


@dataclass(eq=False)
class Drawer:
    """The place of one run in a cache; `made` tells whether anything had to be judged."""

    cache: Cache
    inputs: tuple[str | None, ...]
    made: bool = False

    @property
    def digest(self) -> str | None:
        """The SHA-256 of the run."""
        return self.inputs[0]

    def judge(self, run: Run, gold: Gold, policy: Policy, exclude: pl.DataFrame | None) -> Judged:
        """Return what the engine would make of the run: kept from an earlier time, or made now and kept."""
        key = json.dumps([LAYOUT, __version__, *self.inputs, *policy.engine_fields()])
        path = self.cache.folder / (hashlib.sha256(key.encode()).hexdigest() + SUFFIX)
        kept = self._kept(path, key, gold)
        if kept is not None:
            return kept
        self.made = True
        judged = judge(run, gold, policy, exclude)
        if run.origin is not None and run.origin.digest() != self.digest:
            self.cache.unwritten.append(f"{run.origin.path} changed while it was read")
        else:
            self._keep(path, packed(judged, key))
        return judged

    def _kept(self, path: Path, key: str, gold: Gold) -> Judged | None:
        """Return what a file holds; None where there is none of any use."""
        try:
            if path.is_file():
                return unpacked(path.read_bytes(), key, gold)
        except (WrongEntryError, OSError):
            self.cache.refused.append(path.name)
        return None

    def _keep(self, path: Path, content: bytes) -> None:
        """Write a file that is whole or not there, whoever else writes it."""
        try:
            handle, part = tempfile.mkstemp(prefix="unfinished-", dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(part).replace(path)
            except BaseException:
                Path(part).unlink(missing_ok=True)
                raise
        except OSError as error:
            self.cache.unwritten.append(error.strerror or str(error))


@lru_cache(maxsize=4)
def _digest(gold: Gold) -> str:
    """Return the SHA-256 of the judged pairs; ranks do not depend on their grades."""
    return _pairs(gold.table)


def _pairs(table: pl.DataFrame) -> str:
    text = table.select("query", "item").write_csv(include_header=False, quote_style="always")
    return hashlib.sha256(text.encode()).hexdigest()
