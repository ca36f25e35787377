"""The JSON Schema of `assay answers probe -o json`."""

from assay.report.schema.parts import COUNT, FLAG, TEXT, list_of, record, told
from assay.report.schema.words import probes as words

PROBE = told(
    record(name=TEXT, what=TEXT, passed=FLAG, expected=TEXT, found=TEXT, query=TEXT, source=TEXT, data=TEXT),
    words.PROBE,
)

PROBES = told(
    record(assay=TEXT, command=list_of(TEXT), graph=TEXT, probes=COUNT, failed=COUNT, results=list_of(PROBE)),
    words.PROBES,
)
