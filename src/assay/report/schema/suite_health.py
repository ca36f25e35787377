"""The JSON Schema of `assay answers check -o json`."""

from assay.core.suite_health import CODES
from assay.report.schema.parts import COUNT, FLAG, TEXT, list_of, map_of, or_null, record

CODE = {"enum": list(CODES)}
TIES = record(
    rows=COUNT,
    groups=COUNT,
    limit=or_null(COUNT),
    offset=COUNT,
    ordered=FLAG,
    cut=list_of(record(taken=COUNT, rows=list_of(list_of(or_null(TEXT))))),
)
QUESTION = record(
    question=TEXT,
    text=TEXT,
    rows=or_null(COUNT),
    healthy=FLAG,
    checked=list_of(CODE),
    findings=list_of(record(code=CODE, detail=TEXT, examples=list_of(TEXT))),
    ties=or_null(TIES),
)

SUITE_HEALTH = record(
    assay=TEXT,
    command=list_of(TEXT),
    suite=TEXT,
    graph=or_null(TEXT),
    second=or_null(TEXT),
    counts=record(questions=COUNT, healthy=COUNT),
    findings=record(**dict.fromkeys(CODES, record(questions=COUNT, checked=COUNT))),
    left_out=map_of(TEXT),
    questions=list_of(QUESTION),
    notices=list_of(TEXT),
)
