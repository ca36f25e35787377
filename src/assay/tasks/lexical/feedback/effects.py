"""What expansion does to each query: which words and which documents make the difference, and so the cause."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

import numpy as np

from assay.core.judged import Ints
from assay.core.lexical_expansion import (
    CROWDED,
    DRIFT,
    HELPED,
    HURT,
    NEW_WORDS,
    OFF_TOPIC,
    OWN_WORDS,
    SAME,
    ExpansionTerm,
    QueryExpansion,
)
from assay.tasks.lexical.feedback.trial import Trial
from assay.tasks.lexical.search import Weighted

TIE = 1e-12
"""Values that differ by no more are equal, as in a comparison."""
FIRST = 10
"""Documents that stand for what is found first."""

Values = Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Tried:
    """Queries and what became of them: their terms expanded, their values before and after.

    `feedback` is how many documents were learned from, None where expansion does not learn from documents.
    """

    expanded: Mapping[str, Weighted]
    before: Values
    after: Values
    feedback: int | None

    @property
    def changed(self) -> list[str]:
        """The queries whose value is another."""
        return [query for query in self.expanded if abs(self.after[query] - self.before[query]) > TIE]


def effects(trial: Trial, tried: Tried) -> tuple[QueryExpansion, ...]:
    """Return what became of each query, by which words, and the cause."""
    own = {query: _own(tried.expanded[query], trial.weighted[query]) for query in tried.changed}
    (alone,) = trial.values([own])
    losses = _without_each(trial, tried)
    return tuple(
        _explained(trial, _facts(trial, tried, query, losses.get(query, {})), alone.get(query))
        for query in tried.expanded
    )


def outcome(change: float) -> str:
    """Return what a change of the value makes of a query: helped, hurt or same."""
    return SAME if abs(change) <= TIE else HELPED if change > 0 else HURT


def _own(expanded: Weighted, asked: Weighted) -> dict[str, float]:
    return {term: weight for term, weight in expanded.items() if term in asked}


def _added(expanded: Weighted, asked: Weighted) -> list[str]:
    return [term for term in expanded if term not in asked]


def _without_each(trial: Trial, tried: Tried) -> dict[str, dict[str, float]]:
    """Return for each changed query what the measure loses without each added term."""
    added = {query: _added(tried.expanded[query], trial.weighted[query]) for query in tried.changed}
    columns = list(zip_longest(*added.values()))
    variants = [
        {
            query: _but(tried.expanded[query], term)
            for query, term in zip(added, column, strict=True)
            if term is not None
        }
        for column in columns
    ]
    found: dict[str, dict[str, float]] = {query: {} for query in added}
    for column, values in zip(columns, trial.values(variants), strict=True):
        for query, term in zip(added, column, strict=True):
            if term is not None and query in values:
                found[query][term] = trial.gain(values[query], tried.after[query])
    return found


def _but(query: Weighted, term: str) -> dict[str, float]:
    return {other: weight for other, weight in query.items() if other != term}


def _facts(trial: Trial, tried: Tried, query: str, losses: Mapping[str, float]) -> QueryExpansion:
    """Return a query with what can be counted, without cause."""
    asked, expanded, relevant = trial.weighted[query], tried.expanded[query], trial.relevant[query]
    old, new = (_found(trial, query, terms) for terms in (asked, expanded))
    others = np.setdiff1d(new[:FIRST], relevant)
    terms = tuple(_terms(trial, asked, expanded, (relevant, others), losses))
    learned = None if tried.feedback is None else trial.searcher.top(asked, tried.feedback)[0]
    before, after = tried.before[query], tried.after[query]
    return moved(
        QueryExpansion(
            query, trial.texts[query], before, after, outcome(trial.gain(before, after)),
            feedback=None if learned is None else len(learned),
            feedback_relevant=None if learned is None else len(np.intersect1d(learned, relevant)),
            relevant=len(relevant), on_relevant=_share(terms, "relevant"), on_others=_share(terms, "others"),
            absent=_absent(terms), terms=terms,
        ),
        old.tolist(), new.tolist(), set(relevant.tolist()),
    )  # fmt: skip


def _found(trial: Trial, query: str, terms: Weighted) -> Ints:
    """Return the numbers of the documents that a query finds, best first, as its run has them."""
    places, _ = trial.searcher.top(terms, trial.depth + trial.remove_query)
    if trial.remove_query and query in trial.searcher.index.place:
        places = places[places != trial.searcher.index.place[query]]
    return places[: trial.depth]


def moved(
    one: QueryExpansion, old: Sequence[Hashable], new: Sequence[Hashable], relevant: Collection[Hashable]
) -> QueryExpansion:
    """Return a query with how many relevant documents were found, lost, rose and fell; rankings are best first.

    >>> found = moved(QueryExpansion("1", "", 0, 0, SAME), [4, 5, 6], [6, 4, 7], {4, 5, 7})
    >>> found.found, found.lost, found.rose, found.fell
    (1, 1, 0, 1)
    """
    before, after = ({item: rank for rank, item in enumerate(ranking) if item in relevant} for ranking in (old, new))
    steps = [before[item] - after[item] for item in before.keys() & after.keys()]
    return replace(
        one, found=len(after.keys() - before.keys()), lost=len(before.keys() - after.keys()),
        rose=sum(step > 0 for step in steps), fell=sum(step < 0 for step in steps),
    )  # fmt: skip


def _terms(
    trial: Trial, asked: Weighted, expanded: Weighted, groups: tuple[Ints, Ints], losses: Mapping[str, float]
) -> Iterator[ExpansionTerm]:
    """Yield the terms of an expanded query, the heaviest first; `groups` are relevant and other documents."""
    index = trial.searcher.index
    for term, weight in sorted(expanded.items(), key=lambda entry: (-entry[1], entry[0])):
        number = index.number.get(term)
        part = slice(0, 0) if number is None else slice(index.starts[number], index.starts[number + 1])
        relevant, others = (_held(group, index.places[part].astype(np.int64)) for group in groups)
        yield ExpansionTerm(
            term, weight, asked.get(term, 0.0), int(part.stop - part.start), relevant, others, losses.get(term)
        )


def _held(group: Ints, holders: Ints) -> float | None:
    """Return the share of documents that are among the holders of a term, which are ascending; None of none."""
    if not len(group):
        return None
    places = np.searchsorted(holders, group)
    there = places < len(holders)
    return float((holders[places[there]] == group[there]).sum() / len(group))


def _share(terms: tuple[ExpansionTerm, ...], group: str) -> float | None:
    """Return the mean share of a group of documents that have an added word, by weight."""
    held = [(abs(one.weight), getattr(one, group)) for one in terms if not one.own]
    whole = sum(weight for weight, _ in held)
    if not whole or any(share is None for _, share in held):
        return None
    return float(sum(weight * share for weight, share in held) / whole)


def _absent(terms: tuple[ExpansionTerm, ...]) -> float | None:
    """Return the share of the added weight on words that no relevant document has."""
    held = [(abs(one.weight), one.relevant) for one in terms if not one.own]
    whole = sum(weight for weight, _ in held)
    if not whole or any(share is None for _, share in held):
        return None
    return sum(weight for weight, share in held if share == 0) / whole


def _explained(trial: Trial, one: QueryExpansion, alone: float | None) -> QueryExpansion:
    """Return a changed query with its change taken apart and its cause; `alone` is its value by its own words."""
    if one.outcome == SAME or alone is None:
        return one
    reweighting, adding = trial.gain(one.before, alone), trial.gain(alone, one.after)
    return replace(one, reweighting=reweighting, adding=adding, cause=_cause(one, reweighting, adding))


def _cause(one: QueryExpansion, reweighting: float, adding: float) -> str:
    if one.outcome == HELPED:
        return NEW_WORDS if adding >= reweighting else OWN_WORDS
    if one.feedback and not one.feedback_relevant:
        return OFF_TOPIC
    if reweighting < adding:
        return OWN_WORDS
    return DRIFT if (one.absent or 0.0) > 0.5 else CROWDED
