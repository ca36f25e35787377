"""Settings of a retrieval system: cutoffs, thresholds of the score, or runs made under each value of something."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.run import FrameRows
from assay.errors import InputError, ParameterError
from assay.tasks.rag.questions import Questions

CUTOFFS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100, 200, 500, 1000)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
STEPS = 10
"""Into so many parts the range of scores is cut where no thresholds are said."""


@dataclass(frozen=True, eq=False)
class Setting:
    """A system under one setting; `k` is the cutoff where that is what is set."""

    label: str
    value: float | None
    system: Questions
    k: int | None = None

    @property
    def items(self) -> pl.DataFrame:
        """The items that a reader gets."""
        items = self.system.items
        return items if self.k is None else items.filter(pl.col("place") <= self.k)


def cutoffs(system: Questions, values: Sequence[float] | None) -> list[Setting]:
    """Return the system at each cutoff; without values at usual ones up to its longest list.

    Raises
    ------
    ParameterError
        A cutoff that is no whole number of at least 1.
    """
    longest = max(system.facts.longest, 1)
    usual = [k for k in CUTOFFS if k < longest]
    wanted = sorted(set(values)) if values else [*usual, longest]
    for k in wanted:
        if k < 1 or k != int(k):
            raise ParameterError(f"values: expected cutoffs, whole numbers of at least 1, found {k:g}")
    return [Setting(str(int(k)), float(k), system, int(k)) for k in wanted]


def thresholds(system: Questions, values: Sequence[float] | None) -> list[Setting]:
    """Return the system with only the items whose score reaches each threshold; without values, deciles of scores.

    Raises
    ------
    ParameterError
        A system without scores, a threshold above all of them.
    """
    scores = system.items["score"]
    if not system.scored:
        raise ParameterError(f"{system.name}: expected items with scores, which a threshold needs, found none")
    wanted = sorted(set(values)) if values else _deciles(scores)
    highest = float(scores.max())  # type: ignore[arg-type]
    if wanted[-1] > highest:
        msg = f"values: expected thresholds of at most {highest:g}, the highest score, found {wanted[-1]:g}"
        raise ParameterError(msg)
    return [Setting(f"{low:g}", float(low), _above(system, low)) for low in wanted]


def _deciles(scores: pl.Series) -> list[float]:
    found = {scores.quantile(step / STEPS, "nearest") for step in range(STEPS)}
    return sorted(one for one in found if one is not None)


def _above(system: Questions, low: float) -> Questions:
    items = system.items.filter(pl.col("score") >= low)
    rows = items.select("query", "item", "score")
    return replace(system, items=items, run=replace(system.run, rows=FrameRows(rows)))


def of_files(systems: Sequence[Questions]) -> list[Setting]:
    """Return systems as settings, by the number in the names of their files; without such numbers by the name.

    Numbers that all names share say nothing: of bge-m3_k5 and bge-m3_k10 the settings are 5 and 10.

    Raises
    ------
    ParameterError
        Fewer than two files.
    """
    if len(systems) < 2:
        raise ParameterError(f"tune: expected a file for each of two settings or more, found {len(systems)}")
    names = [Path(one.name).stem if one.name.count(".") > 1 else one.name for one in systems]
    values = number_in(names)
    if values is None:
        return [Setting(one.name, None, one) for one in systems]
    rows = sorted(zip(values, systems, strict=True), key=lambda row: row[0])
    return [Setting(f"{value:g}", value, one) for value, one in rows]


def number_in(names: Sequence[str]) -> list[float] | None:
    """Return the one number in which names differ; None where there is none, or several.

    >>> number_in(["bge-m3_k5", "bge-m3_k10"]), number_in(["old", "new"]), number_in(["t0.5", "t0.75"])
    ([5.0, 10.0], None, [0.5, 0.75])
    """
    found = [[float(one) for one in NUMBER.findall(re.sub(r"(?<=[A-Za-z\d])-(?=\d)", " ", name))] for name in names]
    if len({len(one) for one in found}) != 1:
        return None
    differing = [column for column in zip(*found, strict=True) if len(set(column)) > 1]
    if len(differing) != 1 or len(set(differing[0])) != len(names):
        return None
    return list(differing[0])


def by_column(systems: Iterable[Any] | Mapping[str, Any], column: str) -> dict[str, Any]:
    """Return rows of questions by the value of a column, each value a system of its own.

    Raises
    ------
    InputError
        A row without the column.
    """
    found: dict[str, list[Any]] = {}
    for place, row in _rows(systems):
        value = row.get(column)
        if not isinstance(value, str | int | float):
            raise InputError(f"{place}: expected a value under {column}, the setting, found {value!r}")
        label = f"{value:g}" if isinstance(value, float) else str(value)
        found.setdefault(label, []).append({name: one for name, one in row.items() if name != column})
    return found


def _rows(systems: Iterable[Any] | Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of files and lists, each with its place."""
    from assay.formats.rag_files import read_rows

    given = systems.values() if isinstance(systems, Mapping) else systems
    held = [systems] if isinstance(systems, str | os.PathLike) else list(given)
    for one in [held] if held and isinstance(held[0], Mapping) else held:
        if isinstance(one, str | os.PathLike):
            yield from read_rows(one)
        else:
            yield from ((f"record {number}", row) for number, row in enumerate(one, 1))
