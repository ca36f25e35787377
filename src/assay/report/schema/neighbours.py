"""The JSON Schemas of `assay neighbours evaluate -o json` and `assay neighbours drift -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INPUT, INTERVAL, NUMBER, TEXT, list_of, map_of, or_null, record

VECTORS = record(name=TEXT, rows=COUNT, dimensions=COUNT, zeros=COUNT, copies=COUNT)
METRIC = {"enum": ["cosine", "dot", "l2"]}
HEAD = {"assay": TEXT, "command": list_of(TEXT)}

FIGURES = map_of(
    record(
        requested=TEXT,
        **dict.fromkeys(("mean", "low", "high"), or_null(NUMBER)),
        **dict.fromkeys(("queries", "undefined"), COUNT),
        interval=or_null(INTERVAL),
        ties={"type": "null"},
    )
)

LABELS = record(
    measures=FIGURES,
    **dict.fromkeys(("chance", "ceiling"), NUMBER),
    **dict.fromkeys(("unlabelled", "alone"), COUNT),
    labels=list_of(record(label=TEXT, items=COUNT, precision=NUMBER, chance=NUMBER)),
)

INDEX = record(measures=FIGURES, **dict.fromkeys(("queries", "own", "repeated", "unknown", "short"), COUNT))

HUBS = record(
    skewness=or_null(NUMBER),
    **dict.fromkeys(("anti_hubs", "crowded"), NUMBER),
    hubs=list_of(record(name=TEXT, times=COUNT)),
)

CLUSTERING = record(
    **dict.fromkeys(("items", "clusters", "types"), COUNT),
    **dict.fromkeys(("precision", "recall", "f1", "adjusted_rand"), NUMBER),
    method={"enum": ["given", "k-means"]},
    seed=or_null({"type": "integer"}),
)

NEIGHBOURS_EVALUATE = record(
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
)

SIGNIFICANCE = record(
    **dict.fromkeys(("p", "statistic", "adjusted"), or_null(NUMBER)), method=TEXT, units=COUNT, floor=NUMBER, why=TEXT
)

RETRAINING = record(
    **dict.fromkeys(("signal", "moved", "worse"), or_null(FLAG)),
    **dict.fromkeys(("noise", "loss"), or_null(NUMBER)),
    excess=or_null(INTERVAL),
    task=or_null(SIGNIFICANCE),
    needs=list_of(TEXT),
)

NEIGHBOURS_DRIFT = record(
    **HEAD,
    old=VECTORS,
    new=VECTORS,
    metric=METRIC,
    k=COUNT,
    shared=COUNT,
    measures=FIGURES,
    types=list_of(record(type=TEXT, items=COUNT, overlap=NUMBER, displacement=or_null(NUMBER))),
    moved=list_of(
        record(name=TEXT, displacement=NUMBER, overlap=NUMBER, gained=list_of(TEXT), lost=list_of(TEXT)),
    ),
    retraining=RETRAINING,
    notices=list_of(TEXT),
)
