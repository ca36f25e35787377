"""`Policy`: every convention that changes a number, in one frozen object."""

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self

from assay.core.shown import Shown
from assay.errors import ParameterError, UnknownNameError

Ties = Literal["id-desc", "id-asc", "order", "expected", "realistic", "optimistic", "pessimistic"]

ENGINE_TIES = frozenset({"id-desc", "id-asc", "order"})
"""The tie rules that need ids or the input's order, which only an engine sees."""

CHOICES: dict[str, dict[str, str]] = {
    "ties": {
        "id-desc": "items with equal scores are ordered by id, descending by UTF-8 bytes (TREC)",
        "id-asc": "items with equal scores are ordered by id, ascending by UTF-8 bytes",
        "order": "items with equal scores keep the order of the input",
        "expected": "the exact mean of the measure over all orders of the tied items",
        "realistic": "tied items share their mean rank (link prediction's convention); values stay within bounds",
        "optimistic": "of tied items, the relevant ones come first",
        "pessimistic": "of tied items, the relevant ones come last",
    },
    "precision": {
        "float64": "scores are compared as they are read",
        "float32": "scores are rounded to 32 bits before they are compared (trec_eval 9)",
    },
    "missing": {
        "zero": "a gold query without any answer gets each measure's worst value",
        "skip": "a gold query without any answer is left out (trec_eval without -c)",
    },
    "empty": {
        "zero": "a gold query without a relevant item counts as 0 in the mean",
        "skip": "a gold query without a relevant item is left out of the mean",
        "one": "a gold query without a relevant item counts as 1 in the mean",
        "error": "a gold query without a relevant item is an error",
    },
    "extra": {
        "ignore": "answers to a query without gold are ignored and counted",
        "error": "answers to a query without gold are an error",
    },
    "duplicates": {
        "error": "an item twice in the ranking of one query is an error",
        "first": "the first in the input counts, later ones are dropped and counted",
        "best": "the one with the highest score counts, the others are dropped and counted",
    },
    "unjudged": {
        "nonrelevant": "items without a judgment count as not relevant",
        "drop": "items without a judgment are taken out of the ranking (condensed list)",
    },
    "negative": {
        "unjudged": "grades below 0 mean pooled but not judged (TREC)",
        "nonrelevant": "grades below 0 mean not relevant",
    },
    "nan": {
        "error": "a score that is no number is an error",
        "worst": "a score that is no number counts as minus infinity",
    },
    "self_match": {
        "keep": "an item whose id is the query's stays in the ranking",
        "drop": "an item whose id is the query's is taken out of the ranking (BEIR)",
    },
}
"""What each field may be, and what each value means: the source of help texts and errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy(Shown):
    """The conventions behind a number; printed with each result and stored in it.

    Raises
    ------
    ParameterError
        A value that the field does not know; the message lists those it does.

    >>> Policy().ties
    'id-desc'
    >>> Policy(missing="skip").changed()
    {'missing': 'skip'}
    >>> Policy(ties="random")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: policy: ties: expected one of id-desc, id-asc, order, expected, ..., found 'random'
    """

    ties: Ties = "id-desc"
    precision: Literal["float64", "float32"] = "float64"
    missing: Literal["zero", "skip"] = "zero"
    empty: Literal["zero", "skip", "one", "error"] = "zero"
    extra: Literal["ignore", "error"] = "ignore"
    duplicates: Literal["error", "first", "best"] = "error"
    unjudged: Literal["nonrelevant", "drop"] = "nonrelevant"
    negative: Literal["unjudged", "nonrelevant"] = "unjudged"
    nan: Literal["error", "worst"] = "error"
    self_match: Literal["keep", "drop"] = "keep"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                allowed = ", ".join(choices)
                msg = f"policy: {name}: expected one of {allowed}, found {value!r}"
                raise ParameterError(msg)

    def but(self, **changes: Any) -> Self:
        """Return this policy with some fields changed."""
        unknown = [name for name in changes if name not in CHOICES]
        if unknown:
            raise UnknownNameError.of("policy field", unknown[0], CHOICES)
        return replace(self, **changes)

    def to_dict(self) -> dict[str, str]:
        """Return all fields, in their order."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def changed(self) -> dict[str, str]:
        """Return the fields that differ from the default."""
        default = type(self)().to_dict()
        return {name: value for name, value in self.to_dict().items() if value != default[name]}

    def engine_fields(self) -> tuple[str, ...]:
        """Return the values that change what an engine counts (the others are applied later), ties first.

        For tie rules that need neither ids nor the input's order the first is "any": counts made for another
        rule serve as well.
        """
        ties = self.ties if self.ties in ENGINE_TIES else "any"
        return (ties, self.precision, self.duplicates, self.nan, self.self_match, self.extra)
