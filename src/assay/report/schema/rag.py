"""The JSON Schema of `assay rag evaluate -o json`."""

from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, Schema, list_of, or_null, record, told
from assay.report.schema.words import rag as words

MATCHING = told(record(rule={"enum": ["id", "exact", "fuzzy"]}, threshold=or_null(NUMBER)), words.MATCHING)

SYSTEM = told(
    record(
        name=TEXT,
        path=or_null(TEXT),
        scored=FLAG,
        **dict.fromkeys(("questions", "retrieved", "duplicates", "without", "absent", "longest", "found"), COUNT),
        ignored=list_of(TEXT),
    ),
    words.SYSTEM,
)

UNIT: Schema = {"enum": ["fact", "passage", "document", "entity"]}


def rag_evaluate(evaluate: Schema) -> Schema:
    """Return the schema of retrieval systems judged: that of an evaluation, and what stands beside it."""
    beside = {"unit": UNIT, "matching": MATCHING, "systems": list_of(SYSTEM), "notices": list_of(TEXT)}
    whole = evaluate | {
        "properties": evaluate["properties"] | beside,
        "required": [*evaluate["required"], *beside],
    }
    return told(whole, words.BESIDE)
