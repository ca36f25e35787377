"""Columns to group queries by: from a file, frame or mapping, or counted: relevant, judged and retrieved items."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.errors import InputError, ParameterError
from assay.inputs import as_columns

COUNTED = ("relevant", "judged", "retrieved")
"""What can be counted for each query: relevant and judged items of the gold, items that a run retrieved."""

TEXTS = ("query_text", "text", "title", "question")
"""Columns that hold the query itself: they are grouped by their number of words."""


def columns_by(by: Any, gold: Gold, evaluation: Evaluation) -> pl.DataFrame | None:
    """Return the columns to group queries by: query and one or more others; None where there is nothing to group by.

    `by` is "relevant", "judged" or "retrieved" (counted in this evaluation), or a file, frame or mapping, or a
    list of several of these. A column of texts that is called query_text, text, title or question becomes its
    number of words.

    Raises
    ------
    AssayError
        A file that cannot be read, or items to count in a result that was read from a file.
    """
    wanted = list(by) if isinstance(by, list | tuple) else [] if by is None else [by]
    frames = [_counted(one, evaluation) if _is_counted(one) else _in_words(_read(one, gold)) for one in wanted]
    if not frames:
        return None
    whole = frames[0]
    for other in frames[1:]:
        whole = whole.join(other, on="query", how="full", coalesce=True, suffix=" (2)")
    return whole


def _is_counted(by: Any) -> bool:
    return isinstance(by, str) and by in COUNTED


def _read(by: Any, gold: Gold) -> pl.DataFrame:
    if isinstance(by, str) and by.isalpha() and not Path(by).exists():
        msg = f"by: expected a file, or one of {', '.join(COUNTED)}, found {by!r}"
        raise InputError(msg, hint="a file has the column query and others to group by.")
    return as_columns(by, gold)


def _counted(by: str, evaluation: Evaluation) -> pl.DataFrame:
    """Count the items of each query."""
    judged, rel = evaluation.judged, evaluation.options.rel
    if judged is None:
        msg = f"by: expected gold and runs to count {by} items of, found results that do not hold them"
        raise ParameterError(msg, hint="give a file with the columns query and others, or compare GOLD RUN RUN.")
    if by == "retrieved":
        counts = judged.retrieved
    else:
        rows = judged.ideal.relevant(1 if rel is None else rel) if by == "relevant" else judged.ideal.judged()
        counts = rows.count().astype(np.int64)
    return pl.DataFrame({"query": judged.names, f"{by} items": counts})


def _in_words(columns: pl.DataFrame) -> pl.DataFrame:
    """Put the number of words in the place of the text of a query."""
    texts = [name for name in columns.columns if name.lower() in TEXTS and columns[name].dtype == pl.String]
    words = [pl.col(name).str.extract_all(r"\S+").list.len().alias(f"words of {name}") for name in texts]
    return columns.with_columns(words).drop(texts)
