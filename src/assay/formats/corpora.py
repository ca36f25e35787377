"""Documents to be searched, read from files of any form that the field's collections have."""

import os
from collections.abc import Sequence

import polars as pl

from assay.core.columns import ITEM
from assay.core.progress import Progress, part_of
from assay.core.texts import Documents
from assay.errors import FormatError, InputError
from assay.formats.markup import is_page, page_text
from assay.formats.source import Source
from assay.formats.text_records import identified

IDS = ("_id", *ITEM)
TITLES = ("title", "headline", "hl", "name")
TEXTS = ("text", "contents", "content", "body", "passage", "abstract", "segment")
HUNDRED = 100
HINT = "from Python, read_documents(..., fields=[...]) names them."


def read_documents(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    fields: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Documents:
    """Read documents from files; several files are the parts of one collection.

    Recognised by content, plain or packed: JSON Lines (BEIR, Pyserini), TREC, SMART, Parquet, Arrow, CSV and TSV with
    a line of names, MS MARCO's collection.tsv. Pages of HTML are read without their tags.

    Parameters
    ----------
    paths
        The file or files.
    fields
        Which fields make up the text, a line between them; else title and text under their usual names.
    progress
        Told how many hundredths are read.

    Raises
    ------
    InputError, FormatError
        A file that cannot be read, a document without an id or a text, an id twice; names file and line.
    """
    files = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not files:
        raise InputError("documents: expected a file, found none")
    seen: dict[str, str] = {}
    rows: list[tuple[str, str | None, str]] = []
    sources = [Source.open(path, part_of(progress, at, len(files), HUNDRED)) for at, path in enumerate(files)]
    for source in sources:
        for line, item, cells in identified(source, IDS, seen):
            rows.append((item, *_said(cells, fields, source.path, line)))
    if fields and not any(text for _, _, text in rows):
        raise InputError(f"{sources[0].path}: expected the field {' or '.join(fields)}, found no document that has it")
    table = pl.DataFrame(rows, {"item": pl.String, "title": pl.String, "text": pl.String}, orient="row")
    return Documents(table if table["title"].count() else table.drop("title"), sources[0].stem)


def _said(cells: dict[str, str], fields: Sequence[str] | None, place: str, line: int) -> tuple[str | None, str]:
    """Return the title and the text of a document."""
    if fields:
        return None, "\n".join(_plain(cells[name.lower()]) for name in fields if cells.get(name.lower()))
    title = next((cells[name] for name in TITLES if cells.get(name)), None)
    text = next((cells[name] for name in TEXTS if name in cells), None)
    if text is None and title is None:
        raise FormatError.at(place, line, f"expected a text ({', '.join(TEXTS[:3])} …)", _found(cells), hint=HINT)
    return title and _plain(title), _plain(text or "")


def _plain(text: str) -> str:
    return page_text(text) if is_page(text) else text


def _found(cells: dict[str, str]) -> str:
    return f"found {', '.join(cells)[:80] or 'an id alone'}"
