"""The JSON Schema of explanations: where one number comes from, and what changed between two."""

from assay.core.policy import CHOICES
from assay.report.schema.parts import COUNT, NUMBER, TEXT, told
from assay.report.schema.parts import list_of as _list
from assay.report.schema.parts import or_null as _or_null
from assay.report.schema.parts import record as _record
from assay.report.schema.words import evaluation as words
from assay.report.schema.words import explanation as more

POLICY = _record(
    **{
        name: {
            "enum": list(choices),
            "description": "; ".join(f"{value}: {text}" for value, text in choices.items()) + ".",
        }
        for name, choices in CHOICES.items()
    }
)

PLACE = told(
    _record(
        rank=NUMBER,
        item=TEXT,
        score=_or_null(NUMBER),
        grade=_or_null(NUMBER),
        contribution=NUMBER,
        so_far=NUMBER,
        if_relevant=_or_null(NUMBER),
        tied=COUNT,
    ),
    words.PLACE,
)

MISSED = told(
    _record(item=TEXT, grade=NUMBER, rank=_or_null(NUMBER), would_be=_or_null(NUMBER)),
    words.MISSED,
)

EXPLANATION = told(
    _record(
        run=TEXT,
        query=TEXT,
        measure=TEXT,
        value=_or_null(NUMBER),
        start=NUMBER,
        places=_list(PLACE),
        rest=NUMBER,
        missed=_list(
            told(_record(item=TEXT, grade=NUMBER, rank=_or_null(NUMBER), would_be=_or_null(NUMBER)), words.MISSED)
        ),
        relevant=COUNT,
        retrieved=COUNT,
        highest=_or_null(NUMBER),
        notices=_list(TEXT),
        policy=POLICY,
    ),
    words.EXPLANATION,
)

MOVE = told(
    _record(
        item=TEXT,
        grade=NUMBER,
        rank_before=_or_null(NUMBER),
        rank_after=_or_null(NUMBER),
        contribution_before=NUMBER,
        contribution_after=NUMBER,
        change=NUMBER,
    ),
    words.MOVE,
)

EXPLAIN = told(
    _record(
        assay=TEXT,
        command=_list(TEXT),
        explanations=_list(EXPLANATION),
        changes=_list(
            told(
                _record(
                    before=EXPLANATION, after=EXPLANATION, difference=_or_null(NUMBER), moves=_list(MOVE), other=NUMBER
                ),
                more.CHANGE,
            )
        ),
    ),
    more.EXPLAIN,
)
