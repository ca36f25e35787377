"""One query of a diagnosis: its words, and why each relevant document of it is missed."""

from collections.abc import Iterator, Sequence

from assay.core.lexical_diagnosis import LexicalDiagnosis, Missed, QueryDiagnosis
from assay.report.drawing import Table, listed, wrapped
from assay.report.grid import UNDEFINED, number
from assay.report.names import shorten, visible

ITEM = 14
"""So wide may the id of a document be."""
WORDS = 15
"""So wide may the words be that a document has or lacks."""
SPARE = ("length", "by words", "lacks")
"""Columns that a narrow terminal can do without."""


def one_query(
    found: LexicalDiagnosis, query: QueryDiagnosis, missed: Sequence[Missed], *, width: int = 80, colour: bool = False
) -> str:  # fmt: skip
    """Return one query as text."""
    figures = ", ".join(f"{name} {number(value)}" for name, value in query.values.items())
    head = f"QUERY {visible(query.query)}: {visible(' '.join(query.text.split()))}"
    parts = [
        wrapped(head, width),
        f"{figures}; {query.found:,} of {query.relevant:,} relevant documents found",
        "ITS WORDS\n" + _terms(query, found.documents).fitted(width, ("share",)).draw(colour=colour),
    ]
    own = [one for one in missed if one.query == query.query]
    if own:
        parts.append("MISSED\n" + _missed(found, own).fitted(width, SPARE).draw(colour=colour))
        meanings = {one.name: one.meaning for one in found.blames}
        said = [f"{name}: {meanings[name]}" for name in dict.fromkeys(one.blame for one in own)]
        parts.append(listed([*said, *_reading(found)], width))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _terms(query: QueryDiagnosis, documents: int) -> Table:
    rows = [
        (visible(one.word), visible(one.term), f"{one.documents:,}", f"{100 * one.documents / documents:.1f} %",
         f"{one.idf:.2f}")
        for one in sorted(query.terms, key=lambda one: -one.idf)
    ]  # fmt: skip
    return Table(("word", "term", "documents", "share", "idf"), tuple(rows), frozenset({"term"}))


def _missed(found: LexicalDiagnosis, missed: Sequence[Missed]) -> Table:
    rows = [
        (shorten(visible(one.item), ITEM), _rank(one.rank), _rank(one.searched), _rank(one.dense),
         one.blame, _words(one.shared), _words(one.lacks), "" if one.length is None else f"{one.length:,}")
        for one in missed
    ]  # fmt: skip
    heads = ("document", "rank", "by words", "dense", "blame", "shares", "lacks", "length")
    table = Table(heads, tuple(rows), frozenset({"blame", "shares", "lacks"}))
    return table if found.dense else table.without("dense")


def _rank(rank: int | None) -> str:
    return UNDEFINED if rank is None else f"{rank:,}"


def _words(words: Sequence[str]) -> str:
    text = visible(" ".join(words))
    return text if len(text) <= WORDS else f"{text[: WORDS - 1]}…"


def _reading(found: LexicalDiagnosis) -> Iterator[str]:
    yield f"rank: in the run, looked at to place {found.depth:,}. by words: in a search by words of all documents."
    yield "lacks: words that it has not and at least half of the first documents have."
