"""What the keys of predicted figures mean."""

from assay.report.schema.words import evaluation as shared

PREDICTED = {
    "run": shared.RUN_NAME,
    "measure": shared.MEASURE,
    "requested": shared.FIGURE["requested"],
    "left_out": "How many human-judged queries have no value on one side and take no part.",
    "higher_is_better": "Whether a higher value is better.",
    "estimate": "The mean that human judgments of all queries would give, as estimated.",
    "interval": "The interval of the estimate.",
    "human": "The mean over the human-judged queries alone.",
    "human_interval": "The interval of that mean.",
    "machine": "The mean over all queries by the machine's judgments.",
    "correlation": "How alike both are on queries judged by both, from -1 to 1; null where one does not vary.",
    "effective": "How many human-judged queries alone would give the same standard error; null where undefined.",
    "saved": "How many more that is than were judged; below 0, machine judgments did not help; null where undefined.",
    "queries_human": "How many queries have human judgments and take part.",
    "queries_machine": "How many queries have machine judgments.",
    "warnings": (
        "few: fewer than 20 human-judged units; weak: a correlation below 0.3; "
        "unlike: the machine rates human-judged queries unlike the others."
    ),
    "lambda": "How far the machine is trusted; 0: not at all.",
}

PREDICT = shared.DOCUMENT | {
    "predicted": "Each figure of each run, predicted.",
}
