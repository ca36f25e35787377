"""`Protocol`: every convention of link prediction, printed with each result."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from assay.errors import UnknownNameError

Side = Literal["tail", "head"]
SPLITS = ("train", "valid", "test")


@dataclass(frozen=True, slots=True)
class Protocol:
    """The conventions under which a link predictor is judged.

    `split` holds the triples that are asked about; each is asked once for each of the `sides` (its tail among all
    entities, its head among all entities). `known` are the splits whose other true answers are taken out of the
    candidates (filtered ranks; raw ranks are given beside them). `unseen` says what becomes of triples with an
    entity or relation that train does not hold: "keep" or "drop". `ties` is the rank that a measure reads:
    "realistic" (greater + 1 + equal/2), "optimistic", "pessimistic", or "expected" (the exact mean of the measure
    over all orders). `nan` is "error" or "worst". `outside` is what becomes of a target that is not among
    constrained candidates: a "miss" (no rank; worst value) or "add" (ranked with them).
    """

    split: str = "test"
    sides: tuple[Side, ...] = ("tail", "head")
    known: tuple[str, ...] = SPLITS
    unseen: Literal["keep", "drop"] = "keep"
    ties: Literal["realistic", "optimistic", "pessimistic", "expected"] = "realistic"
    nan: Literal["error", "worst"] = "error"
    outside: Literal["miss", "add"] = "miss"

    def __post_init__(self) -> None:
        for part in fields(self):
            allowed = get_args(part.type) if isinstance(part.type, type(Literal["a"])) else ()
            if allowed and getattr(self, part.name) not in allowed:
                raise UnknownNameError.of(part.name, str(getattr(self, part.name)), allowed)
        for name in (self.split, *self.known):
            if name not in SPLITS:
                raise UnknownNameError.of("split", name, SPLITS)

    def to_dict(self) -> dict[str, Any]:
        """Return the protocol as plain data."""
        return asdict(self) | {"sides": list(self.sides), "known": list(self.known)}
