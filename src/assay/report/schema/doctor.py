"""The JSON Schema of `assay doctor -o json`."""

from assay.report.schema.parts import FLAG, TEXT, list_of, or_null, record, told
from assay.report.schema.words import doctor as words

PACKAGE = told(
    record(name=TEXT, wanted=TEXT, version=or_null(TEXT), state={"enum": ["here", "missing", "unfit"]}), words.PACKAGE
)

EXTRA = told(record(
    name=TEXT, state={"enum": ["complete", "partly", "missing"]}, brings=TEXT, install=TEXT, packages=list_of(PACKAGE),
), words.EXTRA)  # fmt: skip

DOCTOR = told(record(
    assay=TEXT, command=list_of(TEXT), works=FLAG, python=TEXT, platform=TEXT, executable=TEXT, path=TEXT, source=TEXT,
    packages=list_of(PACKAGE), extras=list_of(EXTRA),
    programs=list_of(told(record(name=TEXT, serves=TEXT, path=or_null(TEXT)), words.PROGRAM)),
    checks=list_of(told(record(name=TEXT, state={"enum": ["fine", "note", "broken"]}, found=TEXT), words.CHECK)),
), words.DOCTOR)  # fmt: skip
