"""What missed documents are blamed on, counted, and what could bring them."""

from collections.abc import Collection, Mapping, Sequence

from assay.core.lexical_diagnosis import BLAMES, Blame, Missed, Remedy


def blames(missed: Sequence[Missed], cutoff: int, *, dense: bool) -> tuple[Blame, ...]:
    """Count the missed documents by their blame, in the order of `BLAMES`; with a dense run, those that it finds."""
    made = []
    for name, meaning in BLAMES.items():
        some = [one for one in missed if one.blame == name]
        queries = len({one.query for one in some})
        by_vectors = sum(_within(one.dense, cutoff) for one in some) if dense else None
        made.append(Blame(name, meaning, len(some), len(missed), queries, by_vectors))
    return tuple(made)


PLAIN = ("stems", "reading", "spelling", "words")
ON_TOP = "feedback on top"
SEARCHES = {
    "stems": "stem queries and documents",
    "reading": "read texts as described",
    "spelling": "forget case, on both sides",
    "words": "a search by words in its place",
    "vectors": "the dense run in its place",
    "feedback": "feedback (RM3) in its place",
    ON_TOP: "feedback (RM3) on top of that search",
}
"""What can be searched to see what it brings; those of `PLAIN` are the same search, and what is new in it."""
BOUNDS = {
    "index": ("index absent documents, or mend ids", {"absent"}),
    "expansion": ("expansion: other words for the query", {"disjoint", "frequent"}),
    "length": ("less weight on length (a smaller b)", {"length"}),
}
"""What could help at most the documents with some blames."""
Pair = tuple[str, str]
"""A query and a document."""


def remedies(
    missed: Sequence[Missed], found: Collection[Pair], searches: Mapping[str, Collection[Pair]]
) -> tuple[Remedy, ...]:
    """Return what could bring missed documents into the first places, the most first; what brings none is left out.

    Parameters
    ----------
    missed, found
        The relevant documents below the first places of the run, and those among them.
    searches
        The first places of other searches, by the names of `SEARCHES`. Each brings the missed documents that stand
        there and costs the found ones that do not; feedback on top brings and costs what it changes of the search by
        words.
    """
    asked = {(one.query, one.item) for one in missed}
    words = next((set(pairs) & (asked | set(found)) for name, pairs in searches.items() if name in PLAIN), set())
    made = []
    for name, pairs in searches.items():
        there, lost = (words, asked | set(found)) if name == ON_TOP else (set(found), asked)
        made.append(Remedy(name, SEARCHES[name], len((lost & set(pairs)) - there), len(there - set(pairs))))
    made += [
        Remedy(name, meaning, sum(one.blame in blamed for one in missed), None)
        for name, (meaning, blamed) in BOUNDS.items()
    ]
    return tuple(sorted((one for one in made if one.documents), key=lambda one: -one.documents))


def _within(rank: int | None, cutoff: int) -> bool:
    return rank is not None and rank <= cutoff
