"""What the keys of a gate mean."""

from assay.report.schema.words.evaluation import DOCUMENT, RUN
from assay.report.schema.words.history import HIGHER, ID, SLICE

SIDE = {
    "id": ID,
    "name": "The name of the judged system.",
    "queries": "How many queries the evaluation has.",
    "made": "How the evaluation was made.",
}

LOSS = {
    "query": "The query that became worse.",
    "before": "Its value in the baseline.",
    "now": "Its value now.",
    "change": "Its value now less its value before.",
}

CHECK = {
    "slice": SLICE,
    "measure": "The measure that is checked.",
    "decision": "What the gate says of this measure.",
    "reasons": (
        "Why: drop: it fell too far, and not by chance; floor: beyond its limit; few: too few queries; "
        "judged: too few judged items; undefined: no figure or no test."
    ),
    "baseline": "The figure of the baseline over the shared queries; null where undefined.",
    "now": "The figure now over the shared queries; null where undefined.",
    "figure": "The figure now over all queries that have a value; null where undefined.",
    "change": "The figure now less that of the baseline; null where undefined.",
    "interval": "The interval of the change.",
    "significance": "Whether a fall so large may be chance; corrected over all checks.",
    "queries": "How many queries have a value in both; with `clusters`, how many groups of them.",
    "min_queries": "How many are needed to decide.",
    "max_drop": "By how much the measure may fall.",
    "limit": "The lowest figure allowed, or the highest where lower is better; null without one.",
    "judged": "The share of judged items among those looked at, from 0 to 1; null where none is asked for.",
    "min_judged": "The share of judged items that is needed; null where none is asked for.",
    "higher_is_better": HIGHER,
    "lost": "How many queries became worse.",
    "gained": "How many queries became better.",
    "worst": "The queries that lost most, the worst first.",
    "vanished": "How many queries had a value before and have none now.",
    "clusters": "Whether `queries` and `min_queries` count groups of queries that belong together.",
    "least_p": "The smallest corrected p value that could come out; null where the test is undefined.",
    "why": "Why nothing can be decided, in words; empty where it can.",
}

FALLEN = {
    "slice": SLICE,
    "measure": "The measure by which the query fell.",
    "query": "The query that lost all it had.",
    "before": "Its value in the baseline.",
    "blocks": "Whether the gate is blocked by it.",
    "now": "Its value now, the worst there is; null where it has none any more.",
}

UNLIKE = {
    "what": "What differs: a key of `made`, a measure that the baseline lacks, or the baseline, where there is none.",
    "before": "What it was in the baseline; null where unknown or none.",
    "now": "What it is now; null where unknown or none.",
    "refused": "Whether no figure is compared because of it.",
}

GATE = DOCUMENT | {
    "decision": "Whether the change may pass; a blocked check blocks whatever else cannot be decided.",
    "exit_code": "The exit code of the command: 0 passed, 1 blocked, 3 cannot decide.",
    "suite": "The suite that the evaluation belongs to.",
    "now": "The evaluation that is checked.",
    "baseline": "The evaluation that it is held against; null where there is none.",
    "alpha": "The chance of a false alarm that is accepted.",
    "test": "The paired test of a fall: sign flips, t, or betting.",
    "family": "How many tests were corrected together.",
    "nights": "How many looks were taken since the baseline, this one included; null where each stands for itself.",
    "horizon": "After how many looks counting begins anew; null where each look stands for itself.",
    "checks": "What the gate says of each measure, over all queries and by slice.",
    "fallen": "The queries that lost all they had by a measure.",
    "unlike": "What differs between the baseline and now.",
    "notices": RUN["notices"],
}
