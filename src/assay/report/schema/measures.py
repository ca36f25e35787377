"""The JSON Schema of `assay measures -o json`."""

from assay.report.schema.parts import FLAG, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import measures as words

MEASURES = told(
    record(
        assay=TEXT,
        measures=list_of(
            told(
                record(
                    name=TEXT,
                    aliases=list_of(TEXT),
                    trec_eval=list_of(TEXT),
                    family=TEXT,
                    definition=TEXT,
                    formula=TEXT,
                    remarks=TEXT,
                    source=TEXT,
                    example=TEXT,
                    lowest=or_null(NUMBER),
                    highest=or_null(NUMBER),
                    higher_is_better=FLAG,
                    needs_cutoff=FLAG,
                    defined_without_relevant=FLAG,
                    summed=FLAG,
                    without_answer=or_null(NUMBER),
                    exact_ties=FLAG,
                    parameters=list_of(
                        told(record(name=TEXT, default={}, meaning=TEXT, allowed=TEXT), words.PARAMETER)
                    ),
                ),
                words.MEASURE,
            )
        ),
    ),
    words.MEASURES,
)
