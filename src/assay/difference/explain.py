"""The verb: between two profiles, or between a profile and a number of unknown origin."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

from assay.core.difference import Cause, Difference, Finding
from assay.core.profiles import PROFILES, Profile
from assay.difference.candidates import Candidate, between, conceivable
from assay.difference.laboratory import Laboratory, Outcome, Setting, near
from assay.errors import ParameterError
from assay.evaluate import DEFAULT, Measures, plans_of
from assay.inputs import as_gold, as_run
from assay.measures import parse_many
from assay.measures.notation import Requested

NEAREST = 3
SLACK = 1e-9
UNSTABLE_FROM = 16
RANX = (
    "ranx leaves items with equal scores in an arbitrary order in lists of 16 items and more: where a tie decides, "
    "its number cannot be reproduced"
)


def explain_difference(
    gold: Any,
    run: Any,
    *,
    profiles: Sequence[str | Profile] | None = None,
    measures: Measures = DEFAULT,
    profile: str | Profile = "assay",
    measure: Any = None,
    their_number: float | str | None = None,
    tolerance: float | None = None,
    rel: float | None = None,
) -> Difference:
    """Name the convention that makes two tools, or two numbers, differ, and the queries on which it does.

    Parameters
    ----------
    gold, run
        As for `evaluate`.
    profiles, measures
        Two profiles, and the measures to hold against each other.
    profile, measure, their_number
        One profile, one measure, and the number that somebody else has for it.
    tolerance
        How far a value may lie from `their_number`; by default half a unit of its last decimal. Give the
        number as text where it ends in zeros: "0.50".
    rel
        The lowest relevant grade for measures that do not say their own.

    Raises
    ------
    AssayError
        What `evaluate` raises for the first profile, or a request that names neither two profiles nor a number.

    >>> gold, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}
    >>> found = explain_difference(gold, run, profiles=("assay", "msmarco"), measures="RR")
    >>> [str(change) for change in found.findings[0].causes[0].changes]
    ['ties=order instead of id-desc']
    >>> found = explain_difference(gold, run, measure="RR", their_number=0.75)
    >>> [str(change) for change in found.findings[0].causes[0].changes]
    ['ties=expected instead of id-desc']
    """
    judged = as_gold(gold)
    laboratory = Laboratory(judged, as_run(run, judged))
    if profiles is not None:
        return _between_profiles(laboratory, _two(profiles, their_number), parse_many(measures), rel)
    if measure is None or their_number is None:
        msg = "expected two profiles, or one measure and their_number"
        raise ParameterError(msg, hint="profiles=('trec_eval-9', 'beir'), or measure='AP', their_number=0.4167.")
    return _towards_number(laboratory, _known(profile), parse_many(measure), (their_number, tolerance), rel)


def _known(profile: str | Profile) -> Profile:
    return PROFILES[profile] if isinstance(profile, str) else profile


def _two(profiles: Sequence[str | Profile], their_number: object) -> tuple[Profile, Profile]:
    if isinstance(profiles, str) or len(profiles) != 2 or their_number is not None:
        msg = f"expected two profiles, or one profile and a number, found {profiles!r}"
        raise ParameterError(msg, hint="assay itself is a profile too: profiles=('assay', 'beir').")
    return _known(profiles[0]), _known(profiles[1])


def _settings(request: Requested, profile: Profile, laboratory: Laboratory, rel: float | None) -> Setting:
    plan = plans_of([request], profile, laboratory.gold, rel)[0]
    return Setting(plan.measure, plan.policy)


def _between_profiles(
    laboratory: Laboratory, sides: tuple[Profile, Profile], requests: Iterable[Requested], rel: float | None
) -> Difference:
    findings = []
    for request in requests:
        one, other = (_settings(request, side, laboratory, rel) for side in sides)
        ours, theirs = laboratory.require(one), laboratory.require(other)
        same = ours.equals(theirs)
        causes = () if same else _smallest(laboratory, one, ours, theirs, between(one, other))
        findings.append(Finding(request.text, ours.mean, theirs.mean, causes, same))
    limits = tuple(dict.fromkeys(f"{side.name}: {limit}" for side in sides for limit in side.limits))
    return Difference(sides[0].name, sides[1].name, tuple(findings), limits)


def _smallest(
    laboratory: Laboratory, start: Setting, ours: Outcome, theirs: Outcome, candidates: list[Candidate]
) -> tuple[Cause, ...]:
    """Return the smallest sets of changes that turn one side into the other; all together always do."""
    for size in range(1, len(candidates) + 1):
        found = []
        for some in combinations(candidates, size):
            outcome = laboratory.measure(_applied(start, some))
            if outcome is not None and outcome.equals(theirs):
                found.append(_cause(start, some, ours, outcome, explains=True))
        if found:
            return tuple(found)
    return ()


def _towards_number(
    laboratory: Laboratory,
    profile: Profile,
    requests: list[Requested],
    number: tuple[float | str, float | None],
    rel: float | None,
) -> Difference:
    if len(requests) != 1:
        msg = f"expected one measure for their_number, found {len(requests)}"
        raise ParameterError(msg)
    their_number, tolerance = number
    wanted, within = _read_number(their_number)
    within = within if tolerance is None else tolerance
    start = _settings(requests[0], profile, laboratory, rel)
    ours = laboratory.require(start)
    same = near(ours.mean, wanted, within + SLACK)
    causes = () if same else _search(laboratory, start, ours, wanted, within + SLACK)
    finding = Finding(requests[0].text, ours.mean, wanted, causes, same)
    limits = profile.limits if finding.explained else (*profile.limits, *_unstable(laboratory, start))
    return Difference(profile.name, f"their number {their_number}", (finding,), limits)


def _read_number(number: float | str) -> tuple[float, float]:
    """Return a number and half a unit of the last decimal it is written with.

    >>> _read_number("0.4167"), _read_number(3)
    ((0.4167, 5e-05), (3.0, 0.0))
    """
    text = str(number).strip()
    try:
        value = float(text)
    except ValueError:
        msg = f"their_number: expected a number, found {number!r}"
        raise ParameterError(msg) from None
    decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 12
    return value, 0.5 * 10.0**-decimals if decimals else 0.0


def _search(laboratory: Laboratory, start: Setting, ours: Outcome, wanted: float, within: float) -> tuple[Cause, ...]:
    """Try every convention alone, then in pairs; return those that match, or else the nearest."""
    tried: list[tuple[float, tuple[Candidate, ...], Outcome]] = []
    singles = conceivable(start, laboratory)
    for sets in ([(one,) for one in singles], _pairs(laboratory, start, ours, singles)):
        for some in sets:
            outcome = laboratory.measure(_applied(start, some))
            if outcome is not None and outcome.mean is not None and not outcome.equals(ours):
                tried.append((abs(outcome.mean - wanted), some, outcome))
        matches = sorted((one for one in tried if one[0] <= within), key=lambda one: one[0])
        if matches:
            return tuple(_cause(start, some, ours, outcome, explains=True) for _, some, outcome in matches)
    ordered = sorted(tried, key=lambda one: (one[0], len(one[1])))
    nearest = list({one[2].mean: one for one in reversed(ordered)}.values())[::-1][:NEAREST]
    return tuple(_cause(start, some, ours, outcome, explains=False) for _, some, outcome in nearest)


def _pairs(
    laboratory: Laboratory, start: Setting, ours: Outcome, singles: list[Candidate]
) -> list[tuple[Candidate, Candidate]]:
    """Return pairs of different conventions of which one has an effect alone."""
    felt = set()
    for one in singles:
        outcome = laboratory.measure(_applied(start, (one,)))
        if outcome is not None and not outcome.equals(ours):
            felt.add(one)
    both = combinations(singles, 2)
    return [(one, two) for one, two in both if one.name != two.name and (one in felt or two in felt)]


def _applied(start: Setting, candidates: Iterable[Candidate]) -> Setting:
    for candidate in candidates:
        start = candidate.apply(start)
    return start


def _cause(start: Setting, some: Iterable[Candidate], ours: Outcome, outcome: Outcome, *, explains: bool) -> Cause:
    changes = tuple(candidate.change_of(start) for candidate in some)
    return Cause(changes, outcome.mean, explains, ours.changes_to(outcome))


def _unstable(laboratory: Laboratory, start: Setting) -> tuple[str, ...]:
    """Return the hint at ranx where lists are long enough and ties can decide."""
    sizes = laboratory.rows.group_by("query").len()["len"]
    if not len(sizes) or sizes.max() < UNSTABLE_FROM:  # type: ignore[operator]
        return ()
    spread = [
        laboratory.measure(_applied(start, [Candidate("policy", "ties", ties)]))
        for ties in ("optimistic", "pessimistic")
    ]
    moved = all(spread) and not spread[0].equals(spread[1])  # type: ignore[union-attr,arg-type]
    return (RANX,) if moved else ()
