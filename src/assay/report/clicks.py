"""Grades from clicks for the terminal and for tables: the log, the ranks, the best and the least sure items."""

from collections.abc import Iterator
from io import BytesIO

import polars as pl

from assay.core.clicks import ClickGrades
from assay.report.amounts import counted, percent
from assay.report.documents import to_table
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

RANKS = 20
"""So many ranks are drawn, and"""
SHOWN = 10
"""so many pairs; -o json and the table hold all."""
SPARE = ("clicks", "examined", "raw")


def render(found: ClickGrades, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(_head(found), width)]
    if found.ranks is not None:
        parts.append(f"RANKS\n{_ranks(found.ranks, found.ranks.height).fitted(width).draw(colour=colour)}")
    best = found.table.sort("grade", "query", "item", descending=[True, False, False]).head(SHOWN)
    parts.append(f"HIGHEST GRADES\n{_pairs(best, found).fitted(width, SPARE).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_gold(found: ClickGrades, form: str) -> bytes:
    """Return the gold standard as a file of csv, tsv, jsonl or parquet: query, item, grade, then the rest."""
    if form != "jsonl":
        return to_table(found.table, form)
    out = BytesIO()
    found.table.write_ndjson(out)
    return out.getvalue()


def _head(found: ClickGrades) -> str:
    log = found.log
    searches = log["searches_with_a_click"]
    ended = "" if searches is None else f" in {searches:,} searches"
    return (
        f"{visible(log['name'])}: {log['shown']:,} items shown, {log['clicks']:,} clicks{ended}, {log['queries']:,} "
        f"queries, {log['pairs']:,} pairs; by {found.model}: {found.meaning}. "
        f"{counted(found.table.height, 'pair is', 'pairs are')} graded."
    )


def _ranks(table: pl.DataFrame, many: int) -> Table:
    rows = [
        (f"{rank:,}", f"{shown:,}", f"{clicks:,}", number(rate), UNDEFINED if looked is None else number(looked))
        for rank, shown, clicks, rate, looked in table.head(RANKS).iter_rows()
    ]
    if many > RANKS:
        rows.append((f"{many - RANKS:,} more", "", "", "", ""))
    drawn = Table(("rank", "shown", "clicks", "clicks by shown", "looked at"), tuple(rows))
    return drawn if table["looked_at"].is_not_null().any() else drawn.without("looked at")


def _pairs(table: pl.DataFrame, found: ClickGrades) -> Table:
    rows = tuple(
        (
            visible(row["query"]), visible(row["item"]), number(row["grade"]),
            f"[{number(row['low'])}, {number(row['high'])}]", number(row["raw"]), f"{row['shown']:,}",
            f"{row['clicks']:,}", f"{row['examined']:,.0f}",
        )
        for row in table.iter_rows(named=True)
    )  # fmt: skip
    level = f"[{percent(found.settings['level'], None)}]"
    heads = ("query", "item", "grade", level, "raw", "shown", "clicks", "examined")
    return Table(heads, rows, frozenset({"item"}))


def _reading(found: ClickGrades) -> Iterator[str]:
    settings = found.settings
    if settings["prior"]:
        yield (
            f"grade: the estimate (raw) as if the pair had been looked at {settings['prior']:g} times more, and "
            f"clicked as all pairs are, {number(settings['mean'])}: few looks move it little from there."
        )
    yield f"The interval ({settings['interval']}) is that of raw, made wider where the grade lies outside."
    yield "A grade is a fraction of what this model takes relevance for, no judgment: a binary measure wants --rel."
    if found.few:
        yield (
            f"No grade: {counted(found.few, 'pair')} that were looked at fewer than {settings['min_exposure']:g} times."
        )
    if found.undefined:
        yield f"No grade: {counted(found.undefined, 'pair')} of which the model can say nothing."
    yield from found.notices
