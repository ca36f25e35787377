"""Profiles: the conventions of other tools, by name, as one table.

A profile is a policy and, where a tool treats measures differently, rules for single measures.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from assay.core.policy import Policy
from assay.core.registry import Registry


@dataclass(frozen=True, slots=True)
class Rule:
    """What a tool does differently for some measures.

    `cutoff` narrows the rule to measures with (True) or without (False) a cutoff; `policy` changes fields of
    the policy, `parameters` those of the measure; `beta_squared` tells that the tool's beta is beta squared.
    """

    measures: tuple[str, ...]
    why: str
    cutoff: bool | None = None
    policy: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    beta_squared: bool = False

    def covers(self, measure: str, *, has_cutoff: bool) -> bool:
        """Tell whether the rule speaks of this measure."""
        return measure in self.measures and self.cutoff in {None, has_cutoff}


@dataclass(frozen=True, slots=True)
class Profile:
    """One tool's conventions."""

    name: str
    summary: str
    policy: Policy
    rules: tuple[Rule, ...] = ()

    def but(self, **changes: str) -> Self:
        """Return the profile with some fields of the policy said outright: they win over every rule."""
        kept = tuple(
            replace(rule, policy={name: value for name, value in rule.policy.items() if name not in changes})
            for rule in self.rules
        )
        return replace(self, policy=self.policy.but(**changes), rules=kept)

    def rules_for(self, measure: str, *, has_cutoff: bool) -> tuple[Rule, ...]:
        """Return the rules that speak of a measure."""
        return tuple(rule for rule in self.rules if rule.covers(measure, has_cutoff=has_cutoff))

    def policy_for(self, measure: str, *, has_cutoff: bool) -> Policy:
        """Return the policy under which this tool computes a measure."""
        policy = self.policy
        for rule in self.rules_for(measure, has_cutoff=has_cutoff):
            policy = policy.but(**rule.policy)
        return policy


PROFILES: Registry[Profile] = Registry("profile")
"""Every profile by its name."""

_INTERPOLATED = ("IPrec", "11pt")


def _add(name: str, summary: str, policy: Policy, *rules: Rule) -> None:
    PROFILES.add(name, Profile(name, summary, policy, rules))


_add("assay", "Assay's own definitions and defaults.", Policy())
_add(
    "trec_eval-9",
    "trec_eval 9.x and pytrec_eval: scores compared in 32 bits, ties by id descending, queries without answers left out.",
    Policy(precision="float32", missing="skip"),
    Rule(_INTERPOLATED, "recall x R is cut after adding 0.9", parameters={"rounding": "trunc"}),
)
_add(
    "trec_eval-10",
    "trec_eval 10: scores compared in 64 bits, ties by id descending, queries without answers left out.",
    Policy(missing="skip"),
    Rule(_INTERPOLATED, "recall x R is rounded to the nearest count", parameters={"rounding": "round"}),
)
