"""Which queries each slice of a gate holds."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import polars as pl

from assay.core.gold import Gold
from assay.errors import FormatError, InputError
from assay.history.gate.settings import Choice, Scope, Settings
from assay.inputs import as_columns


def queries_of(settings: Settings, gold: Gold) -> dict[str, frozenset[str]]:
    """Return the queries of each slice, by its name; all queries are not listed.

    Raises
    ------
    InputError
        A file that cannot be read, a column that it has not, a slice without any query of the gold.
    """
    known = frozenset(gold.queries.to_list())
    columns = cache(lambda path: as_columns(path, gold))
    found = {}
    for scope in settings.scopes:
        if scope.choice is not None:
            wanted = frozenset(_wanted(settings.path, scope, scope.choice, columns))
            found[scope.name] = wanted & known
            if not wanted & known:
                said = f"{len(wanted)} of others, such as {min(wanted)!r}" if wanted else "none"
                expected = f"expected queries of the gold in slice {scope.name!r}"
                raise FormatError.at(settings.path, scope.line, expected, f"found {said}")
    return found


def _wanted(path: str, scope: Scope, choice: Choice, columns: Callable[[str], pl.DataFrame]) -> Iterator[str]:
    """Yield the queries that a slice names."""
    if choice.queries:
        yield from choice.queries
    elif choice.file:
        yield from _listed(choice.file)
    else:
        table = columns(choice.by)
        if choice.column not in table.columns:
            names = ", ".join(name for name in table.columns if name != "query")
            expected = f"expected a column of {choice.by} ({names}) for slice {scope.name!r}"
            raise FormatError.at(path, scope.line, expected, f"found {choice.column!r}")
        yield from table.filter(_is(table[choice.column], choice.value))["query"]


def _is(column: pl.Series, value: str) -> pl.Series:
    """Tell which values are written as this one, or are the same number; shape (queries,)."""
    alike = column.cast(pl.String).fill_null("") == value
    number = pl.Series([value]).cast(pl.Float64, strict=False)[0]
    return alike if number is None else alike | (column.cast(pl.Float64, strict=False) == number).fill_null(value=False)


def _listed(path: str) -> list[str]:
    """Return the queries of a file, one a line."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"{path}: expected a file with a query a line, found none") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected queries in UTF-8, found other bytes") from None
    except OSError as error:
        raise InputError(f"{path}: expected a file with a query a line, found an error: {error.strerror}") from None
    return [line.strip() for line in text.splitlines() if line.strip()]
