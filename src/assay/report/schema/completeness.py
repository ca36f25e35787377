"""The JSON Schema of `assay graph completeness -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import completeness as words

FIGURE = or_null(NUMBER)

PAIR = told(
    record(
        **{"class": TEXT}, property=TEXT, why={"enum": ["shapes", "axioms", "usage", "all"]}, least=COUNT, have=COUNT,
        of=COUNT, no_value=COUNT, ratio=FIGURE, direct=told(record(have=COUNT, of=COUNT, ratio=FIGURE), words.DIRECT),
    ),
    words.PAIR,
)  # fmt: skip

SCHEMA_LEVEL = told(
    record(
        ratio=FIGURE,
        have=COUNT,
        of=COUNT,
        share=FIGURE,
        threshold=FIGURE,
        subclasses=FLAG,
        empty_strings_count=FLAG,
        not_evaluated=COUNT,
        classes=list_of(told(record(**{"class": TEXT}, entities=COUNT, properties=COUNT, ratio=FIGURE), words.CLASS)),
        pairs=list_of(PAIR),
    ),
    words.SCHEMA,
)

RECAPTURED = told(
    record(first=COUNT, second=COUNT, both=COUNT, total=NUMBER, error=NUMBER, interval=INTERVAL, unseen=NUMBER),
    words.RECAPTURED,
)

DOMAIN_LEVEL = told(
    record(
        unit={"enum": ["facts", "entities"]},
        found=COUNT,
        of=COUNT,
        ratio=FIGURE,
        drawn_from=or_null(COUNT),
        interval=or_null(INTERVAL),
        recaptured=or_null(RECAPTURED),
        missing=list_of(TEXT),
    ),
    words.DOMAIN,
)

ORACLE = told(
    record(
        rule=TEXT,
        complete=COUNT,
        of=COUNT,
        ratio=FIGURE,
        right=or_null(COUNT),
        judged=or_null(COUNT),
        truly=or_null(COUNT),
        precision=FIGURE,
        recall=FIGURE,
    ),
    words.ORACLE,
)

RELATION_LEVEL = told(
    record(
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
    ),
    words.RELATION,
)
WANTED = told(record(property=TEXT, weight=NUMBER, ratio=FIGURE, used=FLAG, gap=FIGURE, gap_share=FIGURE), words.WANTED)

DEMAND = told(
    record(
        weighted=FIGURE,
        unweighted=FIGURE,
        queries=COUNT,
        unread=COUNT,
        variable=COUNT,
        classes=map_of(NUMBER),
        properties=list_of(WANTED),
    ),
    words.DEMAND,
)

GRAPH_COMPLETENESS = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        graph=TEXT,
        inputs=list_of(INPUT),
        schema=SCHEMA_LEVEL,
        domain=or_null(DOMAIN_LEVEL),
        relations=list_of(RELATION_LEVEL),
        demand=or_null(DEMAND),
        notices=list_of(TEXT),
    ),
    words.COMPLETENESS,
)
