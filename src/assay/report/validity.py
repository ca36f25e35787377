"""Link validity for the terminal, for Markdown and for tables: the rules that are broken first."""

from collections.abc import Iterator

import polars as pl

from assay.core.validity import Checked, Fault, Validity
from assay.report.amounts import counted
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.iris import shorten
from assay.report.names import shorten as cut
from assay.report.names import visible

MOST = 25
"""Rows of a table on the screen; the forms for programs have all."""
HEADS = ("rule", "about", "wants", "checked", "wrong", "unclear", "validity", "found")
LEFT = frozenset({"about", "wants", "found"})


def render(found: Validity, width: int = 80, *, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    table = broken(found)
    parts = [wrapped(visible(summary(found)), width)]
    if table.rows:
        parts.append("RULES THAT ARE BROKEN, OR CANNOT BE TOLD")
        parts.append(table.fitted(width, ("found", "wants", "unclear")).draw(colour=colour))
        parts.append("\n".join(wrapped(visible(line), width) for line in examples(found)))
    parts.append("\n".join(wrapped(visible(line), width) for line in reading(found)))
    if found.notices:
        parts.append(listed(found.notices, width))
    return "\n\n".join(part for part in parts if part) + "\n"


def to_markdown(found: Validity) -> str:
    """Return the result as Markdown."""
    from assay.report.documents import markdown

    lines = [*examples(found), *reading(found), *found.notices]
    parts = [markdown(visible(summary(found))), markdown_table(broken(found))]
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in lines))
    return "\n\n".join(part for part in parts if part) + "\n"


def markdown_table(table: Table) -> str:
    """Return a table as Markdown writes it; nothing without rows."""
    from assay.report.documents import markdown

    if not table.rows:
        return ""
    places = enumerate(table.heads)
    ruler = "".join("---|" if place == 0 or head in table.left else "---:|" for place, head in places)
    first, *rest = (" | ".join(markdown(visible(cell)) for cell in row) for row in (table.heads, *table.rows))
    return "\n".join([f"| {first} |", f"|{ruler}", *(f"| {row} |" for row in rest)])


def to_frame(found: Validity) -> pl.DataFrame:
    """Return a row for each rule, with full IRIs."""
    text, real, whole = pl.String, pl.Float64, pl.Int64
    schema: dict[str, type[pl.DataType]] = {
        "rule": text, "about": text, "expected": text, "among": text, "source": text, "unit": text, "checked": whole,
        "wrong": whole, "unclear": whole, "validity": real, "strict": real, "found": text, "message": text,
    }  # fmt: skip
    rows = [
        one.to_dict() | {
            "expected": " ".join(one.expected), "among": " ".join(one.among),
            "found": "; ".join(f"{what} ({n})" for what, n in one.found.items()),
        }
        for one in found.rules
    ]  # fmt: skip
    return pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)


def summary(found: Validity) -> str:
    """Say what share of the statements under a rule breaks none."""
    total = found.total
    if total is None:
        return (
            f"{found.graph}: so many statements are wrong that those of two rules cannot be told apart; by rule below."
        )
    if total.validity is None:
        return f"{found.graph}: not evaluated; no rule touched any of its {counted(found.statements, 'statement')}."
    unclear = f"; of {total.unclear:,} a rule could not tell" if total.unclear else ""
    return (
        f"{found.graph}: link validity {number(total.validity)}; {total.wrong:,} of "
        f"{counted(total.statements, 'statement')} "
        f"under a rule break one or more{unclear}. {found.statements - total.statements:,} are under none."
    )


def broken(found: Validity) -> Table:
    """Return the rules that are broken or cannot be told, the most broken first."""
    rules = sorted((one for one in found.rules if one.wrong or one.unclear), key=lambda one: (-one.wrong, -one.unclear))
    names = shorten([name for one in rules for name in (one.about, *one.expected, *one.among, *one.found)])
    rows = tuple(_row(one, names) for one in rules[:MOST])
    return Table(HEADS, rows, LEFT)


def _row(one: Checked, names: dict[str, str]) -> tuple[str, ...]:
    wants = "" if one.kind == "dangling" else _some([names[name] for name in one.expected])
    return (
        one.kind, _about(one, names), wants, f"{one.checked:,}", f"{one.wrong:,}", f"{one.unclear:,}",
        "not told" if one.validity is None else number(one.validity), _found(one, names),
    )  # fmt: skip


def _about(one: Checked, names: dict[str, str]) -> str:
    return names[one.about] + (f" of {_some([names[name] for name in one.among])}" if one.among else "")


def _found(one: Checked, names: dict[str, str]) -> str:
    if not one.found:
        return ""
    first, n = next(iter(one.found.items()))
    more = f" and {one.variety - 1:,} more" if one.variety > 1 else ""
    return f"{names[first]} ({n:,}){more}"


def _some(names: list[str]) -> str:
    return names[0] + (f" (or {len(names) - 1} more)" if len(names) > 1 else "") if names else ""


def examples(found: Validity) -> Iterator[str]:
    """Yield what stands there instead, and one example, for each of the rules that are broken most."""
    rules = sorted((one for one in found.rules if one.faults), key=lambda one: -one.wrong)[:10]
    shown = [(one, one.faults[0]) for one in rules]
    terms = [term for _, fault in shown for term in (fault.subject, fault.object) if term and term.kind == "iri"]
    names = shorten([*(one.about for one, _ in shown), *(term.value for term in terms)])
    names |= shorten([*names, *(what for one, _ in shown for what in one.found)])
    for one, fault in shown:
        instead = f"found {_found(one, names)}, " if one.found else ""
        yield f"{one.kind}: {instead}e.g. {_statement(one, fault, names)}"


def _statement(one: Checked, fault: Fault, names: dict[str, str]) -> str:
    terms = [term for term in (fault.subject, fault.object) if term]
    ends = [cut(names.get(term.value, term.n3[:1000]), 60) for term in terms]
    return " ".join((ends[0], names[one.about], *ends[1:]))


def reading(found: Validity) -> Iterator[str]:
    """Say what the table leaves out, and how to read it."""
    kept = sum(one.evaluated and not one.wrong and not one.unclear for one in found.rules)
    shown = sum(bool(one.wrong or one.unclear) for one in found.rules)
    yield f"Not in the table: {counted(kept, 'rule')} that everything keeps."
    if shown > MOST:
        yield f"The {MOST} most broken of {counted(shown, 'rule is', 'rules are')} shown; -o json and csv have all."
    empty = [one for one in found.rules if not one.evaluated and not one.message]
    if empty:
        names = shorten([name for one in empty for name in (one.about, *one.among)])
        each = list(dict.fromkeys(f"{one.kind} {_about(one, names)}".strip() for one in empty))
        some, more = ", ".join(each[:5]), f" and {len(each) - 5:,} more" if len(each) > 5 else ""
        yield f"Not evaluated, for there was nothing to check: {some}{more}."
    if any(one.wrong and one.unit != "statement" for one in found.rules):
        yield "Rules about how many values or types a thing has count things: they are not in the link validity."
    if any(one.unclear for one in found.rules):
        yield "Unclear: things without any type; they are in neither part of the share."
    yield "Validity is the share of what a rule could tell that keeps it. All was counted: no interval."
