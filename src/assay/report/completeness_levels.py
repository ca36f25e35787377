"""The domain level, relations and demand, as lines and tables."""

import re
from collections.abc import Iterator, Mapping, Sequence

from assay.core.completeness import Completeness
from assay.core.completeness_levels import Demand, DomainLevel, Oracle, Recaptured, RelationLevel
from assay.core.estimates import Interval
from assay.report.amounts import counted, percent
from assay.report.drawing import Table
from assay.report.grid import UNDEFINED, number
from assay.report.iris import shorten

MOST = 25
EXAMPLES = 5
IRI = re.compile(r"<([^<>]*)>")
SURE = 0.9
"""Functionality from which on one value of a property is good evidence that it is the only one."""
RULES = {
    "cwa": "cwa: what is not there is not; so everything is complete",
    "pca": "pca: who has one value has all",
}
Section = tuple[str, Sequence[str], Table, Sequence[str]]


def named_properties(found: Completeness) -> list[str]:
    """Return the properties that these levels name."""
    wanted = found.demand.wanted if found.demand else ()
    return [one.predicate for one in found.relations] + [one.predicate for one in wanted]


def domain_lines(found: Completeness) -> Section | None:
    """Return how much of the reference list is in the graph."""
    level = found.domain
    if level is None:
        return None
    return "Domain level: held against a reference", tuple(_domain(level)), Table(("",), ()), ()


def _domain(level: DomainLevel) -> Iterator[str]:
    if level.ratio is None:
        yield "Not evaluated: the reference is empty."
        return
    sampled = f", {interval(level.interval)}" if level.interval else ""
    there = f"{level.found:,} of {level.of:,} {level.unit} of the reference are in the graph"
    yield f"{there}: {number(level.ratio)}{sampled}."
    if level.drawn_from is None:
        yield "The reference is taken as the whole list: no interval."
    else:
        size = f"{level.drawn_from:,}" if level.drawn_from else "unknown length"
        yield f"The reference is taken as a sample drawn at random from a list of {size}."
    if level.recaptured:
        yield from _recaptured(level.recaptured, level.unit)
    if level.missing:
        more = level.of - level.found - len(level.missing[:EXAMPLES])
        shown = "; ".join(_short(level.missing[:EXAMPLES]))
        yield f"Missing: {shown}" + (f"; and {more:,} more." if more > 0 else ".")


def _short(facts: Sequence[str]) -> list[str]:
    """Return facts with short names in place of IRIs."""
    names = shorten(name for fact in facts for name in IRI.findall(fact))
    return [IRI.sub(lambda found: names[found[1]], fact) for fact in facts]


def _recaptured(one: Recaptured, unit: str) -> Iterator[str]:
    yield (
        f"Capture and recapture: the graph has {one.first:,} {unit} of this kind, the reference {one.second:,}, both "
        f"{one.both:,}; so there are about {one.total:,.0f} ({interval(one.interval, whole=True)}), of which "
        f"{one.unseen:,.0f} are in neither. This holds where neither knows of the other."
    )


def relation_lines(found: Completeness, names: Mapping[str, str]) -> Section | None:
    """Return how many of their values the subjects of each property have."""
    if not found.relations:
        return None
    shown = sorted(found.relations, key=lambda one: (-one.values, one.predicate))[:MOST]
    rules = list(dict.fromkeys(rule.rule for one in shown for rule in one.oracles))
    held = any(one.reference is not None for one in shown)
    right = [f"{rule} right" for rule in rules] if held else []
    heads = ("property", "subjects", "values", "functional", "of", *rules, *(("reference", "found") if held else ()))
    rows = tuple((*_relation(one, names), *_called(one, rules), *(_held(one, rules) if held else ())) for one in shown)
    table = Table((*heads, *right), rows)
    return "Relations: values of each subject", tuple(_relations(found, names)), table, ("subjects", "of", *right[::-1])


def _relation(one: RelationLevel, names: Mapping[str, str]) -> tuple[str, ...]:
    return names[one.predicate], f"{one.subjects:,}", f"{one.values:,}", number(one.functionality), f"{one.of:,}"


def _called(one: RelationLevel, rules: Sequence[str]) -> Iterator[str]:
    found = {rule.rule: rule for rule in one.oracles}
    for name in rules:
        rule = found.get(name)
        yield UNDEFINED if rule is None or rule.ratio is None else number(rule.ratio)


def _held(one: RelationLevel, rules: Sequence[str]) -> tuple[str, ...]:
    if one.reference is None or one.found is None:
        return (UNDEFINED,) * (2 + len(rules))
    found = {rule.rule: rule for rule in one.oracles}
    return f"{one.found:,}/{one.reference:,}", number(one.ratio), *(_right(found.get(name)) for name in rules)


def _right(rule: Oracle | None) -> str:
    return UNDEFINED if rule is None or not rule.judged else f"{rule.right or 0:,}/{rule.judged:,}"


def _relations(found: Completeness, names: Mapping[str, str]) -> Iterator[str]:
    if len(found.relations) > MOST:
        yield f"The {MOST} properties with most values are shown; -o json and csv have all {len(found.relations):,}."
    yield (
        "functional: subjects for each value; of: subjects that should have one; a rule's column is the share of them "
        "that it calls complete."
    )
    asked = dict.fromkeys(rule.rule for one in found.relations for rule in one.oracles)
    yield "; ".join(RULES.get(rule, f"{rule}: who has so many values has all") for rule in asked) + "."
    if any(one.reference is not None for one in found.relations):
        yield (
            "reference: values of the reference that are there, of how many; right: how many of the subjects that a "
            "rule calls complete are so by the reference."
        )
    loose = [names[one.predicate] for one in found.relations if (one.functionality or 1) < SURE]
    if "pca" in asked and loose:
        more = f" and {len(loose) - EXAMPLES:,} more" if len(loose) > EXAMPLES else ""
        yield (
            f"Functionality below {SURE}: {', '.join(loose[:EXAMPLES])}{more}. There one value says little about the "
            "others, and pca calls too much complete."
        )


def demand_lines(found: Completeness, names: Mapping[str, str]) -> Section | None:
    """Return what questions ask for, the largest gap first."""
    level = found.demand
    if level is None:
        return None
    total = sum(one.gap or 0.0 for one in level.wanted)
    ranked = sorted(
        level.wanted, key=lambda one: (-(one.gap if one.gap is not None else -1), -one.weight, one.predicate)
    )
    rows = tuple(
        (
            names[one.predicate], number(one.weight), number(one.ratio) if one.used else "never used", number(one.gap),
            percent(one.gap / total) if one.gap is not None and total else UNDEFINED,
        )
        for one in ranked[:MOST]
    )  # fmt: skip
    heads = ("property", "demand", "ratio", "gap", "of all gaps")
    return "Demand: what questions ask for", tuple(_demand(level)), Table(heads, rows), ()


def _demand(level: Demand) -> Iterator[str]:
    if level.weighted is None:
        yield "Not evaluated: no question names a property that can be counted."
        return
    yield (
        f"Weighed by demand {number(level.weighted)}, unweighted {number(level.unweighted)}, over "
        f"{counted(sum(one.ratio is not None for one in level.wanted), 'property')} that "
        f"{counted(level.queries, 'question')} need."
    )
    yield "demand: share of what questions need; gap: demand × (1 - ratio), what to fetch first."
    if level.unread:
        yield f"{counted(level.unread, 'question has', 'questions have')} no SPARQL that could be taken apart."
    if level.variable:
        yield (
            f"{counted(level.variable, 'question leaves', 'questions leave')} a property open: they need "
            "any, and count for those they name."
        )


def interval(found: Interval | None, *, whole: bool = False) -> str:
    """Return an interval in words: its level and its ends."""
    if found is None or found.low is None or found.high is None:
        return UNDEFINED
    ends = (f"{found.low:,.0f}", f"{found.high:,.0f}") if whole else (number(found.low), number(found.high))
    return f"{percent(found.level, None)} [{ends[0]}, {ends[1]}] ({found.method})"
