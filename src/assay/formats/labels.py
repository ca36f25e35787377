"""Judgments with their judges, from files of several shapes: one of each judge, or one of all.

A file of judgments without a judge (TREC qrels, CSV of query, item and grade …) is one judge's and gives him its name.
A table or JSON Lines with a column for the judge holds several, a row for each judgment. A table of query, item and no
grade holds a column for each judge; there an empty cell means that he was not asked.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import polars as pl

from assay.core.columns import GRADE, ITEM, QUERY, recognise
from assay.core.labels import MORE, Labels
from assay.errors import FormatError, GoldError, InputError, UnknownNameError
from assay.formats.documents import parsed
from assay.formats.source import Source

JUDGE = ("judge", "assessor", "annotator", "rater", "coder", "worker", "worker_id", "user", "labeler")
"""Names of a column that says who judged; the first that is there is taken."""
BESIDE = frozenset({*MORE, "stratum", "probability", "runs", "rank", "question", "need", "title", "text", "iter"})
"""Columns of a table that are no judges, in lower case."""
TABLES = frozenset({"csv", "tsv", "parquet", "arrow", "jsonl"})
PAIR = {"query": QUERY, "item": ITEM}


def read_labels(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], judge_column: str | None = None
) -> Labels:
    r"""Read what judges said, from one file or several; "-" is standard input.

    A judge without a name of his own is called as his file; where two files have one name, as their paths.

    Parameters
    ----------
    paths
        One file, or several, each of any of the shapes above.
    judge_column
        The column that says who judged, where it has another name than the usual ones (judge, assessor, worker …).

    Raises
    ------
    InputError
        A file that cannot be read, a column that is missing, a cell that is no grade.
    GoldError
        A pair judged twice by one judge; no judgments at all.

    >>> import tempfile
    >>> file = tempfile.NamedTemporaryFile(suffix=".csv")
    >>> file.write(b"query,item,ann,bob\nq1,a,1,0\nq1,b,2,\n"), file.flush()
    (..., None)
    >>> read_labels(file.name).table.rows()
    [('q1', 'a', 'ann', 1.0), ('q1', 'a', 'bob', 0.0), ('q1', 'b', 'ann', 2.0)]
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise InputError("labels: expected one file or more, found none")
    sources = [Source.open(path) for path in given]
    often = Counter(source.stem for source in sources)
    names = [source.stem if often[source.stem] == 1 else source.path for source in sources]
    tables = [_labels(source, name, judge_column) for source, name in zip(sources, names, strict=True)]
    table = pl.concat(tables, how="diagonal").sort("query", "item", "judge", maintain_order=True)
    name = names[0] if len(names) == 1 else f"{len(names)} files"
    return Labels(_checked(table, sources), name)


def _checked(table: pl.DataFrame, sources: Sequence[Source]) -> pl.DataFrame:
    """Refuse judgments that are none, and two of one judge for one pair."""
    place = sources[0].path if len(sources) == 1 else "labels"
    if not table.height:
        raise GoldError(f"{place}: expected judgments, found none")
    twice = table.filter(table.select("query", "item", "judge").is_duplicated())
    if twice.height:
        query, item, judge = twice.row(0)[:3]
        raise GoldError(
            f"{place}: expected one judgment of a judge for a pair, found several of {judge!r} for item {item!r} of "
            f"query {query!r}",
            hint="keep one, or name the judges apart.",
        )
    return table


def _labels(source: Source, name: str, judge_column: str | None) -> pl.DataFrame:
    """Return the judgments of one file in the columns of labels."""
    table = _table(source)
    if table is None:
        if judge_column is not None:
            raise InputError(
                f"{source.path}: expected a column called {judge_column!r}, found a file without names of columns",
                hint="a file of one judge needs none.",
            )
        return _of_gold(source, name)
    found = recognise(table.columns, PAIR, source.path)
    rest = [column for column in table.columns if column not in found.values()]
    judge, grade = _judge_of(rest, judge_column, source.path), _first(rest, GRADE)
    pair = table.rename({one: column for column, one in found.items()}).with_columns(pl.col(*PAIR).cast(pl.String))
    _require_ids(pair, source.path)
    if grade is None:
        return _of_columns(pair, [] if judge else rest, source.path)
    said = pair.select(
        "query", "item", judge=pl.lit(None, pl.String) if judge is None else _words(judge), grade=grade,
        **{column: _words(column).cast(kind, strict=False) for column, kind in MORE.items() if column in rest},
    )  # fmt: skip
    said = said.with_columns(grade=_numbers(said, "grade", source.path))
    asked = said.filter(pl.col("grade").is_not_null() | pl.col("judge").is_not_null())
    return asked.with_columns(pl.col("judge").fill_null(name))


def _table(source: Source) -> pl.DataFrame | None:
    """Return a table with names as it is; None of a file of another kind, which is one judge's gold."""
    from assay.formats import detect
    from assay.formats.table import read_table

    kind = detect(source, "gold").name
    if kind not in TABLES:
        return None
    if kind != "jsonl":
        return read_table(source)
    rows = list(_objects(source))
    first = rows[0] if rows else {}
    if not {key.lower() for key in first} & set(ITEM):
        return None
    return pl.DataFrame(rows, schema=dict.fromkeys((key for row in rows for key in row), pl.String), orient="row")


def _objects(source: Source) -> Iterator[dict[str, str | None]]:
    """Yield the objects of JSON Lines with their values as text."""
    for line, text in enumerate(source.text().split("\n"), 1):
        if not text.strip():
            continue
        value = parsed(text, source.path, line)
        if not isinstance(value, dict):
            raise FormatError.at(source.path, line, "expected an object", f"found {text.strip()[:80]!r}")
        yield {key: None if held is None else str(held) for key, held in value.items()}


def _of_gold(source: Source, name: str) -> pl.DataFrame:
    from assay.formats import detect

    table = detect(source, "gold").read_gold(source).table
    return table.select("query", "item", judge=pl.lit(name), grade="grade")


def _of_columns(table: pl.DataFrame, rest: Sequence[str], place: str) -> pl.DataFrame:
    """Return the judgments of a table with a column for each judge."""
    judges = [column for column in rest if column.lower() not in BESIDE]
    if not judges:
        raise InputError(
            f"{place}: expected a column for the grade ({', '.join(GRADE[:5])} …), or one for each judge, found "
            f"{table.columns}"
        )
    grades = table.select("query", "item", *(_numbers(table, column, place) for column in judges))
    return grades.unpivot(judges, index=["query", "item"], variable_name="judge", value_name="grade").drop_nulls()


def _judge_of(rest: Sequence[str], wanted: str | None, place: str) -> str | None:
    """Return the column that says who judged, or None."""
    if wanted is None:
        return _first(rest, JUDGE)
    if wanted not in rest:
        error = UnknownNameError.of("column", wanted, rest)
        raise InputError(f"{place}: {error.message}", hint=error.hint)
    return wanted


def _first(names: Sequence[str], known: Sequence[str]) -> str | None:
    lowered = {name.lower(): name for name in reversed(names)}
    return next((lowered[name] for name in known if name in lowered), None)


def _words(column: str) -> pl.Expr:
    """Return a column as text; blank cells are null."""
    text = pl.col(column).cast(pl.String).str.strip_chars()
    return pl.when(text != "").then(text)


def _require_ids(table: pl.DataFrame, place: str) -> None:
    for column in ("query", "item"):
        if table[column].is_null().any() or (table[column] == "").any():
            raise FormatError(f"{place}: expected a {column} in each row, found a row without")


def _numbers(table: pl.DataFrame, column: str, place: str) -> pl.Series:
    """Return the grades of a column; what is neither empty nor a finite number is refused with its pair."""
    texts = table.select(_words(column)).to_series()
    grades = texts.cast(pl.Float64, strict=False)
    wrong = texts.is_not_null() & ~grades.is_finite().fill_null(value=False)
    if wrong.any():
        row = wrong.arg_true()[0]
        raise FormatError(
            f"{place}: expected a number as {column} of item {table['item'][row]!r} of query {table['query'][row]!r}, "
            f"found {texts[row]!r}",
            hint="a grade is a number; a judge who could not tell leaves it empty.",
        )
    return grades.alias(column)
