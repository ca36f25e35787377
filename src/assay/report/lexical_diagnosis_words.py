"""What a diagnosis comes to, in sentences: first for those who see one for the first time."""

from collections.abc import Iterator

from assay.core.lexical_diagnosis import BLAMES, LexicalDiagnosis, Related
from assay.report.grid import UNDEFINED, number
from assay.report.names import visible

MISSED = {
    "absent": "are not among the documents",
    "disjoint": "share no word with their query",
    "stems": "share words with their query only by stemming",
    "spelling": "have the words of their query only in another case",
    "unread": "would be found by a search by words",
    "frequent": "share only frequent words with their query",
    "length": "would be found if they were of average length",
    "outscored": "lose to documents that match more words, or more often",
}
"""Each blame in the words of a sentence about many documents."""
HINTS = {
    "index": "indexing the absent ones, or mending their ids,",
    "stems": "stemming both sides",
    "reading": "reading texts as described",
    "spelling": "the same case on both sides",
    "words": "a search by words",
    "vectors": "the dense run",
    "feedback": "feedback (RM3)",
    "feedback on top": "feedback (RM3) on top of that",
    "expansion": "other words for the query (feedback, synonyms, vectors)",
    "length": "less weight on length",
}
"""What could help, in the words of a sentence."""
LEADING = 2
"""So many causes and remedies are named in the first paragraph."""


def paragraph(found: LexicalDiagnosis) -> str:
    """Return what it comes to, for somebody who has not seen such a result before."""
    return " ".join(_paragraph(found))


def _paragraph(found: LexicalDiagnosis) -> Iterator[str]:
    figures = " and ".join(f"{one.name} {number(one.mean)}" for one in found.run.figures)
    missed = found.relevant - found.found
    have = f"{found.queries:,} queries have" if found.queries > 1 else "1 query has"
    documents = "documents" if found.relevant > 1 else "document"
    yield (
        f"{visible(found.run.name)} has {figures}. {have} {found.relevant:,} relevant {documents}: {found.found:,} of "
        f"them {_stand(found.found)} in {places(found.cutoff)}, {missed:,} {'is' if missed == 1 else 'are'} missed."
    )
    first = found.overlaps[0]
    if first.disjoint:
        yield (
            f"{share(first.disjoint, first.pairs)} of the {_there(found)} share no word with their query: no search "
            "for these words finds them, however deep."
        )
    yield from _stems(found)
    yield from _causes(found, missed)
    yield from _help(found, missed)


def _stand(count: int) -> str:
    return "stands" if count == 1 else "stand"


def _there(found: LexicalDiagnosis) -> str:
    """Name the relevant documents that a search can find at all."""
    if not found.absent:
        return "relevant documents"
    return f"{found.overlaps[0].pairs:,} that are among the documents"


def _stems(found: LexicalDiagnosis) -> Iterator[str]:
    first, *others = found.overlaps
    bare = next((one for one in others if one.name == "no stems"), None)
    if bare is not None and bare.disjoint > first.disjoint:
        none = share(bare.disjoint, bare.pairs)
        if first.disjoint:
            yield f"Without stemming it would be {none}."
        else:
            yield f"Without stemming {none} of the {_there(found)} would share no word with their query."


def _causes(found: LexicalDiagnosis, missed: int) -> Iterator[str]:
    leading = sorted((one for one in found.blames if one.documents), key=lambda one: -one.documents)[:LEADING]
    if leading:
        said = "; ".join(f"{share(one.documents, missed)} {MISSED[one.name]}" for one in leading)
        yield f"Of the missed ones, {said}."


def _help(found: LexicalDiagnosis, missed: int) -> Iterator[str]:
    for remedy in [one for one in found.remedies if not one.measured][:1]:
        yield f"{_capital(HINTS[remedy.name])} could bring at most {remedy.documents:,} of the {missed:,}."
    for remedy in [one for one in found.remedies if one.measured][:LEADING]:
        costs = f"costs {remedy.costs:,} of the found ones"
        yield f"{_capital(HINTS[remedy.name])} brings {remedy.documents:,} and {costs}."


def reading(found: LexicalDiagnosis) -> Iterator[str]:
    """Yield how the run seems to have read texts."""
    best = found.analysis.best
    if best is None or best.overlap is None:
        yield "No query can tell how the run reads texts."
        return
    shared = f"{100 * best.overlap:.0f} % of {places(found.cutoff)}"
    if not found.analysis.explained:
        yield (
            f"No search by words explains {visible(found.run.name)}: the nearest, {best.name!r}, shares {shared}. "
            "So stems are not to blame."
        )
        return
    same = [one.name for one in found.analysis.readings[1:] if one.overlap == best.overlap]
    also = f", as do {', '.join(map(repr, same))}" if same else ""
    yield f"Of the ways to read texts, {best.name!r} explains the run best: it has {shared} as well{also}."
    if best.name == found.analysis.described:
        yield "So there is no sign of another analyser than the one described."
    elif not found.analysis.mismatch:
        yield f"With {best.asked:,} queries to tell by, that may be chance: the run is taken to read as described."


def relation(found: LexicalDiagnosis, measure: str) -> Iterator[str]:
    """Yield how far what is known of a query tells its measure, no more than the data say."""
    rows = [one for one in found.related if one.measure == measure and one.spearman is not None]
    if not rows:
        yield f"No figure can be held against {measure}: too few queries, or it does not vary."
        return
    foretelling = [one for one in rows if not one.judged]
    sure = [one for one in foretelling if one.adjusted is not None and one.adjusted < 1 - found.level]
    yield (
        f"{len(sure)} of {len(foretelling)} figures that need no judgments go with {measure} by more than chance "
        f"(Holm, n = {rows[0].queries})."
    )
    if sure:
        best = max(sure, key=strength)
        yield (
            f"The strongest, {best.figure}, tells {100 * strength(best) ** 2:.0f} % of how queries rank by {measure}: "
            f"{_verdict(best)}."
        )
    yield "Terms and scores are those of the search by words, whatever the run is."
    if any(one.judged for one in rows):
        yield "Figures with a star need relevance judgments: they explain, and predict nothing."


def legend(found: LexicalDiagnosis) -> Iterator[str]:
    """Yield what the tables mean."""
    yield "coverage: the share of a query's words that a relevant document has. by idf: rare words weigh more."
    yield (
        "unknown: the share of a query's words that no document has. ceiling: the highest recall of a search for these "
        "words, the mean over queries."
    )
    yield f"Each missed document has one blame, the first that holds of: {', '.join(BLAMES)}."
    yield "frequent: each word shared has less idf than the query's words have on average."
    yield f"length: were it as long as the average, it would score as much as place {found.cutoff}."
    on_top = " On top: against that search." if any(one.name == "feedback on top" for one in found.remedies) else ""
    yield (
        "brings: missed documents. costs: found ones that it has not in the first places, taken in place of the run."
        f"{on_top}"
    )
    yield "assay lexical expand says which queries it helps and hurts, compare what fusing both runs brings."
    yield from found.notices


def strength(one: Related) -> float:
    """Return how strong a relation is, whichever way it goes."""
    return abs(one.spearman or 0.0)


def places(cutoff: int) -> str:
    """Name the first places.

    >>> places(10), places(1)
    ('the first 10 places', 'the first place')
    """
    return f"the first {cutoff:,} places" if cutoff > 1 else "the first place"


def share(part: int, whole: int) -> str:
    """Write a share in percent.

    >>> share(45, 741), share(0, 0)
    ('6.1 %', '-')
    """
    return f"{100 * part / whole:.1f} %" if whole else UNDEFINED


def _verdict(one: Related) -> str:
    if strength(one) < 0.3:
        return "too weak to choose queries by"
    return "a help to order queries by, no more" if strength(one) < 0.6 else "enough to pick hard queries out"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
