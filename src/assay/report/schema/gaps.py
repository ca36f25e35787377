"""The JSON Schema of `assay graph gaps -o json`."""

from assay.core.gaps import CAUSES, SOURCES
from assay.report.schema.parts import COUNT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import gaps as words

SHARE = or_null(NUMBER)
CAUSE = {"enum": list(CAUSES)}

CAUSED = told(record(questions=COUNT, lost=NUMBER), words.CAUSED)

FAILURE = told(
    record(question=TEXT, text=TEXT, cause=CAUSE, evidence=TEXT, recall=NUMBER, weight=NUMBER, lost=NUMBER),
    words.FAILURE,
)

MISSING = told(
    record(
        subject=or_null(TEXT), predicate=TEXT, object=or_null(TEXT), source={"enum": list(SOURCES)}, demand=NUMBER,
        lost=NUMBER, questions=list_of(TEXT),
    ),
    words.MISSING,
)  # fmt: skip

PREDICATE = told(
    record(predicate=TEXT, missing=COUNT, questions=COUNT, demand=NUMBER, lost=NUMBER, ratio=SHARE), words.PREDICATE
)

POINT = told(
    record(kept=NUMBER, statements=COUNT, recall=NUMBER, lowest=NUMBER, highest=NUMBER, full=NUMBER, expected=SHARE),
    words.POINT,
)

CURVE = told(
    record(questions=COUNT, traced=COUNT, repeats=COUNT, seed=COUNT, statements=COUNT, points=list_of(POINT)),
    words.CURVE,
)

RESTING = told(
    record(
        found=COUNT, traced=COUNT, invalid=COUNT, some=COUNT, share=SHARE, recall=SHARE, sound=SHARE, questions=COUNT,
        interval=or_null(INTERVAL), untraced=map_of(COUNT),
        links=list_of(told(record(subject=TEXT, predicate=TEXT, object=TEXT, answers=COUNT), words.LINK)),
    ),
    words.RESTING,
)  # fmt: skip

GRAPH_GAPS = told(
    record(
        assay=TEXT, command=list_of(TEXT), graph=TEXT, suite=TEXT, questions=COUNT, recall=SHARE,
        causes=map_of(CAUSED), failures=list_of(FAILURE), missing=list_of(MISSING), predicates=list_of(PREDICATE),
        curve=or_null(CURVE), resting=or_null(RESTING), notices=list_of(TEXT),
    ),
    words.GAPS,
)  # fmt: skip
