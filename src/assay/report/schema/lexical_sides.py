"""JSON Schema of the block `sides`: systems side by side."""

from assay.report.schema.comparison import MOVER
from assay.report.schema.parts import COUNT, NUMBER, TEXT, Schema, list_of, map_of, or_null, record

FOUND = record(
    places=or_null(COUNT),
    relevant=COUNT,
    by=list_of(COUNT),
    only=list_of(COUNT),
    all=COUNT,
    none=COUNT,
    together=list_of(record(systems=list_of(COUNT), items=COUNT)),
)

PAIRING = record(
    first=TEXT,
    second=TEXT,
    jaccard=or_null(NUMBER),
    rbo=or_null(NUMBER),
    queries=COUNT,
    wins=COUNT,
    ties=COUNT,
    losses=COUNT,
    for_first=list_of(MOVER),
    for_second=list_of(MOVER),
)

CEILING = record(
    measure=TEXT,
    best=TEXT,
    single=or_null(NUMBER),
    chosen=or_null(NUMBER),
    own=list_of(or_null(NUMBER)),
    union=or_null(NUMBER),
    fused=map_of(or_null(NUMBER)),
)

ONLY_FOUND = record(system=TEXT, query=TEXT, item=TEXT, grade=NUMBER, rank=COUNT, elsewhere=or_null(COUNT))

SIDES = record(
    systems=list_of(TEXT),
    fusions=list_of(TEXT),
    measure=TEXT,
    cutoff=COUNT,
    depth=or_null(COUNT),
    found=list_of(FOUND),
    pairings=list_of(PAIRING),
    leads=list_of(COUNT),
    ceilings=list_of(CEILING),
    examples=list_of(ONLY_FOUND),
    texts=map_of(TEXT),
    notices=list_of(TEXT),
)


def lexical_compare(compare: Schema) -> Schema:
    """Return the schema of `assay lexical compare -o json`: that of `compare`, and the block `sides`."""
    return compare | {
        "properties": compare["properties"] | {"sides": SIDES},
        "required": [*compare["required"], "sides"],
    }
