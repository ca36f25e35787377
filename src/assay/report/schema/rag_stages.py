"""The JSON Schema of `assay rag stages -o json`."""

from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record
from assay.report.schema.rag import MATCHING, UNIT

FIGURES = map_of(
    record(
        requested=TEXT,
        **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
        **dict.fromkeys(("queries", "undefined"), COUNT),
        interval=or_null(INTERVAL),
        ties={"type": "null"},
    )
)

NAMED = record(questions=COUNT, share=or_null(NUMBER), examples=list_of(TEXT))

STAGE = record(
    name=TEXT,
    path=or_null(TEXT),
    k=COUNT,
    measures=FIGURES,
    ceiling=or_null(NUMBER),
    lost=or_null(NAMED),
    gained=or_null(NAMED),
)

LOSS = record(
    place=TEXT, questions=COUNT, share=or_null(NUMBER), examples=list_of(TEXT), right=or_null(COUNT)
)  # fmt: skip

CORRECTNESS = record(
    **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
    **dict.fromkeys(("questions", "right"), COUNT),
    interval=INTERVAL,
)

ANSWERS = record(
    threshold=NUMBER,
    unknown=COUNT,
    **dict.fromkeys(("all", "given_deducible", "given_not_deducible"), CORRECTNESS),
    **dict.fromkeys(("omissions", "unsupported"), NAMED),
)

RAG_STAGES = record(
    assay=TEXT,
    command=list_of(TEXT),
    unit=UNIT,
    matching=MATCHING,
    questions=COUNT,
    left_out=COUNT,
    level=NUMBER,
    stages=list_of(STAGE),
    losses=list_of(LOSS),
    reached=NAMED,
    answers=or_null(ANSWERS),
    notices=list_of(TEXT),
)
