"""The JSON Schemas of `assay links evaluate -o json` and `assay links compare -o json`."""

from assay.core.links import TIES
from assay.report.schema.comparison import SLICING
from assay.report.schema.parts import (
    COUNT,
    FLAG,
    INPUT,
    INTERVAL,
    NUMBER,
    TEXT,
    Schema,
    list_of,
    map_of,
    or_null,
    record,
)

SIDE: Schema = {"enum": ["tail", "head"]}
SPLIT: Schema = {"enum": ["train", "valid", "test"]}

FIGURE = record(
    requested=TEXT,
    mean=or_null(NUMBER),
    rule={"enum": list(TIES)},
    queries=COUNT,
    undefined=COUNT,
    low=or_null(NUMBER),
    high=or_null(NUMBER),
    interval=or_null(INTERVAL),
    ties=record(**dict.fromkeys(TIES, or_null(NUMBER))),
    macro=record(queries=or_null(NUMBER), relations=or_null(NUMBER)),
)

COUNTS: dict[str, Schema] = {
    "sides": {
        "type": "object",
        "propertyNames": SIDE,
        "additionalProperties": record(measures=map_of(FIGURE)),
    },
    **dict.fromkeys(("distinct_queries", "ranks", "tied", "outside"), COUNT),
    "tied_share": {"type": "number", "minimum": 0, "maximum": 1},
    "candidates": record(lowest=COUNT, median=COUNT, highest=COUNT),
}
"""How a way of ranking was counted."""

GRAPH = record(name=TEXT, triples=map_of(COUNT), **dict.fromkeys(("entities", "relations", "asked", "unseen"), COUNT))

PROTOCOL = record(
    split=SPLIT,
    sides=list_of(SIDE),
    known=list_of(SPLIT),
    unseen={"enum": ["keep", "drop"]},
    ties={"enum": list(TIES)},
    nan={"enum": ["error", "worst"]},
    outside={"enum": ["miss", "add"]},
)

ANSWER = record(entity=TEXT, score=NUMBER, split=or_null(SPLIT), known=FLAG)

WORST = record(
    side=SIDE,
    **dict.fromkeys(("head", "relation", "tail"), TEXT),
    rank=NUMBER,
    **dict.fromkeys(("greater", "equal", "candidates"), COUNT),
    score=or_null(NUMBER),
    above=or_null(list_of(ANSWER)),
)


def links_evaluate(evaluate: Schema) -> Schema:
    """Return the schema of a link predictor judged: that of an evaluation, with more in the run and beside it."""
    run = evaluate["properties"]["runs"]["items"]
    more = {"measures": map_of(FIGURE), "protocol": TEXT, "meaning": TEXT, "dropped": COUNT} | COUNTS
    beside = {
        "inputs": list_of(INPUT),
        "graph": GRAPH,
        "protocol": PROTOCOL,
        "protocols": map_of(record(meaning=TEXT, measures=map_of(FIGURE), **COUNTS)),
        "breakdowns": list_of(SLICING),
        "worst": list_of(WORST),
    }
    return _with(evaluate, {"runs": list_of(_with(run, more))} | beside)


def _with(schema: Schema, fields: dict[str, Schema]) -> Schema:
    """Return the schema of an object with further fields, or other ones."""
    return schema | {
        "properties": schema["properties"] | fields,
        "required": list(dict.fromkeys([*schema["required"], *fields])),
    }
