"""`Progress`: how work that takes long is told of while it goes on."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[int, int], None]
"""Told how much is done, and how much there is."""
OFTEN = 64
"""So many items are done from one report to the next."""

Item = TypeVar("Item")


def part_of(progress: Progress | None, place: int, parts: int, whole: int) -> Progress | None:
    """Return what one of several equal parts of the work is told of by, for the whole; None where nobody looks.

    >>> told = part_of(lambda done, total: print(done, "of", total), place=1, parts=2, whole=10)
    >>> told(50, 100)
    7 of 10
    """
    if progress is None:
        return None
    return lambda done, total: progress((whole * place + whole * done // max(total, 1)) // parts, whole)


def told(items: Iterable[Item], progress: Progress | None, total: int) -> Iterator[Item]:
    """Yield the items, and tell now and then how many are done."""
    for done, item in enumerate(items, 1):
        yield item
        if progress is not None and (done % OFTEN == 0 or done == total):
            progress(done, total)
