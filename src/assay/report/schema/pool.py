"""The JSON Schema of `assay gold pool -o json`."""

from typing import get_args

from assay.core.pool import Share, Strategy
from assay.report.schema.explanation import POLICY
from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, list_of, map_of, or_null, record, told
from assay.report.schema.words import pool as words

CONTRIBUTION = told(
    record(run=TEXT, **dict.fromkeys(("pairs", "alone", "judged", "relevant"), COUNT)), words.CONTRIBUTION
)
STRATUM = told(record(name=TEXT, **dict.fromkeys(("pairs", "drawn", "judged"), COUNT)), words.STRATUM)
FOUND = told(record(budgets=list_of(COUNT), relevant=map_of(list_of(COUNT)), of=COUNT), words.FOUND)
LEFT_OUT = told(
    record(
        run=TEXT,
        measure=TEXT,
        unique=COUNT,
        **dict.fromkeys(("mean", "without"), or_null(NUMBER)),
        **dict.fromkeys(("place", "place_without"), COUNT),
    ),
    words.LEFT_OUT,
)
VERDICT = told(
    record(
        measure=TEXT,
        worst=LEFT_OUT,
        **dict.fromkeys(("median", "tau", "detectable"), or_null(NUMBER)),
        reusable=or_null(FLAG),
    ),
    words.VERDICT,
)
BIAS = told(
    record(by={"enum": ["run", "group"]}, groups=map_of(TEXT), left_out=list_of(LEFT_OUT), verdicts=list_of(VERDICT)),
    words.BIAS,
)
PAIR = told(
    record(query=TEXT, item=TEXT, stratum=TEXT, probability=or_null(NUMBER), runs=COUNT, rank=COUNT), words.PAIR
)

GOLD_POOL = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        strategy={"enum": list(get_args(Strategy))},
        depth=COUNT,
        budget=or_null(COUNT),
        share={"enum": list(get_args(Share))},
        seed={"type": "integer"},
        policy=POLICY,
        **dict.fromkeys(("queries", "pooled", "judged", "relevant"), COUNT),
        runs=list_of(CONTRIBUTION),
        strata=list_of(STRATUM),
        found=or_null(FOUND),
        bias=list_of(BIAS),
        notices=list_of(TEXT),
        pairs=list_of(PAIR),
    ),
    words.POOL,
)
