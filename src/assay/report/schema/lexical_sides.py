"""JSON Schema of the block `sides`: systems side by side."""

from assay.report.schema.comparison import MOVER
from assay.report.schema.parts import COUNT, NUMBER, TEXT, Schema, list_of, map_of, or_null, record, told
from assay.report.schema.words import lexical_sides as words

FOUND = told(
    record(
        places=or_null(COUNT),
        relevant=COUNT,
        by=list_of(COUNT),
        only=list_of(COUNT),
        all=COUNT,
        none=COUNT,
        together=list_of(told(record(systems=list_of(COUNT), items=COUNT), words.TOGETHER)),
    ),
    words.FOUND,
)
WON = told(MOVER, words.MOVER)
"""A query that one system of a pair wins."""

PAIRING = told(
    record(
        first=TEXT,
        second=TEXT,
        jaccard=or_null(NUMBER),
        rbo=or_null(NUMBER),
        queries=COUNT,
        wins=COUNT,
        ties=COUNT,
        losses=COUNT,
        for_first=list_of(WON),
        for_second=list_of(WON),
    ),
    words.PAIRING,
)

CEILING = told(
    record(
        measure=TEXT,
        best=TEXT,
        single=or_null(NUMBER),
        chosen=or_null(NUMBER),
        own=list_of(or_null(NUMBER)),
        union=or_null(NUMBER),
        fused=map_of(or_null(NUMBER)),
    ),
    words.CEILING,
)

ONLY_FOUND = told(
    record(system=TEXT, query=TEXT, item=TEXT, grade=NUMBER, rank=COUNT, elsewhere=or_null(COUNT)), words.ONLY_FOUND
)

SIDES = told(
    record(
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
    ),
    words.SIDES,
)


def lexical_compare(compare: Schema) -> Schema:
    """Return the schema of `assay lexical compare -o json`: that of `compare`, and the block `sides`."""
    found = compare | {
        "properties": compare["properties"] | {"sides": SIDES},
        "required": [*compare["required"], "sides"],
    }
    return told(found, words.COMPARE)
