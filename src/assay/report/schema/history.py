"""The JSON Schemas of `assay history add -o json`, `rejudge` and `assay history show -o json`."""

from assay.report.schema.parts import COUNT, DIGEST, FLAG, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import history as words

MADE = told(
    record(
        task=TEXT,
        gold=DIGEST,
        run=DIGEST,
        corpus=DIGEST,
        queries=TEXT,
        code=or_null(TEXT),
        platform=TEXT,
        assay=TEXT,
        policy={"type": "object"},
        exclude=DIGEST,
        weights=DIGEST,
        tags=map_of(TEXT),
    ),
    words.MADE,
)

FIGURE = told(
    record(
        measure=TEXT,
        slice=TEXT,
        **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
        **dict.fromkeys(("queries", "undefined"), COUNT),
        **dict.fromkeys(("higher_is_better", "of_queries"), FLAG),
    ),
    words.FIGURE,
)

RECORDED = told(
    record(
        id=COUNT,
        suite=TEXT,
        name=TEXT,
        time={"type": "string", "format": "date-time"},
        baseline=FLAG,
        note=TEXT,
        made=MADE,
        figures=list_of(FIGURE),
    ),
    words.RECORDED,
)
"""One evaluation as it was recorded."""

HEAD = {"assay": TEXT, "command": list_of(TEXT)}

HISTORY_ADD = told(record(**HEAD, store=TEXT, added=list_of(RECORDED)), words.ADD)

SUITE = told(
    record(
        name=TEXT,
        evaluations=COUNT,
        newest=RECORDED,
        baseline=or_null(RECORDED),
        recent=told(record(measure=TEXT, means=list_of(or_null(NUMBER))), words.RECENT),
    ),
    words.SUITE,
)

HISTORY_SHOW = told(
    record(
        {"suites": list_of(SUITE), "suite": TEXT, "evaluations": list_of(RECORDED)},
        **HEAD,
    ),
    words.SHOW,
) | {"oneOf": [{"required": ["suites"]}, {"required": ["suite", "evaluations"]}]}
"""Of a whole store its suites, of one suite its evaluations."""
