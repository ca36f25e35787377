"""The JSON Schemas of `assay neighbours evaluate -o json` and `assay neighbours drift -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import comparison
from assay.report.schema.words import neighbours as words

VECTORS = told(record(name=TEXT, rows=COUNT, dimensions=COUNT, zeros=COUNT, copies=COUNT), words.VECTORS)
METRIC = {"enum": ["cosine", "dot", "l2"]}
HEAD = {"assay": TEXT, "command": list_of(TEXT)}

FIGURES = map_of(
    told(
        record(
            requested=TEXT,
            **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
            **dict.fromkeys(("queries", "undefined"), COUNT),
            interval=or_null(INTERVAL),
            ties={"type": "null"},
        ),
        words.FIGURE,
    )
)

LABELS = told(
    record(
        measures=FIGURES,
        **dict.fromkeys(("chance", "ceiling"), NUMBER),
        **dict.fromkeys(("unlabelled", "alone"), COUNT),
        labels=list_of(told(record(label=TEXT, items=COUNT, precision=NUMBER, chance=NUMBER), words.LABEL)),
    ),
    words.LABELS,
)

INDEX = told(
    record(measures=FIGURES, **dict.fromkeys(("queries", "own", "repeated", "unknown", "short"), COUNT)), words.INDEX
)

HUBS = told(
    record(
        skewness=or_null(NUMBER),
        **dict.fromkeys(("anti_hubs", "crowded"), NUMBER),
        hubs=list_of(told(record(name=TEXT, times=COUNT), words.HUB)),
    ),
    words.HUBS,
)

CLUSTERING = told(
    record(
        **dict.fromkeys(("items", "clusters", "types"), COUNT),
        **dict.fromkeys(("precision", "recall", "f1", "adjusted_rand"), NUMBER),
        method={"enum": ["given", "k-means"]},
        seed=or_null({"type": "integer"}),
    ),
    words.CLUSTERING,
)

NEIGHBOURS_EVALUATE = told(
    record(
        **HEAD,
        inputs=list_of(INPUT),
        seed={"type": "integer"},
        vectors=VECTORS,
        metric=METRIC,
        k=COUNT,
        queries=COUNT,
        similar=or_null(FIGURES),
        labels=or_null(LABELS),
        index=or_null(INDEX),
        hubs=or_null(HUBS),
        clustering=or_null(CLUSTERING),
        notices=list_of(TEXT),
    ),
    words.EVALUATE,
)

SIGNIFICANCE = told(
    record(
        **dict.fromkeys(("p", "statistic", "adjusted"), or_null(NUMBER)),
        method=TEXT,
        units=COUNT,
        floor=NUMBER,
        why=TEXT,
    ),
    comparison.SIGNIFICANCE,
)

TYPE = told(record(type=TEXT, items=COUNT, overlap=NUMBER, displacement=or_null(NUMBER)), words.TYPE)

MOVED = told(
    record(name=TEXT, displacement=NUMBER, overlap=NUMBER, gained=list_of(TEXT), lost=list_of(TEXT)), words.MOVED
)

RETRAINING = told(
    record(
        **dict.fromkeys(("signal", "moved", "worse"), or_null(FLAG)),
        **dict.fromkeys(("noise", "loss"), or_null(NUMBER)),
        excess=or_null(INTERVAL),
        task=or_null(SIGNIFICANCE),
        needs=list_of(TEXT),
    ),
    words.RETRAINING,
)

NEIGHBOURS_DRIFT = told(
    record(
        **HEAD,
        old=VECTORS,
        new=VECTORS,
        metric=METRIC,
        k=COUNT,
        shared=COUNT,
        measures=FIGURES,
        types=list_of(TYPE),
        moved=list_of(MOVED),
        retraining=RETRAINING,
        notices=list_of(TEXT),
    ),
    words.DRIFT,
)
