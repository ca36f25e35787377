"""An adjudication for the terminal, for Markdown, as a gold standard, and the queue of pairs to look at again."""

from collections.abc import Iterator

import polars as pl

from assay.core.adjudication import Adjudication, JudgeRecord, Together
from assay.report.amounts import counted
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

SHOWN = 20
"""So many judges are shown; JSON holds all."""
NAMES = {"majority": "majority", "dawid-skene": "Dawid-Skene"}


def render(found: Adjudication, *, width: int = 80, colour: bool = False) -> str:
    """Return the adjudication as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(line), width) for line in _head(found)]
    for title, table, spare in sections(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, spare).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Adjudication) -> str:
    """Return the adjudication as Markdown."""
    parts = [markdown(visible(line)) for line in _head(found)]
    for title, table, _ in sections(found):
        rows = [" | ".join(markdown(visible(cell)) for cell in row) for row in (table.heads, *table.rows)]
        aligned = "|".join("---" if not at or head in table.left else "---:" for at, head in enumerate(table.heads))
        body = "\n".join(f"| {row} |" for row in rows[1:])
        parts.append(f"**{markdown(title)}**\n\n| {rows[0]} |\n|{aligned}|\n{body}")
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in _reading(found)))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Adjudication) -> pl.DataFrame:
    """Return a row for each settled pair: a gold standard with what speaks for each grade."""
    return found.settled


def to_queue(found: Adjudication) -> pl.DataFrame:
    """Return the pairs to look at again, the most rewarding first."""
    return found.queue


def to_trec(found: Adjudication) -> str:
    """Return the settled grades as TREC qrels.

    Raises
    ------
    ParameterError
        An id with a blank, a grade that is not whole.
    """
    from assay.errors import ParameterError

    rows = found.settled.select("query", "item", "grade")
    blank = pl.any_horizontal(pl.col("query", "item").str.contains(r"\s"))
    odd = rows.filter(blank | (pl.col("grade") % 1 != 0))
    if odd.height:
        query, item, grade = odd.row(0)
        raise ParameterError(
            f"-o trec: expected ids without blanks and whole grades, found {query!r}, {item!r}, {grade:g}",
            hint="-o csv holds any.",
        )
    return "".join(f"{query} 0 {item} {grade:.0f}\n" for query, item, grade in rows.iter_rows())


def sections(found: Adjudication) -> Iterator[tuple[str, Table, tuple[str, ...]]]:
    """Yield the tables with their titles and the columns that a narrow screen may do without."""
    if found.checks:
        rows = tuple(
            (NAMES[one.method], f"{one.pairs:,}", f"{one.open:,}", number(one.right), number(one.kappa))
            for one in found.checks
        )
        yield "AGAINST KNOWN ANSWERS", Table(("method", "pairs", "open", "right", "kappa"), rows), ()
    shown = sorted(found.judges, key=lambda one: (-one.judgments, one.name))[:SHOWN]
    title = (
        f"JUDGES{f': the {SHOWN} of {len(found.judges):,} with most judgments' if len(found.judges) > SHOWN else ''}"
    )
    heads = ("judge", "kind", "judgments", "settled grade", *(f"{grade:g} as {grade:g}" for grade in found.grades))
    yield title, Table(heads, tuple(map(_judge, shown)), frozenset({"kind"})), heads[:3:-1]
    if found.together:
        groups = tuple(map(_together, found.together))
        columns = ("group", "judges", "correlation", "by chance", "worth", "against")
        yield "ERRING TOGETHER", Table(columns, groups, frozenset({"against"})), ("against",)
    if found.queue.height:
        yield _queue(found)


def _judge(one: JudgeRecord) -> tuple[str, ...]:
    kept = (number(row[place]) for place, row in enumerate(one.confusion))
    return (visible(one.name), one.kind, f"{one.judgments:,}", number(one.agreement), *kept)


def _together(one: Together) -> tuple[str, ...]:
    worth = UNDEFINED if one.effective is None else f"{one.effective:.1f}"
    return (one.group, f"{one.judges}", number(one.correlation), number(one.independent), worth, one.against)


def _queue(found: Adjudication) -> tuple[str, Table, tuple[str, ...]]:
    rows = tuple(
        (
            visible(row["query"]), visible(row["item"]), row["votes"] or UNDEFINED,
            UNDEFINED if row["grade"] is None else f"{row['grade']:g}", number(row["certainty"]),
            number(row["entropy"]), number(row["effect"]), number(row["priority"]),
        )
        for row in found.queue.iter_rows(named=True)
    )  # fmt: skip
    heads = ("query", "item", "votes", "grade", "certainty", "entropy", "effect", "priority")
    table = Table(heads, rows, frozenset({"item", "votes"}))
    doubtful = found.table.filter((pl.col("priority") > 0) | pl.col("grade").is_null()).height
    return (
        f"LOOK AT AGAIN: the first {found.queue.height:,} of {doubtful:,} doubtful pairs",
        table if found.runs else table.without("effect"),
        ("entropy", "certainty", "effect"),
    )


def _head(found: Adjudication) -> Iterator[str]:
    why = f" ({found.why})" if found.why else ""
    yield (
        f"{found.name}: {found.settled.height:,} of {counted(found.table.height, 'pair')} settled by "
        f"{NAMES[found.method]}{why}, {found.open:,} left open"
    )
    counts = found.settled["grade"].value_counts().sort("grade")
    if counts.height:
        shares = ", ".join(f"{grade:g}: {count:,}" for grade, count in counts.iter_rows())
        differ = found.settled.filter(pl.col("majority").is_null() | (pl.col("majority") != pl.col("grade"))).height
        tied = found.table.filter(pl.col("majority").is_null() & (pl.col("judges") > 0)).height
        yield (
            f"Grades: {shares}. {differ:,} settled otherwise than by majority; "
            f"{counted(tied, 'pair has', 'pairs have')} no majority."
        )


def _reading(found: Adjudication) -> Iterator[str]:
    fit = found.fit
    ended = "converged" if fit.converged else "stopped"
    yield (
        f"Dawid-Skene: EM from the shares of votes, {fit.smoothing:g} added to each count; {ended} after "
        f"{counted(fit.iterations, 'step')}. It takes judges to err independently of each other."
    )
    yield "settled grade: how often a judge says it. 1 as 1: how often he says 1 of what the model takes to be 1."
    if found.together:
        yield (
            "correlation: of the errors of two judges of the group. by chance: what independent judges would show. "
            "worth: how many independent judges they are."
        )
    if found.measure:
        yield (
            f"priority: entropy (bits) x effect. effect: how far {found.measure} moves if the pair has the second "
            "likeliest grade, in the run that it moves most."
        )
    else:
        yield "priority: entropy (bits) x gap of the two likeliest grades; --run orders by the effect on a measure."
    yield from found.notices
