"""Small tables as spreadsheets save them, cell by cell."""

import csv
import io
from collections.abc import Iterator

from assay.errors import FormatError


def read_cells(text: str, place: str, mark: str) -> Iterator[tuple[int, list[str]]]:
    r"""Yield the line at which each row ends, and its cells; `mark` parts them.

    Raises
    ------
    FormatError
        Text that is no table, with its line.

    >>> list(read_cells('a,b\n1,"x\ny"\n', "small.csv", ","))
    [(1, ['a', 'b']), (3, ['1', 'x\ny'])]
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    try:
        for cells in reader:
            yield reader.line_num, cells
    except csv.Error as error:
        raise FormatError.at(place, reader.line_num, "expected a table", f"found an error: {error}") from None


def mark_of(text: str) -> str:
    """Return what parts the cells of the first line: a comma, a semicolon or a tab, whichever it has most of."""
    return max(",;\t", key=text.partition("\n")[0].count)
