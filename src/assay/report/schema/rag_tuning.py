"""The JSON Schema of `assay rag tune -o json`."""

from assay.core.policy import CHOICES
from assay.report.schema.parts import NUMBER, TEXT, list_of, map_of, or_null, record
from assay.report.schema.rag import MATCHING, UNIT
from assay.report.schema.rag_stages import FIGURES

POINT = record(setting=TEXT, value=or_null(NUMBER), items=NUMBER, tokens=or_null(NUMBER), measures=FIGURES)

RAG_TUNING = record(
    assay=TEXT,
    command=list_of(TEXT),
    name=TEXT,
    over=TEXT,
    unit=UNIT,
    matching=MATCHING,
    level=NUMBER,
    policy=record(**{name: {"enum": list(choices)} for name, choices in CHOICES.items()}),
    points=list_of(POINT),
    best=map_of(record(setting=TEXT, mean=NUMBER, alike=list_of(TEXT), lowest=TEXT)),
    notices=list_of(TEXT),
)
