"""The JSON Schema of `assay gold agree -o json`."""

from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import agreement as words

COEFFICIENT = told(
    record(
        **dict.fromkeys(("value", "low", "high"), or_null(NUMBER)),
        interval=or_null(INTERVAL),
    ),
    words.COEFFICIENT,
)

OVERALL = told(
    record(
        **dict.fromkeys(
            ("percent", "fleiss", "ac1", "alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio"), COEFFICIENT
        )
    ),
    words.OVERALL,
)

BETWEEN = told(
    record(
        first=TEXT,
        second=TEXT,
        pairs=COUNT,
        **dict.fromkeys(("percent", "kappa", "linear", "quadratic", "alpha", "ac1"), COEFFICIENT),
    ),
    words.BETWEEN,
)

BY_JUDGE = told(
    record(
        judge=TEXT,
        **dict.fromkeys(("judged", "cannot_tell", "shared"), COUNT),
        given=map_of(COUNT),
        **dict.fromkeys(("mean", "leans", "percent", "kappa"), or_null(NUMBER)),
        confusion=list_of(list_of(COUNT)),
    ),
    words.BY_JUDGE,
)

PERIOD = told(
    record(
        judge=TEXT,
        kind={"enum": ["guideline", "month", "week", "day"]},
        period=TEXT,
        shared=COUNT,
        percent=COEFFICIENT,
        kappa=or_null(NUMBER),
        leans=or_null(NUMBER),
        change=or_null(COEFFICIENT),
    ),
    words.PERIOD,
)

RESCORED = told(
    record(
        judge=TEXT,
        figures=map_of(or_null(NUMBER)),
        best=or_null(TEXT),
        tau=or_null(NUMBER),
        swapped=COUNT,
    ),
    words.RESCORED,
)

EFFECT = told(
    record(measure=TEXT, by=TEXT, tau=or_null(NUMBER), standard=RESCORED, judges=list_of(RESCORED)), words.EFFECT
)

GOLD_AGREE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        name=TEXT,
        judges=list_of(TEXT),
        **dict.fromkeys(("pairs", "shared", "queries"), COUNT),
        level={"enum": ["nominal", "ordinal", "interval", "ratio"]},
        unit={"enum": ["pairs", "queries"]},
        seed={"type": "integer"},
        reference=or_null(TEXT),
        prevalence=map_of(NUMBER),
        overall=OVERALL,
        between=list_of(BETWEEN),
        by_judge=list_of(BY_JUDGE),
        drift=list_of(PERIOD),
        disputed=list_of(told(record(query=TEXT, item=TEXT, dispute=NUMBER, grades=map_of(NUMBER)), words.DISPUTED)),
        disputed_queries=list_of(
            told(record(query=TEXT, pairs=COUNT, dispute=NUMBER, percent=NUMBER), words.DISPUTED_QUERY)
        ),
        effect=list_of(EFFECT),
        notices=list_of(TEXT),
    ),
    words.AGREE,
)
