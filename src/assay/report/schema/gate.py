"""JSON Schema of what `assay history gate` writes."""

from assay.report.schema.comparison import SIGNIFICANCE
from assay.report.schema.history import MADE
from assay.report.schema.parts import (
    COUNT,
    FLAG,
    INTERVAL,
    NUMBER,
    TEXT,
    Schema,
    list_of,
    or_null,
    record,
    told,
)
from assay.report.schema.words import gate as words

DECISION: Schema = {"enum": ["passed", "blocked", "cannot decide"]}

SIDE = told(record(id=COUNT, name=TEXT, queries=COUNT, made=MADE), words.SIDE)

CHECK = told(
    record(
        slice=TEXT,
        measure=TEXT,
        decision=DECISION,
        reasons=list_of({"enum": ["drop", "floor", "few", "judged", "undefined"]}),
        baseline=or_null(NUMBER),
        now=or_null(NUMBER),
        figure=or_null(NUMBER),
        change=or_null(NUMBER),
        interval=INTERVAL,
        significance=SIGNIFICANCE,
        queries=COUNT,
        min_queries=COUNT,
        max_drop=NUMBER,
        limit=or_null(NUMBER),
        judged=or_null(NUMBER),
        min_judged=or_null(NUMBER),
        higher_is_better=FLAG,
        lost=COUNT,
        gained=COUNT,
        worst=list_of(told(record(query=TEXT, before=NUMBER, now=NUMBER, change=NUMBER), words.LOSS)),
        vanished=COUNT,
        clusters=FLAG,
        least_p=or_null(NUMBER),
        why=TEXT,
    ),
    words.CHECK,
)

HISTORY_GATE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        decision=DECISION,
        exit_code={"enum": [0, 1, 3]},
        suite=TEXT,
        now=SIDE,
        baseline=or_null(SIDE),
        alpha=NUMBER,
        test={"enum": ["flips", "t", "betting"]},
        family=COUNT,
        nights=or_null(COUNT),
        horizon=or_null(COUNT),
        checks=list_of(CHECK),
        fallen=list_of(
            told(
                record(slice=TEXT, measure=TEXT, query=TEXT, before=NUMBER, blocks=FLAG, now=or_null(NUMBER)),
                words.FALLEN,
            )
        ),
        unlike=list_of(told(record(what=TEXT, before=or_null(TEXT), now=or_null(TEXT), refused=FLAG), words.UNLIKE)),
        notices=list_of(TEXT),
    ),
    words.GATE,
)
