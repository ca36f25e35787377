"""Amounts as a reader wants them: a count with its noun, a share in percent."""

import math

UNDEFINED = "-"


def counted(many: int, one: str, more: str = "") -> str:
    """Write a number with its noun, and a verb where one follows; `more` is for those that do not just take an s.

    >>> counted(1, "query"), counted(1200, "query"), counted(2, "run"), counted(1, "copy is", "copies are")
    ('1 query', '1,200 queries', '2 runs', '1 copy is')
    """
    return f"{many:,} {one if many == 1 else more or plural(one)}"


def plural(one: str) -> str:
    """Return the plural of a noun that is regular.

    >>> plural("query"), plural("day"), plural("true entity")
    ('queries', 'days', 'true entities')
    """
    return f"{one[:-1]}ies" if one.endswith("y") and one[-2:-1] not in {*"aeiou"} else f"{one}s"


def percent(share: float | None, decimals: int | None = 1) -> str:
    """Write a share in percent; without `decimals`, as of a level that was chosen, with those that it has.

    >>> percent(0.1234), percent(0.2, 0), percent(0.999, None), percent(None)
    ('12.3 %', '20 %', '99.9 %', '-')
    """
    if share is None or not math.isfinite(share):
        return UNDEFINED
    return f"{100 * share:g} %" if decimals is None else f"{100 * share:.{decimals}f} %"
