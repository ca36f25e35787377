"""`Origin`: where a gold standard or a run came from, for digests and for error messages."""

from collections.abc import Callable
from dataclasses import dataclass, field


def _nowhere(_query: str, _item: str) -> list[int]:
    return []


@dataclass(frozen=True, slots=True)
class Origin:
    """A file (or standard input) that held the rows.

    `digest()` is the SHA-256 of its bytes as they lie on disk; it is computed when asked for.
    `lines(query, item)` are the lines, from 1, on which that pair stands; empty where a format has none.
    """

    path: str
    format: str
    digest: Callable[[], str] = field(compare=False)
    lines: Callable[[str, str], list[int]] = field(default=_nowhere, compare=False)

    def place(self, query: str, item: str) -> str:
        """Name the file and, where known, the lines of a pair: `run.txt, lines 3 and 9`."""
        found = self.lines(query, item)
        if not found:
            return self.path
        if len(found) == 1:
            return f"{self.path}, line {found[0]}"
        return f"{self.path}, lines {', '.join(map(str, found[:-1]))} and {found[-1]}"
