"""`Expansion`: what giving queries more words brings, query by query, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from assay.core.comparison import Comparison, Contrast
from assay.core.shown import Shown

HELPED, HURT, SAME = "helped", "hurt", "same"
NEW_WORDS, OWN_WORDS, OFF_TOPIC, DRIFT, CROWDED = "new words", "own words", "off topic", "drift", "crowded"
OTHER_RUN, BOTH_RUNS = "other run", "both runs"
MEANINGS: Mapping[tuple[str, str], str] = {
    (HELPED, NEW_WORDS): "words that the query lacked bring its relevant documents up",
    (HELPED, OWN_WORDS): "the words of the query itself weigh better against each other",
    (HELPED, OTHER_RUN): "the other run ranks its relevant documents better",
    (HELPED, BOTH_RUNS): "what both runs rank high is relevant",
    (HURT, OFF_TOPIC): "no document that it learned from is known to be relevant",
    (HURT, OWN_WORDS): "the words of the query itself weigh worse against each other",
    (HURT, DRIFT): "most of the added weight is on words that no relevant document has",
    (HURT, CROWDED): "relevant documents have the added words, but others gain as much",
    (HURT, OTHER_RUN): "the other run ranks its relevant documents worse",
    (HURT, BOTH_RUNS): "what both runs rank high is not relevant",
}
"""The causes, by what became of a query."""


@dataclass(frozen=True, slots=True)
class ExpansionTerm:
    """A term of an expanded query.

    `asked` is its weight in the query as asked, 0 for one that was added; `documents` is how many have it. `relevant`
    and `others` are the shares of the relevant documents, and of the others among the first ten found, that have it,
    None where there are none. `effect` is what the measure would lose without it, None where that was not computed.
    """

    term: str
    weight: float
    asked: float
    documents: int
    relevant: float | None = None
    others: float | None = None
    effect: float | None = None

    @property
    def own(self) -> bool:
        """Whether the query has it as asked."""
        return self.asked != 0


@dataclass(frozen=True, slots=True)
class QueryExpansion:
    """What became of one query.

    `outcome` is helped, hurt or same; `cause` is a key of `MEANINGS`, or empty. `reweighting` is the change that the
    new weights of the query's own words make, `adding` that of the added ones on top: they sum to the change.
    `feedback` documents were learned from, `feedback_relevant` of them are relevant. `on_relevant` and `on_others`
    are the shares of the relevant documents and of the others found first that have an added word, `absent` the share
    of words that no relevant document has; all three by weight. `found` and `lost` relevant documents are found only
    with or only without expansion, `rose` and `fell` of those found by both stand higher or lower.
    `other` is what the other run of a fusion has.
    """

    query: str
    text: str
    before: float
    after: float
    outcome: str
    cause: str = ""
    reweighting: float | None = None
    adding: float | None = None
    feedback: int | None = None
    feedback_relevant: int | None = None
    relevant: int = 0
    on_relevant: float | None = None
    on_others: float | None = None
    absent: float | None = None
    found: int = 0
    lost: int = 0
    rose: int = 0
    fell: int = 0
    other: float | None = None
    terms: tuple[ExpansionTerm, ...] = ()

    @property
    def change(self) -> float:
        """By how much the value rose."""
        return self.after - self.before

    @property
    def precision(self) -> float | None:
        """The share of the documents learned from that are relevant; None where there are none."""
        if not self.feedback or self.feedback_relevant is None:
            return None
        return self.feedback_relevant / self.feedback

    def to_dict(self) -> dict[str, Any]:
        """Return the query as plain data."""
        return asdict(self) | {"change": self.change, "terms": [asdict(term) for term in self.terms]}


@dataclass(frozen=True, slots=True)
class SelectionRule:
    """The rule learned without one fold: expand where `predictor` is above (or below) `threshold`.

    `choice` is always, never, above or below; the first two have no predictor and no threshold. `meaning` says what
    the predictor is.
    """

    fold: int
    queries: int
    choice: str
    predictor: str | None = None
    threshold: float | None = None
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """What expanding only some queries brings, each decided by a rule that has not seen it.

    `never`, `always`, `selective` and `oracle` are means of the measure. `expanded` is how many queries the rules
    expand; the oracle knows which is better for each query, and expands `best` of them. `contrast` holds selective
    against the better of never and always, which `reference` names. `rules` are those of the folds, and last the one
    that all queries teach (fold 0).
    """

    way: str
    measure: str
    queries: int
    never: float
    always: float
    selective: float
    oracle: float
    expanded: int
    best: int
    reference: str
    contrast: Contrast
    rules: tuple[SelectionRule, ...]
    seed: int

    @property
    def gain(self) -> float:
        """By how much selecting is better than the better of never and always; below 0 it is worse."""
        more = self.selective - (self.always if self.reference == self.way else self.never)
        return more if self.contrast.higher_is_better else -more

    def to_dict(self) -> dict[str, Any]:
        """Return the selection as plain data."""
        plain = {name: getattr(self, name) for name in _SELECTED}
        return plain | {"gain": self.gain, "contrast": self.contrast.to_dict(), "rules": list(map(asdict, self.rules))}


_SELECTED = (
    "way", "measure", "queries", "never", "always", "selective", "oracle", "expanded", "best", "reference", "seed",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Way:
    """One way to expand, and what became of each query by the first measure.

    `name` is that of its run in the comparison, `settings` what it was made with. `tau` says how alike the gain of
    queries and the precision of their feedback are ordered (Kendall), None where that is undefined.
    """

    name: str
    settings: Mapping[str, Any]
    queries: tuple[QueryExpansion, ...]
    tau: float | None = None

    def of(self, outcome: str) -> tuple[QueryExpansion, ...]:
        """Return the queries that were helped, hurt or left the same, the most changed first."""
        found = [one for one in self.queries if one.outcome == outcome]
        return tuple(sorted(found, key=lambda one: (-abs(one.change), one.query.encode())))

    @cached_property
    def counts(self) -> dict[str, int]:
        """How many queries were helped, hurt and left the same."""
        return {outcome: len(self.of(outcome)) for outcome in (HELPED, HURT, SAME)}

    def causes(self) -> Iterator[tuple[str, str, tuple[QueryExpansion, ...]]]:
        """Yield each outcome and cause that there is, with its queries, the most changed first."""
        for outcome, cause in MEANINGS:
            queries = tuple(one for one in self.of(outcome) if one.cause == cause)
            if queries:
                yield outcome, cause, queries

    def to_dict(self) -> dict[str, Any]:
        """Return the way as plain data."""
        return {
            "name": self.name,
            "settings": dict(self.settings),
            "counts": self.counts,
            "causes": [
                {"outcome": outcome, "cause": cause, "meaning": MEANINGS[outcome, cause], "queries": len(queries)}
                for outcome, cause, queries in self.causes()
            ],
            "tau": self.tau,
            "queries": [one.to_dict() for one in self.queries],
        }


@dataclass(frozen=True, eq=False)
class Expansion(Shown):
    """Search as it is and with expansion, held against each other by a gold standard.

    `comparison` has the plain run as its baseline; `ways` explain each other run by `measure`, the first that was
    asked for; `selections` say what expanding only some queries brings, where that was asked for.
    """

    documents: int
    depth: int
    comparison: Comparison
    measure: str
    ways: tuple[Way, ...]
    selections: tuple[Selection, ...] = ()
    notices: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Way:
        """Return a way by the name of its run."""
        for way in self.ways:
            if way.name == name:
                return way
        raise KeyError(name)

    def to_dict(self, *, command: list[str] | None = None) -> dict[str, Any]:
        """Return the expansion as plain data: the comparison, and the block `expansion`."""
        found = self.comparison.to_dict(command=command)
        found["expansion"] = {
            "documents": self.documents,
            "depth": self.depth,
            "measure": self.measure,
            "ways": [way.to_dict() for way in self.ways],
            "selections": [one.to_dict() for one in self.selections],
            "notices": list(self.notices),
        }
        return found

    def __repr__(self) -> str:
        said = "; ".join(f"{way.name}: {way.counts[HELPED]} helped, {way.counts[HURT]} hurt" for way in self.ways)
        return f"Expansion({self.measure}; {said})"
