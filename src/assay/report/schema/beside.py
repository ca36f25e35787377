"""JSON Schema of what stands beside figures and comparisons: the health of the gold, what queries cost."""

from assay.core.costs import COSTS
from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import evaluation as words

COST = told(
    record(
        run=TEXT,
        cost={"enum": list(COSTS)},
        mean=NUMBER,
        median=NUMBER,
        p95=NUMBER,
        total=NUMBER,
        queries=COUNT,
        best=FLAG,
    ),
    words.COST,
)

FIGURE_HEALTH = told(
    record(
        run=TEXT,
        measure=TEXT,
        mean=or_null(NUMBER),
        judged=or_null(NUMBER),
        bounds=told(record(low=or_null(NUMBER), high=or_null(NUMBER), exact=FLAG), words.BOUNDS),
        condensed=or_null(NUMBER),
        ceiling=or_null(NUMBER),
        tied=or_null(NUMBER),
        summed=FLAG,
    ),
    words.FIGURE_HEALTH,
)

LEFT_OUT = told(
    record(
        run=TEXT,
        measure=TEXT,
        unique=COUNT,
        mean=or_null(NUMBER),
        without=or_null(NUMBER),
        place=COUNT,
        place_without=COUNT,
    ),
    words.LEFT_OUT,
)

HEALTH = told(
    record(
        figures=list_of(FIGURE_HEALTH),
        left_out=list_of(LEFT_OUT),
        tau=or_null(map_of(or_null(NUMBER))),
        depth=or_null(COUNT),
        work=list_of(told(record(query=TEXT, item=TEXT, gain=NUMBER, ranks=list_of(or_null(NUMBER))), words.WORK)),
        work_runs=list_of(TEXT),
        work_measure=TEXT,
    ),
    words.HEALTH,
)

WORKLIST = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        **{name: HEALTH["properties"][name] for name in ("work", "work_runs", "work_measure")},
    ),
    words.DOCUMENT,
)
