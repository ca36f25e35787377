"""The JSON Schemas of `assay graph sample`, `estimate` and `plan` with -o json."""

from assay.report.schema.parts import COUNT, FLAG, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import accuracy as words

DESIGN = told(
    record(
        kind={"enum": ["simple", "cluster", "stratified"]},
        population=TEXT,
        **dict.fromkeys(("seed", "statements", "subjects", "per_subject"), COUNT),
    ),
    words.DESIGN,
)
ROW = told(
    record(draw=COUNT, weight=NUMBER, **dict.fromkeys(("id", "stratum", "subject", "predicate", "object"), TEXT)),
    words.ROW,
)

GRAPH_SAMPLE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        design=DESIGN,
        rows=list_of(ROW),
    ),
    words.SAMPLE,
)

PART = told(
    record(
        name=TEXT,
        **dict.fromkeys(("judged", "right"), COUNT),
        **dict.fromkeys(("value", "low", "high"), or_null(NUMBER)),
        interval=or_null(INTERVAL),
    ),
    words.PART,
)
STOP = told(record(margin=NUMBER, reached=or_null(NUMBER), least=COUNT, enough=FLAG, more=COUNT), words.STOP)

AGREEMENT = told(
    record(judges=list_of(TEXT), statements=COUNT, unanimous=COUNT, alpha=or_null(NUMBER)), words.AGREEMENT
)

GRAPH_ESTIMATE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        paths=list_of(TEXT),
        design=DESIGN,
        **dict.fromkeys(("value", "at_worst", "at_best", "design_effect"), NUMBER),
        **dict.fromkeys(("error", "worth", "low", "high"), or_null(NUMBER)),
        interval=INTERVAL,
        others=map_of(INTERVAL),
        **dict.fromkeys(("draws", "judged", "right", "distinct", "undecided", "open"), COUNT),
        stop=STOP,
        strata=list_of(PART),
        by_predicate=list_of(PART),
        agreement=or_null(AGREEMENT),
        notices=list_of(TEXT),
    ),
    words.ESTIMATE,
)

EFFORT = told(
    record(
        **dict.fromkeys(("per_subject", "statements", "subjects"), COUNT),
        **dict.fromkeys(("accuracy", "per_draw", "design_effect", "seconds"), NUMBER),
        price=or_null(NUMBER),
    ),
    words.EFFORT,
)

GRAPH_PLAN = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        method=TEXT,
        **dict.fromkeys(
            ("margin", "level", "accuracy", "alike", "seconds_per_subject", "seconds_per_statement"), NUMBER
        ),
        **dict.fromkeys(("statements", "subjects"), or_null(COUNT)),
        price_per_hour=or_null(NUMBER),
        by_design=list_of(EFFORT),
        by_accuracy=list_of(EFFORT),
        cheapest=EFFORT,
        notices=list_of(TEXT),
    ),
    words.PLAN,
)
