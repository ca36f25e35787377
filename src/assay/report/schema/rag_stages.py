"""The JSON Schema of `assay rag stages -o json`."""

from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.rag import MATCHING, UNIT
from assay.report.schema.words import rag_stages as words

FIGURES = map_of(
    told(
        record(
            requested=TEXT,
            **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
            **dict.fromkeys(("queries", "undefined"), COUNT),
            interval=or_null(INTERVAL),
            ties={"type": "null"},
        ),
        words.FIGURES,
    )
)

NAMED = told(record(questions=COUNT, share=or_null(NUMBER), examples=list_of(TEXT)), words.NAMED)

STAGE = told(
    record(
        name=TEXT,
        path=or_null(TEXT),
        k=COUNT,
        measures=FIGURES,
        ceiling=or_null(NUMBER),
        lost=or_null(NAMED),
        gained=or_null(NAMED),
    ),
    words.STAGE,
)

LOSS = told(
    record(place=TEXT, questions=COUNT, share=or_null(NUMBER), examples=list_of(TEXT), right=or_null(COUNT)),
    words.LOSS,
)

CORRECTNESS = told(
    record(
        **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
        **dict.fromkeys(("questions", "right"), COUNT),
        interval=INTERVAL,
    ),
    words.CORRECTNESS,
)

ANSWERS = told(
    record(
        threshold=NUMBER,
        unknown=COUNT,
        **dict.fromkeys(("all", "given_deducible", "given_not_deducible"), CORRECTNESS),
        **dict.fromkeys(("omissions", "unsupported"), NAMED),
    ),
    words.ANSWERS,
)

RAG_STAGES = told(
    record(
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
    ),
    words.RAG_STAGES,
)
