"""JSON Schema of what stands beside figures and comparisons: the health of the gold, what queries cost."""

from assay.core.costs import COSTS
from assay.report.schema_parts import COUNT, FLAG, NUMBER, TEXT, list_of, map_of, or_null, record

COST = record(
    run=TEXT,
    cost={"enum": list(COSTS)},
    mean=NUMBER,
    median=NUMBER,
    p95=NUMBER,
    total=NUMBER,
    queries=COUNT,
    best=FLAG,
)

FIGURE_HEALTH = record(
    run=TEXT,
    measure=TEXT,
    mean=or_null(NUMBER),
    judged=or_null(NUMBER),
    bounds=record(low=or_null(NUMBER), high=or_null(NUMBER), exact=FLAG),
    condensed=or_null(NUMBER),
    ceiling=or_null(NUMBER),
    tied=or_null(NUMBER),
    summed=FLAG,
)

LEFT_OUT = record(
    run=TEXT,
    measure=TEXT,
    unique=COUNT,
    mean=or_null(NUMBER),
    without=or_null(NUMBER),
    place=COUNT,
    place_without=COUNT,
)

HEALTH = record(
    figures=list_of(FIGURE_HEALTH),
    left_out=list_of(LEFT_OUT),
    tau=or_null(map_of(or_null(NUMBER))),
    depth=or_null(COUNT),
    work=list_of(record(query=TEXT, item=TEXT, gain=NUMBER, ranks=list_of(or_null(NUMBER)))),
    work_runs=list_of(TEXT),
    work_measure=TEXT,
)
