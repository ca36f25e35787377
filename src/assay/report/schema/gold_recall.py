"""The JSON Schema of `assay gold recall -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INTERVAL, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import gold_recall as words

ESTIMATE = told(
    record(
        method={"enum": ["elusion", "recapture", "control"]},
        found=COUNT,
        **dict.fromkeys(("missed", "total", "recall"), or_null(NUMBER)),
        interval=INTERVAL,
        basis=TEXT,
    ),
    words.ESTIMATE,
)
RULE = told(record(name=TEXT, stop=or_null(FLAG), why=TEXT, source=TEXT), words.RULE)

GOLD_RECALL = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        judged=COUNT,
        relevant=COUNT,
        target=NUMBER,
        level=NUMBER,
        estimates=list_of(ESTIMATE),
        rules=list_of(RULE),
    ),
    words.RECALL,
)
