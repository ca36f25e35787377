"""The JSON Schema of `assay explain-difference -o json`."""

from assay.report.schema.parts import FLAG, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import difference as words

CAUSE = told(
    record(
        changes=list_of(
            told(
                record(kind={"enum": ["policy", "measure", "fault"]}, name=TEXT, before=TEXT, after=TEXT, meaning=TEXT),
                words.CHANGE,
            )
        ),
        value=or_null(NUMBER),
        explains=FLAG,
        queries=list_of(told(record(query=TEXT, before=or_null(NUMBER), after=or_null(NUMBER)), words.QUERY)),
    ),
    words.CAUSE,
)

DIFFERENCE = told(
    record(
        assay=TEXT,
        first=TEXT,
        second=TEXT,
        explained=FLAG,
        findings=list_of(
            told(
                record(
                    measure=TEXT,
                    ours=or_null(NUMBER),
                    theirs=or_null(NUMBER),
                    same=FLAG,
                    explained=FLAG,
                    sentences=list_of(TEXT),
                    causes=list_of(CAUSE),
                ),
                words.FINDING,
            )
        ),
        limits=list_of(TEXT),
    ),
    words.DIFFERENCE,
)
