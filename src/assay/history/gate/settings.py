"""`Settings` of a gate: what `[gate]` and `[gate.slices.NAME]` of a TOML file say."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isfinite
from pathlib import Path
from typing import Any, Literal

from assay.errors import AssayError, FormatError
from assay.history.gate.toml_tables import Table, is_between, range_of, read_toml
from assay.measures.base import Measure
from assay.measures.notation import parse, parse_many

Guard = Literal["name", "block", "off"]
GUARDS: tuple[Guard, ...] = ("name", "block", "off")
TESTS = ("flips", "t")
Nightly = Literal[False, True, "fresh"]
FRESH: Nightly = "fresh"
SAME = ("gold", "queries", "corpus", "policy", "exclude", "weights", "platform", "code")
"""What may have to be the same as when the baseline was made."""
USUAL_SAME = SAME[:6]
SCOPED = ("max_drop", "min", "max", "min_judged", "min_queries", "per_query_guard")
WHOLE = ("measures", "alpha", "test", "same", "nightly", "horizon", "baseline", "store", "suite", "by", "slices")
CHOSEN = ("column", "value", "by", "file", "queries", "measures")
FEWEST = 10
"""So many queries a measure needs unless the file says otherwise."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one measure must keep: at most `max_drop` worse than the baseline, and its figure within `limit`."""

    measure: Measure
    max_drop: float
    limit: float | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which queries a slice holds: those of a column with a value, those of a file, or those that are named."""

    column: str = ""
    value: str = ""
    by: str = ""
    file: str = ""
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """All queries (the name is "") or one slice, and what is asked of it; `guard` is None where it says nothing."""

    name: str
    line: int
    limits: tuple[Limits, ...]
    min_judged: float | None
    min_queries: int
    guard: Guard | None
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a file says; paths are those of the file's folder.

    A gate that is `nightly` keeps its looks; where each night is "fresh", its chance is independent of other nights.
    """

    path: str
    alpha: float
    test: str
    same: tuple[str, ...]
    nightly: Nightly
    horizon: int
    baseline: str | None
    store: str | None
    suite: str | None
    scopes: tuple[Scope, ...]

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every measure that any scope asks for, each once."""
        return tuple(dict.fromkeys(one.measure for scope in self.scopes for one in scope.limits))

    @property
    def is_fresh(self) -> bool:
        """Whether chance is another each night: other queries, or answers made anew."""
        return self.nightly == FRESH

    @property
    def default_baseline(self) -> str:
        """The file of the baseline where none is named: that of the settings, with another ending."""
        return str(Path(self.path).with_suffix(".baseline.json"))


def read_settings(path: str) -> Settings:
    """Read the settings of a gate.

    Raises
    ------
    InputError
        No such file, no TOML, no table [gate], a value that means nothing; the message names the line.
    UnknownNameError
        A key that means nothing, with the nearest that does.
    """
    whole = read_toml(path)
    whole.require_known(("gate",))
    if "gate" not in whole:
        hint = '[gate] with measures = "nDCG@10" is enough to begin with.'
        raise FormatError.at(path, None, "expected a table [gate]", "found none", hint=hint)
    gate = whole.table("gate")
    gate.require_known((*WHOLE, *SCOPED))
    folder = Path(path).parent
    store, nightly = gate.text("store"), _nightly(gate)
    return Settings(
        path,
        gate.number("alpha", 0.05, low=1e-6, high=0.5) or 0.05,
        _test(gate, nightly),
        _same(gate),
        nightly,
        gate.whole("horizon", 30, lowest=2),
        _beside(folder, gate.text("baseline")),
        store if store and "://" in store else _beside(folder, store),
        gate.text("suite"),
        _bounded(gate, tuple(_scopes(gate, folder)), nightly),
    )


def _nightly(gate: Table) -> Nightly:
    if gate.values.get("nightly") == FRESH:
        return FRESH
    if not isinstance(gate.values.get("nightly", False), bool):
        gate.refuse("nightly", 'expected true, false or "fresh"')
    return gate.flag("nightly")


def _test(gate: Table, nightly: Nightly) -> str:
    """Read the test; a nightly gate has its own."""
    if nightly and "test" in gate:
        gate.refuse("test", "expected none beside nightly, which has its own,")
    return "betting" if nightly == FRESH else gate.choice("test", TESTS, "flips")


def _bounded(gate: Table, scopes: tuple[Scope, ...], nightly: Nightly) -> tuple[Scope, ...]:
    """Refuse a measure without bounds where nights are fresh: a bet needs to know the most that can be lost."""
    for limits in (one for scope in scopes for one in scope.limits if nightly == FRESH):
        if not isfinite(limits.measure.bounds[1] - limits.measure.bounds[0]):
            expected = 'expected measures with bounds beside nightly = "fresh"'
            raise FormatError.at(gate.place, gate.line_of("nightly"), expected, f"found {limits.measure}")
    return scopes


def _same(gate: Table) -> tuple[str, ...]:
    found = gate.texts("same") if "same" in gate else USUAL_SAME
    for one in found:
        if one not in SAME:
            gate.refuse("same", f"expected some of {', '.join(SAME)}")
    return found


def _beside(folder: Path, path: str | None) -> str | None:
    """Return a path that is written in a file in this folder."""
    return None if path is None else str(folder / path)


def _scopes(gate: Table, folder: Path) -> list[Scope]:
    """Return what is asked of all queries, then of each slice, in the order of the file."""
    slices = gate.table("slices")
    scopes = [_scope(gate, None, "", _measures(gate), folder)]
    for name in slices.values:
        one = slices.table(name)
        if not name.strip():
            raise FormatError.at(gate.place, one.line, "expected a name for a slice", f"found {name!r}")
        one.require_known((*CHOSEN, *SCOPED))
        asked = _measures(one) if "measures" in one else [limits.measure for limits in scopes[0].limits]
        scopes.append(_scope(one, gate, name, asked, folder))
    return scopes


def _scope(own: Table, gate: Table | None, name: str, measures: list[Measure], folder: Path) -> Scope:
    """Read one scope; a slice takes max_drop, min_judged and min_queries of the whole where it says nothing."""
    above = own if gate is None else gate
    guard = own.choice("per_query_guard", GUARDS, "name") if "per_query_guard" in own or gate is None else None
    drops = {**(_numbers(gate, "max_drop", measures, strict=False) if gate else {})}
    drops |= _numbers(own, "max_drop", measures)
    lowest, highest = _numbers(own, "min", measures), _numbers(own, "max", measures)
    _require_direction(own, lowest, "min", up=True)
    _require_direction(own, highest, "max", up=False)
    limits = lowest | highest
    return Scope(
        name,
        own.line or 1,
        tuple(Limits(one, drops.get(one, 0.0), limits.get(one)) for one in measures),
        (own if "min_judged" in own else above).number("min_judged", None, low=0, high=1),
        (own if "min_queries" in own else above).whole("min_queries", FEWEST, lowest=2),
        next((one for one in GUARDS if one == guard), None),
        None if gate is None else _choice(own, gate, folder),
    )


def _measures(table: Table) -> list[Measure]:
    """Read the measures of a table."""
    asked = table.texts("measures")
    if not asked:
        table.refuse("measures", "expected one or more", hint='measures = "nDCG@10 RR"; assay measures lists all.')
    try:
        return [one.measure for one in parse_many(asked)]
    except AssayError as error:
        place = f"{table.place}, line {table.line_of('measures')}"
        raise type(error)(f"{place}: {error.message}", hint=error.hint) from None


def _numbers(table: Table, key: str, measures: list[Measure], *, strict: bool = True) -> dict[Measure, float]:
    """Read one number for all measures, or one for each of some; `strict`: only for those that are asked for."""
    found = table.values.get(key)
    low = 0.0 if key == "max_drop" else -inf
    if found is None:
        return {}
    if not isinstance(found, dict):
        table.number(key, None, low=low, high=inf)
        chosen = {measure: float(found) for measure in measures if key == "max_drop" or _fits(key, measure)}
        return _require_within(table, key, chosen)
    chosen = {
        measure: number
        for name, value in found.items()
        for measure, number in [_number_of(table, key, (name, value), low)]
        if measure in measures or (strict and _refuse_measure(table, key, name, measures))
    }
    return _require_within(table, key, chosen)


def _require_within(table: Table, key: str, chosen: dict[Measure, float]) -> dict[Measure, float]:
    """Refuse a limit that no figure could go beyond, or none could keep: the gate would be off, or always shut."""
    for measure, number in chosen.items():
        low, high = measure.bounds
        low, high = (0.0, high - low) if key == "max_drop" else (low, high)
        if not low <= number <= high:
            expected = f"expected {range_of(low, high)} for {key} of {measure}"
            hint = f"{key} = {{ {str(measure)!r} = … }} is for one measure."
            raise FormatError.at(table.place, table.line_of(key), expected, f"found {number:g}", hint=hint)
    return chosen


def _fits(key: str, measure: Measure) -> bool:
    return measure.higher_is_better == (key == "min")


def _number_of(table: Table, key: str, said: tuple[str, Any], low: float) -> tuple[Measure, float]:
    name, value = said
    try:
        measure = parse(name)
    except AssayError as error:
        place = f"{table.place}, line {table.line_of(key)}"
        raise type(error)(f"{place}: {error.message}", hint=error.hint) from None
    if not is_between(value, low, inf):
        expected = f"expected {range_of(low, inf)} for {key} of {name}"
        raise FormatError.at(table.place, table.line_of(key), expected, f"found {value!r}")
    return measure, float(value)


def _refuse_measure(table: Table, key: str, name: str, measures: list[Measure]) -> bool:
    asked = ", ".join(map(str, measures))
    expected = f"expected a measure that is asked for ({asked}) in {key}"
    raise FormatError.at(table.place, table.line_of(key), expected, f"found {name!r}")


def _require_direction(table: Table, found: Mapping[Measure, float], key: str, *, up: bool) -> None:
    """Refuse the lowest figure of a measure of which lower is better, and the other way round."""
    other = "max" if up else "min"
    wrong = next((measure for measure in found if measure.higher_is_better != up), None)
    if wrong is not None or (key in table and not found):
        which = f"for {wrong}" if wrong else "for these measures"
        better = "lower" if up else "higher"
        said = f"expected {other} {which}, of which {better} is better"
        raise FormatError.at(table.place, table.line_of(key), said, f"found {key}")


def _choice(own: Table, gate: Table, folder: Path) -> Choice:
    """Read which queries a slice holds."""
    ways = [key for key in ("column", "file", "queries") if key in own]
    if len(ways) != 1:
        said = " and ".join(ways) or "none of them"
        expected = f"expected column (with value), file or queries in {own.title}"
        raise FormatError.at(own.place, own.line, expected, f"found {said}")
    if ways != ["column"]:
        return Choice(file=_beside(folder, own.text("file")) or "", queries=own.texts("queries"))
    value, by = own.values.get("value"), own.text("by") or gate.text("by")
    if value is None or isinstance(value, list | dict):
        own.refuse("value", f"expected the value of {own.text('column')} that makes the slice")
    if by is None:
        own.refuse("by", "expected a file with the columns of queries", hint="by may stand in [gate], for all slices.")
    said = str(value).lower() if isinstance(value, bool) else str(value)
    return Choice(own.text("column") or "", said, _beside(folder, by) or "")
