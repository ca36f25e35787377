"""The JSON Schema of `assay gold clicks -o json`."""

from assay.report.schema.parts import COUNT, DIGEST, FLAG, NUMBER, TEXT, list_of, or_null, record

GRADE = record(
    dict.fromkeys(("attraction", "satisfaction"), or_null(NUMBER)),
    **dict.fromkeys(("query", "item"), TEXT),
    **dict.fromkeys(("grade", "low", "high", "raw", "examined"), NUMBER),
    **dict.fromkeys(("shown", "clicks"), COUNT),
)

GOLD_CLICKS = record(
    assay=TEXT,
    command=list_of(TEXT),
    model={"enum": ["ctr", "coec", "pbm", "ipw", "cascade", "sdbn"]},
    log=record(
        name=TEXT,
        files=list_of(record(path=TEXT, sha256=DIGEST)),
        **dict.fromkeys(("shown", "clicks", "queries", "pairs"), COUNT),
        searches_with_a_click=or_null(COUNT),
    ),
    settings=record(
        **dict.fromkeys(("min_exposure", "prior", "mean", "level"), NUMBER),
        interval={"enum": ["wilson", "beta"]},
        model=record({"propensities": {"enum": ["given", "em"]}, "steps": COUNT, "tolerance": NUMBER, "clip": NUMBER}),
    ),
    **dict.fromkeys(("graded", "few", "undefined"), COUNT),
    fit=or_null(record(steps=COUNT, converged=FLAG, change=NUMBER)),
    ranks=or_null(list_of(record(rank=COUNT, shown=COUNT, clicks=COUNT, rate=NUMBER, looked_at=or_null(NUMBER)))),
    grades=list_of(GRADE),
    notices=list_of(TEXT),
)
