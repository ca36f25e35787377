"""`Source`: a file, a pipe or standard input, plain or compressed, that can be read as often as needed."""

import hashlib
import os
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import IO, BinaryIO

from assay.core.progress import Progress
from assay.errors import FormatError, InputError
from assay.formats.compression import SUFFIXES, compression_of, unpack

HEAD = 1 << 16
BOM = b"\xef\xbb\xbf"
TEXT_SUFFIXES = ("run", "res", "results", "txt", "qrels", "qrel", "trec")


@dataclass(frozen=True)
class Source:
    """Bytes to read: `path` is what messages call it, `file` where they lie on disk.

    `progress` is told how many bytes of the file are read, of how many, from the beginning for each pass.

    >>> import tempfile
    >>> file = tempfile.NamedTemporaryFile(suffix=".run")
    >>> file.write(b"q1 Q0 a 1 2.5 bm25"), file.flush()
    (18, None)
    >>> Source.open(file.name).head
    b'q1 Q0 a 1 2.5 bm25'
    """

    path: str
    file: Path
    compression: str | None
    _kept: object = field(default=None, repr=False, compare=False)
    progress: Progress | None = field(default=None, repr=False, compare=False)

    @classmethod
    def open(cls, path: str | os.PathLike[str], progress: Progress | None = None) -> "Source":
        """Look at a path, or "-" for standard input, and say what is wrong with it.

        Raises
        ------
        InputError
            No such file, a folder, no permission, nothing in it.
        FormatError
            Content that is no text and no known binary format.
        """
        source = _spooled(sys.stdin.buffer, "standard input") if path == "-" else _found(os.fspath(path))
        if not source.head:
            msg = f"{source.path}: expected content, found an empty file"
            raise InputError(msg)
        return source if progress is None else replace(source, progress=progress)

    @cached_property
    def head(self) -> bytes:
        """The first 64 KiB, unpacked and without byte order mark."""
        found = b""
        with closing(replace(self, progress=None).chunks(HEAD)) as chunks:
            for chunk in chunks:
                found += chunk
                if len(found) >= HEAD:
                    break
        return found.removeprefix(BOM)[:HEAD]

    @property
    def suffixes(self) -> list[str]:
        """The endings of the name without those of compression: `bm25.run.gz` has `["run"]`."""
        parts = Path(self.path).name.lower().split(".")[1:]
        return [part for part in parts if part not in SUFFIXES]

    @property
    def stem(self) -> str:
        """The name without endings of compression and text: `bm25-k1.2.run.gz` gives `bm25-k1.2`."""
        name = Path(self.path).name
        known = (*SUFFIXES, *TEXT_SUFFIXES, "csv", "tsv", "json", "jsonl", "ndjson", "parquet", "arrow", "feather")
        while "." in name[1:] and name.rpartition(".")[2].lower() in known:
            name = name.rpartition(".")[0]
        return name

    def digest(self) -> str:
        """Return the SHA-256 of the bytes as they lie on disk."""
        with self.file.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()

    def chunks(self, size: int) -> Generator[bytes]:
        """Yield the unpacked bytes in pieces of about `size`."""
        with self.raw() as file:
            if self.compression is None:
                while chunk := file.read(size):
                    yield chunk
                    self.tell(file.tell())
            else:
                for chunk in unpack(file, self.compression, self.path):
                    yield chunk
                    self.tell(file.tell())

    def tell(self, done: int) -> None:
        """Tell how many bytes of the file are read, where somebody wants to know."""
        if self.progress is not None:
            self.progress(done, self.file.stat().st_size)

    def read(self) -> bytes:
        """Return all unpacked bytes without byte order mark."""
        return b"".join(self.chunks(1 << 24)).removeprefix(BOM)

    def text(self) -> str:
        """Return the whole content as text.

        Raises
        ------
        FormatError
            Bytes that are no UTF-8.
        """
        content = self.read()
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise not_utf8(self.path, line, content[error.start : error.start + 1]) from None

    def raw(self) -> IO[bytes]:
        """Open the bytes as they lie on disk."""
        try:
            return self.file.open("rb")
        except OSError as error:
            raise _unreadable(self.path, error) from None


def not_utf8(place: str, line: int, byte: bytes) -> FormatError:
    """Make the error for a byte that is no UTF-8."""
    return FormatError.at(
        place, line, "expected UTF-8 text", f"found the byte 0x{byte.hex()}", hint="save the file as UTF-8."
    )


def _found(path: str) -> Source:
    try:
        mode = Path(path).stat().st_mode
    except OSError as error:
        raise _unreadable(path, error) from None
    except ValueError:
        msg = f"{path!r}: expected the name of a file, found a character that no name may have"
        raise InputError(msg) from None
    if stat.S_ISDIR(mode):
        msg = f"{path}: expected a file, found a folder"
        raise InputError(msg)
    if not stat.S_ISREG(mode):
        with Path(path).open("rb") as pipe:
            return _spooled(pipe, path)
    return _looked_at(Source(path, Path(path), None))


def _spooled(stream: BinaryIO, name: str) -> Source:
    """Copy a stream that can be read once into a temporary file that goes when the source goes."""
    handle, path = tempfile.mkstemp(prefix="assay-")
    keeper = _Keeper()
    weakref.finalize(keeper, Path(path).unlink, missing_ok=True)
    with os.fdopen(handle, "wb") as file:
        shutil.copyfileobj(stream, file, 1 << 20)
    return _looked_at(Source(name, Path(path), None, keeper))


class _Keeper:
    """Lives as long as the sources that read one temporary file."""


def _looked_at(source: Source) -> Source:
    with source.raw() as file:
        magic = file.read(4)
    return Source(source.path, source.file, compression_of(magic), source._kept)  # noqa: SLF001 - its own kind


def _unreadable(path: str, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        return InputError(f"{path}: expected a file, found nothing of that name", hint=_nearest(path))
    if isinstance(error, PermissionError):
        return InputError(f"{path}: expected a file that can be read, found one without permission")
    return InputError(f"{path}: expected a file that can be read, found an error: {error.strerror or error}")


def _nearest(path: str) -> str | None:
    from difflib import get_close_matches

    folder, name = Path(path).parent, Path(path).name
    try:
        names = [entry.name for entry in folder.iterdir()]
    except OSError:
        return f"there is no folder {str(folder)!r} either."
    near = get_close_matches(name, names, n=1)
    return f"did you mean {str(folder / near[0])!r}?" if near else None


def file_digest(place: Path) -> str | None:
    """Return the SHA-256 of the bytes of a file; None of a folder or a pipe, and where nothing can be read."""
    try:
        if not place.is_file():
            return None
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # a file that may not be read, a name that no file can have
        return None
