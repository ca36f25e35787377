"""The JSON Schema of `assay gold agree -o json`."""

from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record

COEFFICIENT = record(
    **dict.fromkeys(("value", "low", "high"), or_null(NUMBER)),
    interval=or_null(INTERVAL),
)

OVERALL = record(
    **dict.fromkeys(
        ("percent", "fleiss", "ac1", "alpha_nominal", "alpha_ordinal", "alpha_interval", "alpha_ratio"), COEFFICIENT
    )
)

BETWEEN = record(
    first=TEXT,
    second=TEXT,
    pairs=COUNT,
    **dict.fromkeys(("percent", "kappa", "linear", "quadratic", "alpha", "ac1"), COEFFICIENT),
)

BY_JUDGE = record(
    judge=TEXT,
    **dict.fromkeys(("judged", "cannot_tell", "shared"), COUNT),
    given=map_of(COUNT),
    **dict.fromkeys(("mean", "leans", "percent", "kappa"), or_null(NUMBER)),
    confusion=list_of(list_of(COUNT)),
)

PERIOD = record(
    judge=TEXT,
    kind={"enum": ["guideline", "month", "week", "day"]},
    period=TEXT,
    shared=COUNT,
    percent=COEFFICIENT,
    kappa=or_null(NUMBER),
    leans=or_null(NUMBER),
    change=or_null(COEFFICIENT),
)

RESCORED = record(
    judge=TEXT,
    figures=map_of(or_null(NUMBER)),
    best=or_null(TEXT),
    tau=or_null(NUMBER),
    swapped=COUNT,
)

EFFECT = record(measure=TEXT, by=TEXT, tau=or_null(NUMBER), standard=RESCORED, judges=list_of(RESCORED))

GOLD_AGREE = record(
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
    disputed=list_of(record(query=TEXT, item=TEXT, dispute=NUMBER, grades=map_of(NUMBER))),
    disputed_queries=list_of(record(query=TEXT, pairs=COUNT, dispute=NUMBER, percent=NUMBER)),
    effect=list_of(EFFECT),
    notices=list_of(TEXT),
)
