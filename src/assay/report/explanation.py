"""An explanation for the terminal or a page: the number, the places that make it, and what counts for nothing."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.core.explanation import ExplainedChange, Explanation, Missed, Move, Place
from assay.core.policy import Policy
from assay.report.amounts import counted
from assay.report.drawing import Table, wrapped
from assay.report.grid import ALWAYS, number
from assay.report.names import BETWEEN, shorten_told, told, visible

MOST_MISSED = 5
"""Of so many relevant items that count for nothing the names are shown."""
MOST_MOVES = 20
"""Of so many items that make a difference the names are shown."""
BAR = 8
"""So many columns the longest bar takes."""
EIGHTHS = "▏▎▍▌▋▊▉█"
BARS = re.compile(f"[{EIGHTHS}]+")
LEAST_ITEM = 12
LEAST_TRIPLE = 40
"""Bars and sums so far give way to a triple of so many columns."""

Block = str | Table
"""A paragraph or a table."""

READING = (
    "How to read it: a place contributes what the value gains when the ranking is read one place further; the "
    "contributions sum to the value."
)
INSTEAD = " 'If relevant' is what the value would be if that item were judged relevant."
UNJUDGED = " A grade of - means that nobody judged the item."
LARGER = " One more relevant item also makes the gold larger, so that the value may fall."
TIED = " A rank with = is that of an item whose score others have too."
READING_A_CHANGE = (
    "How to read it: an item changes the value by what its place contributes in the second ranking minus what its "
    "place contributes in the first. It may do so where it stands, when something above it changes. A rank of - "
    "means that the item was not retrieved."
)


def render(found: Explanation | ExplainedChange, *, width: int = 80, colour: bool = False) -> str:
    """Return an explanation as text, no line wider than `width` where it can be broken."""
    drawn = [
        wrapped(block, width) if isinstance(block, str) else _drawn(block, width, colour=colour)
        for block in blocks_of(found)
    ]
    return "\n\n".join(drawn) + "\n"


def to_markdown(found: Explanation | ExplainedChange) -> str:
    """Return an explanation as Markdown."""
    return "\n\n".join(_escaped(b) if isinstance(b, str) else _markdown_table(b) for b in blocks_of(found)) + "\n"


def blocks_of(found: Explanation | ExplainedChange) -> Iterator[Block]:
    """Yield the paragraphs and tables of an explanation."""
    yield from _of_change(found) if isinstance(found, ExplainedChange) else _of_value(found)


def _of_value(found: Explanation) -> Iterator[Block]:
    value = "has no value" if found.value is None else number(found.value)
    yield f"Query {visible(found.query)}: {found.measure} {value} in run {visible(found.run)}"
    best = "" if found.highest is None else f" An ideal ranking has {number(found.highest)}."
    yield f"{_found(found)}{best}"
    if found.places:
        yield _places(found)
        yield READING + "".join(_further(found, found.places[: _mattering(found)]))
    yield from _about_missed(found)
    yield from (f"Note: {visible(notice)}" for notice in found.notices)
    yield _conventions(found.policy)


def _of_change(found: ExplainedChange) -> Iterator[Block]:
    before, after = found.before, found.after
    values = " -> ".join("no value" if one.value is None else number(one.value) for one in (before, after))
    change = "" if found.difference is None else f" ({_signed(found.difference)})"
    yield f"Query {visible(before.query)}: {before.measure} {values}{change}"
    yield f"Before: run {visible(before.run)}. {_found(before)}"
    yield f"After: run {visible(after.run)}. {_found(after)}"
    if found.moves or _amount(found.other) != "0":
        yield _moves(found)
        yield READING_A_CHANGE
    else:
        yield "No judged item moved."
    yield from _sided(before.notices, after.notices)
    yield _conventions(before.policy)


def _sided(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield each notice once, with the side it is about where it is not both.

    >>> list(_sided(["Few."], ["Few.", "No answer."]))
    ['Note: Few.', 'Note (after): No answer.']
    """
    for notice in dict.fromkeys((*before, *after)):
        side = "" if notice in before and notice in after else " (before)" if notice in before else " (after)"
        yield f"Note{side}: {visible(notice)}"


def _found(found: Explanation) -> str:
    """Say how many of the relevant items were retrieved."""
    got = found.relevant - sum(missed.rank is None for missed in found.missed)
    return f"{got:,} of {counted(found.relevant, 'relevant item')} among {found.retrieved:,} retrieved."


def _places(found: Explanation) -> Table:
    """Lay out the places that matter, and in one row what lies below them."""
    shown = found.places[: _mattering(found)]
    longest = max(abs(place.contribution) for place in found.places)
    rows = [_place_row(place, found, longest) for place in shown]
    if found.start:
        rows.insert(0, ("", "(no item)", "", _amount(found.start), "", number(found.start), ""))
    below = found.retrieved - len(shown)
    if below:
        rest = found.rest + sum(place.contribution for place in found.places[len(shown) :])
        item = f"({counted(below, 'more place')})"
        rows.append(("", item, "", _amount(rest), "", number(found.value), ""))
    heads = ("rank", "item", "grade", "contribution", " ", "so far", "if relevant")
    wide = max(len(row[0]) for row in rows)
    rows = [(row[0].rjust(max(wide, len("rank"))), *row[1:]) for row in rows]
    table = Table(heads, tuple(rows), frozenset({"item", " "}))
    return table if any(place.if_relevant is not None for place in shown) else table.without("if relevant")


def _further(found: Explanation, shown: Sequence[Place]) -> Iterator[str]:
    """Yield what else is to be known to read these places."""
    if any(place.if_relevant is not None for place in shown):
        yield INSTEAD
    if found.value is not None and any(place.if_relevant < found.value for place in shown if place.if_relevant):
        yield LARGER
    if any(place.grade is None for place in shown):
        yield UNJUDGED
    if any(place.tied > 1 for place in shown):
        yield TIED


def _mattering(found: Explanation) -> int:
    """Return after how many places nothing shown contributes, or would if it were relevant."""
    matters = [
        place.contribution != 0 or (place.if_relevant is not None and not _same(place.if_relevant, found.value))
        for place in found.places
    ]
    return max((count for count, matter in enumerate(matters, start=1) if matter), default=len(matters))


def _place_row(place: Place, found: Explanation, longest: float) -> tuple[str, ...]:
    if place.if_relevant is None:
        instead = ""
    else:
        instead = "same" if _same(place.if_relevant, found.value) else number(place.if_relevant)
    return (
        f"{place.rank:g}" + ("=" if place.tied > 1 else ""),
        told(place.item),
        "-" if place.grade is None else f"{place.grade:g}",
        _amount(place.contribution),
        _bar(place.contribution, longest),
        number(place.so_far),
        instead,
    )


def _about_missed(found: Explanation) -> Iterator[Block]:
    """Name the relevant items that count for nothing."""
    if not found.missed:
        return
    low = sum(missed.rank is not None for missed in found.missed)
    counts = {"below the cutoff": low, "not retrieved": len(found.missed) - low}
    parts = ", ".join(f"{count:,} {where}" for where, count in counts.items() if count)
    several = counted(len(found.missed), "relevant item counts", "relevant items count")
    yield f"{several} for nothing: {parts}."
    yield Table(("item", "grade", "rank", "if it stood first"), tuple(map(_missed_row, found.missed[:MOST_MISSED])))
    if len(found.missed) > MOST_MISSED:
        yield f"... and {len(found.missed) - MOST_MISSED:,} more; -o json holds all."


def _missed_row(missed: Missed) -> tuple[str, ...]:
    rank = "-" if missed.rank is None else f"{missed.rank:g}"
    return told(missed.item), f"{missed.grade:g}", rank, number(missed.would_be)


def _moves(found: ExplainedChange) -> Table:
    """Lay out the items that make the difference, and in one row what the others make."""
    shown = [move for move in found.moves[:MOST_MOVES] if _amount(move.change) != "0"]
    left = found.moves[len(shown) :]
    longest = max((abs(move.change) for move in shown), default=1.0)
    rows = [_move_row(move, longest) for move in shown]
    if left:
        sums = [sum(move.contribution_before for move in left), sum(move.contribution_after for move in left)]
        item = f"({len(left):,} {'more' if shown else 'moved'})"
        rows.append((item, "", "", *map(_amount, sums), _signed(sums[1] - sums[0]), ""))
    if _amount(found.other) != "0":
        rows.append(("(other places)", "", "", "", "", _signed(found.other), ""))
    if found.difference is not None:
        values = (number(found.before.value), number(found.after.value))
        rows.append(("all", "", "", *values, _signed(found.difference), ""))
    return Table(("item", "grade", "rank", "before", "after", "change", " "), tuple(rows), frozenset({"rank", " "}))


def _move_row(move: Move, longest: float) -> tuple[str, ...]:
    ranks = ["-" if rank is None else f"{rank:g}" for rank in (move.rank_before, move.rank_after)]
    return (
        told(move.item),
        f"{move.grade:g}",
        f"{ranks[0]:>4} -> {ranks[1]}",
        _amount(move.contribution_before),
        _amount(move.contribution_after),
        _signed(move.change),
        _bar(move.change, longest),
    )


def _conventions(policy: Policy) -> str:
    named = {name: policy.to_dict()[name] for name in ALWAYS} | policy.changed()
    return "Policy: " + ", ".join(f"{name} {value}" for name, value in named.items()) + "."


def _same(first: float | None, second: float | None) -> bool:
    return first == second or (None not in {first, second} and number(first) == number(second))


def _amount(value: float) -> str:
    """Write a contribution: nothing as 0, what is smaller than the decimals with its power of ten.

    >>> _amount(0.0), _amount(0.25), _amount(0.00003)
    ('0', '0.2500', '3e-05')
    """
    if abs(value) < 1e-12:
        return "0"
    return f"{value:.0e}" if abs(value) < 5e-5 else number(value)


def _signed(value: float) -> str:
    text = _amount(value)
    return text if text == "0" or value < 0 else f"+{text}"


def _bar(value: float, longest: float) -> str:
    """Draw a number as a bar: `BAR` columns for the longest.

    >>> _bar(0.5, 1.0), _bar(0.01, 1.0), _bar(0.0, 1.0)
    ('████', '▏', '')
    """
    if abs(value) < 1e-12:
        return ""
    eighths = max(1, round(8 * BAR * abs(value) / longest))
    return EIGHTHS[-1] * (eighths // 8) + (EIGHTHS[eighths % 8 - 1] if eighths % 8 else "")


def _drawn(table: Table, width: int, *, colour: bool) -> str:
    """Draw a table, its items as short as it takes to fit, its bars in colour where that is wanted."""
    place = table.heads.index("item")
    triples = any(BETWEEN in row[place] for row in table.rows)
    least = min(table.sizes[place], LEAST_TRIPLE) if triples else LEAST_ITEM
    for spare in (" ", "so far") if triples else (" ",):
        if _room(table, width) < least and spare in table.heads:
            table = table.without(spare)
    if table.width > width:
        place, room = table.heads.index("item"), max(LEAST_ITEM, _room(table, width))
        rows = tuple((*row[:place], shorten_told(row[place], room), *row[place + 1 :]) for row in table.rows)
        table = replace(table, rows=rows)
    text = table.draw(colour=colour)
    return BARS.sub(lambda bar: f"\x1b[36m{bar[0]}\x1b[0m", text) if colour else text


def _room(table: Table, width: int) -> int:
    """Return how many columns are left for items."""
    return table.sizes[table.heads.index("item")] - table.width + width


def _markdown_table(table: Table) -> str:
    left = ["|---" if place == 0 or head in table.left else "|---:" for place, head in enumerate(table.heads)]
    rows = ["| " + " | ".join(_escaped(cell.strip()) for cell in row) + " |" for row in (table.heads, *table.rows)]
    return "\n".join([rows[0], "".join(left) + "|", *rows[1:]])


def _escaped(text: str) -> str:
    for char in "\\`*_[]<>|":
        text = text.replace(char, f"\\{char}")
    return text
