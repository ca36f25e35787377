"""The JSON Schema of `assay doctor -o json`."""

from assay.report.schema.parts import FLAG, TEXT, list_of, or_null, record

PACKAGE = record(name=TEXT, wanted=TEXT, version=or_null(TEXT), state={"enum": ["here", "missing", "unfit"]})

EXTRA = record(
    name=TEXT, state={"enum": ["complete", "partly", "missing"]}, brings=TEXT, install=TEXT, packages=list_of(PACKAGE),
)  # fmt: skip

DOCTOR = record(
    assay=TEXT, command=list_of(TEXT), works=FLAG, python=TEXT, platform=TEXT, executable=TEXT, path=TEXT, source=TEXT,
    packages=list_of(PACKAGE), extras=list_of(EXTRA),
    programs=list_of(record(name=TEXT, serves=TEXT, path=or_null(TEXT))),
    checks=list_of(record(name=TEXT, state={"enum": ["fine", "note", "broken"]}, found=TEXT)),
)  # fmt: skip
