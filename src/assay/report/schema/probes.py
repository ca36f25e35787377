"""The JSON Schema of `assay answers probe -o json`."""

from assay.report.schema.parts import COUNT, FLAG, TEXT, list_of, record

PROBES = record(
    assay=TEXT,
    command=list_of(TEXT),
    graph=TEXT,
    probes=COUNT,
    failed=COUNT,
    results=list_of(
        record(name=TEXT, what=TEXT, passed=FLAG, expected=TEXT, found=TEXT, query=TEXT, source=TEXT, data=TEXT)
    ),
)
