"""Queries, read from files of any form that the field's collections have."""

import os

import polars as pl

from assay.core.columns import ITEM, QUERY
from assay.core.texts import Queries
from assay.errors import FormatError
from assay.formats.source import Source
from assay.formats.text_records import identified

IDS = ("_id", "number", "num", "query_id", "query-id", "qid", "topic_id", "question_id", "id", *QUERY, *ITEM)
"""What the column of an id may be called; query and topic, where another says which it is, are what is asked."""
TEXTS = ("text", "title", "query", "question", "contents", "content", "topic", "body", "desc", "description")


def read_queries(path: str | os.PathLike[str], *, field: str | None = None) -> Queries:
    """Read queries from a file.

    Recognised by content, plain or packed: topics of TREC (also those of one <DOC> each) and in XML, SMART, JSON Lines
    (BEIR), a JSON document, Parquet, Arrow, CSV and TSV with a line of names, or id and text with a tab between. Ids
    are as they stand there.

    Parameters
    ----------
    path
        The file; "-" is standard input.
    field
        What is asked, such as title, desc, narr or question; else the text (after its title where it has one), the
        title or the query.

    Raises
    ------
    InputError, FormatError
        A file that cannot be read, a query without an id or a text, an id twice; names file and line.
    """
    source = Source.open(path)
    wanted = TEXTS if field is None else (field.lower(),)
    rows = []
    for line, query, cells in identified(source, IDS, {}):
        text = next((cells[name] for name in wanted if name in cells), None)
        if text is None:
            expected = (
                f"expected a text ({', '.join(wanted[:3])} …)" if field is None else f"expected the field {field}"
            )
            raise FormatError.at(source.path, line, expected, f"found {', '.join(cells)[:80] or 'an id alone'}")
        title = cells.get("title", "") if field is None and "text" in cells else ""
        rows.append((query, f"{title.strip()}\n{text.strip()}".strip()))
    return Queries(pl.DataFrame(rows, {"query": pl.String, "text": pl.String}, orient="row"), source.stem)
