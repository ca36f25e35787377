"""`WorstTriple`: a true triple that a model ranks low, and the answers that it puts first instead."""

from dataclasses import asdict, dataclass
from typing import Any

from assay.core.links import RankedTriple


@dataclass(frozen=True, slots=True)
class Answer:
    """An entity that a model puts first: its score, and the split that holds the triple with it (None: new)."""

    entity: str
    score: float
    split: str | None

    @property
    def known(self) -> bool:
        """Whether some split holds the triple: such an answer is true, and takes no place in filtered ranks."""
        return self.split is not None


@dataclass(frozen=True, slots=True)
class WorstTriple:
    """A true triple ranked low: where it stands, its score, and the best answers, known ones among them."""

    triple: RankedTriple
    score: float
    above: tuple[Answer, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the triple as plain data."""
        above = [asdict(one) | {"known": one.known} for one in self.above]
        return self.triple.to_dict() | {"score": self.score, "above": above}
