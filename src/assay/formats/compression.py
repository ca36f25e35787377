"""Compressed bytes, recognised by their first bytes and not by a suffix: gzip and Zstandard."""

import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO

from assay.errors import FormatError, MissingExtraError

MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zX": "xz", b"PK\x03\x04": "zip"}
SUFFIXES = ("gz", "gzip", "zst", "zstd")
READ = 1 << 17
MOST = 1 << 24
FREE = 1 << 28
RATIO = 200
"""So many times as large as it is packed may a file be that unpacks to more than `FREE` bytes; text stays below 30."""
ZLIB = (b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")


def compression_of(magic: bytes) -> str | None:
    """Return "gzip", "zstd", another compression that cannot be read, or None for plain bytes."""
    return next((name for start, name in MAGIC.items() if magic.startswith(start)), None)


def seems_packed(block: bytes) -> bool:
    """Tell whether Polars might take a block of text for packed bytes, and unpack it, without being asked."""
    return compression_of(block[:4]) is not None or block.startswith(ZLIB)


def require_proportion(place: str, packed: int, unpacked: int) -> None:
    """Raise FormatError where a file unpacks to so much that it can only be meant to fill a machine."""
    if unpacked > FREE and unpacked > RATIO * packed:
        found = f"found one that unpacks to more than {RATIO} times its size"
        msg = f"{place}: expected a packed file of data, {found}"
        raise FormatError(msg, hint="unpack it yourself if you trust it.")


def require_proportion_within(place: str, file: Path) -> None:
    """Raise FormatError where the members of a zip archive unpack to too much, BadZipFile where it is none."""
    with zipfile.ZipFile(file) as archive:
        require_proportion(place, file.stat().st_size, sum(one.file_size for one in archive.filelist))


def compression_for(path: str) -> str | None:
    """Return the compression that the suffix of a file to be written asks for."""
    suffix = path.lower().rpartition(".")[2]
    return {"gz": "gzip", "gzip": "gzip", "zst": "zstd", "zstd": "zstd"}.get(suffix)


def unpack(file: BinaryIO | IO[bytes], compression: str, place: str) -> Iterator[bytes]:
    """Yield unpacked bytes in pieces of at most 16 MiB.

    Raises
    ------
    FormatError
        A file that was cut short or damaged, that unpacks to 200 times its size and more than 256 MiB, or a
        compression that is not read.
    """
    make = _decompressor(compression, place)
    done, taken, stream = 0, 0, make()
    try:
        while packed := file.read(READ):
            taken += len(packed)
            while packed:
                for piece in _drain(stream, packed):
                    done += len(piece)
                    require_proportion(place, taken, done)
                    yield piece
                packed = stream.unused_data.lstrip(b"\0") if stream.eof else b""
                stream = make() if packed else stream
    except (zlib.error, _zstd_error()):
        raise _damaged(place, compression, done) from None
    if not stream.eof:
        raise _damaged(place, compression, done)


def _drain(stream: Any, packed: bytes) -> Iterator[bytes]:
    yield stream.decompress(packed, MOST)
    while not stream.eof:
        rest = getattr(stream, "unconsumed_tail", b"")
        if not rest and getattr(stream, "needs_input", True):
            return
        yield stream.decompress(rest, MOST)


def _decompressor(compression: str, place: str) -> Callable[[], Any]:
    if compression == "gzip":
        return lambda: zlib.decompressobj(wbits=31)
    if compression == "zstd":
        return zstandard().ZstdDecompressor  # type: ignore[no-any-return]
    msg = f"{place}: expected plain text, gzip or Zstandard, found {compression}"
    raise FormatError(msg, hint="unpack it first, or pack it with gzip.")


def zstandard() -> Any:
    """Return the module for Zstandard: of the standard library from Python 3.14 on, else its backport."""
    try:
        return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    except ImportError:
        raise MissingExtraError.of("reading or writing .zst", "backports-zstd", "zstd") from None


def _zstd_error() -> type[Exception]:
    try:
        error: type[Exception] = zstandard().ZstdError
    except MissingExtraError:
        return zlib.error
    return error


def _damaged(place: str, compression: str, done: int) -> FormatError:
    found = f"found one that is truncated or damaged after {done} bytes of text"
    return FormatError(f"{place}: expected a whole {compression} file, {found}", hint="copy or download it again.")
