"""Blocks of plain text, checked and cleaned as arrays of bytes.

A block is plain when each of its lines has the same number of columns, parted by one blank (or one tab), and
nothing else in it is white space. Such a block can be handed to a CSV reader, which by itself would neither
see a doubled blank nor a missing column.
"""

import numpy as np
from numpy.typing import NDArray

PIECE = 1 << 17
CLEANED = 1 << 17
NEWLINE, BLANK, TAB = 10, 32, 9
SEEN = bytes(range(BLANK + 1, 256))
"""All bytes that are no white space."""
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]


def plain_line_ends(block: bytes, columns: int, separator: int) -> int | None:
    """Return the number of line ends of a plain block of so many columns; None of any other."""
    if block[0] in b"#\xef" or block[0] <= BLANK or (b"#" in block and b"\n#" in block):
        return None
    open_end = block[-1] != NEWLINE
    between = block.translate(None, SEEN) + b"\n" * open_end
    rows = len(between) // columns
    if between != (bytes([separator]) * (columns - 1) + b"\n") * rows:
        return None
    data = np.frombuffer(block, np.uint8)
    for start in range(0, len(data), PIECE):
        white = data[start : start + PIECE + 1] <= BLANK
        if (white[1:] & white[:-1]).any():
            return None
    return rows - open_end


def width(block: bytes) -> tuple[int, int]:
    """Return the number of columns of the first line and the byte that parts them: blank or tab."""
    line = block[: block.find(b"\n") + 1 or len(block)]
    return len(line.split()), TAB if b"\t" in line and b" " not in line.strip() else BLANK


def clean(block: bytes) -> bytes:
    """Return the block without comments and blank lines, with single blanks between columns."""
    if block.startswith(b"#") or b"\n#" in block:
        block = without_comments(block)
    single = _single(np.frombuffer(block, np.uint8))
    return (_stripped(single) if _leads(single) else single).tobytes()


def without_comments(block: bytes) -> bytes:
    """Return the block without the lines that begin with `#`."""
    kept, start, at = [], 0, 0 if block.startswith(b"#") else block.find(b"\n#") + 1
    while at or (not start and block.startswith(b"#")):
        kept.append(block[start:at])
        start = block.find(b"\n", at) + 1 or len(block)
        at = start if block.startswith(b"#", start) else block.find(b"\n#", start) + 1
    return b"".join([*kept, block[start:]])


def _single(data: Bytes) -> Bytes:
    """Keep all but white space that is followed by white space, and turn tabs and their kin into blanks.

    A line end always stays. Pieces are short enough to stay in the cache.
    """
    result = np.empty_like(data)
    done = 0
    for start in range(0, len(data), CLEANED):
        piece = data[start : start + CLEANED]
        ahead = np.empty(len(piece), np.bool_)
        white = _white(piece)
        ahead[:-1] = white[1:]
        ahead[-1:] = _white(data[start + CLEANED : start + CLEANED + 1]) if start + CLEANED < len(data) else True
        done += len(_kept(piece, ~(white & ahead) | (piece == NEWLINE), result[done:]))
    return result[:done]


def _kept(piece: Bytes, flags: Flags, place: Bytes) -> Bytes:
    """Copy the flagged bytes to a place, with blanks for other white space than line ends."""
    kept = place[: int(np.count_nonzero(flags))]
    np.compress(flags, piece, out=kept)
    other = ((kept - TAB) < 5) & (kept != NEWLINE)
    if other.any():
        np.putmask(kept, other, BLANK)
    return kept


def _leads(data: Bytes) -> bool:
    """Say whether a blank or line end follows a line end, or comes first."""
    for start in range(0, len(data), PIECE):
        piece = data[max(start - 1, 0) : start + PIECE]
        if ((piece[:-1] == NEWLINE) & (piece[1:] <= BLANK)).any():
            return True
    return bool(len(data)) and data[0] <= BLANK


def _stripped(data: Bytes) -> Bytes:
    """Drop blanks and line ends that follow a line end, or come first."""
    result = np.empty_like(data)
    done = 0
    for start in range(0, len(data), CLEANED):
        piece = data[start : start + CLEANED]
        after = np.empty(len(piece), np.bool_)
        after[1:] = piece[:-1] == NEWLINE
        after[0] = start == 0 or data[start - 1] == NEWLINE
        flags = ~(after & ((piece == BLANK) | (piece == NEWLINE)))
        kept = result[done : done + int(np.count_nonzero(flags))]
        np.compress(flags, piece, out=kept)
        done += len(kept)
    return result[:done]


def _white(data: Bytes) -> Flags:
    """Flag the six bytes that C calls white space: blank and 9 to 13."""
    flags: Flags = (data == BLANK) | ((data - TAB) < 5)
    return flags
