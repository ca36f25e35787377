"""The JSON Schema of `assay predict -o json`."""

from assay.report.schema.parts import COUNT, FLAG, INTERVAL, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import predicted as words

PREDICTED = told(
    record(
        run=TEXT,
        measure=TEXT,
        requested=TEXT,
        left_out=COUNT,
        higher_is_better=FLAG,
        estimate=NUMBER,
        interval=INTERVAL,
        human=NUMBER,
        human_interval=INTERVAL,
        machine=NUMBER,
        correlation=or_null(NUMBER),
        effective=or_null(NUMBER),
        saved=or_null(NUMBER),
        queries_human=COUNT,
        queries_machine=COUNT,
        warnings=list_of({"enum": ["few", "weak", "unlike"]}),
        **{"lambda": NUMBER},
    ),
    words.PREDICTED,
)

PREDICT = told(record(assay=TEXT, command=list_of(TEXT), predicted=list_of(PREDICTED)), words.PREDICT)
