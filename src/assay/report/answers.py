"""Answers to a suite for the terminal: counts, the chosen convention, the others, ranking measures, worst questions."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assay.core.answers_evaluation import (
    COUNTS,
    AnswersEvaluation,
    Count,
    Estimate,
    QuestionOutcome,
)
from assay.core.estimates import Interval
from assay.core.evaluation import Figure
from assay.report.amounts import counted, percent
from assay.report.drawing import Table, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import numbered, shorten, visible

PARTS = {"precision": "precision", "recall": "recall", "F1": "f1"}
RARE = ("timeout", "absent")
"""Counts that are shown only where there are some."""
WORST = 10
"""How many of the worst questions are shown."""
BESIDE, NAME = 3, 16
"""How many systems stand beside each other, and how much of a name is shown there."""
LANGUAGES = {"ignore": "in any language", "basic": "in the same language", "exact": "with the same language tag"}


def render(found: AnswersEvaluation, *, width: int = 80, colour: bool = False, every: bool = False) -> str:
    """Return the whole evaluation as text, no line wider than `width`; with `every` question, not only the worst."""
    said = ("\n".join(wrapped(line, width) for line in lines(found)) for lines in (heading, footing))
    tables = (f"{title}\n{table.draw(colour=colour)}" for title, table in sections(found, width, every=every))
    return "\n\n".join([next(said), *tables, next(said)]) + "\n"


def sections(found: AnswersEvaluation, width: int, *, every: bool = False) -> Iterator[tuple[str, Table]]:
    """Yield all tables with their titles; of many systems, several of a kind one below the other."""
    blocks = list(_blocks(found))
    yield from ((f"HOW MANY OF {found.judged:,} QUESTIONS", counts(one, width)) for one in blocks)
    yield from ((f"HOW MUCH IS RIGHT, by {found.convention}", chosen(one, width)) for one in blocks)
    yield from (("F1 UNDER EVERY CONVENTION", beside(one, width)) for one in blocks)
    for one in blocks:
        yield from groups(one, width)
    for one in blocks:
        yield from rankings(one, width)
        yield from orders(one, width)
    table = worst(found, width, every=every)
    if table is not None:
        yield "QUESTIONS, the worst first" if every else "WORST QUESTIONS", table


def _blocks(found: AnswersEvaluation) -> Iterator[AnswersEvaluation]:
    """Yield the evaluation with a few systems at a time, whose columns fit beside each other."""
    names = numbered([shorten(visible(one.name), NAME) for one in found.systems])
    systems = [replace(one, name=name) for one, name in zip(found.systems, names, strict=True)]
    for start in range(0, len(systems), BESIDE):
        part = slice(start, start + BESIDE)
        kept = tuple(replace(group, figures=group.figures[part]) for group in found.groups)
        yield replace(found, systems=tuple(systems[part]), groups=kept)


def heading(found: AnswersEvaluation) -> Iterator[str]:
    """Say what was asked, what was left out and why, and when two terms are alike."""
    name = visible(found.path or found.suite)
    yield f"{found.judged:,} of {counted(found.questions, 'question')} of {name}."
    reasons = Counter(why.partition(":")[0] for why in found.left_out.values())
    if reasons:
        said = "; ".join(f"{visible(why)} ({many:,})" for why, many in reasons.most_common(5))
        yield f"Left out of every figure: {len(found.left_out):,}: {said}."
    yield f"Literals are compared by value, texts {LANGUAGES[found.matching['language']]}."


def counts(found: AnswersEvaluation, width: int) -> Table:
    """Return what became of the questions, a column for each system."""
    kept = [name for name in COUNTS if name not in RARE or any(one.count(name).count for one in found.systems)]
    cells = [[one.count(name) for one in found.systems] for name in kept]
    of = [row[0].of for row in cells]
    heads = [name if many == found.judged else f"{name}, of {many:,}" for name, many in zip(kept, of, strict=True)]
    return _fitted(found, heads, [[(_share(one), one.interval) for one in row] for row in cells], width)


def chosen(found: AnswersEvaluation, width: int) -> Table:
    """Return precision, recall and F1 under the chosen convention, a column for each system."""
    rows = [[_value(getattr(one.figures[0], part)) for one in found.systems] for part in PARTS.values()]
    return _fitted(found, list(PARTS), rows, width)


def beside(found: AnswersEvaluation, width: int) -> Table:
    """Return F1 under every convention with what it counts, the chosen one first."""
    first = found.systems[0]
    rows = []
    for place, one in enumerate(first.figures):
        values = [number(system.figures[place].f1.value) for system in found.systems]
        rows.append((one.convention, f"{one.questions:,}", *values, found.says[one.convention]))
    names = ["F1"] if len(found.systems) == 1 else [one.name for one in found.systems]
    table = Table(("convention", "questions", *names, "what it counts"), tuple(rows), frozenset({"what it counts"}))
    return table.fitted(width, ("what it counts", "questions"))


def groups(found: AnswersEvaluation, width: int) -> Iterator[tuple[str, Table]]:
    """Yield a table for each key that questions were broken down by: F1 of each group, a column for each system."""
    for key in dict.fromkeys(one.key for one in found.groups):
        kept = [one for one in found.groups if one.key == key]
        heads = [f"{visible(one.value)}, {one.figures[0].questions:,}" for one in kept]
        table = _fitted(found, heads, [[_value(part.f1) for part in one.figures] for one in kept], width)
        yield f"F1 BY {visible(key).upper()}, and how many questions", table


def rankings(found: AnswersEvaluation, width: int) -> Iterator[tuple[str, Table]]:
    """Yield tables of the ranking measures: by cutoff for one system, a column for each of several."""
    several = [one.ranked.figures for one in found.systems if one.ranked is not None]
    if not several:
        return
    asked = max((figure.queries for figure in several[0]), default=0)
    title = f"THE FIRST K, means over {counted(asked, 'question')} that have a list of right answers"
    if len(several) == 1:
        at = [figure for figure in several[0] if "@" in figure.name]
        whole = [figure for figure in several[0] if "@" not in figure.name]
        yield from ((title, _by_cutoff(at, width)) for _ in at[:1])
        at_all = title.replace("FIRST K", "WHOLE RANKING") if not at else "THE WHOLE RANKING"
        yield from ((at_all, _listed(found, [whole], width)) for _ in whole[:1])
    else:
        yield title, _listed(found, several, width)


def _listed(found: AnswersEvaluation, several: Sequence[Sequence[Figure]], width: int) -> Table:
    rows = [[(_mean(figure), figure.interval) for figure in row] for row in zip(*several, strict=True)]
    return _fitted(found, [figure.name for figure in several[0]], rows, width)


def _by_cutoff(figures: Sequence[Figure], width: int) -> Table:
    """Return measures as rows and their cutoffs as columns, with intervals where there is room."""
    cells = {tuple(figure.name.rsplit("@", 1)): figure for figure in figures}
    names = dict.fromkeys(name for name, _ in cells)
    cutoffs = sorted({cutoff for _, cutoff in cells}, key=lambda cutoff: (len(cutoff), cutoff))
    heads = ("", *(f"@{cutoff}" for cutoff in cutoffs))
    full, bare = (
        Table(heads, tuple((n, *(_cell(cells.get((n, k)), intervals=shown) for k in cutoffs)) for n in names))
        for shown in (True, False)
    )
    return full if full.width <= width else bare.fitted(width)


def _cell(figure: Figure | None, *, intervals: bool) -> str:
    if figure is None:
        return ""
    return _bracketed(_mean(figure), figure.interval if intervals else None)


def _mean(figure: Figure) -> str:
    return number(figure.mean, counted=figure.summed)


def orders(found: AnswersEvaluation, width: int) -> Iterator[tuple[str, Table]]:
    """Yield the order of the right rows that were found, where the gold has one: Kendall's tau, its mean."""
    known = [[tau for one in system.questions if (tau := one.order) is not None] for system in found.systems]
    if any(known):
        cells = [(f"{number(math.fsum(one) / len(one) if one else None)}, of {len(one):,}", None) for one in known]
        yield "THE ORDER OF RIGHT ROWS, 1 as it should be, -1 reversed", _fitted(found, ["tau"], [cells], width)


def worst(found: AnswersEvaluation, width: int, *, every: bool = False) -> Table | None:
    """Return the questions with the lowest F1 of all systems together, or every one; None where there are none."""
    rows = list(zip(*(one.questions for one in found.systems), strict=True))
    bad = sorted(
        (row for row in rows if every or 0 <= _together(row) < 1), key=lambda row: (_together(row), *_size(row))
    )
    if not bad:
        return None
    table = _of_one if len(found.systems) == 1 else _of_several
    return table(found, bad if every else bad[:WORST], width)


def _together(row: Sequence[QuestionOutcome]) -> float:
    """Return the mean F1 of all systems; infinite where the convention has none for the question."""
    return math.inf if row[0].f1 is None else sum(one.f1 or 0.0 for one in row) / len(row)


def _size(row: Sequence[QuestionOutcome]) -> tuple[float, int, bytes]:
    return -row[0].weight, -row[0].gold, row[0].name.encode()


def _of_one(_: AnswersEvaluation, rows: Sequence[Sequence[QuestionOutcome]], width: int) -> Table:
    kept = [
        (one.name, number(one.f1), f"{one.hits:,.4g}", f"{one.gold:,}", f"{one.found:,}", _what(one)) for (one,) in rows
    ]
    return _with_text(("question", "F1", "right", "of", "found", "what was asked, or went wrong"), kept, width)


def _of_several(found: AnswersEvaluation, rows: Sequence[Sequence[QuestionOutcome]], width: int) -> Table:
    few = len(found.systems) <= BESIDE
    heads = [one.name for block in _blocks(found) for one in block.systems] if few else ["mean F1"]
    values = [[number(one.f1) for one in row] if few else [_number(_together(row))] for row in rows]
    texts = ["" if row[0].text == row[0].name else visible(row[0].text) for row in rows]
    kept = [(row[0].name, *cells, text) for row, cells, text in zip(rows, values, texts, strict=True)]
    return _with_text(("question", *heads, "what was asked"), kept, width)


def _number(value: float) -> str:
    return number(None if math.isinf(value) else value)


def _what(one: QuestionOutcome) -> str:
    text = "" if one.text == one.name else one.text
    if one.outcome == "answered":
        return visible(text)
    return visible(f"{one.outcome}: {one.message.rpartition('found an error: ')[2] or text}".removesuffix(": "))


def _with_text(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]], width: int) -> Table:
    """Return a table whose last column takes the room that is left; without that column where it says nothing."""
    if not any(row[-1] for row in rows):
        return Table(heads[:-1], tuple(row[:-1] for row in rows)).fitted(width)
    bare = Table(heads[:-1], tuple(row[:-1] for row in rows)).fitted(max(width - 16, 20))
    room = max(12, width - bare.width - 2)
    cut = tuple((*row, shorten(text, room)) for row, (*_, text) in zip(bare.rows, rows, strict=True))
    last = shorten(heads[-1], room)
    return Table((*bare.heads, last), cut, frozenset({last}))


def footing(found: AnswersEvaluation) -> Iterator[str]:
    """Say how the tables are to be read."""
    interval = f" [{percent(found.level, None)} confidence interval]" if found.level else ""
    yield f"Shares and means{' weighted by demand' if found.weighted else ''}{interval}."
    yield (
        "executed: answered at all; an error, a time-out or a missing answer scores 0 and is never an empty one. "
        "answerable: something right was found. fully answered: all that is right (R = 1). exactly: nothing else "
        "(P = 1) as well."
    )
    if any(one.ranked for one in found.systems):
        yield (
            "At K a row counts that holds all cells of a right one. Rows without an order share their places: figures "
            "are means over all their orders (ties expected). Of ordered gold the first row has the highest grade. "
            "P@K is low where fewer than K rows are right: R@K and HR@K say what was found."
        )


def _share(one: Count) -> str:
    share = number(one.share) + (f" (demand {number(one.demand)})" if one.demand is not None else "")
    return f"{one.count:,}  {share}"


def _value(one: Estimate) -> tuple[str, Interval | None]:
    return number(one.value), one.interval


def _bracketed(text: str, interval: Interval | None) -> str:
    if interval is None or interval.low is None or text == UNDEFINED:
        return text
    return f"{text} [{number(interval.low)}, {number(interval.high)}]"


def _fitted(
    found: AnswersEvaluation, names: Sequence[str], rows: Sequence[Sequence[tuple[str, Interval | None]]], width: int
) -> Table:
    """Return a row for each name and a column for each system, with intervals where there is room."""
    heads = ("", *(one.name for one in found.systems))
    full = [(name, *(_bracketed(*cell) for cell in row)) for name, row in zip(names, rows, strict=True)]
    table = Table(heads, tuple(full))
    if table.width <= width:
        return table
    bare = [(name, *(text for text, _ in row)) for name, row in zip(names, rows, strict=True)]
    return Table(heads, tuple(bare)).fitted(width)
