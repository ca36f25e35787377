"""The JSON Schema of `assay graph completeness -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record

FIGURE = or_null(NUMBER)

PAIR = record(
    **{"class": TEXT}, property=TEXT, why={"enum": ["shapes", "axioms", "usage", "all"]}, least=COUNT, have=COUNT,
    of=COUNT, no_value=COUNT, ratio=FIGURE, direct=record(have=COUNT, of=COUNT, ratio=FIGURE),
)  # fmt: skip

SCHEMA_LEVEL = record(
    ratio=FIGURE,
    have=COUNT,
    of=COUNT,
    share=FIGURE,
    threshold=FIGURE,
    subclasses=FLAG,
    empty_strings_count=FLAG,
    not_evaluated=COUNT,
    classes=list_of(record(**{"class": TEXT}, entities=COUNT, properties=COUNT, ratio=FIGURE)),
    pairs=list_of(PAIR),
)

RECAPTURED = record(first=COUNT, second=COUNT, both=COUNT, total=NUMBER, error=NUMBER, interval=INTERVAL, unseen=NUMBER)

DOMAIN_LEVEL = record(
    unit={"enum": ["facts", "entities"]},
    found=COUNT,
    of=COUNT,
    ratio=FIGURE,
    drawn_from=or_null(COUNT),
    interval=or_null(INTERVAL),
    recaptured=or_null(RECAPTURED),
    missing=list_of(TEXT),
)

ORACLE = record(
    rule=TEXT,
    complete=COUNT,
    of=COUNT,
    ratio=FIGURE,
    right=or_null(COUNT),
    judged=or_null(COUNT),
    truly=or_null(COUNT),
    precision=FIGURE,
    recall=FIGURE,
)

RELATION_LEVEL = record(
    property=TEXT,
    subjects=COUNT,
    values=COUNT,
    of=COUNT,
    functionality=FIGURE,
    oracles=list_of(ORACLE),
    found=or_null(COUNT),
    reference=or_null(COUNT),
    ratio=FIGURE,
    interval=or_null(INTERVAL),
)

DEMAND = record(
    weighted=FIGURE,
    unweighted=FIGURE,
    queries=COUNT,
    unread=COUNT,
    variable=COUNT,
    classes=map_of(NUMBER),
    properties=list_of(
        record(property=TEXT, weight=NUMBER, ratio=FIGURE, used=FLAG, gap=FIGURE, gap_share=FIGURE),
    ),
)

GRAPH_COMPLETENESS = record(
    assay=TEXT,
    command=list_of(TEXT),
    graph=TEXT,
    inputs=list_of(INPUT),
    schema=SCHEMA_LEVEL,
    domain=or_null(DOMAIN_LEVEL),
    relations=list_of(RELATION_LEVEL),
    demand=or_null(DEMAND),
    notices=list_of(TEXT),
)
