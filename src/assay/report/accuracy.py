"""The accuracy of a graph by people's labels: for the terminal, for Markdown and for tables."""

from collections.abc import Iterator

import polars as pl

from assay.core.accuracy import Accuracy, PartAccuracy
from assay.core.estimates import Interval
from assay.report.amounts import counted, percent
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.iris import shorten
from assay.report.names import visible

DESIGNS = {
    "simple": "statements drawn one by one",
    "cluster": "subjects drawn by their number of statements, up to {} of each",
    "stratified": "statements drawn by predicate",
}
SAYS = {
    "wilson": "holds its level nearly always",
    "exact": "the most cautious",
    "agresti-coull": "as wilson, a little wider",
    "jeffreys": "a belief: how often it holds is not said",
    "hpd": "a belief, the shortest",
    "ahpd": "a belief, the shortest of three",
    "wald": "never stop by it: no width at 0 and 1",
}
"""What each interval is worth."""
SHOWN = 12
"""So many predicates are shown; JSON and CSV hold all."""


def render(found: Accuracy, *, width: int = 80, colour: bool = False) -> str:
    """Return the estimate as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(line), width) for line in _head(found)]
    for title, table, spare in _tables(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, spare).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Accuracy) -> str:
    """Return the estimate as Markdown."""
    parts = [markdown(visible(line)) for line in _head(found)]
    for title, table, _ in _tables(found):
        rows = (table.heads, tuple("---" for _ in table.heads), *table.rows)
        lines = [
            "| " + " | ".join(cell if row is rows[1] else markdown(visible(cell)) for cell in row) + " |"
            for row in rows
        ]
        parts.append(f"**{title}**\n\n" + "\n".join(lines))
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in _reading(found)))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Accuracy) -> pl.DataFrame:
    """Return a row for all statements, one for each stratum and one for each predicate."""
    schema: dict[str, type[pl.DataType]] = {
        "of": pl.String, "name": pl.String, "judged": pl.Int64, "right": pl.Int64, "accuracy": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "level": pl.Float64, "method": pl.String,
    }  # fmt: skip
    whole = PartAccuracy("", found.judged, found.right, found.value, found.interval)
    groups = (("all", (whole,)), ("stratum", found.strata), ("predicate", found.parts))
    rows = [
        (
            of,
            one.name,
            one.judged,
            one.right,
            one.value,
            *_ends(one.interval),
            found.interval.level,
            found.interval.method,
        )
        for of, parts in groups
        for one in parts
    ]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _head(found: Accuracy) -> Iterator[str]:
    level, method = percent(found.interval.level, None), found.interval.method
    ends = "no interval" if method == "none" else f"{_interval(found.interval)} ({level}, {method})"
    yield f"ACCURACY {number(found.value)} {ends}"
    how = DESIGNS[found.design.kind].format(found.design.per_subject)
    draws = f" in {counted(found.draws, 'draw')}" if found.design.kind == "cluster" else ""
    again = f" ({found.distinct:,} different)" if found.distinct < found.judged else ""
    yield (
        f"{counted(found.judged, 'statement')} judged{draws}{again}, of {found.design.statements:,} of "
        f"{counted(found.design.subjects, 'subject')}; {found.right:,} are right; {how}, seed {found.design.seed}"
    )
    if found.worth is not None:
        said = f"Worth {found.worth:,.0f} statements drawn one by one (design effect {found.design_effect:.2f})."
        yield said
    yield _stop(found)


def _stop(found: Accuracy) -> str:
    stop = found.stop
    reached = "no interval yet" if stop.reached is None else f"± {number(stop.reached)}"
    if stop.enough:
        return f"STOP: {reached} is within the margin of ± {stop.margin:g}."
    waiting = f"; {found.open:,} drawn statements wait for a label" if found.open else ""
    wanted = f"wanted ± {stop.margin:g} after {counted(stop.least, 'draw')}"
    return f"GO ON: {reached}, {wanted}; about {counted(stop.more, 'statement')} more{waiting}."


def _tables(found: Accuracy) -> Iterator[tuple[str, Table, tuple[str, ...]]]:
    rows = [(found.interval.method, found.interval), *found.others.items()]
    table = Table(
        ("interval", "low", "high", "half", "what it is worth"),
        tuple((name, *map(number, _ends(one)), number(_half(one)), SAYS.get(name, "")) for name, one in rows),
        frozenset({"what it is worth"}),
    )
    yield f"INTERVALS of {percent(found.interval.level, None)}", table, ("what it is worth",)
    if found.strata:
        yield "BY STRATUM", _parts(found.strata, "stratum"), ()
    if len(found.parts) > 1:
        more = f", the {SHOWN} with most labels of {len(found.parts)}" if len(found.parts) > SHOWN else ""
        yield f"BY PREDICATE{more}", _parts(found.parts[:SHOWN], "predicate"), ()
    if found.agreement:
        one = found.agreement
        share = number(one.unanimous / one.statements if one.statements else None)
        row = (", ".join(one.judges), f"{one.statements:,}", share, number(one.alpha))
        yield "JUDGES", Table(("judges", "judged by several", "all agree", "alpha"), (row,)), ()


def _parts(parts: tuple[PartAccuracy, ...], head: str) -> Table:
    names = shorten(_bare(one.name) for one in parts)
    rows = tuple(
        (names[_bare(one.name)], f"{one.judged:,}", f"{one.right:,}", number(one.value), _interval(one.interval))
        for one in parts
    )
    return Table((head, "judged", "right", "accuracy", "interval"), rows)


def _bare(name: str) -> str:
    return name[1:-1] if name.startswith("<") and name.endswith(">") else name


def _ends(found: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if found is None else (found.low, found.high)


def _half(found: Interval) -> float | None:
    return None if found.low is None or found.high is None else (found.high - found.low) / 2


def _interval(found: Interval | None) -> str:
    low, high = _ends(found)
    return UNDEFINED if low is None else f"[{number(low)}, {number(high)}]"


def _reading(found: Accuracy) -> Iterator[str]:
    yield "Accuracy: the share of all statements of the graph that are right, as the judged ones say."
    if found.design.kind == "cluster":
        yield "It is the mean of the drawn subjects' shares: the plain share of right labels is another number."
    if len(found.parts) > 1:
        yield "By predicate few labels tell: compare intervals, not values."
    if found.undecided:
        ends = f"{number(found.at_worst)} to {number(found.at_best)}"
        yield f"Statements without a clear label, all wrong or all right, would make it {ends}."
    if found.agreement:
        yield "alpha (Krippendorff): 1 for full agreement, 0 for that of chance; below 0.67 the task is not clear."
    yield from found.notices
