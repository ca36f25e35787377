"""The JSON Schema of `assay rag tune -o json`."""

from assay.report.schema.explanation import POLICY
from assay.report.schema.parts import NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.rag import MATCHING, UNIT
from assay.report.schema.rag_stages import FIGURES
from assay.report.schema.words import rag_tuning as words

POINT = told(
    record(setting=TEXT, value=or_null(NUMBER), items=NUMBER, tokens=or_null(NUMBER), measures=FIGURES), words.POINT
)

RAG_TUNING = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        name=TEXT,
        over=TEXT,
        unit=UNIT,
        matching=MATCHING,
        level=NUMBER,
        policy=POLICY,
        points=list_of(POINT),
        best=map_of(told(record(setting=TEXT, mean=NUMBER, alike=list_of(TEXT), lowest=TEXT), words.BEST)),
        notices=list_of(TEXT),
    ),
    words.RAG_TUNING,
)
