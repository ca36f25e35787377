"""Results made from nothing but the types of their fields: full ones, and ones in which all that may be absent is."""

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import polars as pl

import assay.core
import assay.statistics
from assay.core.agreement import Coefficient
from assay.core.answers_evaluation import COUNTS, Count
from assay.core.entities_sampled import Estimate
from assay.core.scores import SCHEMA

FRAME = pl.DataFrame({"query": ["q"], "item": ["a"], "grade": [1.0]})
PLAIN = {
    str: "text", bool: True, int: 3, float: 0.5, Any: "text", object: "text", type(None): None, pl.DataFrame: FRAME,
    pl.Series: pl.Series("value", [0.5]), datetime: datetime(2026, 1, 1, tzinfo=UTC),
}  # fmt: skip
GIVEN = {
    "scores.Scores": {
        "table": pl.DataFrame({"run": ["text"], "measure": ["text"], "query": ["q"], "value": [0.5]}, SCHEMA)
    },
    "adjudication.Adjudication": {"table": FRAME.with_columns(priority=1.0, entropy=0.5)},
    "derived.Derived": {"table": FRAME.with_columns(rule=pl.lit("title"))},
    "rag.RagEvaluation": {"matching": {"rule": "id"}, "beside": {}},
}
"""Fields of which the type does not say all: the columns of a table, the names in what is told."""


def results():
    """The classes of the core and of the statistics that hold results, by module and name."""
    homes = {"assay.core.": assay.core, "assay.statistics.": assay.statistics}
    names = [one.name for before, home in homes.items() for one in pkgutil.iter_modules(home.__path__, before)]
    held = [one for name in names for one in vars(importlib.import_module(name)).values() if isinstance(one, type)]
    own = {one for one in held if is_dataclass(one) and one.__module__ in names}
    return {named(one): one for one in sorted(own, key=named)}


def named(kind):
    """The name of a class with that of its file."""
    return f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}"


def made(kind, *, full):
    """Make a value of a type: of a result, of all its fields."""
    if kind in PLAIN:
        return PLAIN[kind]
    if is_dataclass(kind):
        given, hints = GIVEN.get(named(kind), {}), get_type_hints(kind)
        wanted = [field.name for field in fields(kind) if field.init and field.name not in given]
        return kind(**{name: made(hints[name], full=full) for name in wanted}, **given)
    outer, parts = get_origin(kind), get_args(kind)
    if outer in {Union, UnionType}:
        some = next(one for one in parts if one is not type(None))
        return made(some, full=full) if full or type(None) not in parts else None
    ready = {Literal: parts[0], np.ndarray: np.array([0.5]), Callable: lambda *_: made(parts[-1], full=full)}
    if outer in ready:
        return ready[outer]
    inner = [made(one, full=full) for one in parts if one is not ...]
    if issubclass(outer, Mapping):
        return dict([inner])
    return frozenset(inner) if outer is frozenset else tuple(inner)


GIVEN["entities_sampled.SampledFigures"] = {"estimates": {"pairwise": {"f1": made(Estimate, full=False)}}}
GIVEN["answers_evaluation.SystemAnswers"] = {
    "counts": tuple(replace(made(Count, full=True), name=name) for name in COUNTS)
}
GIVEN["agreement.Agreement"] = {"level": "nominal", "overall": {"alpha_nominal": made(Coefficient, full=False)}}
