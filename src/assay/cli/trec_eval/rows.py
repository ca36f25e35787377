"""The rows that a command line asks for: one for each printed name, in the order of print."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.cli.trec_eval.arguments import USAGE_CODE, Arguments, ExitError
from assay.cli.trec_eval.settings import Made, Settings
from assay.cli.trec_eval.table import NICKNAMES, SINCE_10, TABLE, Entry
from assay.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Row:
    """One printed name and the measures whose mean is its value."""

    name: str
    entry: Entry
    measures: Made = ()
    parameter: Any = None


def rows_of(arguments: Arguments) -> list[Row]:
    """Return the rows of the measures asked for; the first parameters of a measure count.

    Raises
    ------
    ExitError
        A measure that does not exist, parameters that are none.
    """
    wanted: set[str] = set()
    given: dict[str, str] = {}
    for name, parameters in arguments.measures or [("official", None)]:
        wanted.update(_names(name, arguments))
        if parameters is not None:
            given.setdefault(name, parameters)
        if parameters == "":
            raise ExitError(USAGE_CODE, f"-m {name}.: expected parameters after the dot, found none")
    settings = Settings(arguments.level, arguments.collection, arguments.version_of)
    return [row for name, entry in TABLE.items() if name in wanted for row in _rows(entry, given, settings)]


def _names(name: str, arguments: Arguments) -> tuple[str, ...]:
    if name in NICKNAMES:
        names = NICKNAMES[name]
        return tuple(one for one in names if one not in SINCE_10) if arguments.version_of == "9" else names
    if name not in TABLE:
        unknown = UnknownNameError.of("measure", name, [*TABLE, *NICKNAMES], see="assay trec_eval -h")
        raise ExitError(USAGE_CODE, f"trec_eval: illegal measure '{name}': {unknown.message}", hint=unknown.hint)
    return (name,)


def _rows(entry: Entry, given: Mapping[str, str], settings: Settings) -> list[Row]:
    text = given.get(entry.name)
    parameter = entry.default if text is None or entry.read is None else entry.read(entry.name, text)
    if entry.each:
        return [Row(entry.each.format(entry.name, one), entry, _made(entry, one, settings), one) for one in parameter]
    name = entry.name if text is None or entry.read is None else f"{entry.name}_{text}"
    return [Row(name, entry, _made(entry, parameter, settings), parameter)]


def _made(entry: Entry, parameter: Any, settings: Settings) -> Made:
    return entry.make(parameter, settings) if entry.make else ()
