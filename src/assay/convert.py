"""`convert`: any file format into any other, block by block, and all or nothing."""

import gzip
import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, cast

import polars as pl

from assay.core.run import Run
from assay.engines.fuse import Method, fuse
from assay.errors import InputError, ParameterError
from assay.formats import FORMATS, Format, Source, detect, read_run
from assay.formats.base import Kind
from assay.formats.compression import SUFFIXES, compression_for, zstandard


def convert(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    kind: Kind | None = None,
    from_format: str | None = None,
    to_format: str | None = None,
) -> int:
    """Write a gold standard or a run in another format, and return the number of rows.

    "-" is standard input, or standard output. The format to write is that of the target's suffix unless it is
    given; `.gz` and `.zst` compress. A target appears whole or not at all. A run streams from and to every
    format but JSON, Parquet and Arrow, which are written from memory. Numbers keep full precision.

    Raises
    ------
    InputError
        A source that cannot be read, or an id that the target's format cannot hold.
    ParameterError
        Neither the names nor the content tell the kind or the format to write.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, table = Path(folder, "gold.qrels"), Path(folder, "gold.csv")
    ...     _ = qrels.write_text("q1 0 a 1")
    ...     convert(qrels, table), table.read_text().split()
    (1, ['query,item,grade', 'q1,a,1'])
    """
    read = Source.open(source)
    known = FORMATS[from_format] if from_format else detect(read, kind)
    writer = FORMATS[to_format] if to_format else _format_for(os.fspath(target))
    held = kind or known.guess(read) or _ask_for_kind(read.path)
    counted = Counted(_first_checked(_blocks(known, read, held)))
    with written_whole(os.fspath(target)) as out:
        if held == "gold":
            writer.write_gold(counted, out)
        else:
            writer.write_run(counted, out, read.stem)
    return counted.rows


def convert_fused(
    sources: Sequence[str | os.PathLike[str]],
    target: str | os.PathLike[str],
    method: Method = "rrf",
    *,
    from_format: str | None = None,
    to_format: str | None = None,
    **options: Any,
) -> int:
    """Write several runs as one, fused, and return the number of rows.

    Files are read and written as by `convert`, from memory; a run may also be a folder of Parquet files. `options` are
    those of `assay.engines.fuse.fuse`.

    Raises
    ------
    InputError
        A source that cannot be read, or an id that the target's format cannot hold.
    ParameterError
        Fewer than two sources, standard input twice, what a fusion cannot be made of.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     a, b, both = (Path(folder, name) for name in ("a.run", "b.run", "both.csv"))
    ...     _ = a.write_text("q1 Q0 x 1 9.0 a"), b.write_text("q1 Q0 x 1 0.5 b")
    ...     convert_fused([a, b], both, "isr"), both.read_text().split()
    (1, ['query,item,score', 'q1,x,4'])
    """
    paths = [os.fspath(source) for source in sources]
    if len(paths) < 2:
        msg = f"fuse: expected two runs or more and a place to write to, found {len(paths)} to read"
        raise ParameterError(msg, hint="assay convert --fuse rrf IN IN OUT")
    if paths.count("-") > 1:
        msg = f"standard input (-): expected once, found {paths.count('-')} times"
        raise ParameterError(msg)
    writer = FORMATS[to_format] if to_format else _format_for(os.fspath(target))
    made = fuse([read_run(path, from_format) for path in paths], method, **options)
    rows = made.frame()
    with written_whole(os.fspath(target)) as out:
        writer.write_run([rows], out, method)
    return rows.height


def write_run(run: Run, target: str | os.PathLike[str], *, to_format: str | None = None) -> int:
    """Write a run in the format that is given or that the ending of the target names, else as TREC; return its rows.

    Raises
    ------
    InputError
        An id that the format cannot hold, or a place that cannot be written.
    UnknownNameError
        No such format.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "best.jsonl")
    ...     write_run(Run.from_mapping({"q1": {"a": 2.0}}), path), path.read_text().strip()
    (1, '{"query":"q1","item":"a","score":2}')
    """
    path = os.fspath(target)
    writer = FORMATS[to_format] if to_format else _known_suffix(path) or FORMATS["trec"]
    counted = Counted(run.rows.blocks())
    with written_whole(path) as out:
        writer.write_run(counted, out, run.name)
    return counted.rows


class Counted:
    """Blocks that can be read once, and the number of rows that went by."""

    def __init__(self, blocks: Iterator[pl.DataFrame]) -> None:
        self.blocks = blocks
        self.rows = 0

    def __iter__(self) -> Iterator[pl.DataFrame]:
        for block in self.blocks:
            self.rows += block.height
            yield block


@contextmanager
def written_whole(target: str) -> Iterator[BinaryIO]:
    """Open a file that takes its name when all of it is written, and leaves nothing behind otherwise."""
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(os.path.realpath(target))
    if path.exists() and not path.is_file():
        with _opened(path, "wb") as device:
            yield device
        return
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    try:
        with _opened(part, "xb") as file, _packed(file, compression_for(target)) as out:
            yield out
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[BinaryIO]:
    try:
        file = path.open(mode)
    except OSError as error:
        msg = f"{path}: expected a place that can be written, found an error: {error.strerror}"
        raise InputError(msg) from None
    with file:
        yield cast("BinaryIO", file)


def _packed(file: BinaryIO, compression: str | None) -> Any:
    """Return a file that packs what is written into another one; equal content gives equal bytes."""
    if compression == "gzip":
        return gzip.GzipFile("", "wb", 6, file, mtime=0)
    if compression == "zstd":
        return zstandard().ZstdFile(file, "wb")
    return _Same(file)


class _Same:
    """A file as it is, closed by the one who opened it."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file

    def __enter__(self) -> BinaryIO:
        return self.file

    def __exit__(self, *_: object) -> None:
        return None


def _blocks(known: Format, source: Source, kind: Kind) -> Iterator[pl.DataFrame]:
    if kind == "gold":
        return iter([known.read_gold(source).table])
    return known.read_run(source, source.stem).rows.blocks()


def _first_checked(blocks: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Read the first block now, so that a broken input is found before a target is opened."""
    return chain([next(blocks)], blocks)


def _format_for(target: str) -> Format:
    found = _known_suffix(target)
    if found is not None:
        return found
    suffix = _suffix(target)
    msg = f"{target}: expected a suffix that names a format, found {f'.{suffix}' if suffix else 'none'}"
    raise ParameterError(msg, hint=f"--to names one (in Python to_format=): {', '.join(FORMATS)}.")


def _known_suffix(target: str) -> Format | None:
    return next((known for known in FORMATS.values() if _suffix(target) in known.suffixes), None)


def _suffix(target: str) -> str:
    parts = [part for part in Path(target).name.lower().split(".")[1:] if part not in SUFFIXES]
    return parts[-1] if parts else ""


def _ask_for_kind(place: str) -> Kind:
    msg = f"{place}: expected a gold standard or a run, found content that may be either"
    raise ParameterError(msg, hint="say which: --kind gold or --kind run (in Python kind=).")
