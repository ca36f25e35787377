"""The JSON Schemas of `assay graph validity -o json` and `assay graph suspects -o json`."""

from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, Schema, list_of, map_of, or_null, record

SHARE = or_null(NUMBER)

LINKS = record(predicate=TEXT, statements=COUNT, wrong=COUNT, unclear=COUNT, validity=SHARE)

RULE = record(
    rule=TEXT, about=TEXT, expected=list_of(TEXT), source={"enum": ["axiom", "shape", "default"]},
    unit={"enum": ["statement", "subject", "object"]}, among=list_of(TEXT), evaluated=FLAG, checked=COUNT, wrong=COUNT,
    unclear=COUNT, validity=SHARE, strict=SHARE, found=map_of(COUNT), variety=COUNT,
    faults=list_of(record(subject=TEXT, object=or_null(TEXT))), message=TEXT, query=TEXT,
)  # fmt: skip

GRAPH_VALIDITY = record(
    assay=TEXT, command=list_of(TEXT), graph=TEXT, statements=COUNT, total=or_null(LINKS),
    predicates=or_null(list_of(LINKS)), rules=list_of(RULE), notices=list_of(TEXT),
)  # fmt: skip

SUSPECT = record(
    subject=TEXT, predicate=TEXT, object=TEXT, score=NUMBER, signs=map_of(NUMBER), wrong=or_null(FLAG),
)  # fmt: skip


def graph_suspects(evaluate: Schema) -> Schema:
    """Return the schema of suspect statements; their quality is an evaluation."""
    return record(
        assay=TEXT, command=list_of(TEXT), graph=TEXT, statements=COUNT, suspected=COUNT, suspects=list_of(SUSPECT),
        labelled=COUNT, wrong=COUNT, chance=SHARE, quality=or_null(evaluate), notices=list_of(TEXT),
    )  # fmt: skip
