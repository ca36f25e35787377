"""The JSON Schema of `assay graph gaps -o json`."""

from assay.core.gaps import CAUSES, SOURCES
from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record

SHARE = or_null(NUMBER)
CAUSE = {"enum": list(CAUSES)}

FAILURE = record(
    question=TEXT, text=TEXT, cause=CAUSE, evidence=TEXT, recall=NUMBER, weight=NUMBER, lost=NUMBER
)  # fmt: skip

MISSING = record(
    subject=or_null(TEXT), predicate=TEXT, object=or_null(TEXT), source={"enum": list(SOURCES)}, demand=NUMBER,
    lost=NUMBER, questions=list_of(TEXT),
)  # fmt: skip

PREDICATE = record(predicate=TEXT, missing=COUNT, questions=COUNT, demand=NUMBER, lost=NUMBER, ratio=SHARE)

POINT = record(
    kept=NUMBER, statements=COUNT, recall=NUMBER, lowest=NUMBER, highest=NUMBER, full=NUMBER, expected=SHARE
)  # fmt: skip

CURVE = record(
    questions=COUNT, traced=COUNT, repeats=COUNT, seed=COUNT, statements=COUNT, points=list_of(POINT)
)  # fmt: skip

RESTING = record(
    found=COUNT, traced=COUNT, invalid=COUNT, some=COUNT, share=SHARE, recall=SHARE, sound=SHARE, questions=COUNT,
    interval=or_null(INTERVAL), untraced=map_of(COUNT),
    links=list_of(record(subject=TEXT, predicate=TEXT, object=TEXT, answers=COUNT)),
)  # fmt: skip

GRAPH_GAPS = record(
    assay=TEXT, command=list_of(TEXT), graph=TEXT, suite=TEXT, questions=COUNT, recall=SHARE,
    causes=map_of(record(questions=COUNT, lost=NUMBER)), failures=list_of(FAILURE), missing=list_of(MISSING),
    predicates=list_of(PREDICATE), curve=or_null(CURVE), resting=or_null(RESTING), notices=list_of(TEXT),
)  # fmt: skip
