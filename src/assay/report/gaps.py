"""Gaps for the terminal, for Markdown and for tables: causes, what to fetch, the curve, answers on invalid links."""

from collections.abc import Iterator

import polars as pl

from assay.core.gaps import CAUSES, SOURCES, Curve, Gaps, MissingFact, Resting
from assay.core.terms import Term
from assay.report.amounts import counted, percent
from assay.report.documents import markdown
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import number
from assay.report.iris import shorten
from assay.report.names import shorten as cut
from assay.report.names import visible
from assay.report.validity import markdown_table

MOST = 15
"""Rows of a table on the screen; the forms for programs have all."""
TEXTS = frozenset({"means", "what shows it", "subject", "object", "property"})
NARROW = 12
"""Columns of the screen that a text keeps."""
LEFT = frozenset({"means", "property", "object", "cause", "what shows it", "says so"})


def render(found: Gaps, width: int = 80, *, colour: bool = False) -> str:
    """Return the result as text, no line wider than `width` where it can be broken."""
    parts = [wrapped(visible(summary(found)), width)]
    parts += [f"{title}\n{_fitted(table, width).draw(colour=colour)}" for title, table in tables(found)]
    parts.append(listed([*reading(found), *found.notices], width))
    return "\n\n".join(parts) + "\n"


def to_markdown(found: Gaps) -> str:
    """Return the result as Markdown."""
    parts = [markdown(visible(summary(found)))]
    parts += [f"**{markdown(title)}**\n\n{markdown_table(table)}" for title, table in tables(found)]
    parts.append("\n".join(f"- {markdown(visible(line))}" for line in (*reading(found), *found.notices)))
    return "\n\n".join(parts) + "\n"


def to_frame(found: Gaps) -> pl.DataFrame:
    """Return a row for each missing fact, the most costly first; terms as N-Triples writes them."""
    schema: dict[str, type[pl.DataType]] = {
        "rank": pl.Int64, "subject": pl.String, "predicate": pl.String, "object": pl.String, "source": pl.String,
        "demand": pl.Float64, "lost": pl.Float64, "questions": pl.String,
    }  # fmt: skip
    rows = [
        one.to_dict() | {"rank": place, "questions": " ".join(one.questions)}
        for place, one in enumerate(found.missing, 1)
    ]
    return pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)


def summary(found: Gaps) -> str:
    """Say how many questions failed, and what that costs."""
    recall = "" if found.recall is None else f"; mean recall of all {number(found.recall)}"
    return (
        f"{found.graph}: {len(found.failures):,} of {counted(found.questions, 'question')} of "
        f"{found.suite} did not get all their right answers{recall}. "
        f"{counted(len(found.missing), 'fact is', 'facts are')} missing."
    )


def tables(found: Gaps, most: int = MOST) -> Iterator[tuple[str, Table]]:
    """Yield all tables with their titles; those without rows are left out."""
    every = (
        ("WHY QUESTIONS FAILED", causes(found)),
        ("WHAT TO FETCH FIRST", missing(found, most)),
        ("BY PROPERTY", predicates(found, most)),
        ("QUESTIONS THAT LOSE MOST", failures(found, most)),
        ("HOW MUCH IS LEFT WHEN FACTS ARE LOST", curve(found.curve)),
        ("RIGHT ANSWERS THAT REST ON INVALID LINKS", resting(found.resting)),
    )
    yield from ((title, table) for title, table in every if table.rows)


def causes(found: Gaps) -> Table:
    """Return how many questions failed for each cause."""
    rows = tuple((cause, f"{many:,}", f"{lost:.2f}", CAUSES[cause]) for cause, (many, lost) in found.causes().items())
    return Table(("cause", "questions", "lost", "means"), rows, LEFT)


def missing(found: Gaps, most: int = MOST) -> Table:
    """Return the facts that are missing, the most costly first."""
    shown = found.missing[:most]
    names = shorten(
        [one.predicate for one in shown]
        + [term.value for one in shown for term in (one.subject, one.object) if term and term.kind == "iri"]
    )
    rows = tuple(
        (
            _end(one.subject, names), names[one.predicate], _end(one.object, names), f"{one.lost:.2f}",
            f"{one.demand:g}", f"{len(one.questions):,}", one.source,
        )
        for one in shown
    )  # fmt: skip
    return Table(("subject", "property", "object", "lost", "demand", "questions", "says so"), rows, LEFT)


def _end(term: Term | None, names: dict[str, str]) -> str:
    if term is None:
        return "?"
    return names.get(term.value, term.value if term.kind == "text" else term.n3)


def predicates(found: Gaps, most: int = MOST) -> Table:
    """Return what is missing of each property."""
    names = shorten([one.predicate for one in found.predicates])
    rows = tuple(
        (names[one.predicate], f"{one.lost:.2f}", f"{one.demand:g}", f"{one.questions:,}", f"{one.missing:,}",
         "-" if one.ratio is None else number(one.ratio))
        for one in found.predicates[:most]
    )  # fmt: skip
    table = Table(("property", "lost", "demand", "questions", "missing", "complete"), rows)
    return table if any(one.ratio is not None for one in found.predicates) else table.without("complete")


def failures(found: Gaps, most: int = MOST) -> Table:
    """Return the questions that lose most."""
    rows = tuple(
        (one.question, number(one.recall), f"{one.weight:g}", one.cause, one.evidence) for one in found.failures[:most]
    )
    table = Table(("question", "recall", "weight", "cause", "what shows it"), rows, LEFT)
    return table if len({one.weight for one in found.failures}) > 1 else table.without("weight")


def curve(found: Curve | None) -> Table:
    """Return the measured curve from completeness to answer recall."""
    rows = tuple(
        (f"{one.kept:g}", f"{one.statements:,}", number(one.recall), f"{number(one.lowest)} to {number(one.highest)}",
         number(one.full), number(one.expected))
        for one in (found.points if found else ())
    )  # fmt: skip
    return Table(("kept", "statements", "recall", "of the draws", "all answers", "CR^h"), rows)


def resting(found: Resting | None) -> Table:
    """Return how many right answers rest on invalid links."""
    heads = ("found", "traced", "on invalid links", "share", "recall", "without them")
    if found is None or not found.traced:
        return Table(heads, ())
    ends = found.interval
    share = number(found.share) + (f" [{number(ends.low)}, {number(ends.high)}]" if ends else "")
    row = (f"{found.found:,}", f"{found.traced:,}", f"{found.invalid:,}", share, number(found.recall),
           number(found.sound))  # fmt: skip
    return Table(heads, (row,))


def reading(found: Gaps) -> Iterator[str]:
    """Say how the tables are to be read."""
    yield "Lost: recall that questions lose, each times its weight. A question has the first cause that holds."
    said = dict.fromkeys(one.source for one in found.missing)
    if said:
        yield "Says so: " + "; ".join(f"{source}: {SOURCES[source]}" for source in said) + "."
        yield "A lost answer costs each missing fact the share of its proofs that need the fact; ? is not known."
    if len(found.missing) > MOST or len(found.failures) > MOST:
        yield f"At most {MOST} rows of a table are shown; -o json has all, -o csv all missing facts."
    if found.curve is not None:
        yield about_curve(found.curve)
    if found.resting is not None:
        yield about_resting(found.resting)


def about_curve(found: Curve) -> str:
    """Say how the curve was measured."""
    return (
        f"Curve: {counted(found.repeats, 'draw')} (seed {found.seed}) of "
        f"{counted(found.statements, 'statement')} for each share; mean "
        f"recall of {counted(found.questions, 'question')}, what the whole graph answers is "
        "right. CR^h: what independent "
        f"losses leave where an answer has one proof of h facts ({counted(found.traced, 'question')})."
    )


def about_resting(found: Resting) -> str:
    """Say what rests on invalid links, and what was not traced."""
    said = ", ".join(f"{reason} ({many:,})" for reason, many in found.untraced.items())
    left = f" Not traced, by question: {said}." if said else ""
    some = f" Of {found.some:,} more some proofs have one, not all." if found.some else ""
    what = f"{found.invalid:,} of {found.traced:,} right answers have an invalid link in each of their proofs"
    ends = f" [{percent(found.interval.level, None)} Wilson interval, n = {found.traced:,}]" if found.interval else ""
    return f"{what}{ends}; recall without them counts only the others.{some}{left}"


def named(one: MissingFact) -> str:
    """Return a fact in one line, with short names.

    >>> named(MissingFact(Term("iri", "http://x/a"), "http://x/boss", None, "query"))
    'a boss ?'
    """
    ends = [term.value for term in (one.subject, one.object) if term and term.kind == "iri"]
    names = shorten([one.predicate, *ends])
    return f"{_end(one.subject, names)} {names[one.predicate]} {_end(one.object, names)}"


def _fitted(table: Table, width: int) -> Table:
    """Return a table as wide as the screen: columns that say least go, then the longest words are shortened."""
    for head in ("says so", "questions") if "subject" in table.heads else ("statements",):
        table = table.without(head) if table.width > width else table
    while table.width > width and (
        head := max(TEXTS & set(table.heads), key=lambda one: _size(table, one), default="")
    ):
        if _size(table, head) <= NARROW:
            break
        table = _narrowed(table, head, max(NARROW, _size(table, head) - max(1, (table.width - width) // 2)))
    return table.fitted(width)


def _size(table: Table, head: str) -> int:
    return table.sizes[table.heads.index(head)]


def _narrowed(table: Table, head: str, room: int) -> Table:
    place = table.heads.index(head)
    rows = (tuple(cut(visible(one), room) if n == place else one for n, one in enumerate(row)) for row in table.rows)
    return Table(table.heads, tuple(rows), table.left)
