"""What an export of judgments wrote: for the terminal, for Markdown and for tables."""

from collections.abc import Iterator

import polars as pl

from assay.core.gold_versions import Exported
from assay.report.amounts import counted
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.names import visible

SHOWN = 12
"""So many changes are shown; JSON and CSV hold all."""


def render(found: Exported, *, width: int = 80, colour: bool = False) -> str:
    """Return the export as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(line), width) for line in _head(found)]
    table = _changes(found)
    if table.rows:
        parts.append(f"{wrapped(_title(found), width)}\n{table.fitted(width, ()).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed([visible(line) for line in _reading(found)], width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Exported) -> str:
    """Return the export as Markdown."""
    parts = [markdown(visible(line)) for line in _head(found)]
    table = _changes(found)
    if table.rows:
        rows = [" | ".join(markdown(cell) for cell in row) for row in (table.heads, *table.rows)]
        rows.insert(1, " | ".join("---" for _ in table.heads))
        parts.append(f"**{markdown(_title(found))}**\n\n" + "\n".join(f"| {row} |" for row in rows))
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in _reading(found)))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Exported) -> pl.DataFrame:
    """Return a row for each judgment that changed."""
    text, real = pl.String, pl.Float64
    schema = {"query": text, "item": text, "change": text, "before": real, "after": real}
    rows = [(one.query, one.item, one.kind, one.before, one.after) for one in found.version.changes]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _head(found: Exported) -> Iterator[str]:
    version = found.version
    where = f"{found.path}: " if found.path else "NOT WRITTEN (no --out): "
    if found.new:
        yield f"{where}version {version.version}, {counted(version.judgments, 'judgment')} of project {version.project}"
    else:
        yield f"{where}still version {version.version}, {counted(version.judgments, 'judgment')}: nothing changed since"
    yield f"sha256 {version.sha256}"
    said = ", ".join(str(one) for one in version.guidelines) or "none"
    yield (
        f"Made by the rule {version.rule} from what {counted(version.judges, 'judge')} said in "
        f"{counted(version.decisions, 'decision')}, "
        f"the last on {version.last or 'no day'}; guideline of version {said}; {version.settled:,} disputes settled."
    )


def _title(found: Exported) -> str:
    since = f"SINCE {found.since}" if found.since else "SINCE THE VERSION BEFORE"
    counts = ", ".join(f"{count:,} {kind}" for kind, count in found.version.counts().items() if count)
    most = f" (the first {SHOWN})" if len(found.version.changes) > SHOWN else ""
    return f"{since}: {counts}{most}"


def _changes(found: Exported) -> Table:
    some = found.version.changes[:SHOWN] if found.new or found.since else ()
    rows = tuple((visible(one.query), visible(one.item), _grade(one.before), _grade(one.after)) for one in some)
    return Table(("query", "item", "before", "after"), rows)


def _grade(grade: float | None) -> str:
    return "" if grade is None else f"{grade:g}"


def _reading(found: Exported) -> Iterator[str]:
    if found.history:
        yield f"{found.history} holds each version and each judgment that changed; keep it beside the file."
    yield "assay evaluate names the same sha256: it says which version a result was measured with."
    yield from found.notices
