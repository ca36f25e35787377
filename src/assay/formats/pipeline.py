"""Work on the blocks of a file ahead of the one who asks for the results, in their order."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import TypeVar

from assay.formats.source import BOM, Source

BLOCK = 1 << 24
SMALLEST = 1 << 20
IN_FLIGHT = 3
AHEAD = 24
"""Bytes of memory that each byte of a block takes while blocks are read, parsed and worked on ahead."""
Block = TypeVar("Block")
Made = TypeVar("Made")


def block_within(memory: int, most: int = BLOCK) -> int:
    """Return the size of blocks that take so much memory while they are read ahead, at most that of `most`."""
    return min(most, max(memory // AHEAD, SMALLEST))


def in_order(read: Generator[Block], make: Callable[[Block], Made]) -> Iterator[Made]:
    """Yield `make(block)` for each block: one thread reads, three make, never more than three blocks ahead.

    Both go on while the one who asks works on a result.
    """
    with (
        closing(read),
        ThreadPoolExecutor(1, "assay-read") as reader,
        ThreadPoolExecutor(IN_FLIGHT, "assay-parse") as makers,
    ):
        flying: deque[Future[Made | None]] = deque()

        def start() -> None:
            block = reader.submit(next, read, None)
            flying.append(makers.submit(_make, block, make))

        try:
            for _ in range(IN_FLIGHT):
                start()
            while (made := flying.popleft().result()) is not None:
                start()
                yield made
        finally:
            reader.shutdown(cancel_futures=True)
            makers.shutdown(cancel_futures=True)


def _make(reading: "Future[Block | None]", make: Callable[[Block], Made]) -> Made | None:
    block = reading.result()
    return None if block is None else make(block)


def pieces(source: Source, size: int) -> Generator[bytes]:
    """Yield the text in pieces of about `size` bytes that end at a line end, without byte order mark."""
    first = True
    with closing(_sought(source, size) if source.compression is None else _gathered(source, size)) as read:
        for piece in read:
            text = piece.removeprefix(BOM) if first else piece
            first = False
            if text:
                yield text


def _sought(source: Source, size: int) -> Generator[bytes]:
    """Cut a plain file: look up the next line end, then read the exact length at once."""
    start = 0
    with source.raw() as file:
        end = file.seek(0, os.SEEK_END)
        while start < end:
            file.seek(start + size)
            length = min(size + len(file.readline()), end - start)
            file.seek(start)
            yield file.read(length)
            start += length
            source.tell(start)


def _gathered(source: Source, size: int) -> Generator[bytes]:
    """Gather unpacked chunks until there are enough, cut at the last line end, carry the rest."""
    waiting: list[bytes] = []
    held = 0
    with closing(source.chunks(size)) as chunks:
        for chunk in chunks:
            cut = chunk.rfind(b"\n") + 1
            held += len(chunk)
            if held < size or not cut:
                waiting.append(chunk)
                continue
            yield b"".join([*waiting, chunk[:cut]])
            waiting, held = [chunk[cut:]], len(chunk) - cut
    if held:
        yield b"".join(waiting)
