"""The JSON Schemas of `assay entities evaluate -o json` and of its verbs beside."""

from assay.core.entities import AGREEMENTS, SINGLE
from assay.report.schema.parts import (
    COUNT,
    FLAG,
    INTERVAL,
    NUMBER,
    TEXT,
    Schema,
    list_of,
    map_of,
    or_null,
    record,
    told,
)
from assay.report.schema.words import entities as words

SHARE = or_null(NUMBER)
MODE = {"enum": ["dedupe", "link", "both", "mentions"]}
KIND = {"enum": ["lists", "scored pairs", "pairs", "clusters", "mentions"]}

TRUTH = told(record(
    kind={"enum": ["clusters", "pairs", "mentions"]}, true_pairs=or_null(COUNT),
    **dict.fromkeys(("records", "labelled", "entities", "sources"), COUNT),
), words.TRUTH)  # fmt: skip

RECORDS = told(record(
    **dict.fromkeys(
        (
            "asked", "with_match", "without_match", "without_candidates", "rightly_without_candidates", "candidates",
            "unlabelled", "unlabelled_candidates",
        ),
        COUNT,
    ),
    by_sources=list_of(told(record(left=TEXT, right=TEXT, records=COUNT, measures=map_of(SHARE)), words.BY_SOURCES)),
), words.RECORDS)  # fmt: skip

BLOCKING = told(
    record(
        **dict.fromkeys(
            ("rows", "distinct", "redundant", "own", "within", "unlabelled", "found", "true_pairs", "possible"), COUNT
        ),
        **dict.fromkeys(
            ("pair_completeness", "pair_quality", "quality_low", "quality_high", "reduction_ratio", "f_score"), SHARE
        ),
    ),
    words.BLOCKING,
)

SCORER = told(
    record(
        threshold=SHARE,
        **dict.fromkeys(("true_pairs", "blocked", "found", "found_blocked", "beyond"), COUNT),
        **dict.fromkeys(("blocking_recall", "scorer_recall", "end_to_end_recall"), SHARE),
    ),
    words.SCORER,
)

LINKING = told(
    record(
        **dict.fromkeys(("mentions", "known", "nil", "silent", "answered_nil"), COUNT),
        **dict.fromkeys(("accuracy", "accuracy_known", "accuracy_nil", "nil_precision"), SHARE),
    ),
    words.LINKING,
)

PAIR_COUNTS: dict[str, Schema] = {
    **dict.fromkeys(("true_positives", "false_positives", "false_negatives"), COUNT),
    **dict.fromkeys(("possible", "true_negatives"), or_null(COUNT)),
}
AGREEMENT: dict[str, Schema] = {
    **dict.fromkeys(("precision", "recall", "f1"), SHARE), "counts": map_of(NUMBER)
}  # fmt: skip
BY_SOURCES = list_of(told(record(left=TEXT, right=TEXT, **PAIR_COUNTS, **AGREEMENT), words.PAIRS_OF_SOURCES))
BOUNDS = list_of(told(record(figure=TEXT, low=SHARE, high=SHARE, exact=FLAG), words.BOUND))

POINT = told(
    record(
        threshold=NUMBER,
        **dict.fromkeys(("true_positives", "false_positives"), COUNT),
        **dict.fromkeys(("precision", "f1"), NUMBER),
        **dict.fromkeys(("recall", "false_positive_rate"), SHARE),
    ),
    words.POINT,
)

PAIRS = told(
    record(
        pairs=told(record(**PAIR_COUNTS), words.PAIR_COUNTS),
        pairwise=told(record(**AGREEMENT), words.AGREEMENT),
        threshold=SHARE,
        curve=or_null(
            told(
                record(
                    thresholds=COUNT,
                    best=POINT,
                    **dict.fromkeys(("average_precision", "roc_area", "roc_area_proposed"), SHARE),
                    points=list_of(POINT),
                ),
                words.CURVE,
            )
        ),
        left_out=map_of(COUNT),
        by_sources=BY_SOURCES,
        bounds=BOUNDS,
        notices=list_of(TEXT),
    ),
    words.PAIRS,
)

PARTS = list_of(told(record(cluster=or_null(TEXT), records=COUNT, members=list_of(TEXT)), words.PART))
REGROUPED = list_of(told(record(cluster=TEXT, records=COUNT, pieces=COUNT, parts=PARTS), words.REGROUPED))

CLUSTERS = told(
    record(
        **dict.fromkeys(
            ("records", "unlabelled", "missing", "true_clusters", "proposed_clusters", "split", "merged"), COUNT
        ),
        pairs=told(record(**PAIR_COUNTS), words.PAIR_COUNTS),
        **dict.fromkeys(AGREEMENTS, told(record(**AGREEMENT), words.AGREEMENT)),
        **dict.fromkeys(SINGLE, NUMBER),
        splits=REGROUPED,
        merges=REGROUPED,
        by_size=list_of(
            told(
                record(
                    high=or_null(COUNT),
                    **dict.fromkeys(("low", "clusters", "records", "exact", "split", "merged"), COUNT),
                    pairwise_recall=SHARE,
                    **dict.fromkeys(("b_cubed_precision", "b_cubed_recall"), NUMBER),
                ),
                words.SIZE,
            )
        ),
        by_sources=BY_SOURCES,
        bounds=BOUNDS,
        notices=list_of(TEXT),
    ),
    words.CLUSTERS,
)

BLOCKS: dict[str, Schema] = {
    "records": RECORDS, "blocking": BLOCKING, "scorer": SCORER, "pairs": PAIRS, "clusters": CLUSTERS,
    "linking": LINKING,
}  # fmt: skip
"""What stands beside the measures of a run, null where its kind does not allow it."""


ESTIMATE = told(
    record(
        **dict.fromkeys(("value", "error", "low", "high"), SHARE),
        interval=or_null(INTERVAL),
    ),
    words.ESTIMATE,
)

SAMPLED = told(
    record(
        **dict.fromkeys(("assay", "sample", "proposed"), TEXT),
        command=list_of(TEXT),
        design={"enum": ["clusters", "records", "weights"]},
        **dict.fromkeys(("level", "population", "share"), NUMBER),
        **dict.fromkeys(("clusters", "records", "missing"), COUNT),
        population_given=FLAG,
        estimates=map_of(map_of(ESTIMATE)),
        notices=list_of(TEXT),
    ),
    words.SAMPLED,
)

FATE = {"enum": ["kept", "split", "merged", "regrouped"]}

CHURN = told(
    record(
        **dict.fromkeys(("assay", "before", "after"), TEXT),
        command=list_of(TEXT),
        **dict.fromkeys(("records", "removed", "added", "before_clusters", "after_clusters", "resized"), COUNT),
        changes=list_of(told(record(fate=FATE, **dict.fromkeys(("before", "after", "records"), COUNT)), words.CHANGE)),
        moved=or_null(COUNT),
        pairs=told(
            record(**dict.fromkeys(("kept", "parted", "joined"), COUNT), possible=or_null(COUNT)), words.PAIRS_BEFORE
        ),
        rand=SHARE,
        adjusted_rand=NUMBER,
        by_size=list_of(
            told(
                record(
                    high=or_null(COUNT),
                    **dict.fromkeys(("low", "clusters", "records", "kept", "split", "merged", "regrouped"), COUNT),
                ),
                words.SIZE_BEFORE,
            )
        ),
        splits=REGROUPED,
        merges=REGROUPED,
        notices=list_of(TEXT),
    ),
    words.CHURN,
)


def entities_evaluate(evaluate: Schema) -> Schema:
    """Return the schema of `assay entities evaluate`: that of evaluate, with more of each run and of the truth."""
    runs = evaluate["properties"]["runs"]
    of_run = {"kind": KIND} | {name: or_null(block) for name, block in BLOCKS.items()}
    more = {
        "mode": MODE,
        "truth": TRUTH,
        "notices": list_of(TEXT),
        "runs": list_of(told(_with(runs["items"], of_run), words.OF_RUN)),
    }
    return told(_with(evaluate, more), words.BESIDE)


def _with(schema: Schema, more: dict[str, Schema]) -> Schema:
    required = list(dict.fromkeys([*schema["required"], *more]))
    return schema | {"properties": schema["properties"] | more, "required": required}
