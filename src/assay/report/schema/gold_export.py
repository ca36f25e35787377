"""The JSON Schema of `assay gold export` with -o json."""

from assay.report.schema.parts import COUNT, FLAG, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import gold_export as words

CHANGE = told(record(query=TEXT, item=TEXT, before=or_null(NUMBER), after=or_null(NUMBER)), words.CHANGE)

GOLD_EXPORT = told(
    record(
        assay=TEXT,
        command=list_of(TEXT),
        path=or_null(TEXT),
        history=or_null(TEXT),
        new=FLAG,
        since=or_null(TEXT),
        sha256=TEXT,
        parent=or_null(TEXT),
        project=TEXT,
        rule={"enum": ["majority", "median", "lowest", "highest"]},
        guidelines=list_of(COUNT),
        last=TEXT,
        **dict.fromkeys(("version", "decisions", "judges", "judgments", "settled", "tied", "untold"), COUNT),
        counts=told(record(added=COUNT, withdrawn=COUNT, changed=COUNT), words.COUNTS),
        changes=list_of(CHANGE),
        notices=list_of(TEXT),
    ),
    words.EXPORT,
)
