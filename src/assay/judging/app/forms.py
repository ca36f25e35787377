"""What judges send, made into verdicts."""

from typing import TYPE_CHECKING

from assay.core.judging import Verdict
from assay.errors import ParameterError
from assay.judging.app.visits import new_key

if TYPE_CHECKING:
    from assay.judging.app.visits import Visit

LONGEST_S = 6 * 3600
MOST_OF_KEY = 64


def verdict_of(visit: "Visit") -> tuple[int, Verdict]:
    """Return the number of the pair and what the judge decided.

    Raises
    ------
    ParameterError
        A field that is missing or none of those that the page offers; no reason where one cannot tell.
    """
    kind, _, grade = visit.text("decision").partition(" ")
    number = whole(visit.text("number"))
    key = visit.text("key", MOST_OF_KEY) or new_key()
    told = {"note": visit.text("note"), "seconds": _seconds(visit.text("seconds"))}
    if kind == "grade":
        return number, Verdict("grade", key, real(grade), **told)  # type: ignore[arg-type]
    if kind == "cannot":
        reason = visit.text("other", 400) or visit.text("reason", 400)
        if not reason:
            raise ParameterError("cannot tell: expected a reason, found none")
        return number, Verdict("cannot tell", key, reason=reason, **told)  # type: ignore[arg-type]
    if kind == "later":
        return number, Verdict("later", key, **told)  # type: ignore[arg-type]
    raise ParameterError(f"decision: expected a grade, cannot tell or later, found {kind!r}")


def grades_of(visit: "Visit") -> list[tuple[int, Verdict]]:
    """Return what was decided of several pairs: the fields grade-N; with `rest`, all others are put off.

    Each pair of the list has a field key-N, the key of its decision.
    """
    found = []
    for name in visit.form:
        part, _, number = name.partition("-")
        key, grade = visit.text(name, MOST_OF_KEY), visit.text(f"grade-{number}")
        if part == "key" and grade:
            found.append((whole(number), Verdict("grade", key or new_key(), real(grade))))
        elif part == "key" and visit.text("rest"):
            found.append((whole(number), Verdict("later", key or new_key())))
    return found


def whole(text: str) -> int:
    """Return the number of a pair."""
    if not (text.isascii() and text.isdigit()) or len(text) > 15:
        raise ParameterError(f"pair: expected its number, found {text[:40]!r}")
    return int(text)


def real(text: str) -> float:
    """Return a grade."""
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"grade: expected a number, found {text[:40]!r}") from None


def _seconds(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return round(found, 1) if 0 <= found <= LONGEST_S else None
