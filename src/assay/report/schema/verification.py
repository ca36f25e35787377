"""The JSON Schema of `assay verify -o json`."""

from assay.report.schema.parts import DIGEST, FLAG, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import verification as words

INPUT = told(
    record(
        role=TEXT,
        path=or_null(TEXT),
        recorded=DIGEST,
        found=DIGEST,
        state={"enum": ["same", "changed", "unknown", "missing"]},
    ),
    words.INPUT,
)

VERIFY = told(
    record(
        assay=TEXT,
        result=TEXT,
        made_by=TEXT,
        same=FLAG,
        inputs=list_of(INPUT),
        figures=list_of(
            told(
                record(
                    run=TEXT,
                    measure=TEXT,
                    recorded=or_null(NUMBER),
                    found=or_null(NUMBER),
                    same=FLAG,
                    close=FLAG,
                    queries=list_of(TEXT),
                    note=TEXT,
                ),
                words.FIGURE,
            )
        ),
        problems=list_of(TEXT),
        sentences=list_of(TEXT),
    ),
    words.VERIFY,
)
