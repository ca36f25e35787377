"""`Table`: rows of text under heads, drawn for a terminal no wider than it is."""

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from io import StringIO

from assay.report.names import numbered, shorten, visible

STYLES = {"better": "green", "worse": "red"}
"""How a cell with such a text is coloured, where colours are wanted."""
GAP = 2


@dataclass(frozen=True, slots=True)
class Table:
    """Heads and rows of equal length; the first column and those named in `left` are set to the left."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[str] = field(default_factory=frozenset)

    @property
    def width(self) -> int:
        """How many columns of the terminal the table takes."""
        return sum(self.sizes) + GAP * (len(self.heads) - 1)

    @property
    def sizes(self) -> list[int]:
        """How wide each column is."""
        from rich.cells import cell_len

        return [max(cell_len(visible(cell)) for cell in column) for column in zip(self.heads, *self.rows, strict=True)]

    def without(self, head: str) -> "Table":
        """Return the table without one of its columns."""
        kept = [place for place, name in enumerate(self.heads) if name != head]
        return Table(
            tuple(self.heads[place] for place in kept),
            tuple(tuple(row[place] for place in kept) for row in self.rows),
            self.left,
        )

    def fitted(self, width: int, spare: Sequence[str] = ()) -> "Table":
        """Return the table no wider than `width`: spare columns go first, then the first column is shortened."""
        table = self
        for head in spare:
            if table.width > width and head in table.heads:
                table = table.without(head)
        if table.width <= width:
            return table
        room = max(8, table.sizes[0] - (table.width - width))
        seen = [visible(row[0]) for row in table.rows]
        names = [shorten(name, room) for name in seen]
        if len(set(names)) < len(set(seen)):
            names = numbered([shorten(name, max(4, room - 5)) for name in seen])
        rows = tuple((name, *row[1:]) for name, row in zip(names, table.rows, strict=True))
        return Table((shorten(visible(table.heads[0]), room), *table.heads[1:]), rows, table.left)

    def draw(self, *, colour: bool = False) -> str:
        """Return the table as text."""
        from rich.box import Box
        from rich.console import Console
        from rich.table import Table as Drawn
        from rich.text import Text

        line = Box("    \n    \n ── \n    \n    \n    \n    \n    \n")
        drawn = Drawn(box=line, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0), header_style="bold")
        for place, head in enumerate(self.heads):
            left = place == 0 or head in self.left
            drawn.add_column(Text(visible(head)), justify="left" if left else "right", no_wrap=True)
        for row in self.rows:
            drawn.add_row(*(Text(visible(cell), STYLES.get(cell, "")) for cell in row))
        console = Console(
            file=StringIO(), width=max(self.width + len(self.heads) * GAP, 20), force_terminal=colour,
            color_system="standard" if colour else None, markup=False, highlight=False, emoji=False,
            legacy_windows=False,
        )  # fmt: skip
        console.print(drawn)
        text: str = console.file.getvalue()  # type: ignore[attr-defined]
        return "\n".join(part.rstrip() for part in text.splitlines())


def wrapped(line: str, width: int) -> str:
    """Break a line at blanks (a long path anywhere), what follows indented."""
    return _filled(line, max(width, 20))


def listed(sentences: Iterable[str], width: int) -> str:
    """Return sentences as a list, each behind a dash, no line wider than `width`."""
    return "\n".join(_filled(visible(sentence), width, initial_indent="- ") for sentence in sentences)


def _filled(text: str, width: int, initial_indent: str = "") -> str:
    """Break a text at blanks, but for that before the sign of a percentage."""
    held = text.replace(" %", "\N{NO-BREAK SPACE}%")
    filled = textwrap.fill(held, width, initial_indent=initial_indent, subsequent_indent="  ", break_on_hyphens=False)
    return filled.replace("\N{NO-BREAK SPACE}%", " %")
