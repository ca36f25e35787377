"""One page for each measure: definition, formula, values, chance, names, example and source."""

from itertools import combinations
from typing import Any

from docs.generate.markdown import Page, block, code, link, number, prose, sections, table

from assay.core.profiles import PROFILES
from assay.errors import AssayError
from assay.measures import MEASURES
from assay.measures.base import Measure
from assay.report.measure_page import facts, families

ITEMS, RELEVANT, CUTOFF = 10, 2, 5
"""The ranking by which chance is shown: that many items, so many of them relevant, looked at down to a cutoff."""


def pages() -> list[Page]:
    """Return the list of all measures and the page of each."""
    return [_index(), *(page(MEASURES[name]) for name in sorted(MEASURES, key=str.casefold))]


def page(measure: type[Measure]) -> Page:
    """Return the page of one measure."""
    known = facts(measure)
    body = "\n\n".join(
        [
            prose(known["definition"]),
            f"$${known['formula']}$$",
            prose(known["remarks"]),
            sections(
                ("Values", table(("", ""), _values(measure, known))),
                ("Parameters", table(("Parameter", "Meaning", "Allowed", "Default"), _parameters(measure, known))),
                ("Example", _example(measure, known)),
                ("Names", table(("Where", "Name"), _names(measure, known))),
                ("In other tools", table(("Profile", "What it does"), _elsewhere(measure))),
                ("Source", prose(known["source"])),
            ),
        ]
    )
    return Page(f"reference/measures/{measure.name}.md", measure.name, body)


def chance(measure: type[Measure]) -> float | None:
    """Return the exact mean over all orders of ten items of which two are relevant; None where that says nothing.

    Counts depend on nothing but the items, and a mean that is no mean over queries has no such level.

    >>> chance(MEASURES["P"]), chance(MEASURES["GMAP"])
    (0.2, None)
    """
    if measure.needs_facets or measure.summed or measure.aggregate is not Measure.aggregate:
        return None
    at = {"k": CUTOFF, "recall": 0.5}.get(measure.at or "")
    values = []
    for places in combinations(range(ITEMS), RELEVANT):
        grades = [float(place in places) for place in range(ITEMS)]
        try:
            made = measure() if at is None else measure() @ at
            values.append(made.of(grades))
        except AssayError:
            return None
    defined = [value for value in values if value is not None]
    return round(sum(defined) / len(defined), 12) if len(defined) == len(values) else None


def _index() -> Page:
    parts = [
        (
            prose(title.rstrip(".")),
            table(
                ("Measure", "Definition"),
                ((link(one.name, f"{one.name}.md"), prose(facts(one)["definition"])) for one in measures),
            ),
        )
        for title, measures in families().items()
    ]
    return Page("reference/measures/index.md", "Measures", f"All {len(MEASURES)}, by family.\n\n{sections(*parts)}")


def _values(measure: type[Measure], known: dict[str, Any]) -> list[tuple[str, str]]:
    highest = "any size" if known["highest"] is None else f"{known['highest']:g}"
    lowest = "any size" if known["lowest"] is None else f"{known['lowest']:g}"
    worst = known["without_answer"]
    rows = [
        ("Range", f"{lowest} to {highest}"),
        ("Direction", "higher is better" if known["higher_is_better"] else "lower is better"),
        ("Figure of a run", "the sum over queries" if known["summed"] else _figure(measure)),
        ("Ties", _ties(measure, known)),
        ("Chance", _chance(measure)),
        ("Without a relevant item", _empty(known)),
        ("Without an answer", "undefined: no value is the worst" if worst is None else f"{worst:g}, or left out"),
    ]
    if measure.may_fall:
        rows.append(("May fall when a relevant item rises", prose(measure.may_fall)))
    if measure.needs_facets:
        rows.append(("Reads", "judgments by aspect, group or sample"))
    return rows


def _figure(measure: type[Measure]) -> str:
    own = measure.aggregate is not Measure.aggregate
    return "no plain mean over queries: see the definition" if own else "the mean over queries"


def _ties(measure: type[Measure], known: dict[str, Any]) -> str:
    if known["exact_ties"]:
        return "`--ties expected` gives the exact mean over all orders of tied items"
    if measure.needs_facets:
        return "by id or by the order of the input; no exact mean"
    return "no exact mean; `--ties range` gives both ends"


def _chance(measure: type[Measure]) -> str:
    level = chance(measure)
    if level is None:
        return "not stated: it depends on more than the number of items"
    at = {"k": f" at {CUTOFF}", "recall": " at 0.5"}.get(measure.at or "", "")
    return f"{number(level)}{at}: {ITEMS} items in random order, {RELEVANT} of them relevant, mean over all orders"


def _empty(known: dict[str, Any]) -> str:
    if known["defined_without_relevant"]:
        return "defined"
    return "undefined (null); `--empty` says what the mean does with it"


def _parameters(measure: type[Measure], known: dict[str, Any]) -> list[tuple[str, ...]]:
    rows = []
    for one in known["parameters"]:
        default = code(one["default"])
        if one["default"] is None:
            needed = one["name"] == measure.at and measure.needs_at
            default = "has to be given" if needed else "the whole ranking" if one["name"] == measure.at else "not set"
        rows.append((code(one["name"]), prose(one["meaning"]), prose(one["allowed"]), default))
    return rows


def _example(measure: type[Measure], known: dict[str, Any]) -> str:
    order = "its items" if measure.needs_facets else "the grades"
    return f"In the order of the ranking, best place first, stand {order}.\n\n{block(known['example'], 'pycon')}"


def _names(measure: type[Measure], known: dict[str, Any]) -> list[tuple[str, str]]:
    at = {"k": "@10", "recall": "@0.5"}.get(measure.at or "", "")
    own = [f"{measure.name}{at}"] + ([measure.name] if at and not measure.needs_at else [])
    trec = [name.replace("{k}", "10").replace("{recall}", "0.50") for name in known["trec_eval"]]
    return [
        ("Assay", ", ".join(map(code, own))),
        ("Also understood", ", ".join(map(code, known["aliases"])) or "no other name"),
        ("trec_eval", ", ".join(map(code, trec)) or "has no name for it"),
    ]


def _elsewhere(measure: type[Measure]) -> list[tuple[str, str]]:
    return [
        (link(code(profile.name), f"../profiles.md#{profile.name.replace('.', '')}"), prose(rule.why))
        for profile in PROFILES.values()
        for rule in profile.rules
        if measure.name in rule.measures
    ]
