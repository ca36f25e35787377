"""How results show themselves in a notebook: Jupyter, Marimo and VS Code draw what `_repr_html_` returns.

No colour is set but that of the text, so that a page may be light or dark; what files call things is escaped; tables
show their first rows, and `to_dict()` and the frames of a result hold all.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

ROWS = 12
"""Rows of a table that are shown."""
COLUMNS = 10
TABLES = 6
LONGEST = 120
"""Characters of a cell beyond which it is cut."""
LISTED = 6
"""Words of a list that are named."""
ABOUT = frozenset({"assay", "command", "inputs"})
"""Keys that tell where a result came from, which the reader of a notebook knows."""
LEFT = ' style="text-align:left"'
"""On the cell itself: the rules of Jupyter for tables are stronger than ours."""
WORD = re.compile(r"[^\W\d_]{2}")
"""What is in a cell that is no number: it is set to the left."""
STYLE = (
    "<style>.assay table{border-collapse:collapse;margin:.4em 0}"
    ".assay th,.assay td{text-align:right;padding:.15em .6em;color:inherit;background:none;border:0;"
    "border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);font-variant-numeric:tabular-nums}"
    ".assay th:first-child,.assay td:first-child,.assay caption{text-align:left}"
    ".assay caption{font-weight:bold;color:inherit}.assay p,.assay ul{margin:.3em 0}</style>"
)

Record = Mapping[str, Any]


class Shown:
    """A result that shows itself in a notebook by what its `to_dict()` says."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain data."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """Return its facts and tables for a notebook."""
        return page(title(type(self).__name__), self.to_dict())


def title(name: str) -> str:
    """Return the name of a class as words.

    >>> title("SuiteHealth")
    'Suite health'
    """
    return " ".join(re.findall("[A-Z][^A-Z]*", name)).capitalize() or name


def page(heading: str, document: Record) -> str:
    """Return plain data as HTML: single values as one line, then the tables, of which the first is open."""
    facts, tables, notes = [], [], []
    for key, value in _flat(document):
        rows = _records(value)
        if rows:
            tables.append((key, rows))
        elif key.endswith(("notices", "sentences", "warnings")) and isinstance(value, list | tuple):
            notes += list(value)
        elif value not in (None, "", [], {}):
            facts.append(f"{_words(key)} {_cell(value)}")
    drawn = [_table_of(rows) for _, rows in tables[:TABLES]]
    below = [
        f"<details{' open' if len(rows) <= ROWS else ''}><summary>{_head(key, rows)}</summary>{part}</details>"
        for (key, rows), part in zip(tables[1:TABLES], drawn[1:], strict=True)
    ]
    first = [f"<p>{_head(*tables[0])}</p>", drawn[0]] if drawn else []
    return framed(f"<p><b>{escape(heading)}</b></p>", paragraph(", ".join(facts)), *first, *below, listed(notes))


def framed(*parts: str) -> str:
    """Return parts of a page as one piece with its looks."""
    return f'<div class="assay">{STYLE}{"".join(parts)}</div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Return a table; all texts are escaped."""
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    cells = [list(heads), *map(list, rows)]
    sides = [LEFT if any(map(WORD.search, column[1:])) else "" for column in zip(*cells, strict=True)]
    head, *body = (_row(row, sides, "td" if place else "th") for place, row in enumerate(cells))
    return f"<table>{above}<thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"


def _row(cells: Sequence[str], sides: Sequence[str], tag: str) -> str:
    drawn = (f"<{tag}{side}>{escape(cell)}</{tag}>" for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(drawn)}</tr>"


def paragraph(text: str) -> str:
    """Return a paragraph, or nothing."""
    return f"<p>{escape(text)}</p>" if text else ""


def listed(sentences: Sequence[str]) -> str:
    """Return sentences as a list, or nothing."""
    lines = [f"<li>{escape(str(one))}</li>" for one in sentences[:ROWS]]
    return f"<ul>{''.join(lines)}{_more(len(sentences), '<li>{}</li>')}</ul>" if lines else ""


def number(value: float | None, form: str = ".4f") -> str:
    """Return a number as text, a dash where there is none.

    >>> number(0.5), number(None)
    ('0.5000', '-')
    """
    return "-" if value is None else format(value, form)


def _flat(document: Record) -> Iterator[tuple[str, Any]]:
    """Yield keys and values; of an object that holds single values and more, its parts."""
    for key, value in document.items():
        if key in ABOUT:
            continue
        if isinstance(value, Mapping) and not _records(value) and any(_compound(part) for part in value.values()):
            yield from ((f"{key} {below}", part) for below, part in _flat(value))
        else:
            yield key, value


def _compound(value: Any) -> bool:
    return isinstance(value, Mapping | list | tuple) and not _is_interval(value)


def _is_interval(value: Any) -> bool:
    return isinstance(value, Mapping) and {"low", "high"} <= value.keys()


def _records(value: Any) -> list[Record]:
    """Return a list of objects, or an object of objects, as rows; else nothing."""
    if isinstance(value, list | tuple) and value and all(isinstance(one, Mapping) for one in value):
        return list(value)
    named = isinstance(value, Mapping) and len(value) > 0 and not _is_interval(value)
    if named and all(isinstance(one, Mapping) and not _is_interval(one) for one in value.values()):
        return [{"": name, **one} for name, one in value.items()]
    return []


def _table_of(rows: list[Record]) -> str:
    seen = dict.fromkeys(name for row in rows[:ROWS] for name, value in row.items() if _shows(value))
    heads = [name for name in seen if any(row.get(name) not in (None, "", [], {}) for row in rows[:ROWS])][:COLUMNS]
    columns = [_column([row.get(name) for row in rows[:ROWS]]) for name in heads]
    return table([_words(name) for name in heads], zip(*columns, strict=True)) + _more(len(rows), "<p>{}</p>")


def _column(values: list[Any]) -> list[str]:
    """Return the cells of a column; numbers that are all whole need no places after the point."""
    whole = all(not isinstance(value, float) or value.is_integer() for value in values)
    return [_cell(int(value) if whole and isinstance(value, float) else value) for value in values]


def _shows(value: Any) -> bool:
    """Tell whether a value fits a cell."""
    if isinstance(value, list | tuple):
        return not any(_compound(one) for one in value)
    return not isinstance(value, Mapping) or _is_interval(value)


def _cell(value: Any) -> str:
    """Return a value as short text."""
    if isinstance(value, list | tuple):
        return _joined([_cell(one) for one in value])
    if _is_interval(value):
        return f"[{_cell(value['low'])}, {_cell(value['high'])}]"
    if isinstance(value, Mapping):
        return _joined([f"{name} {_cell(one)}" for name, one in value.items()])
    text = _single(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _single(value: Any) -> str:
    """Return a value that holds no other as text."""
    if value is None or isinstance(value, bool):
        return {None: "-", True: "yes", False: "no"}[value]
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e6 else f"{value:.4g}"
    return str(value)


def _joined(words: list[str]) -> str:
    return ", ".join(words[:LISTED]) + (f", … ({len(words):,})" if len(words) > LISTED else "")


def _words(key: str) -> str:
    return key.replace("_", " ")


def _head(key: str, rows: list[Record]) -> str:
    return f"{escape(_words(key))} ({len(rows):,})"


def _more(count: int, form: str) -> str:
    return form.format(f"… and {count - ROWS:,} more") if count > ROWS else ""
