"""Datasets: one run that lies in many Parquet files: a folder, a pattern such as 'runs/bm25/*.parquet', partitions.

A folder `query=301` or `year=2026` gives each row in it that column (Hive's partitions), as text.
"""

import glob
import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import polars as pl

from assay.core.origin import Origin
from assay.core.run import Run
from assay.errors import FormatError, InputError
from assay.formats.source import Source

SUFFIXES = (".parquet", ".pq")
TABLES = (*SUFFIXES, ".csv", ".tsv", ".csv.gz", ".tsv.gz")


@dataclass(frozen=True, slots=True)
class Dataset:
    """Files that hold one run together; `path` is what the user wrote.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for part, query in enumerate(["q1", "q2"]):
    ...     rows = pl.DataFrame({"query": [query], "item": ["a"], "score": [1.0]})
    ...     rows.write_parquet(folder / f"bm25-{part}.parquet")
    >>> Dataset.find(f"{folder}/bm25-*.parquet").run().frame().rows()
    [('q1', 'a', 1.0), ('q2', 'a', 1.0)]
    """

    path: str
    files: tuple[str, ...]

    @classmethod
    def find(cls, path: str | os.PathLike[str], wanted: tuple[str, ...] = SUFFIXES) -> Self | None:
        """Return the dataset that a path names, whose files have one of the endings `wanted`.

        It is None for a path that names one file, or nothing.

        Raises
        ------
        InputError
            A folder without such files, a pattern that nothing matches, partitions that not all files have.
        """
        said = os.fspath(path)
        try:
            is_folder, is_there = Path(said).is_dir(), Path(said).exists()
        except OSError:  # a name that is too long, as opening it will say
            return None
        if not is_folder and (is_there or not glob.has_magic(said)):
            return None
        files = _within(Path(said), wanted) if is_folder else _matching(said, wanted)
        if not files:
            if is_folder:
                msg = f"{said}: expected a file, found a folder without Parquet files"
                raise InputError(msg)
            msg = f"{said}: expected files that match, found none"
            raise InputError(msg, hint="names are matched in full; ** is any folder.")
        return cls(said, tuple(files)).checked(wanted)

    @classmethod
    def of(cls, path: str, wanted: tuple[str, ...] = SUFFIXES) -> Self:
        """Return the dataset that a path names, which may be a single file.

        Raises
        ------
        InputError
            Nothing of that name, or files of another kind.
        """
        return cls.find(path, wanted) or cls(path, (str(Source.open(path).file),)).checked(wanted)

    def checked(self, wanted: tuple[str, ...]) -> Self:
        """Refuse files of another kind, and partitions that not all files have."""
        strange = next((file for file in self.files if not file.lower().endswith(wanted)), None)
        if strange is not None:
            msg = f"{self.path}: expected files that end in {', '.join(wanted)}, found {strange!r}"
            raise FormatError(msg, hint="several runs are given one by one, without quotes around a pattern.")
        other = next((file for file in self.files if _keys(file) != self.keys), None)
        if other is not None:
            named = ", ".join(self.keys) or "none"
            msg = f"{self.path}: expected the same partitions in each folder ({named}), found others: {other!r}"
            raise FormatError(msg)
        return self

    @property
    def stem(self) -> str:
        """The name of the run: that of the folder, or what stands before the first wildcard."""
        for part in reversed(Path(self._outright).parts):
            name = part.rstrip("-_.")
            if name and "=" not in name:
                return Source(name, Path(name), None).stem
        return "run"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that folders give."""
        return _keys(self.files[0])

    def run(self, name: str | None = None) -> Run:
        """Return the run; its rows are read in batches when they are asked for.

        Raises
        ------
        FormatError
            Files that are no Parquet, or whose columns are not the same.
        """
        try:
            made = Run.from_frame(self.scan(), name=name or self.stem)
        except (pl.exceptions.PolarsError, OSError) as problem:
            msg = f"{self.path}: expected Parquet files, found an error: {str(problem).partition(chr(10))[0]}"
            raise FormatError(msg) from None
        return made.at(self.origin())

    def scan(self) -> pl.LazyFrame:
        """Return all columns of all files as a LazyFrame."""
        keys = dict.fromkeys(self.keys, pl.String)
        return pl.scan_parquet(
            list(self.files), hive_partitioning=bool(keys), hive_schema=keys or None, extra_columns="ignore"
        )

    def origin(self) -> Origin:
        """Name the dataset in results and messages."""
        kinds = [kind for kind in ("csv", "tsv") if f".{kind}" in Path(self.files[0].lower()).suffixes]
        return Origin(self.path, kinds[0] if kinds else "parquet", self.digest)

    def digest(self) -> str:
        """Return the SHA-256 of the one file, or of the list of digests and names that `sha256sum` prints.

        Names begin below what the path says outright: a dataset that is copied elsewhere keeps its digest.
        """
        if self.files == (self.path,):
            return _digest(self.path)
        base = self.path if Path(self.path).is_dir() else os.path.dirname(self._outright)  # noqa: PTH120 - may be ""
        found = hashlib.sha256()
        for file in self.files:
            found.update(f"{_digest(file)}  {os.path.relpath(file, base or os.curdir)}\n".encode())
        return found.hexdigest()

    @property
    def _outright(self) -> str:
        """What the path says before its first wildcard."""
        return self.path if Path(self.path).exists() else re.split(r"[*?\[]", self.path)[0]


def digest_of(path: str) -> str:
    """Return the SHA-256 of a file or of a dataset.

    Raises
    ------
    InputError
        Nothing of that name.
    """
    dataset = Dataset.find(path)
    return Source.open(path).digest() if dataset is None else dataset.digest()


def _digest(file: str) -> str:
    return Source(file, Path(file), None).digest()


def _keys(file: str) -> tuple[str, ...]:
    """Return the columns that the folders of a file give."""
    return tuple(folder.partition("=")[0] for folder in Path(file).parts[:-1] if "=" in folder.strip("="))


def _within(folder: Path, wanted: tuple[str, ...]) -> list[str]:
    """Return the files of a folder and those below it, in the order of their names; hidden ones are left out."""
    found = (path for path in folder.rglob("*") if path.name.lower().endswith(wanted) and path.is_file())
    return sorted(str(path) for path in found if not any(part[0] in "._" for part in path.relative_to(folder).parts))


def _matching(pattern: str, wanted: tuple[str, ...]) -> list[str]:
    """Return the files that a pattern matches, and those of the folders that it matches."""
    found: set[str] = set()
    for path in map(Path, glob.iglob(pattern, recursive=True)):  # noqa: PTH207 - pathlib takes no absolute pattern
        found.update(_within(path, wanted) if path.is_dir() else [] if path.name[0] in "._" else [str(path)])
    return sorted(found)
