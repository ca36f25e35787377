"""JSON Schemas of the JSON that Assay writes, for those who read it with a program."""

from typing import Any

from assay.core.policy import CHOICES

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
NUMBER: Schema = {"type": "number"}
DIGEST: Schema = {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"}


def _or_null(kind: Schema) -> Schema:
    return {"anyOf": [kind, {"type": "null"}]}


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


def _map(of: Schema) -> Schema:
    return {"type": "object", "additionalProperties": of}


def _record(optional: Schema | None = None, /, **fields: Schema) -> Schema:
    """Return an object with exactly these fields, and perhaps the optional ones."""
    return {
        "type": "object",
        "properties": fields | (optional or {}),
        "required": list(fields),
        "additionalProperties": False,
    }


POLICY = _record(**{name: {"enum": list(choices)} for name, choices in CHOICES.items()})

GOLD = _record(
    name=TEXT,
    path=_or_null(TEXT),
    sha256=DIGEST,
    format=_or_null(TEXT),
    queries=COUNT,
    judgments=COUNT,
    relevant=COUNT,
    grades=_map(COUNT),
    empty_queries=_list(TEXT),
    unjudged_queries=_list(TEXT),
)

ATTACHED = _or_null(_record(path=_or_null(TEXT), sha256=DIGEST))

RUN_AUDIT = _record(
    missing_queries=_list(TEXT),
    extra_queries=COUNT,
    extra_examples=_list(TEXT),
    duplicates=COUNT,
    nan=COUNT,
    excluded=COUNT,
    self_matches=COUNT,
    queries_with_ties=COUNT,
    ties_across_cutoff=_map(COUNT),
    judged_at_cutoff=_map(_or_null(NUMBER)),
)

FIGURE = _record(
    {"policy": POLICY},
    requested=TEXT,
    mean=_or_null(NUMBER),
    queries=COUNT,
    undefined=COUNT,
    low=_or_null(NUMBER),
    high=_or_null(NUMBER),
    ties=_or_null(_record(pessimistic=_or_null(NUMBER), optimistic=_or_null(NUMBER))),
)

RUN = _record(
    {"per_query": _map(_map(_or_null(NUMBER)))},
    name=TEXT,
    path=_or_null(TEXT),
    sha256=DIGEST,
    format=_or_null(TEXT),
    queries=COUNT,
    rows=COUNT,
    audit=RUN_AUDIT,
    notices=_list(TEXT),
    measures=_map(FIGURE),
)

EVALUATE = _record(
    assay=TEXT,
    command=_list(TEXT),
    seed=_or_null({"type": "integer"}),
    profile=_or_null(TEXT),
    policy=POLICY,
    weighted=FLAG,
    options=_record(rel=_or_null(NUMBER), tie_range=FLAG, aggregate=TEXT, weights=ATTACHED, exclude=ATTACHED),
    gold=GOLD,
    runs=_list(RUN),
)

FINDING = _record(
    level={"enum": ["error", "warning", "note"]},
    code=TEXT,
    title=TEXT,
    detail=TEXT,
    examples=_list(TEXT),
    place=TEXT,
)

AUDIT = _record(
    assay=TEXT,
    cutoffs=_list(COUNT),
    gold=_or_null(GOLD),
    runs=_list(_record(name=TEXT, path=_or_null(TEXT), queries=COUNT, rows=COUNT, audit=_or_null(RUN_AUDIT))),
    counts=_record(error=COUNT, warning=COUNT, note=COUNT),
    findings=_list(FINDING),
)

MEASURES = _record(
    assay=TEXT,
    measures=_list(
        _record(
            name=TEXT,
            aliases=_list(TEXT),
            trec_eval=_list(TEXT),
            family=TEXT,
            definition=TEXT,
            formula=TEXT,
            remarks=TEXT,
            source=TEXT,
            example=TEXT,
            lowest=_or_null(NUMBER),
            highest=_or_null(NUMBER),
            higher_is_better=FLAG,
            needs_cutoff=FLAG,
            defined_without_relevant=FLAG,
            summed=FLAG,
            without_answer=_or_null(NUMBER),
            exact_ties=FLAG,
            parameters=_list(_record(name=TEXT, default={}, meaning=TEXT, allowed=TEXT)),
        )
    ),
)

CAUSE = _record(
    changes=_list(
        _record(kind={"enum": ["policy", "measure", "fault"]}, name=TEXT, before=TEXT, after=TEXT, meaning=TEXT)
    ),
    value=_or_null(NUMBER),
    explains=FLAG,
    queries=_list(_record(query=TEXT, before=_or_null(NUMBER), after=_or_null(NUMBER))),
)

DIFFERENCE = _record(
    assay=TEXT,
    first=TEXT,
    second=TEXT,
    explained=FLAG,
    findings=_list(
        _record(
            measure=TEXT,
            ours=_or_null(NUMBER),
            theirs=_or_null(NUMBER),
            same=FLAG,
            explained=FLAG,
            sentences=_list(TEXT),
            causes=_list(CAUSE),
        )
    ),
    limits=_list(TEXT),
)

INPUT = _record(
    role=TEXT,
    path=_or_null(TEXT),
    recorded=DIGEST,
    found=DIGEST,
    state={"enum": ["same", "changed", "unknown", "missing"]},
)

VERIFY = _record(
    assay=TEXT,
    result=TEXT,
    made_by=TEXT,
    same=FLAG,
    inputs=_list(INPUT),
    figures=_list(
        _record(
            run=TEXT,
            measure=TEXT,
            recorded=_or_null(NUMBER),
            found=_or_null(NUMBER),
            same=FLAG,
            close=FLAG,
            queries=_list(TEXT),
            note=TEXT,
        )
    ),
    problems=_list(TEXT),
    sentences=_list(TEXT),
)

OF_VERB = {
    "evaluate": EVALUATE, "audit": AUDIT, "measures": MEASURES, "explain-difference": DIFFERENCE, "verify": VERIFY,
}  # fmt: skip

SCHEMAS: dict[str, Schema] = {
    name: {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"assay {name} -o json"} | schema
    for name, schema in OF_VERB.items()
}
"""The schema of each verb's JSON; a line of `evaluate -o jsonl` follows that of evaluate."""
