"""What is known of each relevant document that a run misses, and what it is blamed on."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl

from assay.core.judged import Flags, Floats, Ints
from assay.core.lexical_diagnosis import BLAMES, Missed
from assay.core.lexical_readings import Analysis
from assay.core.policy import Policy
from assay.tasks.lexical.diagnosis.firsts import standing
from assay.tasks.lexical.diagnosis.readings import Shared
from assay.tasks.lexical.search import Searcher
from assay.tasks.lexical.variants import Variant


@dataclass(frozen=True, slots=True)
class Charges:
    """What a run may be blamed for by the way in which it reads texts.

    A run that stems already is not to blame for stems, and one that forgets case not for case. Where no reading
    explains the run, as with vectors, stems are no matter, and case is only where it parts queries from documents.
    """

    stems: bool
    spelling: bool
    mismatch: bool = False

    @classmethod
    def of(cls, analysis: Analysis, *, apart: bool) -> "Charges":
        """Read off how the run seems to read texts."""
        taken = analysis.taken
        if taken is None:
            return cls(stems=False, spelling=apart)
        sides = (taken.documents, taken.queries)
        return cls(
            stems=not all(side["stemmer"] for side in sides),
            spelling=not all(side["lower"] for side in sides),
            mismatch=analysis.mismatch,
        )

    @property
    def remedy(self) -> str:
        """The name of what a search by words, as described, does otherwise than the run."""
        if self.spelling:
            return "spelling"
        if self.stems:
            return "stems"
        return "reading" if self.mismatch else "words"

    @property
    def feedback(self) -> str:
        """The name of a search with feedback: where the run is to blame for its reading, it is held against that."""
        return "feedback" if self.remedy == "words" else "feedback on top"


@dataclass(frozen=True, eq=False)
class Scored:
    """A search by words: where it ranks documents, and what it would give them were they of average length."""

    searcher: Searcher
    cutoff: int
    policy: Policy = field(default_factory=Policy)

    def ranks(self, shared: Shared, places: Ints) -> tuple[Ints, float]:
        """Return the rank of each document, 0 where it is not found, and the score that the last place needs.

        Equal scores stand as the policy says. The score is 0 where fewer documents are found than places.
        """
        found = self.searcher.scores(dict(zip(shared.terms, shared.weights.tolist(), strict=True)))
        scores = np.maximum(found, 0).astype(np.float32)  # a searcher ranks in single precision
        ordered = np.sort(scores)
        own = scores[places]
        above = len(scores) - np.searchsorted(ordered, own, side="right")
        order = self._standing
        tied = [(scores == score) & (order < order[place]) for place, score in zip(places, own, strict=True)]
        before = np.array([one.sum() for one in tied], np.int64)
        least = float(ordered[-self.cutoff]) if len(ordered) >= self.cutoff else 0.0
        return np.where(own > 0, 1 + above + before, 0).astype(np.int64), least

    def levelled(self, shared: Shared) -> Floats:
        """Return the score of each document if it were as long as the average, shape (documents,).

        No score at all where the model weighs lengths in a library, which knows them only as they are.
        """
        if isinstance(self.searcher.model, Variant):
            return np.full(shared.postings.shape[1], -np.inf)
        worth = np.where(shared.postings >= 0, self._levelled[shared.postings], 0.0)
        found: Floats = (shared.weights @ worth).astype(np.float32)
        return found

    @cached_property
    def _standing(self) -> Ints:
        return standing(self.searcher.index.items, self.policy)

    @cached_property
    def _levelled(self) -> Floats:
        index = self.searcher.index
        average = max(1, round(index.average_length))
        return self.searcher.model.weights(replace(index, lengths=np.where(index.lengths > 0, average, 0)))


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """One query with its relevant documents: their rows and what they share with it, read in each way.

    `rows` has the columns item, grade, rank and dense (null where a run has it not), place (null where it is not
    among the documents). `shared` holds, by the names of `steps`, what the query shares with those that have a place.
    `winners` is what it shares with the first items of the run; `words` names each term as it is written.
    """

    query: str
    rows: pl.DataFrame
    shared: Mapping[str, Shared]
    winners: Shared
    words: tuple[str, ...]

    @property
    def described(self) -> Shared:
        """What is shared after the whole analysis."""
        return self.shared["as described"]


def missed_of(question: Question, scored: Scored, charges: Charges) -> Iterator[Missed]:
    """Yield the relevant documents of a query that are not among the run's first places, each with its blame.

    The blame is the first of `BLAMES` that holds: not among the documents; no shared term; terms shared only by
    stemming, or only by forgetting case and form (where the run does not do so); the search by words finds it;
    each term shared is more frequent than the query's terms are on average (idf below the mean of those known); of
    average length it would score as much as the last of the first places; else it is outscored.
    """
    described = question.described
    indexed = question.rows.filter(pl.col("place").is_not_null())
    places = indexed["place"].to_numpy().astype(np.int64)
    ranks, least = scored.ranks(described, places)
    blames = _blames(question, scored, charges, ranks, least)
    common = _common(question.winners)
    number = {item: at for at, item in enumerate(indexed["item"])}
    by = _least_reading(question.shared)
    for item, grade, rank, dense in question.rows.select("item", "grade", "rank", "dense").rows():
        if rank is not None and rank <= scored.cutoff:
            continue
        at = number.get(item)
        if at is None:
            yield Missed(question.query, item, grade, rank, None, dense, "absent", None, (), (), None, None)
            continue
        has = described.there[:, at]
        yield Missed(
            question.query, item, grade, rank, int(ranks[at]) or None, dense, blames[at], by[at],
            shared=tuple(word for word, there in zip(question.words, has, strict=True) if there),
            lacks=tuple(question.words[term] for term in common if not has[term]),
            weight=float(described.idf[has].sum() / described.idf.sum()) if len(has) else None,
            length=int(scored.searcher.index.lengths[places[at]]),
        )  # fmt: skip


def _blames(question: Question, scored: Scored, charges: Charges, ranks: Ints, least: float) -> list[str]:
    """Return the blame of each document that is among those searched."""
    described = question.described
    there = {name: _any(shared.there) for name, shared in question.shared.items()}
    shares, none = there["as described"], np.zeros(len(ranks), np.bool_)
    flags: dict[str, Flags] = {
        "disjoint": ~shares,
        "stems": ~there["no stems"] if charges.stems and "no stems" in there else none,
        "spelling": ~there["as written"] if charges.spelling and "as written" in there else none,
        "unread": (ranks > 0) & (ranks <= scored.cutoff),
        "frequent": _frequent(described),
        "length": scored.levelled(described) >= least,
        "outscored": ~none,
    }
    first = np.argmax(np.stack(list(flags.values())), axis=0)
    names = [name for name in BLAMES if name in flags]
    return [names[one] for one in first]


def _any(there: Flags) -> Flags:
    """Tell which documents have any of the terms, shape (documents,)."""
    return np.asarray(there.any(axis=0), np.bool_)


def _frequent(shared: Shared) -> Flags:
    """Flag the documents whose every shared term has less idf than the known terms of the query on average."""
    known = ~shared.unknown
    if not known.any():
        return np.zeros(shared.counts.shape[1], np.bool_)
    rare = known & (shared.idf >= shared.idf[known].mean() - 1e-12)
    found: Flags = ~(shared.there & rare[:, None]).any(axis=0)
    return found


def _common(winners: Shared) -> list[int]:
    """Return the terms that at least half of the run's first documents have, the rarest first."""
    if not winners.counts.shape[1]:
        return []
    half = winners.there.mean(axis=1) >= 0.5
    return sorted(np.flatnonzero(half).tolist(), key=lambda term: (-winners.idf[term], term))


def _least_reading(shared: Mapping[str, Shared]) -> list[str | None]:
    """Return, for each document, the name of the last reading, least analysis, by which it shares a term."""
    found: list[str | None] = [None] * shared["as described"].counts.shape[1]
    for name, one in shared.items():
        for place in np.flatnonzero(_any(one.there)).tolist():
            found[place] = name
    return found
