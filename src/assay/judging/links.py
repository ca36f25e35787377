"""`Links`: what is the same as what, over any number of links."""

import os
from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.errors import FormatError, InputError
from assay.formats.cells import read_cells
from assay.formats.source import Source
from assay.graph.sparql.store import FORMATS, Store

SAME_AS = "http://www.w3.org/2002/07/owl#sameAs"
HEADS = frozenset({"left", "subject", "query", "id1", "source", "a", "x"})
"""What the first column of a table of links may be called."""


@dataclass(frozen=True, eq=False)
class Links:
    """Stated links, which hold both ways; what is linked with the same thing is the same.

    >>> links = Links((("a", "b"), ("c", "b")))
    >>> links.steps("a", "c"), links.steps("a", "z"), links.knows("c")
    (2, 0, True)
    """

    stated: tuple[tuple[str, str], ...]

    @cached_property
    def _beside(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for one, other in self.stated:
            found[one].append(other)
            found[other].append(one)
        return dict(found)

    @cached_property
    def _group(self) -> dict[str, int]:
        """The number of the group of each thing: those that links lead to from one another."""
        found: dict[str, int] = {}
        for start in self._beside:
            if start not in found:
                found[start] = len(found)
                waiting = [start]
                while waiting:
                    new = [other for other in self._beside[waiting.pop()] if other not in found]
                    found.update(dict.fromkeys(new, found[start]))
                    waiting += new
        return found

    def knows(self, thing: str) -> bool:
        """Tell whether a link names this."""
        return thing in self._beside

    def steps(self, one: str, other: str) -> int:
        """Return over how many links one leads to the other, at best; 0 where none does."""
        if one == other or self._group.get(one, -1) != self._group.get(other, -2):
            return 0
        far, waiting = {one: 0}, deque([one])
        while other not in far:
            here = waiting.popleft()
            for beside in self._beside[here]:
                if beside not in far:
                    far[beside] = far[here] + 1
                    waiting.append(beside)
        return far[other]


def read_links(source: Any, link: str = SAME_AS) -> Links:
    """Read links: RDF with a property of links, a graph that answers SPARQL, or a table of two columns.

    Raises
    ------
    InputError, FormatError
        A file that cannot be read, or that holds no link.
    """
    if not isinstance(source, str | os.PathLike):
        return _of_graph(source, link)
    opened = Source.open(source)
    ending = opened.suffixes[-1] if opened.suffixes else ""
    if ending in FORMATS:
        return _of_graph(Store.open([source]), link)
    return _links(_cells(opened), opened.path)


def _of_graph(graph: Any, link: str) -> Links:
    rows = graph.select(f"SELECT DISTINCT ?s ?o {{ ?s <{link}> ?o FILTER(isIRI(?s) && isIRI(?o)) }}").rows
    return _links(((one.value, other.value) for one, other in rows), graph.name)


def _cells(source: Source) -> Iterable[tuple[str, str]]:
    text = source.text()
    mark = "\t" if "\t" in text.partition("\n")[0] else ","
    for number, cells in read_cells(text, source.path, mark):
        if not any(cell.strip() for cell in cells) or (number == 1 and cells[0].strip().lower() in HEADS):
            continue
        bare = [cell.strip().removeprefix("<").removesuffix(">") for cell in cells[:2]]
        if len(bare) < 2 or not all(bare):
            raise FormatError.at(source.path, number, "expected two things that are one", f"found {','.join(cells)!r}")
        yield bare[0], bare[1]


def _links(pairs: Iterable[tuple[str, str]], place: str) -> Links:
    found = tuple(sorted({(one, other) for one, other in pairs if one != other}))
    if not found:
        raise InputError(f"{place}: expected links of what is the same, found none")
    return Links(found)
