"""Models by the names of the command line, made of arrays."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from assay.engines.shards import Shards
from assay.errors import UnknownNameError
from assay.tasks.links.models.base import MODELS, EmbeddedModel, Model
from assay.tasks.links.models.reciprocal import Reciprocal
from assay.tasks.links.models.shapes import refused
from assay.tasks.links.models.transe import TransE

NAMED: dict[str, tuple[str, dict[str, Any]]] = {
    "transe-l1": ("transe", {"norm": 1}),
    "transe-l2": ("transe", {"norm": 2}),
    "transh": ("transh", {}),
    "transr": ("transr", {}),
    "distmult": ("distmult", {}),
    "complex": ("complex", {}),
    "rotate": ("rotate", {"norm": "modulus"}),
    "rotate-l2": ("rotate", {"norm": "l2"}),
    "rescal": ("rescal", {}),
    "simple": ("simple", {}),
    "cp": ("cp", {}),
    "tucker": ("tucker", {}),
    "decoder-distmult": ("decoder", {"form": "distmult"}),
    "decoder-transe": ("decoder", {"form": "transe"}),
    "decoder-dot": ("decoder", {"form": "dot"}),
}
"""Each name of the command line: a model and the conventions that the name says."""


def model_of(name: str, entities: Any, relations: Any, **options: Any) -> Model:
    """Make a model of its name, its arrays and its conventions.

    `entities` and `relations` are arrays, one row for each, or several arrays in a list: real then imaginary parts
    (complex, rotate), vectors as head then as tail (cp, simple), forward then inverse relations (simple), relation
    vectors then normals (transh), projections (transr) or the core (tucker). `options` are fields of the model;
    `reciprocal=True`, or the order of the rows, says that each relation has a second row for its inverse.

    Raises
    ------
    UnknownNameError
        A model or an option that does not exist.
    ParameterError
        Arrays that do not fit the model or each other, or a convention that must be said.

    >>> model_of("transe-l2", [[0.0, 0.0], [3.0, 4.0]], [[0.0, 0.0]]).by_the_book([0], [0], [1]).tolist()
    [-5.0]
    >>> model_of("distmult", np.ones((5, 3)), np.ones((2, 4)))
    Traceback (most recent call last):
    ...
    assay.errors.ParameterError: model distmult: expected relation vectors as wide as the entity vectors (3), found ...
    """
    if name not in NAMED and name not in MODELS:
        raise UnknownNameError.of("model", name, NAMED)
    registered, said = NAMED.get(name, (name, {}))
    cls = MODELS[registered]
    order = options.pop("reciprocal", False)
    given = _conventions(name, cls, said, options)
    several = any(len(_several(arrays)) > 1 for arrays in (entities, relations))
    if several and "layout" in cls.__dataclass_fields__:
        given.setdefault("layout", "halves")
    made = cls(**_parts(cls, "entity", entities), **_parts(cls, "relation", relations), **given)
    return Reciprocal(made, "halves" if order is True else order) if order else made


def has_halves(name: str) -> bool:
    """Tell whether a model takes two arrays of entities: real and imaginary parts, or as head and as tail.

    >>> has_halves("rotate-l2"), has_halves("transr")
    (True, False)
    """
    registered = NAMED.get(name, (name, {}))[0]
    return registered not in MODELS or "entity" in MODELS[registered].doubled


def _conventions(name: str, cls: type[EmbeddedModel], said: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return what the name and the options say, where they agree."""
    known = [part.name for part in fields(cls) if part.name not in {"entity", "relation"}]
    for option, value in given.items():
        if option not in known:
            raise UnknownNameError.of(f"option of {name}", option, known)
        if option in said and said[option] != value:
            raise refused(name, f"{option} {said[option]!r}, as the name says", repr(value))
    if cls is TransE and "norm" not in said | given:
        raise refused(name, "a norm", "none", hint="say transe-l1 or transe-l2.")
    return given | said


def _several(given: Any) -> Sequence[Any]:
    """Return the arrays of a list; one array is a list of one."""
    if isinstance(given, list | tuple) and given and isinstance(given[0], np.ndarray | Shards):
        return given
    return (given,)


def _parts(cls: type[EmbeddedModel], field: str, given: Any) -> dict[str, Any]:
    """Return the arrays under the fields that they fill; two halves of one field are put side by side."""
    arrays = _several(given)
    names = cls.parts if field == "relation" else ("entity",)
    if len(arrays) == len(names) or len(arrays) == 1:
        return dict(zip(names, arrays, strict=False))
    if len(arrays) == 2 and field in cls.doubled:
        first, second = arrays
        if not isinstance(first, np.ndarray) or not isinstance(second, np.ndarray):
            hint = "put the halves side by side in each file."
            raise refused(cls.registered, f"two {field} arrays in one file each", "shards", hint=hint)
        if first.shape != second.shape:
            found = f"{first.shape} and {second.shape}"
            raise refused(cls.registered, f"two {field} arrays of one shape", found)
        return {field: np.hstack([first, second])}
    raise refused(cls.registered, " and ".join(names), f"{len(arrays)} {field} arrays")
