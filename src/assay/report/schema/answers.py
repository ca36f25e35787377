"""The JSON Schema of `assay answers evaluate -o json`, and of `assay answers run`, which prints the same."""

from assay.core.answers_evaluation import COUNTS
from assay.report.schema.parts import (
    COUNT,
    FLAG,
    INTERVAL,
    NUMBER,
    TEXT,
    Schema,
    list_of,
    map_of,
    or_null,
    record,
    told,
)
from assay.report.schema.words import answers as words

SHARE = told(
    record(
        count=COUNT, of=COUNT, share=or_null(NUMBER), low=or_null(NUMBER), high=or_null(NUMBER), demand=or_null(NUMBER)
    ),
    words.SHARE,
)
ESTIMATE = told(
    record(value=or_null(NUMBER), low=or_null(NUMBER), high=or_null(NUMBER), interval=or_null(INTERVAL)), words.ESTIMATE
)
FIGURES = told(record(questions=COUNT, precision=ESTIMATE, recall=ESTIMATE, f1=ESTIMATE), words.FIGURES)
QUESTION = told(
    record(
        question=TEXT,
        text=TEXT,
        outcome={"enum": ["answered", "error", "timeout", "absent"]},
        empty=FLAG,
        found=COUNT,
        gold=COUNT,
        hits=NUMBER,
        precision=or_null(NUMBER),
        recall=or_null(NUMBER),
        f1=or_null(NUMBER),
        order=or_null(NUMBER),
        seconds=or_null(NUMBER),
        message=TEXT,
        truncated=FLAG,
        whole_rows=FLAG,
        weight=NUMBER,
        f1_by=map_of(or_null(NUMBER)),
        groups=map_of(TEXT),
    ),
    words.QUESTION,
)


def answers_evaluate(run: Schema) -> Schema:
    """Return the schema; `run` is that of one run of an evaluation, which ranking measures are."""
    return told(
        record(
            assay=TEXT,
            command=list_of(TEXT),
            seed={"type": "integer"},
            suite=told(record(name=TEXT, path=TEXT, questions=COUNT, judged=COUNT), words.SUITE),
            convention=TEXT,
            conventions=map_of(TEXT),
            matching=told(record(language=TEXT, labels=TEXT), words.MATCHING),
            level=or_null(NUMBER),
            weighted=FLAG,
            left_out=list_of(told(record(question=TEXT, reason=TEXT), words.LEFT_OUT)),
            systems=list_of(_system(run)),
            groups=list_of(told(record(key=TEXT, value=TEXT, systems=map_of(FIGURES)), words.GROUP)),
            notices=list_of(TEXT),
        ),
        words.ANSWERS,
    )


def _system(run: Schema) -> Schema:
    return told(
        record(
            {"questions": list_of(QUESTION)},
            name=TEXT,
            path=or_null(TEXT),
            counts=told(record(**dict.fromkeys(COUNTS, SHARE)), words.COUNTS),
            figures=map_of(FIGURES),
            ranked=or_null(run),
        ),
        words.SYSTEM,
    )
