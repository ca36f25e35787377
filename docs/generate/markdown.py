"""Markdown of the pages that are generated: what a page is, and how text, tables and code are written."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

CODE = re.compile(r"(`+.+?`+)")
SPECIAL = re.compile(r"([\\*_<>\[\]|])")


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the reference: where it is, below docs, and what it says."""

    path: str
    title: str
    body: str

    @property
    def text(self) -> str:
        """The page as it is written."""
        return f"# {prose(self.title)}\n\n{self.body.strip()}\n"


def prose(text: str) -> str:
    r"""Write a sentence so that it means itself; what stands between backticks is code.

    >>> print(prose("see `a_b*` or a_b*"))
    see `a_b*` or a\_b\*
    """
    parts = CODE.split(" ".join(text.split()))
    return "".join(part if i % 2 else SPECIAL.sub(r"\\\1", part) for i, part in enumerate(parts))


def code(text: object) -> str:
    """Write a name as code, also in a cell of a table.

    >>> code("a_b"), code("a|b")
    ('`a_b`', '<code>a&#124;b</code>')
    """
    shown = str(text)
    if shown and not {*shown} & {"|", "`"}:
        return f"`{shown}`"
    return f"<code>{escape(shown).replace('|', '&#124;').replace('`', '&#96;').replace('*', '&#42;')}</code>"


def block(text: str, language: str = "text") -> str:
    """Write lines as they are."""
    return f"```{language}\n{text.rstrip()}\n```"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; nothing, where there is no row."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines]) if lines else ""


def sections(*parts: tuple[str, str], level: int = 2) -> str:
    """Write parts under their headings; a part without text is left out."""
    return "\n\n".join(f"{'#' * level} {heading}\n\n{text}" for heading, text in parts if text)


def link(text: str, target: str) -> str:
    """Write a link; the text is Markdown."""
    return f"[{text}]({target})"


def number(value: float) -> str:
    """Write a number in at most four digits.

    >>> number(0.43571), number(2.0)
    ('0.4357', '2')
    """
    return f"{value:.4g}"
