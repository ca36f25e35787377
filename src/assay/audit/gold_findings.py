"""What there is to say about a gold standard alone."""

from collections.abc import Iterator, Sequence

import numpy as np

from assay.audit.identifiers import look_alikes
from assay.audit.inverted import looks_inverted
from assay.core.audit import Finding
from assay.core.gold import Gold

EXAMPLES = 5
GRADES = 12
MANY = 100


def gold_findings(gold: Gold, cutoffs: Sequence[int]) -> Iterator[Finding]:
    """Yield what is noteworthy about the judgments."""
    place = gold.origin.path if gold.origin else gold.name
    for part in (_about_queries, _about_grades, _about_negative, _about_ids):
        yield from part(gold, place)
    yield from _about_sizes(gold, place, cutoffs)


def _about_queries(gold: Gold, place: str) -> Iterator[Finding]:
    empty = gold.queries.gather(np.flatnonzero(gold.ideal.relevant(1).count() == 0)).to_list()
    if empty:
        yield _empty(empty, len(gold.queries), place)
    if gold.unjudged:
        yield Finding(
            "note",
            "unjudged-queries",
            f"queries named without any judgment: {len(gold.unjudged)}",
            "They take no part in any mean.",
            _shown(gold.unjudged),
            place,
        )


def _empty(empty: list[str], queries: int, place: str) -> Finding:
    if len(empty) == queries:
        title = "no query has an item of grade 1 or more"
        detail = "Binary measures are undefined for every query. If grades are fractions, say which count: rel=0.5."
        return Finding("error", "nothing-relevant", title, detail, _shown(empty), place)
    title = f"queries without an item of grade 1 or more: {len(empty)} of {queries}"
    detail = "Recall, AP and nDCG are 0/0 there. A mean counts them as 0 (trec_eval); empty='skip' leaves them out."
    return Finding("warning", "empty-queries", title, detail, _shown(empty), place)


def _about_grades(gold: Gold, place: str) -> Iterator[Finding]:
    counts = gold.grades()
    shown = ", ".join(f"{grade:g}: {count}" for grade, count in list(counts.items())[:GRADES])
    more = f" and {len(counts) - GRADES} more grades" if len(counts) > GRADES else ""
    yield Finding("note", "grades", f"judgments by grade: {shown}{more}", place=place)
    if gold.fractional is not None:
        title = f"some grades are fractions, such as {gold.fractional:g}"
        detail = "Assay keeps them; a binary measure then needs rel=. trec_eval and ranx cut 1.5 to 1 without a word."
        yield Finding("warning", "fractional-grades", title, detail, (), place)
    if not all(map(np.isfinite, counts)):
        yield Finding("error", "infinite-grades", "some grades are infinite", "No gain measure has a value.", (), place)
    if min(counts) >= 1:
        title = "every judgment is relevant: nothing was judged not relevant"
        detail = (
            "Bpref is then the share of relevant items retrieved; an unjudged item cannot be told from a wrong one."
        )
        yield Finding("note", "only-relevant", title, detail, (), place)
    if looks_inverted(gold):
        yield inverted(place, "0 is no grade, there are grades below 0, and the lowest grade above 0 is the rarest")


def inverted(place: str, why: str) -> Finding:
    """Return the suspicion that 1 is the best grade."""
    return Finding(
        "warning",
        "grades-inverted",
        "the grades may be inverted: is 1 the best grade here?",
        f"A suspicion: {why}. Measures take a higher grade for a better item; if it is not, turn the grades around "
        "first.",
        place=place,
    )


def _about_negative(gold: Gold, place: str) -> Iterator[Finding]:
    below = sum(count for grade, count in gold.grades().items() if grade < 0)
    if below:
        yield Finding(
            "note",
            "negative-grades",
            f"judgments with a grade below 0: {below}",
            "They mean pooled but not judged (TREC). negative='nonrelevant' makes them judged and not relevant.",
            place=place,
        )


def _about_ids(gold: Gold, place: str) -> Iterator[Finding]:
    alike = look_alikes(gold.table)
    if alike:
        yield Finding(
            "note",
            "look-alikes",
            f"items of one query that differ only by {alike.change}: {alike.count}",
            "They count as different items.",
            tuple(f"{one!r} and {other!r}" for one, other in alike.pairs),
            place,
        )
    named = gold.table.filter(gold.table["query"] == gold.table["item"])
    if named.height:
        yield Finding(
            "note",
            "self-judged",
            f"judgments of an item with the id of its query: {named.height}",
            "With self_match='drop' (BEIR) such an item can never be found.",
            _shown(named["query"].sort().to_list()),
            place,
        )


def _about_sizes(gold: Gold, place: str, cutoffs: Sequence[int]) -> Iterator[Finding]:
    relevant = gold.ideal.relevant(1).count()
    some = relevant[relevant > 0]
    if not len(some):
        return
    fewer = {k: int((some < k).sum()) for k in cutoffs if k > 1 and (some < k).any()}
    if fewer:
        title = "P@k cannot reach 1 in queries with fewer than k relevant items"
        sizes = f"Relevant items of a query: {some.min():g} to {some.max():g}, half have at most {np.median(some):g}."
        detail = f"{sizes} Fewer than k: {_by_cutoff(fewer)}. RelP@k divides by what can be reached."
        yield Finding("note", "few-relevant", title, detail, (), place)
    more = {k: int((some > k).sum()) for k in cutoffs if (some > k).any()}
    if more:
        most = np.argsort(-relevant, kind="stable")[:3]
        large = tuple(f"{gold.queries[int(q)]}: {relevant[q]:g}" for q in most if relevant[q] > MANY)
        title = "R@k and AP@k cannot reach 1 in queries with more than k relevant items"
        detail = f"More than k: {_by_cutoff(more)}. RCap@k divides by what can be reached."
        yield Finding("note", "many-relevant", title, detail, large, place)


def _by_cutoff(counts: dict[int, int]) -> str:
    return ", ".join(f"{count} at k = {k}" for k, count in counts.items())


def _shown(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names)[:EXAMPLES])
