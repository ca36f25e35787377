"""What the keys of recorded evaluations mean."""

from assay.report.schema.words.evaluation import DOCUMENT, EVALUATE

MADE = {
    "task": "What was judged: ranking, links, neighbours, entities, rag, answers, graph, or another program's name.",
    "gold": "The SHA-256 of the gold: of its rows where they are known, else of its file; null where unknown.",
    "run": "The SHA-256 of the run; null where unknown.",
    "corpus": "The SHA-256 of the corpus; null where unknown.",
    "queries": "The SHA-256 of the sorted ids of the queries.",
    "code": "The revision of the judged system; a + at its end: files differed from it; null where unknown.",
    "platform": "The platform on which it was evaluated.",
    "assay": "The version of Assay that evaluated it.",
    "policy": EVALUATE["policy"],
    "exclude": "The SHA-256 of the pairs that were left out; null where there were none.",
    "weights": "The SHA-256 of weights and clusters of queries; null where there were none.",
    "tags": "What the user put to it, by name.",
}

SLICE = "The slice, as column=value; empty over all queries."
HIGHER = "Whether a higher value is better."

FIGURE = {
    "measure": "The measure of the figure.",
    "slice": SLICE,
    "mean": "The figure; null where undefined.",
    "low": "The lower end of its interval; null where none was recorded.",
    "high": "The upper end of its interval; null where none was recorded.",
    "queries": "How many queries have a value.",
    "undefined": "How many queries have none.",
    "higher_is_better": HIGHER,
    "of_queries": "Whether it is the mean of the values of its queries, so that it can be compared query by query.",
}

ID = "The number of the evaluation in the store."

RECORDED = {
    "id": ID,
    "suite": "The suite that the evaluation belongs to.",
    "name": "The name of the judged system.",
    "time": "When it was evaluated, as an ISO 8601 time.",
    "baseline": "Whether it is the pinned baseline of its suite.",
    "note": "What the user noted on it; empty where that is nothing.",
    "made": "How the evaluation was made.",
    "figures": "Its figures, over all queries and by slice.",
}

ADD = DOCUMENT | {
    "store": "The store that the evaluations were added to.",
    "added": "The evaluations that were added.",
}

RECENT = {
    "measure": "The measure that was asked for, else the first that the newest evaluation has.",
    "means": "The figures of the last evaluations, the newest last; null where undefined.",
}

SUITE = {
    "name": "The name of the suite.",
    "evaluations": "How many evaluations the suite has.",
    "newest": "The newest evaluation of the suite.",
    "baseline": "The pinned baseline; null where there is none.",
    "recent": "One measure over the last evaluations.",
}

SHOW = DOCUMENT | {
    "suites": "The suites of the store, where none was named; else the key is not there.",
    "suite": "The suite that was named; else the key is not there.",
    "evaluations": "The evaluations of the named suite, the newest last; else the key is not there.",
}
