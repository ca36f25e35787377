"""The JSON Schemas of `assay evaluate -o json` and `assay compare -o json`."""

from assay.report.schema.beside import COST, HEALTH
from assay.report.schema.comparison import COMPARISON, SLICING
from assay.report.schema.explanation import POLICY
from assay.report.schema.parts import (
    COUNT,
    DIGEST,
    FLAG,
    INTERVAL,
    NUMBER,
    TEXT,
    list_of,
    map_of,
    or_null,
    record,
    told,
)
from assay.report.schema.words import comparison as comparison_words
from assay.report.schema.words import evaluation as words

GOLD = told(
    record(
        name=TEXT,
        path=or_null(TEXT),
        sha256=DIGEST,
        format=or_null(TEXT),
        queries=COUNT,
        judgments=COUNT,
        relevant=COUNT,
        grades=map_of(COUNT),
        empty_queries=list_of(TEXT),
        unjudged_queries=list_of(TEXT),
    ),
    words.GOLD,
)

ATTACHED = or_null(told(record(path=or_null(TEXT), sha256=DIGEST), words.ATTACHED))

RUN_AUDIT = told(
    record(
        missing_queries=list_of(TEXT),
        extra_queries=COUNT,
        extra_examples=list_of(TEXT),
        duplicates=COUNT,
        nan=COUNT,
        excluded=COUNT,
        self_matches=COUNT,
        queries_with_ties=COUNT,
        ties_across_cutoff=map_of(COUNT),
        judged_at_cutoff=map_of(or_null(NUMBER)),
    ),
    words.RUN_AUDIT,
)

FIGURE = told(
    record(
        {"policy": POLICY},
        requested=TEXT,
        mean=or_null(NUMBER),
        queries=COUNT,
        undefined=COUNT,
        low=or_null(NUMBER),
        high=or_null(NUMBER),
        interval=or_null(INTERVAL),
        ties=or_null(told(record(pessimistic=or_null(NUMBER), optimistic=or_null(NUMBER)), words.TIES)),
    ),
    words.FIGURE,
)

RUN = told(
    record(
        {"per_query": map_of(map_of(or_null(NUMBER)))},
        name=TEXT,
        path=or_null(TEXT),
        sha256=DIGEST,
        format=or_null(TEXT),
        queries=COUNT,
        rows=COUNT,
        audit=RUN_AUDIT,
        notices=list_of(TEXT),
        measures=map_of(FIGURE),
    ),
    words.RUN,
)

EVALUATE = told(
    record(
        {"slices": list_of(SLICING), "health": HEALTH, "costs": list_of(COST)},
        assay=TEXT,
        command=list_of(TEXT),
        seed=or_null({"type": "integer"}),
        profile=or_null(TEXT),
        policy=POLICY,
        weighted=FLAG,
        options=told(
            record(
                rel=or_null(NUMBER),
                tie_range=FLAG,
                aggregate=TEXT,
                weights=ATTACHED,
                exclude=ATTACHED,
                interval=or_null(NUMBER),
            ),
            words.OPTIONS,
        ),
        gold=GOLD,
        runs=list_of(RUN),
    ),
    words.EVALUATE,
)

COMPARE = told(
    EVALUATE
    | {
        "properties": EVALUATE["properties"] | {"comparison": COMPARISON},
        "required": [*EVALUATE["required"], "comparison"],
    },
    comparison_words.COMPARE,
)
