"""What the keys of answers to a question suite mean."""

from assay.core.answers_evaluation import COUNTS as COUNTED
from assay.report.schema.words.evaluation import DOCUMENT, EVALUATE, RUN

COUNTS = {name: f"Of how many questions this is so: {meaning}." for name, meaning in COUNTED.items()}

SHARE = {
    "count": "How many questions.",
    "of": "Of how many that could be.",
    "share": "The one over the other; null of none.",
    "low": "The lower end of Wilson's interval of the share; null without one.",
    "high": "The upper end of Wilson's interval of the share; null without one.",
    "demand": "The share by the weights of the questions; null where they all weigh alike.",
}

ESTIMATE = {
    "value": "The mean over the questions; null where it is undefined.",
    "low": "The lower end of its interval; null without one.",
    "high": "The upper end of its interval; null without one.",
    "interval": "The whole interval; null without one.",
}

FIGURES = {
    "questions": "How many questions the means are taken over.",
    "precision": "How much of what was found is right, under the convention.",
    "recall": "How much of what is right was found, under the convention.",
    "f1": "F1, as the convention takes it: a mean of the questions' own, or that of two means.",
}

QUESTION = {
    "question": "The id of the question.",
    "text": "What is asked, in words.",
    "outcome": "What became of it; absent: the system's answers do not hold it.",
    "empty": "Whether it was executed and found nothing.",
    "found": "How many rows were found, or values where the convention pools them.",
    "gold": "How many rows or values are right.",
    "hits": "How many of those found are right; a fraction where rows are right in part.",
    "precision": "The precision of the question; null where the convention has none for it.",
    "recall": "The recall of the question; null where the convention has none for it.",
    "f1": "The F1 of the question; null where the convention has none for it.",
    "order": "Kendall's tau of the right rows found; null where the gold has no order.",
    "seconds": "How long the answer took; null where nobody measured it.",
    "message": "What an error said; empty without one.",
    "truncated": "Whether the answer was cut at a limit on its size, and so may lack right rows.",
    "whole_rows": "Whether rows were too many to be matched in part, and were matched as wholes.",
    "weight": "What the question weighs in every mean, 1 without weights.",
    "f1_by": "Its F1 under each convention; null where a convention has none for it.",
    "groups": "The groups that the question belongs to, by their keys.",
}

SYSTEM = {
    "questions": "Every question and what became of it; absent where figures alone were asked for in Python.",
    "name": "What the system is called.",
    "path": "The graph or file that answered; null where it is not one.",
    "counts": "How many questions were executed, failed, were answerable and so on.",
    "figures": "Precision, recall and F1 under each convention, the chosen one first.",
    "ranked": "Ranking measures of the answers, as of any run; null where there are none.",
}

SUITE = {
    "name": "What the suite is called.",
    "path": "The file of the suite.",
    "questions": "How many questions it has.",
    "judged": "How many of them enter the counts.",
}

MATCHING = {
    "language": "How languages of texts are compared: ignore (any), basic (en is en-GB), exact (the same tag).",
    "labels": (
        "Whether columns named ...Label count as values: leave-out (not, unless the gold has such a column or gives "
        "plain texts) or keep."
    ),
}

LEFT_OUT = {
    "question": "The id of a question that leaves every figure.",
    "reason": "Why it leaves them.",
}

GROUP = {
    "key": "The key by which questions are grouped, such as type.",
    "value": "What the questions of this group have there.",
    "systems": "The figures of each system over these questions, under the convention.",
}

ANSWERS = DOCUMENT | {
    "seed": EVALUATE["seed"],
    "suite": "The suite of questions.",
    "convention": "The convention by which the figures of each question are given.",
    "conventions": "What each convention counts, in words.",
    "matching": "When two values count as the same.",
    "level": "The confidence of the intervals; null without them.",
    "weighted": "Whether questions have weights.",
    "left_out": "The questions that leave every figure, each with the reason.",
    "systems": "Each system, in the order in which they were named.",
    "groups": "With `--by`, the figures by group of questions.",
    "notices": RUN["notices"],
}
