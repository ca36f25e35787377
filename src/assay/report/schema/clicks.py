"""The JSON Schema of `assay gold clicks -o json`."""

from assay.report.schema.parts import COUNT, DIGEST, FLAG, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import clicks as words

GRADE = told(
    record(
        dict.fromkeys(("attraction", "satisfaction"), or_null(NUMBER)),
        **dict.fromkeys(("query", "item"), TEXT),
        **dict.fromkeys(("grade", "low", "high", "raw", "examined"), NUMBER),
        **dict.fromkeys(("shown", "clicks"), COUNT),
    ),
    words.GRADE,
)

GOLD_CLICKS = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        model={"enum": ["ctr", "coec", "pbm", "ipw", "cascade", "sdbn"]},
        log=told(
            record(
                name=TEXT,
                files=list_of(told(record(path=TEXT, sha256=DIGEST), words.FILE)),
                **dict.fromkeys(("shown", "clicks", "queries", "pairs"), COUNT),
                searches_with_a_click=or_null(COUNT),
            ),
            words.LOG,
        ),
        settings=told(
            record(
                **dict.fromkeys(("min_exposure", "prior", "mean", "level"), NUMBER),
                interval={"enum": ["wilson", "beta"]},
                model=told(
                    record(
                        {"propensities": {"enum": ["given", "em"]}, "steps": COUNT, "tolerance": NUMBER, "clip": NUMBER}
                    ),
                    words.MODEL,
                ),
            ),
            words.SETTINGS,
        ),
        **dict.fromkeys(("graded", "few", "undefined"), COUNT),
        fit=or_null(told(record(steps=COUNT, converged=FLAG, change=NUMBER), words.FIT)),
        ranks=or_null(
            list_of(
                told(record(rank=COUNT, shown=COUNT, clicks=COUNT, rate=NUMBER, looked_at=or_null(NUMBER)), words.RANK)
            )
        ),
        grades=list_of(GRADE),
        notices=list_of(TEXT),
    ),
    words.CLICKS,
)
