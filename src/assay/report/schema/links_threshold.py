"""The JSON Schema of `assay links threshold -o json`."""

from assay.report.schema.parts import COUNT, NUMBER, TEXT, list_of, or_null, record

CUT = or_null(record(labels=COUNT, right=COUNT, precision=or_null(NUMBER), low=NUMBER))
THRESHOLD = record(
    group=TEXT,
    score=or_null(NUMBER),
    chosen=CUT,
    checked=CUT,
    floor=or_null(NUMBER),
    why=TEXT,
    **dict.fromkeys(("positives", "negatives", "candidates", "admitted", "held", "known"), COUNT),
)
BIN = record(low=NUMBER, high=NUMBER, labels=COUNT, stated=NUMBER, right=NUMBER)
CALIBRATION = record(
    method={"enum": ["sigmoid", "platt", "isotonic"]}, error=NUMBER, brier=NUMBER, labels=COUNT, bins=list_of(BIN)
)
TRIPLE = record(
    head=TEXT,
    relation=TEXT,
    tail=TEXT,
    score=NUMBER,
    probability=or_null(NUMBER),
    split={"enum": ["valid", "test", None]},
)

LINKS_THRESHOLD = record(
    assay=TEXT,
    command=list_of(TEXT),
    model=TEXT,
    graph=TEXT,
    precision=NUMBER,
    confidence=NUMBER,
    labels={"enum": ["labelled", "closed-world"]},
    thresholds=list_of(THRESHOLD),
    calibration=list_of(CALIBRATION),
    triples=list_of(TRIPLE),
    facts=record(questions=COUNT, entities=COUNT, candidates=COUNT, asked={"enum": ["train", "given"]}),
    notices=list_of(TEXT),
)
