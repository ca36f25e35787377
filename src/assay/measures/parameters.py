"""The parameters of measures: what each one means and which values it may have, said once for all measures."""

import math
from collections.abc import Callable, Mapping
from dataclasses import field
from types import MappingProxyType
from typing import Any

from assay.errors import ParameterError


class Unsaid(int):
    """A default that nobody typed: equal to the number, and still recognisable.

    Binary measures need `rel` to be said when the gold holds fractional grades.
    """


def cutoff_field() -> Any:
    """Return the field that `@` fills, of a measure that means nothing without it: absent until it is given."""
    return field(default=None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _one_of(*names: str) -> Callable[[object], bool]:
    return lambda value: value in names


def _is_gains(value: object) -> bool:
    """Tell whether the value is a non-empty map from numbers to numbers, as the pairs it is kept as."""
    return isinstance(value, tuple) and bool(value) and all(_is_number(part) for pair in value for part in pair)


PARAMETERS: Mapping[str, tuple[str, Callable[[Any], bool], str]] = MappingProxyType({
    "k": ("the cutoff: how many places are looked at", _is_whole, "an integer of at least 1"),
    "rel": ("the lowest grade that counts as relevant", _is_number, "a number"),
    "beta": ("how much more recall weighs than precision", lambda v: _is_number(v) and v > 0, "a number above 0"),
    "p": ("persistence: the chance to look on", lambda v: _is_number(v) and 0 < v < 1, "a number between 0 and 1"),
    "alpha": ("the loss of an aspect met again", lambda v: _is_number(v) and 0 <= v <= 1, "a number from 0 to 1"),
    "recall": ("the level of recall", lambda v: _is_number(v) and 0 <= v <= 1, "a number from 0 to 1"),
    "gain": ("grade g counts g (linear) or 2^g - 1 (exp)", _one_of("linear", "exp"), "'linear' or 'exp'"),
    "gains": ("the gain of each grade, as {1: 1, 2: 3}; others keep theirs", _is_gains, "a map from grade to number"),
    "base": ("the base of the logarithm", lambda v: _is_number(v) and v > 1, "a number above 1"),
    "norm": ("what the sum is divided by", _one_of("R", "min", "found"), "'R', 'min' or 'found'"),
    "max_rel": ("the highest grade there can be", lambda v: _is_number(v) and v > 0, "a number above 0"),
    "rounding": ("how recall x R becomes a count", _one_of("ceil", "trunc", "round"), "'ceil', 'trunc' or 'round'"),
    "floor": ("the smallest value a query can have", lambda v: _is_number(v) and v > 0, "a number above 0"),
    "multiple": ("how many times R places are looked at", lambda v: _is_number(v) and v >= 0, "a number from 0 on"),
    "hit": ("what a retrieved relevant item is worth", _is_number, "a number"),
    "noise": ("what a retrieved item that is not relevant is worth", _is_number, "a number"),
    "miss": ("what a relevant item that was not retrieved is worth", _is_number, "a number"),
    "rest": ("what an item that is neither relevant nor retrieved is worth", _is_number, "a number"),
    "collection": ("how many items the collection holds", lambda v: v == 0 or _is_whole(v), "a number of items"),
    "surplus": ("what becomes of items of grade 0 beyond R", _one_of("dropped", "paired"), "'dropped' or 'paired'"),
    "judged_only": ("items without a judgment are taken out first", lambda v: isinstance(v, bool), "True or False"),
})  # fmt: skip
"""For each parameter: what it means, a test of its values, and the values in words."""


def check(measure: str, name: str, value: object) -> None:
    """Raise ParameterError unless the value is allowed.

    >>> check("P", "k", 0)
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: P(k=0): k must be an integer of at least 1.
    """
    _, allowed, words = PARAMETERS[name]
    if not allowed(value):
        msg = f"{measure}({name}={value!r}): {name} must be {words}."
        raise ParameterError(msg)
