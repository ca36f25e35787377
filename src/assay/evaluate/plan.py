"""`Plan`: one measure to compute, fitted to the conventions of the call."""

from dataclasses import dataclass, fields, replace

from assay.core.gold import Gold
from assay.core.policy import Policy
from assay.core.profiles import PROFILES, Profile
from assay.errors import ParameterError
from assay.measures.base import Measure
from assay.measures.notation import Requested
from assay.measures.parameters import Unsaid


@dataclass(frozen=True, slots=True)
class Plan:
    """One measure to compute: as the tool of the profile would, under its policy."""

    measure: Measure
    requested: str
    policy: Policy
    special: bool

    @property
    def cutoff(self) -> int | None:
        """The measure's cutoff, if it has one."""
        return getattr(self.measure, "k", None)


def conventions_of(policy: Policy | None, profile: str | Profile | None) -> Profile:
    """Return the conventions of a call as a profile."""
    if policy is not None and profile is not None:
        msg = "expected a policy or a profile, found both"
        raise ParameterError(msg, hint="PROFILES[name].but(ties='order') changes single fields of a profile.")
    if profile is None:
        return Profile("assay", "", policy or Policy())
    return PROFILES[profile] if isinstance(profile, str) else profile


def plans_of(requests: list[Requested], conventions: Profile, gold: Gold, rel: float | None) -> list[Plan]:
    """Fit each measure to the call's `rel` and to the conventions."""
    plans: dict[Measure, Plan] = {}
    for request in requests:
        measure = _with_rel(request.measure, gold, rel)
        measure = conventions.fitted(measure, trec_name=request.text.startswith("set_F"))
        policy = conventions.policy_for(measure)
        if measure.judged_only:
            policy = policy.but(unjudged="drop")
        plans.setdefault(measure, Plan(measure, request.text, policy, policy != conventions.policy))
    return list(plans.values())


def _with_rel(measure: Measure, gold: Gold, rel: float | None) -> Measure:
    own = getattr(measure, "rel", None)
    if not isinstance(own, Unsaid) or "rel" not in {part.name for part in fields(measure)}:
        return measure
    if rel is not None:
        return replace(measure, rel=rel)  # type: ignore[call-arg]
    if gold.fractional is not None:
        name = type(measure)(rel=1).name
        grade = f"{gold.fractional:g}"
        msg = f"{measure} needs to know which grades are relevant: the gold has fractional grades such as {grade}"
        raise ParameterError(msg, hint=f"say it in the measure, {name}(rel=1), or for all with --rel 1.")
    return measure
