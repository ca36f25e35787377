"""The JSON Schema of `assay links sample -o json`."""

from assay.report.schema.parts import (
    COUNT,
    FLAG,
    INTERVAL,
    NUMBER,
    TEXT,
    Schema,
    list_of,
    map_of,
    or_null,
    record,
    told,
)
from assay.report.schema.words import links_sample as words

ANCHORED = told(
    record(
        estimate=NUMBER,
        interval=INTERVAL,
        human=NUMBER,
        human_interval=INTERVAL,
        machine=NUMBER,
        correlation=or_null(NUMBER),
        effective=or_null(NUMBER),
        saved=or_null(NUMBER),
        queries_human=COUNT,
        queries_machine=COUNT,
        warnings=list_of(TEXT),
        **{"lambda": NUMBER},
    ),
    words.ANCHORED,
)
FIGURE = told(
    record(
        sampled=NUMBER,
        corrected=or_null(NUMBER),
        interval=or_null(INTERVAL),
        exact=or_null(NUMBER),
        exact_interval=or_null(INTERVAL),
        corrected_there=or_null(NUMBER),
        anchored=or_null(ANCHORED),
        needed=or_null(COUNT),
        higher_is_better=FLAG,
    ),
    words.FIGURE,
)
PROTOCOL: Schema = {"type": "object"}

LINKS_SAMPLE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        model=TEXT,
        sampled={"const": True},
        protocol_name=TEXT,
        candidates={"enum": ["uniform", "relation", "hard"]},
        estimates=TEXT,
        measures=map_of(FIGURE),
        protocol=PROTOCOL,
        seed={"type": "integer"},
        width=NUMBER,
        notices=list_of(TEXT),
        **dict.fromkeys(("negatives", "triples", "of", "exact_triples", "outside"), COUNT),
    ),
    words.SAMPLE,
)
