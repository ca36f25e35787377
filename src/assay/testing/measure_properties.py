"""What the numbers of a measure must be like, on any collection."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from assay.core.judged import UNJUDGED, Floats, Judged
from assay.errors import UnsupportedError
from assay.measures import Measure
from assay.testing.brute_force import judge
from assay.testing.measure_definition import require
from assay.testing.strategies import Collection

TOLERANCE = 1e-12
Property = Callable[[Measure, Collection], None]


def values_of(measure: Measure, judged: Judged) -> Floats:
    """Return the value of each query, shape (queries,), NaN where undefined; a warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values, defined = measure.kernel(judged), measure.defined(judged)
    require(values.shape == (judged.queries,), f"{measure}: {judged.queries} queries, values {values.shape}")
    require(values.dtype == np.float64, f"{measure}: values are {values.dtype}, not float64")
    return np.where(defined, values, np.nan)


def same(one: float, other: float) -> bool:
    """Tell whether two values agree to twelve digits, or are both undefined."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def value_of(measure: Measure, grades: Sequence[float], gold: Sequence[float]) -> float:
    """Return the value of one ranking, NaN where undefined."""
    return float(values_of(measure, Judged.of_grades(grades, gold))[0])


def stays_in_bounds(measure: Measure, collection: Collection) -> None:
    """Every value is within the bounds that the measure declares."""
    low, high = measure.bounds
    for value in values_of(measure, collection.judged):
        inside = math.isnan(value) or low - TOLERANCE <= value <= high + TOLERANCE
        require(inside, f"{measure} = {value!r}, outside {low} … {high}")


def follows_the_book(measure: Measure, collection: Collection) -> None:
    """The vectorised kernel gives what the plain loop of the definition gives."""
    judged = collection.judged
    plain = measure
    if any(part.name == "max_rel" for part in fields(measure)) and getattr(measure, "max_rel", None) is None:
        top: dict[str, Any] = {"max_rel": judged.top_grade or 1}
        plain = replace(measure, **top)  # the book sees one query, not all grades
    defined = measure.defined(judged)
    for number, (grades, gold) in enumerate(collection.rankings):
        if defined[number]:
            value, book = values_of(measure, judged)[number], plain.by_the_book(grades, gold)
            require(same(value, book), f"{measure} = {value!r}, by the book {book!r}: {grades} of {gold}")


def rises_with_the_relevant(measure: Measure, collection: Collection) -> None:
    """A relevant item that moves up one place, above a worse one, never makes the value worse.

    A measure for which it may says why in `may_fall`.
    """
    if measure.may_fall:
        return
    direction = 1 if measure.higher_is_better else -1
    for grades, gold in collection.rankings:
        for place in range(1, len(grades)):
            worse, better = grades[place - 1 : place + 1]
            if better > max(worse, 0) and better >= getattr(measure, "rel", 0):
                moved = [*grades[: place - 1], better, worse, *grades[place + 1 :]]
                before, after = value_of(measure, grades, gold), value_of(measure, moved, gold)
                fine = math.isnan(before) or direction * (after - before) >= -TOLERANCE
                require(fine, f"{measure} goes from {before!r} to {after!r}: {grades} to {moved} of {gold}")


def ends_at_its_cutoff(measure: Measure, collection: Collection) -> None:
    """An item that is not relevant changes nothing when it is added past the cutoff."""
    cutoff = getattr(measure, "k", None)
    if cutoff is None:
        return
    for grades, gold in collection.rankings:
        full = grades + [UNJUDGED] * (cutoff - len(grades))
        before, after = value_of(measure, full, gold), value_of(measure, [*full, UNJUDGED], gold)
        require(same(before, after), f"{measure} goes from {before!r} to {after!r}: {full} and one more")


def ignores_order(measure: Measure, collection: Collection) -> None:
    """Queries and rows may come in any order, and query ids in any alphabet."""
    judged = collection.judged
    names = judged.names.to_list()
    renamed = dict(zip(names, reversed(names), strict=True))
    gold = {renamed[q]: dict(reversed(items.items())) for q, items in collection.gold.items()}
    run = {renamed.get(q, q): dict(reversed(items.items())) for q, items in collection.run.items()}
    before, after = values_of(measure, judged), values_of(measure, judge(gold, run))[::-1]
    require(np.array_equal(before, after, equal_nan=True), f"{measure}: {before} becomes {after}")


def ignores_scale(measure: Measure, collection: Collection) -> None:
    """Only the order of scores counts, not their size."""
    run = {query: {item: 4 * score + 1 for item, score in items.items()} for query, items in collection.run.items()}
    before = values_of(measure, collection.judged)
    after = values_of(measure, judge(collection.gold, run))
    require(np.array_equal(before, after, equal_nan=True), f"{measure}: {before} becomes {after}")


def knows_where_it_is_undefined(measure: Measure, collection: Collection) -> None:
    """A query without a relevant item is undefined, unless the measure counts such queries."""
    needed = getattr(measure, "rel", None) or np.nextafter(0, 1)
    values = values_of(measure, collection.judged)
    for value, (grades, gold) in zip(values, collection.rankings, strict=True):
        if max(gold) < needed and not measure.counts_empty:
            require(math.isnan(value), f"{measure} = {value!r} without a relevant item")
            require(measure.of([None if g == UNJUDGED else g for g in grades], gold) is None, f"{measure}: not None")
        if measure.worst is not None and max(gold) >= needed and grades:
            require(not math.isnan(value), f"{measure} has no value: {grades} of {gold}")


def expects_what_ties_allow(measure: Measure, collection: Collection) -> None:
    """Without ties the expected value is the value; with ties it is within the bounds."""
    untied, tied = collection.untied, collection.judged
    try:
        expected = np.where(measure.defined(untied), measure.expected(untied), np.nan)
    except UnsupportedError:
        return
    for value, mean in zip(values_of(measure, untied), expected, strict=True):
        require(same(value, mean), f"{measure} = {value!r}, but {mean!r} is expected without a tie")
    low, high = measure.bounds
    for mean in measure.expected(tied)[measure.defined(tied)]:
        inside = math.isnan(mean) or low - TOLERANCE <= mean <= high + TOLERANCE
        require(inside, f"{measure}: {mean!r} is expected, outside {low} … {high}")


PROPERTIES: Mapping[str, Property] = MappingProxyType({
    check.__name__: check
    for check in (
        stays_in_bounds, follows_the_book, rises_with_the_relevant, ends_at_its_cutoff, ignores_order,
        ignores_scale, knows_where_it_is_undefined, expects_what_ties_allow,
    )
})  # fmt: skip
"""All of them by name."""
