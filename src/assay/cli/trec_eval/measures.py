"""Measures of Assay for the measures of trec_eval: by name, by cutoff, by gains."""

import math
import re
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from assay.cli.trec_eval.arguments import CALCULATION_CODE, INPUT_CODE, ExitError
from assay.cli.trec_eval.parameters import Pairs
from assay.cli.trec_eval.settings import Made, Settings
from assay.errors import AssayError, ParameterError
from assay.measures import MEASURES, Measure

Make = Callable[[Any, Settings], Made]


def plain(name: str) -> Make:
    """Make a measure without parameters."""
    return lambda _, settings: (fitted(named(name)(), settings),)


def with_cutoff(name: str) -> Make:
    """Make a measure at a place."""
    return lambda k, settings: (fitted(named(name)() @ k, settings),)


def limited(name: str) -> Make:
    """Make a measure at a level of recall, or at a multiple of R."""

    def make(level: float, settings: Settings) -> Made:
        try:
            return (fitted(named(name)() @ max(level, 0.0), settings),)
        except ParameterError as problem:
            raise ExitError(INPUT_CODE, problem.message) from None

    return make


def gained(name: str) -> Make:
    """Make a measure with gains for single grades."""

    def make(given: Pairs, settings: Settings) -> Made:
        gains = gains_of(given)
        return (fitted(named(name)(gains=gains) if gains else named(name)(), settings),)

    return make


def mean_precision(levels: tuple[float, ...], settings: Settings) -> Made:
    """Make the interpolated precisions whose mean is 11pt_avg."""
    return tuple(made for level in levels for made in limited("IPrec")(level, settings))


def utility(weights: tuple[float, ...], settings: Settings) -> Made:
    """Make utility with its four weights."""
    if len(weights) != 4:
        raise ExitError(CALCULATION_CODE, f"utility: expected four numbers, found {len(weights)}")
    hit, noise, miss, rest = weights
    given = {"hit": hit, "noise": noise, "miss": miss, "rest": rest, "collection": max(settings.collection, 0)}
    return (fitted(named("Utility")(**given), settings),)


def scored(parameters: tuple[float, ...], settings: Settings) -> Made:
    """Make set_F, whose parameter is beta squared; with 0 it is precision."""
    squared = parameters[0]
    if squared < 0:
        raise ExitError(INPUT_CODE, f"set_F: expected a number of at least 0, found {squared:g}")
    made = named("SetF")(beta=math.sqrt(squared)) if squared else named("SetP")()
    return (fitted(made, settings),)


def rbp(given: Pairs, settings: Settings) -> Made:
    """Make rbp: scaled by query, or where the documented value is wanted by the top grade of the gold."""
    gains = gains_of(given)
    if settings.version == "documented" and not gains:
        return (_persistent("RBP", given, gain="linear"),)
    return (_persistent("TopicRBP", given, gains=gains or None),)


def rbp_residual(given: Pairs, settings: Settings) -> Made:
    """Make rbp_resid."""
    return (_persistent("RBPResid" if settings.version == "documented" else "TopicRBPResid", given),)


def named(name: str) -> type[Measure]:
    """Return the measure of this name, be it Assay's or trec_eval's."""
    if name in MEASURES:
        return MEASURES[name]
    for known in MEASURES.values():
        if any(template.partition("_{")[0] == name for template in known.trec):
            return known
    raise ExitError(CALCULATION_CODE, f"{name}: no measure of Assay computes it")


def fitted(measure: Measure, settings: Settings) -> Measure:
    """Return the measure with the lowest relevant grade and the rounding of the call."""
    known = {part.name for part in fields(measure)}
    said = {"rel": settings.level, "rounding": settings.rounding, "surplus": settings.surplus}
    changes: dict[str, Any] = {name: value for name, value in said.items() if name in known}
    return replace(measure, **changes)


def gains_of(given: Pairs) -> dict[int, float]:
    """Return the pairs whose name is a grade; the first of a grade counts."""
    return {int(name): gain for name, gain in reversed(given) if re.fullmatch(r"[+-]?\d+", name)}


def _persistent(name: str, given: Pairs, **others: Any) -> Measure:
    try:
        return named(name)(p=dict(given).get("p", 0.9), **others)
    except AssayError as problem:
        raise ExitError(INPUT_CODE, problem.message) from None
