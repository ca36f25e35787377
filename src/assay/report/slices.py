"""Slices as text: each measure in each group of queries, the worst group named, reversals pointed out."""

from collections.abc import Iterator, Sequence

from assay.core.comparison import BETTER, WORSE
from assay.core.slices import SliceContrast, Slicing
from assay.report.amounts import counted
from assay.report.comparison import bracket, change, digits_of, probability, short, signed
from assay.report.drawing import Table, wrapped
from assay.report.grid import number
from assay.report.names import visible

DETAILED = 3
"""Up to so many runs beside the baseline the first measure is shown with intervals."""


def render(slicing: Slicing, width: int = 80, *, colour: bool = False) -> str:
    """Return one slicing as text, no line wider than `width`."""
    parts = [wrapped(f"BY {visible(slicing.column).upper()}: {sizes(slicing)}", width)]
    parts += [f"{wrapped(title, width)}\n{table.draw(colour=colour)}" for title, table in tables(slicing, width)]
    notes = notes_on(slicing)
    if notes:
        parts.append("\n".join(wrapped(visible(note), width) for note in notes))
    return "\n\n".join(parts) + "\n"


def notes_on(slicing: Slicing) -> list[str]:
    """Return the worst groups, and those that point against the whole, as sentences."""
    return [*_worst(slicing), *slicing.reversals]


def sizes(slicing: Slicing) -> str:
    """Say how many queries each group has."""
    said = "; ".join(
        f"{visible(group)}: {count:,} quer{'y' if count == 1 else 'ies'}" for group, count in slicing.groups.items()
    )
    if not said:
        return f"nothing is known of {counted(slicing.unassigned, 'query')}"
    return said + (f"; unknown, left out: {slicing.unassigned:,}" if slicing.unassigned else "")


def tables(slicing: Slicing, width: int) -> Iterator[tuple[str, Table]]:
    """Yield the tables: of few runs each in detail, of many their differences by the first measure."""
    if not slicing.contrasts:
        yield from _of_figures(slicing, width)
        return
    base, first = slicing.contrasts[0].baseline, slicing.contrasts[0].measure
    shown = [one for one in slicing.contrasts if one.baseline == base]
    runs = list(dict.fromkeys(one.run for one in shown))
    if len(runs) > DETAILED:
        rows = _differences(slicing, [one for one in shown if one.measure == first], named="run")
        title = f"{first}: differences from {visible(base)} (* better or worse)"
        yield from _split(title, "run", rows, slicing, width)
        return
    for run in runs:
        found = [one for one in shown if one.run == run]
        title = f"{visible(run)} against {visible(base)}"
        detailed = _detailed(slicing, [one for one in found if one.measure == first])
        yield f"{title} by {first}", detailed.fitted(width, ("base", "run"))
        if len({one.measure for one in found}) > 1:
            rows = _differences(slicing, found)
            yield from _split(f"{title}: differences (* better or worse)", "measure", rows, slicing, width)


def _of_figures(slicing: Slicing, width: int) -> Iterator[tuple[str, Table]]:
    """Yield for each run its measures by group, with intervals where they fit."""
    for run in dict.fromkeys(one.run for one in slicing.figures):
        found = [one for one in slicing.figures if one.run == run]
        rows: dict[str, list[str]] = {}
        for one in found:
            rows.setdefault(one.measure, []).append(f"{number(one.mean)} {bracket(one.interval)}")
        yield from _split(f"{visible(run)} [interval]", "measure", rows, slicing, width)


def _detailed(slicing: Slicing, contrasts: Sequence[SliceContrast]) -> Table:
    means = {(one.group, one.run, one.measure): number(one.mean) for one in slicing.figures}
    digits = digits_of(one.interval for one in contrasts)
    rows = [
        (
            one.group,
            means[one.group, one.baseline, one.measure],
            means[one.group, one.run, one.measure],
            change(one, digits),
            probability(one.significance.final),
            short(one),
        )
        for one in contrasts
    ]
    heads = (slicing.column, "base", "run", "difference [interval]", "p", "verdict")
    return Table(heads, tuple(rows), frozenset({"verdict"}))


def _differences(
    slicing: Slicing, contrasts: Sequence[SliceContrast], *, named: str = "measure"
) -> dict[str, list[str]]:
    """Return a row for each measure or run: its difference in each group, a star where it counts."""
    rows: dict[str, list[str]] = {}
    for group in slicing.groups:
        for one in contrasts:
            if one.group == group:
                mark = "*" if one.verdict in {BETTER, WORSE} else " "
                rows.setdefault(getattr(one, named), []).append(signed(one.difference, 3) + mark)
    return rows


def _split(
    title: str, corner: str, rows: dict[str, list[str]], slicing: Slicing, width: int
) -> Iterator[tuple[str, Table]]:
    """Yield as many tables as it takes to show all groups, as many side by side as fit."""
    groups = list(slicing.groups)
    table = Table((corner, *groups), tuple((name, *cells) for name, cells in rows.items()))
    first, *others = table.sizes
    start = 0
    while start < len(groups):
        end, used = start, first
        while end < len(groups) and (end == start or used + others[end] + 2 <= width):
            used += others[end] + 2
            end += 1
        part = Table(
            (corner, *groups[start:end]), tuple((name, *cells[start:end]) for name, cells in rows.items())
        )  # fmt: skip
        yield title, part.fitted(width)
        start, title = end, f"{title}, continued" if not title.endswith("continued") else title


def _worst(slicing: Slicing) -> Iterator[str]:
    """Name the worst group: run by run for a few runs, else by measure."""
    found = slicing.worst or {}
    few = len({run for run, _ in found}) <= DETAILED + 1
    lines: dict[str, dict[str, list[str]]] = {}
    for (run, measure), group in found.items():
        first, second = (run, measure) if few else (measure, run)
        lines.setdefault(first, {}).setdefault(group, []).append(second)
    for first, groups in lines.items():
        named = "; ".join(f"{group} {_who(names, groups, few=few)}" for group, names in groups.items())
        yield f"Worst {'for' if few else 'by'} {first}: {slicing.column} {named}."


def _who(names: Sequence[str], groups: dict[str, list[str]], *, few: bool) -> str:
    """Say by which measures, or for which runs, a group is the worst."""
    if few:
        return "by every measure" if len(groups) == 1 else f"by {', '.join(names)}"
    if len(groups) == 1:
        return "for all runs"
    return f"for {names[0]}" if len(names) == 1 else f"for {len(names)} runs"
