"""What candidates of records come to: who was asked, what blocking kept, what the scorer lost, mentions linked."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SourcePair:
    """Every measure of the records of one source among candidates of another, over records with a match there."""

    left: str
    right: str
    records: int
    measures: Mapping[str, float | None]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return {"left": self.left, "right": self.right, "records": self.records, "measures": dict(self.measures)}


@dataclass(frozen=True, slots=True)
class RecordFigures:
    """The populations behind per-record measures.

    `asked` records carry a label; `with_match` of them have a true match, `without_match` have none.
    `without_candidates` have no candidate, rightly so for `rightly_without_candidates`, which have no match.
    `candidates` counts distinct candidates of those asked. `unlabelled` records carry no label: they are not asked,
    and are the `unlabelled_candidates` of others, which count as wrong; bounds say how much that could change.
    """

    asked: int
    with_match: int
    without_match: int
    without_candidates: int
    rightly_without_candidates: int
    candidates: int
    unlabelled: int = 0
    unlabelled_candidates: int = 0
    by_sources: tuple[SourcePair, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self) | {"by_sources": [one.to_dict() for one in self.by_sources]}


@dataclass(frozen=True, slots=True)
class BlockingFigures:
    """What a set of candidate pairs holds: each pair once, whatever its direction.

    `pair_completeness` = found / true pairs, `pair_quality` = found / distinct labelled pairs, `reduction_ratio` =
    1 - distinct / possible pairs, `f_score` the harmonic mean of completeness and reduction ratio. `redundant` rows
    say a pair again, `own` rows a record with itself, `within` are pairs of one source where only those across
    are asked for, each once: none of them counts. `unlabelled` pairs hold a record without a label; `quality_low` and
    `quality_high` are pair quality with all of them wrong and all of them right. None where undefined.
    """

    rows: int
    distinct: int
    redundant: int
    own: int
    within: int
    unlabelled: int
    found: int
    true_pairs: int
    possible: int
    pair_completeness: float | None
    pair_quality: float | None
    quality_low: float | None
    quality_high: float | None
    reduction_ratio: float | None
    f_score: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ScorerFigures:
    """Where true pairs are lost: in blocking, or by the scorer among what blocking kept.

    Of `true_pairs`, `blocked` reach the scorer; `found` score at least `threshold` (None: all scored pairs are
    matches), `found_blocked` of them through blocking. `blocking_recall` = blocked / true pairs, `scorer_recall` =
    found blocked / blocked, `end_to_end_recall` = found / true pairs: the product of both, unless pairs `beyond`
    those that blocking kept were scored as well.
    """

    threshold: float | None
    true_pairs: int
    blocked: int
    found: int
    found_blocked: int
    beyond: int
    blocking_recall: float | None
    scorer_recall: float | None
    end_to_end_recall: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LinkingFigures:
    """Mentions linked to entities: the first answer of each, and the answer that there is none.

    `accuracy` is the share of mentions whose first answer is right, `accuracy_known` and `accuracy_nil` the same of
    those with an entity and of those without (NIL). `nil_precision` is the share of NIL answers that are right.
    `silent` mentions have no candidate, which says NIL. None where there is no such mention.
    """

    mentions: int
    known: int
    nil: int
    silent: int
    answered_nil: int
    accuracy: float | None
    accuracy_known: float | None
    accuracy_nil: float | None
    nil_precision: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)
