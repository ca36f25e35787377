"""Candidates: each convention that might lie between two numbers, as a change of a setting."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from assay.core.difference import Change
from assay.core.gold import Gold
from assay.core.policy import CHOICES, Policy
from assay.difference.faults import FAULTS
from assay.difference.laboratory import Laboratory, Setting
from assay.measures.base import Measure, plain, show
from assay.measures.parameters import PARAMETERS

MOST_GRADES = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """One convention set to one value."""

    kind: str
    name: str
    value: Any

    def apply(self, setting: Setting) -> Setting:
        """Return the setting with this one convention changed."""
        if self.kind == "policy":
            return replace(setting, policy=setting.policy.but(**{self.name: self.value}))
        if self.kind == "measure":
            return replace(setting, measure=replace(setting.measure, **{self.name: self.value}))
        return replace(setting, faults=(*setting.faults, self.name))

    def change_of(self, setting: Setting) -> Change:
        """Describe what it changes about a setting."""
        if self.kind == "policy":
            before = getattr(setting.policy, self.name)
            return Change("policy", self.name, before, self.value, CHOICES[self.name][self.value])
        if self.kind == "measure":
            before = show(getattr(setting.measure, self.name))
            return Change("measure", self.name, before, show(plain(self.value)), PARAMETERS[self.name][0])
        return Change("fault", self.name, "", self.name, FAULTS[self.name].meaning)


def between(one: Setting, other: Setting) -> list[Candidate]:
    """Return what two settings of the same kind of measure differ in, one candidate for each."""
    ours, theirs = one.policy.to_dict(), other.policy.to_dict()
    found = [Candidate("policy", name, theirs[name]) for name in ours if ours[name] != theirs[name]]
    for part in fields(one.measure):
        value = getattr(other.measure, part.name)
        if getattr(one.measure, part.name) != value:
            found.append(Candidate("measure", part.name, value))
    return found


def conceivable(setting: Setting, laboratory: Laboratory) -> list[Candidate]:
    """Return every convention that another tool may have, for a measure, a gold standard and a run."""
    found = [*_policies(setting.policy), *_parameters(setting.measure, laboratory.gold)]
    for name, fault in FAULTS.items():
        if fault.concerns(laboratory.gold, laboratory.rows, setting.measure):
            found.append(Candidate("fault", name, True))
    return found


def _policies(policy: Policy) -> Iterator[Candidate]:
    for name, choices in CHOICES.items():
        now = getattr(policy, name)
        if name == "extra" or (name in {"duplicates", "nan"} and now == "error"):
            continue
        yield from (Candidate("policy", name, value) for value in choices if value not in {now, "error"})


def _parameters(measure: Measure, gold: Gold) -> Iterator[Candidate]:
    for part in fields(measure):
        now = getattr(measure, part.name)
        for value in _values(part.name, now, measure, gold):
            if value != now:
                yield Candidate("measure", part.name, value)


def _values(name: str, now: Any, measure: Measure, gold: Gold) -> list[Any]:
    """Return the values that another tool may have for a parameter."""
    if name == "beta":
        return [now**2, now**0.5]
    if name == "rel":
        return [grade for grade in gold.grades() if grade > 0][:MOST_GRADES]
    if name == "max_rel":
        return [1, 2, 3, 4, 5]
    if name == "k":
        return [] if measure.needs_at else [None]
    fixed: dict[str, list[Any]] = {
        "gain": ["linear", "exp"],
        "norm": ["R", "min", "found"],
        "rounding": ["ceil", "trunc", "round"],
        "base": [2, 2.718281828459045, 10],
        "p": [0.5, 0.8, 0.9, 0.95],
    }
    return fixed.get(name, [])
