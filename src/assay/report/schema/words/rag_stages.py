"""What the keys of a pipeline that is judged stage by stage mean."""

from assay.report.schema.words.evaluation import DOCUMENT, FIGURE
from assay.report.schema.words.rag import DEPTH

FIGURES = {name: meaning for name, meaning in FIGURE.items() if name != "policy"} | {
    "ties": "Always null: equal scores rank in the order of the file."
}

NAMED = {
    "questions": "How many questions they are.",
    "share": "Their share of the questions that could be among them; null where there are none.",
    "examples": "The first few of them, by id.",
}

STAGE = {
    "name": "What the stage is called.",
    "path": "Its file; null where it was handed over in memory.",
    "k": "How many of its first items are looked at.",
    "measures": "Deducible, Complete and R at that depth, by the names of the measures.",
    "ceiling": (
        "The highest R@k that any order of the first items of the stage before could give; null for the first stage."
    ),
    "lost": "The questions with a complete proof in the stage before and none here; null for the first stage.",
    "gained": "The questions with a complete proof here and none in the stage before; null for the first stage.",
}

LOSS = NAMED | {
    "place": "Where the questions are lost: the stage after which no proof is complete, or the answer.",
    "right": "How many of them are answered right all the same; null where correctness is unknown.",
}

CORRECTNESS = {
    "mean": "The mean correctness of the answers; null of none.",
    "low": "The lower end of its interval; null where nothing can be said.",
    "high": "The upper end of its interval; null where nothing can be said.",
    "questions": "Over how many questions the mean is taken.",
    "right": "How many of them count as right, by the threshold.",
    "interval": "The whole interval of the mean.",
}

ANSWERS = {
    "threshold": "The correctness from which on an answer counts as right.",
    "unknown": "Of how many questions the correctness is not known.",
    "all": "The answers to all questions of known correctness.",
    "given_deducible": "The answers to questions for which the last stage brings a complete proof.",
    "given_not_deducible": "The answers to questions for which it brings none.",
    "omissions": "The questions answered wrong although a complete proof was there.",
    "unsupported": "The questions answered right without a complete proof: known from elsewhere, or guessed.",
}

RAG_STAGES = (
    DOCUMENT
    | DEPTH
    | {
        "questions": "How many questions are judged: those whose needs are known.",
        "left_out": "How many questions need nothing, and take no part.",
        "level": "The confidence of the intervals, such as 0.95.",
        "stages": "Each stage of the pipeline, the first one first.",
        "losses": "How many questions are lost at each stage, and at the answer; each question at one place at most.",
        "reached": (
            "The questions with a complete proof in the last stage and, where any correctness is known, a right "
            "answer; one whose correctness alone is unknown is not among them."
        ),
        "answers": "The answers, by whether their proof was there; null where no correctness is known.",
    }
)
