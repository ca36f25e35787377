"""The lines: name, query and value between tabs, one template for all lines of a query."""

from collections.abc import Iterator, Sequence

from assay.cli.trec_eval.arguments import Arguments
from assay.cli.trec_eval.ranks import Ranked
from assay.cli.trec_eval.rows import Row
from assay.cli.trec_eval.values import Column, figure

PLACE = "\0"
"""Where the query goes in a template; no text of the input holds it."""
PAGE = 4096
"""How many queries are put into lines at once."""


def pages_of(columns: Sequence[Column], ranked: Ranked, arguments: Arguments, run_id: str) -> Iterator[str]:
    """Yield all that is printed, some thousand queries at a time."""
    scaled = arguments.zscores is not None
    if arguments.queries:
        yield from _queries(columns, ranked.judged.names.to_list(), scaled=scaled)
    if arguments.summary:
        yield "".join(_summary(columns, ranked, run_id, scaled=scaled))


def _queries(columns: Sequence[Column], queries: list[str], *, scaled: bool) -> Iterator[str]:
    shown = [column for column in columns if column.row.entry.shown]
    template = "".join(_line(column.row, scaled=scaled) for column in shown)
    for start in range(0, len(queries) if shown else 0, PAGE):
        page = slice(start, start + PAGE)
        values = [column.texts[page] or column.values[page].tolist() for column in shown]
        escaped = (query.replace("%", "%%") for query in queries[page])
        rows = zip(escaped, zip(*values, strict=True), strict=True)
        yield "".join(template.replace(PLACE, query) % row for query, row in rows)


def _line(row: Row, *, scaled: bool) -> str:
    name = row.name.replace("%", "%%")
    padded = name + " " * max(0, 22 - len(row.name))
    if row.entry.name == "relstring":
        return f"{padded}\t{PLACE}\t'%s'\n"
    form = "%d" if row.entry.count and not scaled else "%6.4f"
    return f"{'Z' if scaled else ''}{padded}\t{PLACE}\t{form}\n"


def _summary(columns: Sequence[Column], ranked: Ranked, run_id: str, *, scaled: bool) -> Iterator[str]:
    for column in columns:
        summary = column.row.entry.summary
        if summary == "run":
            yield f"{column.row.name:<22}\tall\t{run_id}\n"
        elif summary != "none":
            yield _line(column.row, scaled=scaled).replace(PLACE, "all") % figure(column, ranked)
