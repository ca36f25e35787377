"""What happened to a suite: pinned baselines, notes, and changes of what evaluations are made of."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from assay.core.history import Recorded

MADE = {
    "gold": "another gold", "queries": "other queries", "corpus": "another corpus", "policy": "other conventions",
    "code": "other code", "platform": "another platform", "assay": "another release of Assay",
    "exclude": "other pairs left out", "weights": "other weights",
}  # fmt: skip
NONE = frozenset({"exclude", "weights"})
"""Where None is not unknown but none."""
OFTEN = 4
"""What changes with more than every fourth evaluation is no event."""
LEAST = 3
"""So many changes are events in any case."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at an evaluation; `kind` is baseline, note or changed."""

    number: int
    kind: str
    time: datetime
    id: int
    name: str
    text: str


def events(found: Sequence[Recorded]) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Return the events of evaluations in the order of time, and what changed so often that it is none."""
    often = tuple(name for name in MADE if _changes(found, name) > max(LEAST, len(found) / OFTEN))
    rows: list[Event] = []
    for one, said in _said(found, often):
        rows += [Event(len(rows) + 1, kind, one.time, one.id, one.name, text) for kind, text in said]
    return tuple(rows), often


def _said(found: Sequence[Recorded], often: Sequence[str]) -> Iterator[tuple[Recorded, list[tuple[str, str]]]]:
    for place, one in enumerate(found):
        said = [("baseline", "pinned as the baseline")] if one.baseline else []
        said += [("note", one.note)] if one.note else []
        if place:
            changed = [
                text for name, text in MADE.items() if name not in often and _differs(found[place - 1], one, name)
            ]
            said += [("changed", ", ".join(changed))] if changed else []
        yield one, said


def _changes(found: Sequence[Recorded], name: str) -> int:
    return sum(_differs(before, now, name) for before, now in pairwise(found))


def _differs(before: Recorded, now: Recorded, name: str) -> bool:
    """Tell whether something is not the same, and known on both sides."""
    one, other = getattr(before.made, name), getattr(now.made, name)
    return one != other and (name in NONE or None not in (one, other))
