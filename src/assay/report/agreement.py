"""Agreement of judges for the terminal, for Markdown and for tables."""

from collections.abc import Iterator, Sequence

import polars as pl

from assay.core.agreement import Agreement, Coefficient, Disputed, Effect, JudgeAgreement
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import numbered, shorten, visible

FEW, NAME = 4, 14
"""Judges up to which each has a column (beyond, pairs of judges are listed), and how wide its head may be."""
MOST = 12
"""Rows of a list on the screen; the forms for programs have all."""
NAMES = {
    "percent": "percent agreement", "fleiss": "Fleiss' kappa", "ac1": "Gwet's AC1", "alpha_nominal": "alpha, nominal",
    "alpha_ordinal": "alpha, ordinal", "alpha_interval": "alpha, interval", "alpha_ratio": "alpha, ratio",
}  # fmt: skip
BETWEEN = ("percent", "kappa", "linear", "quadratic", "alpha", "ac1")
Section = tuple[str, Table, Sequence[str]]
"""A title, a table, and the columns that a narrow screen may do without."""


def render(found: Agreement, *, width: int = 80, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(_head(found), width)]
    for title, table, spare in _sections(found):
        parts.append(f"{wrapped(title, width)}\n{table.fitted(width, spare).draw(colour=colour)}")
    parts.append("HOW TO READ THIS\n" + listed(_reading(found), width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def to_markdown(found: Agreement) -> str:
    """Return the result as Markdown."""
    from assay.report.documents import markdown

    parts = [markdown(visible(_head(found)))]
    for title, table, _ in _sections(found):
        rows = [" | ".join(markdown(visible(cell)) for cell in row) for row in (table.heads, *table.rows)]
        left = ("---|" if place == 0 or head in table.left else "---:|" for place, head in enumerate(table.heads))
        lines = [f"| {rows[0]} |", f"|{''.join(left)}", *(f"| {row} |" for row in rows[1:])]
        parts += [f"## {markdown(visible(title))}", "\n".join(lines)]
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in _reading(found)))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Agreement) -> pl.DataFrame:
    """Return a row for each two judges: first, second, pairs, and each coefficient with its ends."""
    schema: dict[str, type[pl.DataType]] = {"first": pl.String, "second": pl.String, "pairs": pl.Int64}
    for name in BETWEEN:
        schema |= dict.fromkeys((name, f"{name}_low", f"{name}_high"), pl.Float64)
    rows = []
    for one in found.between:
        row: dict[str, object] = {"first": one.first, "second": one.second, "pairs": one.pairs}
        for name, coefficient in one.coefficients.items():
            ends = coefficient.to_dict()
            row |= {name: ends["value"], f"{name}_low": ends["low"], f"{name}_high": ends["high"]}
        rows.append(row)
    return pl.DataFrame(rows, schema=schema)


def _head(found: Agreement) -> str:
    beside = f", held against {found.reference}" if found.reference else ""
    return (
        f"{counted(len(found.judges), 'judge')}{beside}; {found.shared:,} of "
        f"{counted(found.pairs, 'pair')} were graded by two or more; "
        f"{counted(found.queries, 'query')}"
    )


def _sections(found: Agreement) -> Iterator[Section]:
    yield "ALL JUDGES TOGETHER", _overall(found), ()
    yield "GRADES", _prevalence(found), ()
    if len(found.judges) == 2 or found.reference or len(found.judges) > FEW:
        yield "EACH TWO JUDGES", _listed_pairs(found), ("ac1", "linear", "percent")
    else:
        yield "KAPPA OF EACH TWO JUDGES, by pairs that both graded", _matrix(found), ()
    yield "EACH JUDGE, beside " + (found.reference or "all others"), _judges(found), ("mean", "cannot tell")
    if len(found.judges) == 2 or (found.reference and len(found.by_judge) == 1):
        yield _confusion_title(found), _confusion(found.by_judge[-1]), ()
    if found.drift:
        yield f"OVER TIME, by {found.drift[0].kind}", _drift(found), ()
    if found.disputed:
        yield "MOST DISPUTED PAIRS", _disputed(found, found.disputed[:MOST]), ("dispute",)
        yield "MOST DISPUTED QUERIES", _queries(found), ()
    for effect in found.effect:
        yield f"WHAT IT DOES TO THE ORDER OF SYSTEMS: {effect.measure}", _effect(effect), ()
        yield f"Systems under each judge: {effect.measure}", _systems(effect), ()


def _overall(found: Agreement) -> Table:
    rows = tuple((NAMES[name], number(one.value), _ends(one)) for name, one in found.overall.items())
    return Table(("coefficient", "value", "interval"), rows)


def _prevalence(found: Agreement) -> Table:
    rows = tuple((f"{grade:g}", percent(share)) for grade, share in found.prevalence.items())
    return Table(("grade", "share of all grades"), rows)


def _listed_pairs(found: Agreement) -> Table:
    ordered = sorted(found.between, key=lambda one: -(one.coefficients["kappa"].value or -2))
    shown = ordered if len(ordered) <= 2 * MOST else [*ordered[:MOST], *ordered[-MOST:]]
    rows = [
        (
            one.second if found.reference else f"{visible(one.first)} · {visible(one.second)}", f"{one.pairs:,}",
            number(one.coefficients["percent"].value), number(one.coefficients["kappa"].value),
            _ends(one.coefficients["kappa"]),
            *(number(one.coefficients[name].value) for name in BETWEEN[2:]),
        )
        for one in shown
    ]  # fmt: skip
    return Table(("judges", "pairs", "percent", "kappa", "interval", *BETWEEN[2:]), tuple(rows))


def _matrix(found: Agreement) -> Table:
    known = {frozenset((one.first, one.second)): one for one in found.between}
    rows = []
    for judge in found.judges[:-1]:
        cells = []
        for other in found.judges[1:]:
            one = (
                known.get(frozenset((judge, other))) if found.judges.index(other) > found.judges.index(judge) else None
            )
            cells.append("" if one is None else f"{number(one.coefficients['kappa'].value)} ({one.pairs:,})")
        rows.append((judge, *cells))
    return Table(("judge", *_heads(found.judges[1:])), tuple(rows))


def _judges(found: Agreement) -> Table:
    rows = [
        (
            one.judge, f"{one.judged:,}", f"{one.cannot_tell:,}", f"{one.shared:,}", number(one.percent),
            number(one.kappa), number(one.mean), _signed(one.leans),
        )
        for one in sorted(found.by_judge, key=lambda one: -(one.kappa if one.kappa is not None else -2))
    ]  # fmt: skip
    shown = rows if len(rows) <= 2 * MOST else [*rows[:MOST], *rows[-MOST:]]
    return Table(("judge", "graded", "cannot tell", "shared", "percent", "kappa", "mean", "leans"), tuple(shown))


def _confusion_title(found: Agreement) -> str:
    one = found.by_judge[-1]
    other = found.reference or next(name for name in found.judges if name != one.judge)
    return f"CONFUSION: grades of {visible(other)} (rows) by those of {visible(one.judge)} (columns)"


def _confusion(one: JudgeAgreement) -> Table:
    grades = [f"{grade:g}" for grade in one.given]
    rows = tuple((grade, *(f"{many:,}" for many in row)) for grade, row in zip(grades, one.confusion, strict=True))
    return Table(("", *grades), rows)


def _drift(found: Agreement) -> Table:
    rows = tuple(
        (
            one.judge, one.period, f"{one.shared:,}", number(one.percent.value), _ends(one.percent), number(one.kappa),
            _signed(one.leans), "" if one.change is None else _signed(one.change.value),
        )
        for one in found.drift
    )  # fmt: skip
    heads = ("judge", "period", "shared", "percent", "interval", "kappa", "leans", "change")
    return Table(heads, rows, frozenset({"period"}))


def _disputed(found: Agreement, pairs: Sequence[Disputed]) -> Table:
    """Return pairs with a column for each of few judges; of many, with how many gave each grade."""
    few = found.judges if len(found.judges) <= FEW else ()
    heads = _heads(few) if few else ["grades"]
    rows = []
    for one in pairs:
        said = [f"{one.grades[name]:g}" if name in one.grades else "" for name in few] if few else [_said(one)]
        rows.append((one.query, shorten(visible(one.item), 2 * NAME), number(one.dispute), *said))
    return Table(("query", "item", "dispute", *heads), tuple(rows), frozenset({"item", "grades"}))


def _heads(judges: Sequence[str]) -> list[str]:
    return numbered([shorten(visible(name), NAME) for name in judges])


def _said(one: Disputed) -> str:
    values = list(one.grades.values())
    return ", ".join(f"{values.count(grade)} × {grade:g}" for grade in sorted(set(values)))


def _queries(found: Agreement) -> Table:
    rows = tuple(
        (one.query, f"{one.pairs:,}", number(one.dispute), number(one.percent))
        for one in found.disputed_queries[:MOST]
    )  # fmt: skip
    return Table(("query", "pairs", "dispute", "percent"), rows)


def _effect(effect: Effect) -> Table:
    ordered = sorted(effect.judges, key=lambda one: (one.tau if one.tau is not None else 2, one.judge))
    rows = [(effect.standard.judge, "", "", effect.standard.best or UNDEFINED)]
    rows += [(one.judge, number(one.tau), f"{one.swapped:,}", one.best or UNDEFINED) for one in ordered]
    return Table(("judge", "tau", "swapped", "best"), tuple(rows[: 2 * MOST]), frozenset({"best"}))


def _systems(effect: Effect) -> Table:
    rows = []
    for name, value in effect.standard.figures.items():
        others = [one.figures[name] for one in effect.judges]
        known = [other for other in others if other is not None]
        low, high = (number(min(known)), number(max(known))) if known else (UNDEFINED, UNDEFINED)
        rows.append((name, number(value), low, high))
    ordered = sorted(rows, key=lambda row: row[1], reverse=True)
    return Table(("system", "standard", "lowest", "highest"), tuple(ordered[: 2 * MOST]))


def _reading(found: Agreement) -> Iterator[str]:
    yield "Kappa and alpha: 1 is full agreement, 0 that of chance; - is undefined. Percent knows no chance."
    yield f"Alpha of each two judges is {found.level}; linear and quadratic are weighted kappas."
    intervals = [one.interval for one in found.overall.values() if one.interval]
    if intervals:
        drawn = next((one.resamples for one in intervals if one.resamples), None)
        times = f" {drawn:,} times" if drawn else ""
        yield f"Intervals of {percent(intervals[0].level, None)}: {found.unit} drawn{times}, seed {found.seed}."
    coefficients = [*found.overall.values(), *(one for two in found.between for one in two.coefficients.values())]
    if any(one.interval and "few" in one.interval.warnings for one in coefficients):
        yield f"An interval of fewer than 20 {found.unit} says less than it seems to."
    yield "Leans: by how much a judge's grades lie above those that others gave the same pairs."
    if len(found.by_judge) > 2 * MOST or len(found.between) > 2 * MOST:
        yield f"Of long lists the first {MOST} and the last {MOST} are shown; -o json has all."
    if len(found.by_judge) > 1 and len(found.judges) > 2:
        yield "-o json has the confusion of each judge."
    if found.disputed:
        yield "Dispute: the mean distance of two judges of a pair, as a share of the largest there is."
    if found.effect:
        yield f"Standard: {found.effect[0].by}. Tau: Kendall's, of the systems' order under a judge and the standard."
    yield from found.notices


def _ends(one: Coefficient) -> str:
    ends = one.interval
    return UNDEFINED if ends is None or ends.low is None else f"[{number(ends.low)}, {number(ends.high)}]"


def _signed(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:+.3f}"
