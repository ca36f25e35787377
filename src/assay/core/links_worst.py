"""`RankedTriple`: a true triple that a model ranks low, and the answers that it puts first instead."""

import math
from dataclasses import asdict, dataclass
from typing import Any


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

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return asdict(self) | {"known": self.known}


@dataclass(frozen=True, slots=True)
class RankedTriple:
    """A triple, the side on which it was asked, where its true entity stands (filtered), and what stands above it.

    `score` is that of the true entity, -infinity where it was not scored (null as plain data). `above` are the best of
    the answers that score higher, best first, known ones among them; None where they were not looked for.
    """

    side: str
    head: str
    relation: str
    tail: str
    rank: float
    greater: int
    equal: int
    candidates: int
    score: float
    above: tuple[Answer, ...] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the triple as plain data."""
        above = None if self.above is None else [one.to_dict() for one in self.above]
        score = self.score if math.isfinite(self.score) else None
        return {name: getattr(self, name) for name in self.__slots__} | {"score": score, "above": above}
