"""JSON Schema of what `assay history drift` writes."""

from assay.report.schema.comparison import SIGNIFICANCE
from assay.report.schema.history import MADE
from assay.report.schema.parts import COUNT, FLAG, INTERVAL, NUMBER, TEXT, Schema, list_of, or_null, record, told
from assay.report.schema.words import history_drift as words

DECISION: Schema = {"enum": ["alarm", "no alarm", "cannot decide"]}
TIME: Schema = {"type": "string", "format": "date-time"}
MAYBE = or_null(NUMBER)
METHOD: Schema = {"enum": ["both", "cusum", "ewma"]}
CAUSE: Schema = {
    "enum": ["conventions", "gold", "gone", "link", "moved", "unjudged", "engine", "absent", "unexplained", "gained"]
}

SIDE = told(record(id=COUNT, name=TEXT, time=TIME, queries=COUNT, note=TEXT, made=MADE), words.SIDE)

CONTROL = told(
    record(
        method={"enum": ["CUSUM", "EWMA", "paired", "exact"]},
        alpha=NUMBER,
        horizon=COUNT,
        baseline=COUNT,
        **dict.fromkeys(("mean", "sd", "limit"), MAYBE),
        **dict.fromkeys(("distance", "smoothed", "bound"), list_of(MAYBE)),
        alarms=list_of(COUNT),
        begun=COUNT,
        first=or_null(COUNT),
        onset=or_null(COUNT),
        why=TEXT,
    ),
    words.CONTROL,
)
"""Places count the points of the series from 0."""

SERIES = told(
    record(
        measure=TEXT,
        slice=TEXT,
        higher_is_better=FLAG,
        decision=DECISION,
        baseline=COUNT,
        level=MAYBE,
        onset=or_null(COUNT),
        points=list_of(told(record(id=COUNT, time=TIME, name=TEXT, value=MAYBE, note=TEXT), words.POINT)),
        controls=list_of(CONTROL),
        shifts=list_of(told(record(place=COUNT, before=NUMBER, after=NUMBER, p=NUMBER), words.SHIFT)),
        sensitivity=or_null(told(record(change=NUMBER, sds=NUMBER, median=or_null(COUNT)), words.SENSITIVITY)),
        why=TEXT,
    ),
    words.SERIES,
)

CHANGE = told(
    record(
        measure=TEXT,
        slice=TEXT,
        higher_is_better=FLAG,
        old=COUNT,
        new=COUNT,
        **dict.fromkeys(("before", "after", "change"), MAYBE),
        basis=TEXT,
        **dict.fromkeys(("shared", "left", "entered"), COUNT),
        parts=list_of(told(record(name=TEXT, change=MAYBE, why=TEXT), words.PART)),
        gold_orders=list_of(MAYBE),
        quality=or_null(
            told(
                record(
                    change=NUMBER, queries=COUNT, lost=COUNT, gained=COUNT, interval=INTERVAL, significance=SIGNIFICANCE
                ),
                words.QUALITY,
            )
        ),
        judged=or_null(
            told(record(k=COUNT, before=MAYBE, now=MAYBE, source={"enum": ["figure", "head"]}), words.JUDGED)
        ),
    ),
    words.CHANGE,
)

PLACE = told(record(item=TEXT, before=or_null(COUNT), now=or_null(COUNT), grade=MAYBE), words.PLACE)
MOVER = told(
    record(
        query=TEXT,
        **dict.fromkeys(("before", "after", "change", "contribution"), NUMBER),
        cause=CAUSE,
        evidence=TEXT,
        places=list_of(PLACE),
    ),
    words.MOVER,
)
CAUSES = told(record(cause=CAUSE, queries=COUNT, contribution=NUMBER), words.CAUSES)
SLICE = told(
    record(
        column=TEXT,
        value=TEXT,
        queries=COUNT,
        **dict.fromkeys(("weight", "before", "after", "change", "contribution"), NUMBER),
    ),
    words.PART_OF_SLICE,
)

HISTORY_DRIFT = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        decision=DECISION,
        exit_code={"enum": [0, 1, 3]},
        suite=TEXT,
        name=TEXT,
        settings=told(
            record(method=METHOD, alpha=NUMBER, horizon=COUNT, baseline_points=or_null(COUNT), since=or_null(TIME)),
            words.SETTINGS,
        ),
        method=METHOD,
        alpha=NUMBER,
        horizon=COUNT,
        old=or_null(SIDE),
        new=or_null(SIDE),
        unlike=list_of(told(record(what=TEXT, before=or_null(TEXT), now=or_null(TEXT), refused=FLAG), words.UNLIKE)),
        series=list_of(SERIES),
        changes=list_of(CHANGE),
        attribution=or_null(
            told(
                record(
                    change=NUMBER,
                    lost=COUNT,
                    movers=list_of(MOVER),
                    causes=list_of(CAUSES),
                    gained=CAUSES,
                    slices=list_of(SLICE),
                ),
                words.ATTRIBUTION,
            )
        ),
        notices=list_of(TEXT),
    ),
    words.DRIFT,
)
