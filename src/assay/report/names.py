"""Names from files, fit to be shown: nothing hidden in them, not too long, no two alike."""

from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

JOINERS = "\u200c\u200d"
"""Characters without width that belong to words of some scripts."""
BETWEEN = " · "
"""What stands between the parts of a triple."""


def visible(text: str) -> str:
    r"""Return the text with every character that would not be seen written out.

    >>> print(visible("a\nb\x1b[31m"))
    a\nb\x1b[31m
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in JOINERS else _escaped(char) for char in text)


def shorten(text: str, width: int) -> str:
    """Return at most `width` columns of the text; what is left out is left out in the middle.

    >>> shorten("bm25-with-feedback", 10)
    'bm25-…back'
    """
    from rich.cells import cell_len

    if cell_len(text) <= width:
        return text
    for kept in range(len(text) - 1, 0, -1):
        head, tail = text[: (kept + 1) // 2], text[len(text) - kept // 2 :]
        if cell_len(head) + cell_len(tail) < width:
            return f"{head}…{tail}"
    return "…"


def told(item: str) -> str:
    """Return an item as it is shown: a triple as its three parts, everything else as it is.

    >>> told('["Liszt", "born in", "Raiding"]'), told("d1")
    ('Liszt · born in · Raiding', 'd1')
    """
    if not item.startswith('["'):
        return visible(item)
    import json

    try:
        parts = json.loads(item)
    except (ValueError, RecursionError):
        return visible(item)
    return visible(BETWEEN.join(parts) if len(parts) == 3 and all(isinstance(one, str) for one in parts) else item)


def shorten_told(text: str, width: int) -> str:
    """Return at most `width` columns of a shown item; of a triple what stands around the relation is shortened first.

    >>> shorten_told("Ludwig van Beethoven · born in · Bonn", 24)
    'Lud…ven · born in · Bonn'
    """
    from rich.cells import cell_len

    parts = text.split(BETWEEN)
    if len(parts) != 3 or cell_len(text) <= width:
        return shorten(text, width)
    subject, relation, other = parts
    room = width - cell_len(relation) - 2 * len(BETWEEN)
    if room < 2:
        return shorten(text, width)
    first = min(cell_len(subject), max(room // 2, room - cell_len(other)))
    return BETWEEN.join((shorten(subject, first), relation, shorten(other, room - first)))


def labels(names: Sequence[str], paths: Sequence[str | None]) -> list[str]:
    """Return one label for each run, no two alike: where names are equal, the paths; then numbers.

    >>> labels(["bm25", "bm25", "dense"], ["old/bm25.run", "new/bm25.run", "dense.run"])
    ['old/bm25.run', 'new/bm25.run', 'dense']
    """
    often = Counter(names)
    longer = [path or name if often[name] > 1 else "" for name, path in zip(names, paths, strict=True)]
    shared = _shared_folder([path for path in longer if path])
    return numbered([visible(path[shared:] or name) for name, path in zip(names, longer, strict=True)])


def numbered(names: Sequence[str]) -> list[str]:
    """Return the names, a number behind each that was there before.

    >>> numbered(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    out: list[str] = []
    for name in names:
        label, number = name, 1
        while label in out:
            number += 1
            label = f"{name} ({number})"
        out.append(label)
    return out


def _shared_folder(paths: Sequence[str]) -> int:
    """Return how many characters of folders the paths have in common."""
    folders = list(zip(*(path.split("/")[:-1] for path in paths), strict=False))
    shared = list(takewhile(lambda names: len(set(names)) == 1, folders)) if len(set(paths)) > 1 else []
    return sum(len(names[0]) + 1 for names in shared)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")
