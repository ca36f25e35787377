"""The JSON Schema of `assay gold derive -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import derived as words

RULE = {"enum": ["stated", "chain", "other values", "not covered", "contradicted"]}

GOLD_DERIVE = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        inputs=list_of(INPUT),
        name=TEXT,
        basis={"enum": ["facts", "links", "rows"]},
        complete=FLAG,
        sources=list_of(TEXT),
        pooled=FLAG,
        counts=told(record(pairs=COUNT, covered=COUNT), words.COUNTS),
        coverage=or_null(NUMBER),
        rules=map_of(COUNT),
        queries=list_of(told(record(query=TEXT, pairs=COUNT, covered=COUNT, relevant=COUNT), words.QUERY)),
        pairs=list_of(
            told(
                record(query=TEXT, item=TEXT, grade=or_null(NUMBER), rule=RULE, source=TEXT, evidence=TEXT), words.PAIR
            )
        ),
        notices=list_of(TEXT),
    ),
    words.DERIVE,
)
