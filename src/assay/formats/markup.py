"""Marked-up texts: documents and topics of TREC, topics in XML, and pages of HTML. Nothing is ever expanded."""

import html
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser

from assay.errors import FormatError

BLOCK = re.compile(r"<(doc|document|top|topic)(?:\s([^<>]*))?>", re.IGNORECASE)
TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)(?![\w.-])([^<>]*)>")
ATTRIBUTE = re.compile(r"(?<![\w-])([A-Za-z][\w-]*)\s*=\s*[\"']([^\"']*)[\"']")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
PREFIX = re.compile(r"(?:number|topic|description|narrative)\s*:", re.IGNORECASE)
"""What old topics say at the beginning of a field."""
BARE = frozenset(("docno", "docid", "num", "number", "id"))
"""What says which document it is, and nothing of it."""
INLINE = frozenset(
    "a abbr b big cite code em font i ins kbd mark q s samp small span strong sub sup tt u var".split()  # noqa: SIM905
)
"""Tags of HTML that part no words."""


def marked_up(text: str, place: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line and the fields of each document or topic: by the names of the tags and attributes, in lower case.

    What stands in no field of its own is the text.

    Raises
    ------
    FormatError
        A document that is not closed; no document at all.

    >>> list(marked_up("<DOC><DOCNO> 1 </DOCNO> gold &amp; silver</DOC>", "docs.trec"))
    [(1, {'docno': '1', 'text': 'gold & silver'})]
    """
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    lowered, line, counted, at = _lower(text), 1, 0, 0
    while found := BLOCK.search(text, at):
        line, counted = line + text.count("\n", counted, found.start()), found.start()
        end = lowered.find(f"</{_lower(found[1])}>", found.end())
        if end < 0:
            raise FormatError.at(place, line, f"expected </{found[1]}> after <{found[1]}>", "found the end of the file")
        attributes = {_lower(name): html.unescape(value) for name, value in ATTRIBUTE.findall(found[2] or "")}
        yield line, attributes | _fields(text[found.end() : end])
        at = end
    if not counted and not BLOCK.search(text):
        raise FormatError(f"{place}: expected <DOC>, <top> or <topic>, found none of them")


def page_text(text: str) -> str:
    """Return what a page of HTML says: without tags, scripts and styles, entities read.

    >>> page_text("<html><p>gold <b>rush</b></p>1 &lt; 2 <= 3</html>").split()
    ['gold', 'rush', '1', '<', '2', '<=', '3']
    """
    page = _Page()
    page.feed(text)
    page.close()
    return "".join(page.said)


def is_page(text: str) -> bool:
    """Tell whether a text is a page of HTML."""
    return text[:200].lstrip().lower().startswith(("<html", "<!doctype html"))


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.hidden = tag in {"script", "style"}
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        self.hidden = False
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.said.append(data)

    def _part(self, tag: str) -> None:
        if tag not in INLINE:
            self.said.append("\n")


def _fields(body: str) -> dict[str, str]:
    """Return the fields of a document by their tags; one that is not closed goes on to the next."""
    tags = list(TAG.finditer(body))
    closing: dict[str, list[int]] = defaultdict(list)
    for place, tag in enumerate(tags):
        if tag[1]:
            closing[_lower(tag[2])].append(place)
    fields: dict[str, list[str]] = defaultdict(list)
    outside, at, place = [], 0, 0
    while place < len(tags):
        tag, name = tags[place], _lower(tags[place][2])
        outside.append(body[at : tag.start()])
        at, place = tag.end(), place + 1
        if not tag[1]:
            end, after = _end(closing[name], place, len(tags))
            until = tags[end].start() if end < len(tags) else len(body)
            fields[name].append(body[at:until])
            at, place = (tags[end].end() if after > end else until), after
    outside.append(body[at:])
    said = {name: _plain("\n".join(parts)) for name, parts in fields.items()}
    rest = _plain(" ".join(outside))
    return {**said, "text": rest} if "text" not in said and (rest or said.keys() <= BARE) else said


def _end(closing: list[int], place: int, count: int) -> tuple[int, int]:
    """Return which tag ends a field that begins before `place`, and where to go on: after the one that closes it."""
    found = bisect_left(closing, place)
    if found < len(closing):
        return closing[found], closing[found] + 1
    return min(place, count), place


def _plain(text: str) -> str:
    said = TAG.sub(" ", text).strip()
    return html.unescape(said[found.end() :] if (found := PREFIX.match(said)) else said).strip()


def _lower(text: str) -> str:
    """Return the text with its ASCII letters in lower case: as long as it was."""
    return text.translate(_LOWER)


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
