"""What the keys of explanations mean that no other document has."""

from assay.report.schema.words.evaluation import DOCUMENT

CHANGE = {
    "before": "The explanation of the first run.",
    "after": "The explanation of the second run.",
    "difference": "The value after minus the value before; null where one of them is undefined.",
    "moves": "The judged items that moved, and what each makes of the difference.",
    "other": "What places without a judged item make of the difference; 0 for nearly all measures.",
}

EXPLAIN = DOCUMENT | {
    "explanations": "With one run, the value of each query that was asked for, place by place; else empty.",
    "changes": "With two runs, what changed from one to the other, query by query; else empty.",
}
