"""The triples that a model ranks lowest, as text: each with the answers that stand above it."""

import textwrap
from collections.abc import Iterator, Sequence

from assay.core.links_worst import Answer, RankedTriple
from assay.report.drawing import Table
from assay.report.names import shorten, visible

NAME = 6
"""Names are never made shorter than this."""
LABEL = "  above: "
FURTHER = " " * len(LABEL)


def render(triples: Sequence[RankedTriple], width: int, *, colour: bool = False) -> str:
    """Return the triples as a table; where it is known what stands above each, that is said below it."""
    tables = (_table(triples, most) for most in range(width, NAME - 1, -2))
    table = next((one for one in tables if one.width <= width), _table(triples, NAME))
    heads, rule, *rows = table.fitted(width).draw(colour=colour).split("\n")
    lines = [heads, rule]
    for row, one in zip(rows, triples, strict=True):
        lines += [row, *_above(one.above or (), width)]
    return "\n".join(["WORST RANKED, filtered", *lines])


def reading(triples: Sequence[RankedTriple]) -> Iterator[str]:
    """Say what stands above a triple."""
    if any(one.above for one in triples):
        yield (
            "above: the best of the answers that score higher than the true one. A split in brackets holds the answer: "
            "it is right, and takes no place in filtered ranks. No split holds a new one: wrong, or not yet known."
        )


def _table(triples: Sequence[RankedTriple], most: int) -> Table:
    """Return ranked triples as a table, no name longer than `most`."""
    rows = []
    for one in triples:
        head, relation, tail = (shorten(visible(name), most) for name in (one.head, one.relation, one.tail))
        asked, answer = (f"(?, {relation}, {tail})", head) if one.side == "head" else (f"({head}, {relation}, ?)", tail)
        rows.append((asked, answer, f"{one.rank:,.10g}", f"{one.candidates:,}"))
    return Table(("question", "true answer", "rank", "of"), tuple(rows), frozenset({"true answer"}))


def _above(answers: Sequence[Answer], width: int) -> list[str]:
    """Return the answers above a triple, each with the split that holds it, on as few lines as they need."""
    if not answers:
        return []
    room = max(width - len(LABEL) - len(" (train),"), NAME)
    named = (f"{shorten(visible(one.entity), room)} ({one.split or 'new'})" for one in answers)
    shown = ", ".join(one.replace(" ", "\0") for one in named)
    lines = textwrap.wrap(shown, width, initial_indent=LABEL, subsequent_indent=FURTHER, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
