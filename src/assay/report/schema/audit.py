"""The JSON Schema of `assay audit -o json`."""

from assay.report.schema.evaluation import GOLD, RUN_AUDIT
from assay.report.schema.parts import COUNT, FINDING, TEXT, list_of, or_null, record, told
from assay.report.schema.words import audit as words

AUDIT = told(
    record(
        assay=TEXT,
        cutoffs=list_of(COUNT),
        gold=or_null(GOLD),
        runs=list_of(
            told(record(name=TEXT, path=or_null(TEXT), queries=COUNT, rows=COUNT, audit=or_null(RUN_AUDIT)), words.RUN)
        ),
        counts=told(record(error=COUNT, warning=COUNT, note=COUNT), words.COUNTS),
        findings=list_of(FINDING),
    ),
    words.AUDIT,
)
