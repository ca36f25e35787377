"""The JSON Schema of `assay gold derive -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, NUMBER, TEXT, list_of, map_of, or_null, record

RULE = {"enum": ["stated", "chain", "other values", "not covered", "contradicted"]}

GOLD_DERIVE = record(
    assay=TEXT,
    command=list_of(TEXT),
    inputs=list_of(INPUT),
    name=TEXT,
    basis={"enum": ["facts", "links", "rows"]},
    complete=FLAG,
    sources=list_of(TEXT),
    pooled=FLAG,
    counts=record(pairs=COUNT, covered=COUNT),
    coverage=or_null(NUMBER),
    rules=map_of(COUNT),
    queries=list_of(record(query=TEXT, pairs=COUNT, covered=COUNT, relevant=COUNT)),
    pairs=list_of(record(query=TEXT, item=TEXT, grade=or_null(NUMBER), rule=RULE, source=TEXT, evidence=TEXT)),
    notices=list_of(TEXT),
)
