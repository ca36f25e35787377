"""`Difference`: which conventions lie between two numbers, and on which queries."""

from dataclasses import dataclass
from typing import Any

from assay.core.shown import Shown

SHOWN = 6


def shown(value: object) -> str:
    """Write a number as it is read."""
    if value is None:
        return "no value"
    return f"{value:.{SHOWN}g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Change:
    """One convention that is changed: a field of the policy, a parameter of the measure, or a known fault.

    `kind` is "policy", "measure" or "fault"; `meaning` says in words what `after` does.
    """

    kind: str
    name: str
    before: str
    after: str
    meaning: str

    def __str__(self) -> str:
        return self.name if self.kind == "fault" else f"{self.name}={self.after} instead of {self.before}"

    def to_dict(self) -> dict[str, str]:
        """Return the change as plain data."""
        return {
            "kind": self.kind, "name": self.name, "before": self.before, "after": self.after, "meaning": self.meaning,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class QueryChange:
    """A query whose value changes; None where it is undefined or left out of the mean."""

    query: str
    before: float | None
    after: float | None

    @property
    def size(self) -> float:
        """By how much: infinite where there is no value on one side."""
        if self.before is None or self.after is None:
            return 0.0 if self.before == self.after else float("inf")
        return abs(self.after - self.before)

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return {"query": self.query, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Cause:
    """Changes that, made together, give `value`; `explains` tells whether that is the other number.

    `queries` are those whose value changes, largest change first.
    """

    changes: tuple[Change, ...]
    value: float | None
    explains: bool
    queries: tuple[QueryChange, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the cause as plain data."""
        return {
            "changes": [change.to_dict() for change in self.changes],
            "value": self.value,
            "explains": self.explains,
            "queries": [query.to_dict() for query in self.queries],
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """What lies between the two numbers of one measure.

    `causes` are the smallest sets of changes that explain it; where there are none, the nearest misses.
    """

    measure: str
    ours: float | None
    theirs: float | None
    causes: tuple[Cause, ...]
    same: bool = False

    @property
    def explained(self) -> bool:
        """Whether some cause gives exactly the other number."""
        return self.same or any(cause.explains for cause in self.causes)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The finding in plain words."""
        numbers = f"{self.measure}: {shown(self.ours)} and {shown(self.theirs)}"
        if self.same:
            return (f"{numbers}, no difference.",)
        if self.explained:
            return tuple(f"{numbers}. {_in_words(cause)}" for cause in self.causes)
        nearest = tuple(_in_words(cause) for cause in self.causes)
        return (f"{numbers}. No convention that Assay knows explains the difference, alone or in pairs.", *nearest)

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain data."""
        return {
            "measure": self.measure,
            "ours": self.ours,
            "theirs": self.theirs,
            "same": self.same,
            "explained": self.explained,
            "sentences": list(self.sentences),
            "causes": [cause.to_dict() for cause in self.causes],
        }


@dataclass(frozen=True, slots=True)
class Difference(Shown):
    """Which conventions lie between two profiles, or between a profile and a number of unknown origin.

    `first` and `second` name the two sides; `limits` are sentences on what no setting can reproduce.
    """

    first: str
    second: str
    findings: tuple[Finding, ...]
    limits: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        """Whether every difference is explained."""
        return all(finding.explained for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as plain data, in the shape of the JSON output."""
        from assay._version import __version__

        return {
            "assay": __version__,
            "first": self.first,
            "second": self.second,
            "explained": self.explained,
            "findings": [finding.to_dict() for finding in self.findings],
            "limits": list(self.limits),
        }

    def __str__(self) -> str:
        return "\n".join(sentence for finding in self.findings for sentence in finding.sentences)


def _in_words(cause: Cause) -> str:
    changes = " and ".join(f"{change} ({change.meaning})" for change in cause.changes)
    verb = "explains it" if cause.explains else "comes nearest"
    if len(cause.changes) > 1:
        verb = "together explain it" if cause.explains else "together come nearest"
    return f"{changes} {verb} with {shown(cause.value)}{_of_queries(cause)}."


def _of_queries(cause: Cause) -> str:
    touched = len(cause.queries)
    if not touched:
        return "; no query changes its value, only which queries the mean counts"
    most = cause.queries[0]
    largest = f"most of all {most.query!r}: {shown(most.before)} to {shown(most.after)}"
    return f"; {touched} {'query changes' if touched == 1 else 'queries change'}, {largest}"
