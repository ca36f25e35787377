"""What the keys of the recall of gold mean."""

from assay.report.schema.words.evaluation import DOCUMENT

ESTIMATE = {
    "method": (
        "How recall is estimated: by a sample of what was not judged (elusion), by two searches (recapture), "
        "or by a sample of everything (control)."
    ),
    "found": "How many relevant items were found: by the judgments, or by the two searches together.",
    "missed": "How many relevant items are estimated not to have been found; null where nothing can be said.",
    "total": "How many relevant items are estimated to be there; null where nothing can be said.",
    "recall": "The estimated share of relevant items that was found, from 0 to 1; null where nothing can be said.",
    "interval": "The interval of the recall.",
    "basis": "What the estimate rests on, in words.",
}

RULE = {
    "name": "The name of the stopping rule.",
    "stop": "Whether the rule says to stop judging; null where it can say nothing.",
    "why": "Why the rule says so, in words.",
    "source": "Where the rule was published.",
}

RECALL = DOCUMENT | {
    "judged": "How many pairs of query and item have a judgment.",
    "relevant": "How many of them are relevant.",
    "target": "The recall that the rules ask for, from 0 to 1.",
    "level": "The confidence that the rules ask for, such as 0.95.",
    "estimates": "What the recall of the judgments is, by each method that could be used.",
    "rules": "What each stopping rule says.",
}
