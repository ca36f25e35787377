"""A gate in words: what it says, why, and what to do about it."""

from collections.abc import Iterator, Sequence

from assay.core.gate import (
    BLOCKED,
    DROP,
    FEW,
    FLOOR,
    JUDGED,
    PASSED,
    UNDECIDED,
    Check,
    Fallen,
    Gate,
    Unlike,
)
from assay.report.comparison import probability
from assay.report.grid import number
from assay.report.names import visible

NAMED = 10
"""So many queries are named in one sentence."""
DIGEST = 12
"""So many characters of a digest are shown."""
CIRCUMSTANCES = {
    "gold": "The gold standard is another",
    "queries": "The queries are others",
    "corpus": "The corpus is another",
    "policy": "The conventions are others",
    "exclude": "The pairs that are left out are others",
    "weights": "The weights or clusters of queries are others",
    "assay": "Assay is of another release",
    "platform": "The platform is another",
    "code": "The code is another",
    "task": "The task is another",
}
DIGESTS = frozenset({"gold", "queries", "corpus", "code", "exclude", "weights"})


def title(gate: Gate) -> str:
    """Return the verdict in one line."""
    return f"{gate.decision.upper()}: {compared(gate)}"


def compared(gate: Gate) -> str:
    """Say what was held against what."""
    now, suite = visible(gate.now.name), visible(gate.suite)
    if gate.before is None:
        return f"{now} without a baseline (suite {suite})"
    return f"{now} against the baseline {visible(gate.before.name)} (suite {suite})"


def reasons(gate: Gate) -> list[str]:
    """Return why the verdict is what it is, the most pressing first; then what is no reason and worth knowing."""
    refused = [unlike(one) for one in gate.unlike if one.refused]
    checks = [sentence(one) for kind in (BLOCKED, UNDECIDED) for one in gate.checks if one.decision == kind]
    guarded = list(_fallen([one for one in gate.fallen if one.blocks], "which blocks"))
    named = list(_fallen([one for one in gate.fallen if not one.blocks], "which is reported, not blocked"))
    fell = [sentence(one) for one in gate.checks if one.decision == PASSED and (one.drop or 0) > 0]
    held = [one for one in gate.checks if one.decision == PASSED and (one.drop or 0) <= 0]
    rest = [f"{_named(held)} did not fall."] if held else []
    return [*refused, *checks, *guarded, *fell, *named, *rest, *gate.notices]


def sentence(check: Check) -> str:
    """Return what is to be said of one check."""
    where = f"{check.measure}{_inside(check)}"
    if check.decision == UNDECIDED:
        return " ".join(f"{where} cannot be judged: {_open(check, code)}." for code in check.reasons)
    said = []
    if FLOOR in check.reasons:
        beyond, most = ("below", "lowest") if check.higher_is_better else ("above", "highest")
        said.append(
            f"{where} is {number(check.figure)}, {beyond} {number(check.limit)}, the {most} allowed (no test is made)."
        )
    if DROP in check.reasons:
        allowed = f"more than the {number(check.max_drop)} allowed"
        said.append(f"{where} {_fell(check)}, {allowed} and more than chance: {p_of(check)}.")
    if check.decision == PASSED:
        said.append(f"{where} {_fell(check)}, {_why_not(check)}.")
    return " ".join(said)


def unlike(one: Unlike) -> str:
    """Say what differs from the baseline, and what to do where nothing is decided because of it."""
    if one.what == "baseline":
        return f"There was no baseline in {visible(one.now or '')}."
    if one.what == "measure":
        return f"The baseline does not hold {one.now}: --update-baseline makes one that does."
    before, now = (_short(one, value) for value in (one.before, one.now))
    said = f"{CIRCUMSTANCES[one.what]} than when the baseline was made ({before} → {now})"
    if not one.refused:
        return f"{said}."
    anyway = "" if one.what == "task" else f"--accept {one.what} compares all the same, "
    return f"{said}: {anyway}--update-baseline begins anew."


def circumstances(gate: Gate) -> list[str]:
    """Say what differs and refuses nothing; of a run that passed, not that code and platform are others."""
    quiet = {"code", "platform"} if gate.decision == PASSED else set()
    return [unlike(one) for one in gate.unlike if not one.refused and one.what not in quiet]


def advice(gate: Gate) -> str:
    """Say what to do next."""
    if gate.decision == BLOCKED and gate.before is None:
        return "A figure beyond its limit makes no baseline by itself: mend the run, or the limit."
    if gate.decision == BLOCKED:
        return (
            "If this is meant, make this run the baseline with --update-baseline, and have that change reviewed. Else "
            "look at a query that lost: assay explain GOLD OLD_RUN NEW_RUN --query ID."
        )
    if gate.before is None:
        return "" if gate.notices else "--update-baseline makes this run the baseline; the next one is held against it."
    if gate.decision == UNDECIDED:
        return "Nothing was decided (exit code 3), which is neither passed nor blocked: see the reasons above."
    return ""


def reading(gate: Gate) -> Iterator[str]:
    """Yield how the verdict was reached."""
    if gate.family:
        yield from _tested(gate)
    if any(one.limit is not None for one in gate.checks):
        yield "min and max are held against the figure as it is, without any interval or test."


def _tested(gate: Gate) -> Iterator[str]:
    """Yield how drops were tested."""
    tests = {"flips": "sign flips", "t": "Student's t", "betting": "bets on a fall"}
    test = "sign flips of whole nights" if gate.nights and gate.test == "flips" else tests[gate.test]
    yield (
        f"A drop blocks when it is larger than max_drop and significant: paired, one-sided ({test}), p corrected by "
        f"Holm over {gate.family} {'test' if gate.family == 1 else 'tests'} at most {gate.alpha:g}. A drop that may be "
        "chance is reported and blocks nothing."
    )
    if gate.nights is not None:
        yield (
            f"Nightly: this is look {gate.nights} of {gate.horizon}; p holds at every look, so that looking each night "
            "raises no false alarm."
        )
    level = next((one.interval.level for one in gate.checks if one.interval.low is not None), None)
    if gate.nights is not None and gate.test == "betting":
        yield "p and the interval are of the mean change over all looks since counting began; the rest is tonight's."
    elif level is not None:
        yield f"[{100 * level:g} % interval] of the change: the one that fits a one-sided test; it is not corrected."


def place_of(check: Check) -> str:
    """Name the scope of a check."""
    return visible(check.slice) if check.slice else "all queries"


def p_of(check: Check) -> str:
    """Write the p value that decides."""
    found, alone = probability(check.significance.final), probability(check.significance.p)
    return f"p {found}" + ("" if found == alone else f" ({alone} before Holm)")


def _inside(check: Check) -> str:
    return f" in {visible(check.slice)}" if check.slice else ""


def _fell(check: Check) -> str:
    verb = "fell" if check.higher_is_better else "rose"
    return f"{verb} by {number(check.drop)} ({number(check.baseline)} → {number(check.now)})"


def _why_not(check: Check) -> str:
    """Say why a drop does not block."""
    within = f"within the {number(check.max_drop)} allowed"
    if (check.drop or 0) <= check.max_drop:
        return f"{within}, {p_of(check)}"
    return f"which may be chance: {p_of(check)}; reported, not blocked"


def _open(check: Check, code: str) -> str:
    """Say why one check cannot decide."""
    if code == FEW:
        counted = f"{check.queries:,} {units_of(check)}"
        if check.queries >= check.min_queries:
            return f"of {counted} {check.why}"
        return f"{counted} can be paired, at least {check.min_queries:,} are needed"
    if code == JUDGED:
        found = "nothing" if check.judged is None else f"{100 * check.judged:.1f} %"
        return (
            f"{found} of the items that it looks at is judged, at least {100 * (check.min_judged or 0):g} % has to be "
            "(min_judged)"
        )
    return check.why or "no query has a value"


def units_of(check: Check) -> str:
    """Name what is counted: queries, or groups of those that belong together."""
    return "groups of queries" if check.clusters else "queries"


def _named(checks: Sequence[Check]) -> str:
    named = [f"{one.measure}{_inside(one)}" for one in checks]
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last


def _fallen(found: Sequence[Fallen], end: str) -> Iterator[str]:
    """Name the queries that lost all, by measure and by what became of them."""
    for measure, event in dict.fromkeys((one.measure, event_of(one)) for one in found):
        queries = [visible(one.query) for one in found if (one.measure, event_of(one)) == (measure, event)]
        more = f" and {len(queries) - NAMED:,} more" if len(queries) > NAMED else ""
        subject = "A query" if len(queries) == 1 else f"{len(queries):,} queries"
        said = event if len(queries) == 1 else event.replace("lost its", "lost their")
        yield f"{subject} {said}, {end}: {', '.join(queries[:NAMED])}{more}."


def event_of(one: Fallen) -> str:
    """Say what became of a query that lost all.

    >>> event_of(Fallen("", "RR", "q", 1.0, True)), event_of(Fallen("", "MR", "q", 1.0, True, None))
    ('fell to 0 by RR', 'lost its value by MR')
    """
    if one.now is None:
        return f"lost its value by {one.measure}"
    return f"{'fell' if one.now < one.before else 'rose'} to {one.now:g} by {one.measure}"


def ended(one: Fallen) -> str:
    """Write the value that a query that lost all has now."""
    return "no value" if one.now is None else f"{one.now:g}"


def _short(one: Unlike, value: str | None) -> str:
    """Write a circumstance; of a digest its beginning."""
    if value is None:
        return "none" if one.what in {"exclude", "weights"} else "unknown"
    return value[:DIGEST] if one.what in DIGESTS else visible(value)
