"""The parts that JSON Schemas are made of."""

from collections.abc import Mapping
from typing import Any

from assay.report.schema.words import evaluation as words

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
DIGEST: Schema = {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"}


def or_null(kind: Schema) -> Schema:
    """Return a schema that allows null as well."""
    return {"anyOf": [kind, {"type": "null"}]}


def list_of(of: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": of}


def map_of(of: Schema) -> Schema:
    """Return the schema of an object with any keys."""
    return {"type": "object", "additionalProperties": of}


def record(optional: Schema | None = None, /, **fields: Schema) -> Schema:
    """Return an object with exactly these fields, and perhaps the optional ones."""
    return {
        "type": "object",
        "properties": fields | (optional or {}),
        "required": list(fields),
        "additionalProperties": False,
    }


def told(of: Schema, meanings: Mapping[str, str]) -> Schema:
    """Return an object whose keys say what they mean.

    >>> told(record(low=NUMBER), {"low": "The lower end."})["properties"]
    {'low': {'type': 'number', 'description': 'The lower end.'}}
    """
    said = {name: of["properties"][name] | {"description": meaning} for name, meaning in meanings.items()}
    return of | {"properties": of["properties"] | said}


INPUT = told(record(role=TEXT, path=TEXT, sha256=DIGEST), words.INPUT)
"""A file that a result was made of; a folder or a pipe has no digest."""

INTERVAL = told(
    record(
        low=or_null(NUMBER),
        high=or_null(NUMBER),
        level=NUMBER,
        method=TEXT,
        units=COUNT,
        warnings=list_of(TEXT),
        resamples=or_null(COUNT),
        seed=or_null({"type": "integer"}),
    ),
    words.INTERVAL,
)

FINDING = told(
    record(
        level={"enum": ["error", "warning", "note"]},
        code=TEXT,
        title=TEXT,
        detail=TEXT,
        examples=list_of(TEXT),
        place=TEXT,
    ),
    words.FINDING,
)
"""What an audit found."""
