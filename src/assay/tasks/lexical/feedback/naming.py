"""Expanders by name: `rm3`, `rocchio(gamma=.15)`, several of them parted by commas."""

import re
from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from assay.errors import ParameterError, UnknownNameError
from assay.tasks.lexical.feedback.expander import Expander
from assay.tasks.lexical.feedback.prf import BM25PRF
from assay.tasks.lexical.feedback.rm3 import RM3
from assay.tasks.lexical.feedback.rocchio import Rocchio

EXPANDERS: dict[str, type[RM3] | type[Rocchio] | type[BM25PRF]] = {"rm3": RM3, "rocchio": Rocchio, "prf": BM25PRF}
ONE = re.compile(r"\s*([\w-]+)\s*(?:\(([^()]*)\))?\s*")
SHARES = ("weight", "common")
"""Settings from 0 to 1."""


def expander(name: str, **settings: float) -> Expander:
    """Return an expander by its name, with any of its settings, which the name may hold too.

    Raises
    ------
    UnknownNameError
        No expander, or no setting of it, of that name.
    ParameterError
        A value that a setting cannot have.

    >>> expander("rm3", docs=5) == expander("rm3(docs=5)")
    True
    """
    (given, said), *more = parse_expansions(name)
    if more:
        msg = f"expand: expected one name, found {name!r}"
        raise ParameterError(msg)
    if given not in EXPANDERS:
        raise UnknownNameError.of("expansion", given, EXPANDERS)
    made, values = EXPANDERS[given], said | settings
    return made(**checked(given, made, values), name=labelled(given, values))


def checked(name: str, made: type[Any], settings: dict[str, float]) -> dict[str, Any]:
    """Return settings as the dataclass of an expander takes them.

    Raises
    ------
    UnknownNameError
        No setting of that name.
    ParameterError
        A value that a setting cannot have.
    """
    known = {field.name: field.type for field in fields(made) if field.type in {int, float}}
    for setting in settings:
        if setting not in known:
            raise UnknownNameError.of(f"setting of {name}", setting, known)
    return {key: _checked(f"{name}({key})", known[key], key, value) for key, value in settings.items()}


def labelled(name: str, settings: dict[str, float]) -> str:
    """Return what an expander with settings is called.

    >>> labelled("rm3", {"docs": 5})
    'rm3(docs=5)'
    """
    return name + (f"({','.join(f'{key}={value:g}' for key, value in settings.items())})" if settings else "")


def parse_expansions(text: str) -> list[tuple[str, dict[str, float]]]:
    """Return the names in a text, each with its settings.

    Raises
    ------
    ParameterError
        A text of another form.

    >>> parse_expansions("rm3, rocchio(docs=5, gamma=.15)")
    [('rm3', {}), ('rocchio', {'docs': 5.0, 'gamma': 0.15})]
    """
    found, place = [], 0
    while True:
        match = ONE.match(text, place)
        if match is None or text[match.end() : match.end() + 1] not in {"", ","}:
            msg = f"expand: expected names such as 'rm3' or 'rm3(docs=5),rocchio', found {text!r}"
            raise ParameterError(msg)
        found.append((match[1], dict(_setting(one) for one in (match[2] or "").split(",") if one.strip())))
        if match.end() == len(text):
            return found
        place = match.end() + 1


def expanders(text: str, others: Callable[[str, dict[str, float]], Expander | None] | None = None) -> list[Expander]:
    """Return the expanders that a text names; `others` may make those that are none of feedback.

    >>> [one.name for one in expanders("rm3,rocchio(gamma=.15)")]
    ['rm3', 'rocchio(gamma=0.15)']
    """
    made = [
        (others and others(name, settings)) or expander(name, **settings) for name, settings in parse_expansions(text)
    ]
    _require_once(one.name for one in made)
    return made


def _require_once(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            msg = f"expand: expected each way once, found {name} twice"
            raise ParameterError(msg)
        seen.add(name)


def _setting(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        msg = f"expand: expected a setting such as docs=5, found {text.strip()!r}"
        raise ParameterError(msg) from None


def _checked(place: str, kind: Any, name: str, value: float) -> float:
    """Return the value of a setting: a whole number from 1 on, a share, or a number from 0 on."""
    if kind is int:
        fits, expected = value >= 1 and float(value).is_integer(), "a whole number of at least 1"
    elif name in SHARES:
        fits, expected = 0 <= value <= 1, "a number from 0 to 1"
    else:
        fits, expected = 0 <= value < float("inf"), "a number of at least 0"
    if not fits:
        msg = f"{place}: expected {expected}, found {value:g}"
        raise ParameterError(msg)
    return int(value) if kind is int else float(value)
