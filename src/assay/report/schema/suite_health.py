"""The JSON Schema of `assay answers check -o json`."""

from assay.core.suite_health import CODES
from assay.report.schema.parts import COUNT, FLAG, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import suite_health as words

CODE = {"enum": list(CODES)}
TIES = told(
    record(
        rows=COUNT,
        groups=COUNT,
        limit=or_null(COUNT),
        offset=COUNT,
        ordered=FLAG,
        cut=list_of(told(record(taken=COUNT, rows=list_of(list_of(or_null(TEXT)))), words.CUT)),
    ),
    words.TIES,
)
QUESTION = told(
    record(
        question=TEXT,
        text=TEXT,
        rows=or_null(COUNT),
        healthy=FLAG,
        checked=list_of(CODE),
        findings=list_of(told(record(code=CODE, detail=TEXT, examples=list_of(TEXT)), words.FINDING)),
        ties=or_null(TIES),
    ),
    words.QUESTION,
)

FOUND = told(record(questions=COUNT, checked=COUNT), words.FOUND)

SUITE_HEALTH = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        suite=TEXT,
        graph=or_null(TEXT),
        second=or_null(TEXT),
        counts=told(record(questions=COUNT, healthy=COUNT), words.COUNTS),
        findings=told(record(**dict.fromkeys(CODES, FOUND)), words.FINDINGS),
        left_out=map_of(TEXT),
        questions=list_of(QUESTION),
        notices=list_of(TEXT),
    ),
    words.SUITE_HEALTH,
)
