"""A plan of a sample for the terminal and for tables: statements, subjects, hours and price."""

from collections.abc import Iterator, Sequence

import polars as pl

from assay.core.accuracy_plan import Effort, Plan
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped


def render(found: Plan, *, width: int = 80, colour: bool = False) -> str:
    """Return the plan as text, no line wider than `width` where it can be broken."""
    of = (
        "a graph"
        if found.statements is None
        else (f"{counted(found.statements, 'statement')} of {found.subjects:,} subjects")
    )
    head = (
        f"To know the accuracy of {of} to ± {found.margin:g} ({percent(found.level, None)}, {found.method}), "
        f"expected {found.accuracy:.4g}"
    )
    best = found.cheapest
    how = "one by one" if best.per_subject == 1 else f"by subject, up to {best.per_subject} statements of each"
    least = f"Least work: draw {how}: {counted(best.statements, 'statement')}, {_hours(best)} hours."
    parts = [wrapped(head, width), wrapped(least, width)]
    for title, table in _tables(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, ('a draw', 'design effect')).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_frame(found: Plan) -> pl.DataFrame:
    """Return a row for each design, and one for each accuracy when drawn one by one."""
    rows = [{"by": by, **one.to_dict()} for by, some in _groups(found) for one in some]
    return pl.DataFrame(rows, schema_overrides={"price": pl.Float64})


def _groups(found: Plan) -> tuple[tuple[str, Sequence[Effort]], ...]:
    return ("design", found.by_design), ("accuracy", found.by_accuracy)


def _tables(found: Plan) -> Iterator[tuple[str, Table]]:
    priced = found.price_per_hour is not None
    rows = tuple(
        (
            "one by one" if one.per_subject == 1 else f"up to {one.per_subject} of a subject",
            f"{one.per_draw:.2f}", f"{one.design_effect:.2f}", *_cells(one),
        )
        for one in found.by_design
    )  # fmt: skip
    costs = ("statements", "subjects", "hours", "price")
    table = Table(("drawn", "a draw", "design effect", *costs), rows)
    yield "BY DESIGN", table if priced else table.without("price")
    table = Table(("accuracy", *costs), tuple((f"{one.accuracy:g}", *_cells(one)) for one in found.by_accuracy))
    yield "BY ACCURACY, drawn one by one", table if priced else table.without("price")


def _cells(one: Effort) -> tuple[str, ...]:
    return f"{one.statements:,}", f"{one.subjects:,}", _hours(one), "" if one.price is None else f"{one.price:,.2f}"


def _hours(one: Effort) -> str:
    return f"{one.seconds / 3600:,.1f}"


def _reading(found: Plan) -> Iterator[str]:
    yield (
        f"A drawn subject costs {found.seconds_per_subject:g} s to get to know, a statement "
        f"{found.seconds_per_statement:g} s to judge."
    )
    yield f"Statements of one subject are alike ({found.alike:.2f} of 1): more are needed, but fewer subjects."
    yield "The rule to stop, not the plan, says when labels are enough: begin with fewer and draw on."
    yield from found.notices
