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
    told,
)
from assay.report.schema.words import links as words

SIDE: Schema = {"enum": ["tail", "head"]}
SPLIT: Schema = {"enum": ["train", "valid", "test"]}

FIGURE = told(
    record(
        requested=TEXT,
        mean=or_null(NUMBER),
        rule={"enum": list(TIES)},
        queries=COUNT,
        undefined=COUNT,
        low=or_null(NUMBER),
        high=or_null(NUMBER),
        interval=or_null(INTERVAL),
        ties=told(record(**dict.fromkeys(TIES, or_null(NUMBER))), words.TIE_RULES),
        macro=told(record(queries=or_null(NUMBER), relations=or_null(NUMBER)), words.MACRO),
    ),
    words.FIGURE,
)

COUNTS: dict[str, Schema] = {
    "sides": {
        "type": "object",
        "propertyNames": SIDE,
        "additionalProperties": told(record(measures=map_of(FIGURE)), words.SIDE),
    },
    **dict.fromkeys(("distinct_queries", "ranks", "tied", "outside"), COUNT),
    "tied_share": {"type": "number", "minimum": 0, "maximum": 1},
    "candidates": told(record(lowest=COUNT, median=COUNT, highest=COUNT), words.CANDIDATES),
}
"""How a way of ranking was counted."""

RANKED = told(record(meaning=TEXT, measures=map_of(FIGURE), **COUNTS), words.RANKED)

GRAPH = told(
    record(name=TEXT, triples=map_of(COUNT), **dict.fromkeys(("entities", "relations", "asked", "unseen"), COUNT)),
    words.GRAPH,
)

PROTOCOL = told(
    record(
        split=SPLIT,
        sides=list_of(SIDE),
        known=list_of(SPLIT),
        unseen={"enum": ["keep", "drop"]},
        ties={"enum": list(TIES)},
        nan={"enum": ["error", "worst"]},
        outside={"enum": ["miss", "add"]},
    ),
    words.PROTOCOL,
)

ANSWER = told(record(entity=TEXT, score=NUMBER, split=or_null(SPLIT), known=FLAG), words.ANSWER)

WORST = told(
    record(
        side=SIDE,
        **dict.fromkeys(("head", "relation", "tail"), TEXT),
        rank=NUMBER,
        **dict.fromkeys(("greater", "equal", "candidates"), COUNT),
        score=or_null(NUMBER),
        above=or_null(list_of(ANSWER)),
    ),
    words.WORST,
)


def links_evaluate(evaluate: Schema) -> Schema:
    """Return the schema of a link predictor judged: that of an evaluation, with more in the run and beside it."""
    run = evaluate["properties"]["runs"]["items"]
    more = {"measures": map_of(FIGURE), "protocol": TEXT, "meaning": TEXT, "dropped": COUNT} | COUNTS
    beside = {
        "inputs": list_of(INPUT),
        "graph": GRAPH,
        "protocol": PROTOCOL,
        "protocols": map_of(RANKED),
        "breakdowns": list_of(SLICING),
        "worst": list_of(WORST),
    }
    runs = list_of(told(_with(run, more), words.RUN))
    return told(_with(evaluate, {"runs": runs} | beside), words.EVALUATE)


def _with(schema: Schema, fields: dict[str, Schema]) -> Schema:
    """Return the schema of an object with further fields, or other ones."""
    return schema | {
        "properties": schema["properties"] | fields,
        "required": list(dict.fromkeys([*schema["required"], *fields])),
    }
