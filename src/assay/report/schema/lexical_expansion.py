"""The JSON Schema of `assay lexical expand -o json`: a comparison, and the block `expansion`."""

from assay.report.schema.comparison import CONTRAST
from assay.report.schema.parts import COUNT, NUMBER, TEXT, Schema, list_of, or_null, record, told
from assay.report.schema.words import lexical_expansion as words

OUTCOME: Schema = {"enum": ["helped", "hurt", "same"]}

TERM = told(
    record(
        term=TEXT, weight=NUMBER, asked=NUMBER, documents=COUNT, relevant=or_null(NUMBER), others=or_null(NUMBER),
        effect=or_null(NUMBER),
    ),
    words.TERM,
)  # fmt: skip

QUERY = told(
    record(
        query=TEXT, text=TEXT, before=NUMBER, after=NUMBER, change=NUMBER, outcome=OUTCOME, cause=TEXT,
        reweighting=or_null(NUMBER), adding=or_null(NUMBER), feedback=or_null(COUNT), feedback_relevant=or_null(COUNT),
        relevant=COUNT, on_relevant=or_null(NUMBER), on_others=or_null(NUMBER), absent=or_null(NUMBER), found=COUNT,
        lost=COUNT, rose=COUNT, fell=COUNT, other=or_null(NUMBER), terms=list_of(TERM),
    ),
    words.QUERY,
)  # fmt: skip
CAUSE = told(record(outcome=OUTCOME, cause=TEXT, meaning=TEXT, queries=COUNT), words.CAUSE)

WAY = told(
    record(
        name=TEXT,
        settings={"type": "object"},
        counts=told(record(helped=COUNT, hurt=COUNT, same=COUNT), words.OUTCOMES),
        causes=list_of(CAUSE),
        tau=or_null(NUMBER),
        queries=list_of(QUERY),
    ),
    words.WAY,
)

RULE = told(
    record(
        fold=COUNT,
        queries=COUNT,
        choice={"enum": ["always", "never", "above", "below"]},
        predictor=or_null(TEXT),
        threshold=or_null(NUMBER),
        meaning=TEXT,
    ),
    words.RULE,
)

SELECTION = told(
    record(
        way=TEXT, measure=TEXT, queries=COUNT, never=NUMBER, always=NUMBER, selective=NUMBER, oracle=NUMBER,
        expanded=COUNT, best=COUNT, reference=TEXT, gain=NUMBER, contrast=CONTRAST, rules=list_of(RULE),
        seed={"type": "integer"},
    ),
    words.SELECTION,
)  # fmt: skip

EXPANSION = told(
    record(
        documents=COUNT,
        depth=COUNT,
        measure=TEXT,
        ways=list_of(WAY),
        selections=list_of(SELECTION),
        notices=list_of(TEXT),
    ),
    words.EXPANSION,
)


def lexical_expand(compare: Schema) -> Schema:
    """Return the schema, given that of a comparison."""
    found = compare | {
        "properties": compare["properties"] | {"expansion": EXPANSION},
        "required": [*compare["required"], "expansion"],
    }
    return told(found, words.EXPAND)
