"""The JSON Schema of `assay links threshold -o json`."""

from assay.report.schema.parts import COUNT, NUMBER, TEXT, list_of, or_null, record, told
from assay.report.schema.words import links_threshold as words

CUT = or_null(told(record(labels=COUNT, right=COUNT, precision=or_null(NUMBER), low=NUMBER), words.CUT))
THRESHOLD = told(
    record(
        group=TEXT,
        score=or_null(NUMBER),
        chosen=CUT,
        checked=CUT,
        floor=or_null(NUMBER),
        why=TEXT,
        **dict.fromkeys(("positives", "negatives", "candidates", "admitted", "held", "known"), COUNT),
    ),
    words.THRESHOLD,
)
BIN = told(record(low=NUMBER, high=NUMBER, labels=COUNT, stated=NUMBER, right=NUMBER), words.BIN)
CALIBRATION = told(
    record(
        method={"enum": ["sigmoid", "platt", "isotonic"]},
        error=NUMBER,
        brier=NUMBER,
        labels=COUNT,
        bins=list_of(BIN),
    ),
    words.CALIBRATION,
)
TRIPLE = told(
    record(
        head=TEXT,
        relation=TEXT,
        tail=TEXT,
        score=NUMBER,
        probability=or_null(NUMBER),
        split={"enum": ["valid", "test", None]},
    ),
    words.TRIPLE,
)
FACTS = told(record(questions=COUNT, entities=COUNT, candidates=COUNT, asked={"enum": ["train", "given"]}), words.FACTS)

LINKS_THRESHOLD = told(
    record(
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
        facts=FACTS,
        notices=list_of(TEXT),
    ),
    words.THRESHOLDS,
)
