"""`Spill`: rows that are put aside, in memory while they are few, else in a temporary folder; read part by part."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Self

import polars as pl

from assay.engines.pieces import VIEW
from assay.errors import AssayError

FEWEST = 1 << 23
"""Bytes that are held before any are written."""
GROUP = 1 << 16
"""Rows in one group of a file: a part is read by the groups that it touches."""
HASHES = 1 << 64


@dataclass(eq=False)
class Folder:
    """A temporary folder, made when it is first asked for, and removed on leaving, whatever happens.

    It lies where TMPDIR says.
    """

    made: Path | None = None

    @property
    def path(self) -> Path:
        """Where it lies."""
        if self.made is None:
            self.made = Path(tempfile.mkdtemp(prefix="assay-"))
        return self.made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.made is not None:
            shutil.rmtree(self.made, ignore_errors=True)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Give the path, and say what is wrong where it cannot be written."""
        place = self.made or tempfile.gettempdir()
        try:
            yield self.path
        except (OSError, pl.exceptions.PolarsError) as error:
            said = str(error).partition("\n")[0]
            msg = f"{place}: expected room for what does not fit into memory, found an error: {said}"
            raise AssayError(msg, hint="TMPDIR names another folder; a higher limit of memory needs less.") from None


@dataclass(eq=False)
class Spill:
    """Rows with a column `pair`, a hash; `most` is how many bytes are held, and about how many a part has."""

    folder: Folder
    most: int
    name: str
    held: list[pl.DataFrame] = field(default_factory=list)
    size: int = 0
    total: int = 0
    files: list[Path] = field(default_factory=list)

    def add(self, rows: pl.DataFrame) -> None:
        """Put rows aside."""
        if not rows.height:
            return
        texts = sum(kind == pl.String for kind in rows.dtypes)
        size = int(rows.estimated_size()) + VIEW * texts * rows.height
        self.held.append(rows)
        self.size += size
        self.total += size
        if self.size >= max(self.most, FEWEST):
            self._write()

    def parts(self) -> Iterator[pl.DataFrame]:
        """Yield all rows once, those of one hash together."""
        if not self.files:
            yield from [pl.concat(self.held)] if self.held else []
            return
        self._write()
        parts = -(-self.total // max(self.most, FEWEST))
        bounds = [HASHES * part // parts for part in range(parts + 1)]
        rows = pl.scan_parquet(self.files)
        for low, above in pairwise(bounds):
            yield rows.filter(pl.col("pair").is_between(pl.lit(low, pl.UInt64), pl.lit(above - 1, pl.UInt64))).collect()

    def _write(self) -> None:
        """Write what is held, sorted, into a file of its own."""
        if not self.held:
            return
        rows = pl.concat(self.held).sort("pair")
        self.held, self.size = [], 0
        with self.folder.writing() as folder:
            path = folder / f"{self.name}-{len(self.files)}.parquet"
            rows.write_parquet(path, compression="uncompressed", row_group_size=GROUP)
        self.files.append(path)
