"""The JSON Schemas of `assay graph validity -o json` and `assay graph suspects -o json`."""

from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, Schema, list_of, map_of, or_null, record, told
from assay.report.schema.words import validity as words

SHARE = or_null(NUMBER)

LINKS = told(record(predicate=TEXT, statements=COUNT, wrong=COUNT, unclear=COUNT, validity=SHARE), words.LINKS)

RULE = told(
    record(
        rule=TEXT, about=TEXT, expected=list_of(TEXT), source={"enum": ["axiom", "shape", "default"]},
        unit={"enum": ["statement", "subject", "object"]}, among=list_of(TEXT), evaluated=FLAG, checked=COUNT,
        wrong=COUNT, unclear=COUNT, validity=SHARE, strict=SHARE, found=map_of(COUNT), variety=COUNT,
        faults=list_of(told(record(subject=TEXT, object=or_null(TEXT)), words.FAULT)), message=TEXT, query=TEXT,
    ),
    words.RULE,
)  # fmt: skip

GRAPH_VALIDITY = told(
    record(
        assay=TEXT, command=list_of(TEXT), graph=TEXT, statements=COUNT, total=or_null(LINKS),
        predicates=or_null(list_of(LINKS)), rules=list_of(RULE), notices=list_of(TEXT),
    ),
    words.VALIDITY,
)  # fmt: skip

SUSPECT = told(
    record(subject=TEXT, predicate=TEXT, object=TEXT, score=NUMBER, signs=map_of(NUMBER), wrong=or_null(FLAG)),
    words.SUSPECT,
)


def graph_suspects(evaluate: Schema) -> Schema:
    """Return the schema of suspect statements; their quality is an evaluation."""
    found = record(
        assay=TEXT, command=list_of(TEXT), graph=TEXT, statements=COUNT, suspected=COUNT, suspects=list_of(SUSPECT),
        labelled=COUNT, wrong=COUNT, chance=SHARE, quality=or_null(evaluate), notices=list_of(TEXT),
    )  # fmt: skip
    return told(found, words.SUSPECTS)
