"""What the keys of an explained difference mean."""

from assay.report.schema.words.evaluation import DOCUMENT
from assay.report.schema.words.evaluation import MEASURE as NAME

CHANGE = {
    "kind": "What is changed: a field of the policy, a parameter of the measure, or a known fault.",
    "name": "The name of what is changed.",
    "before": "Its setting on the first side.",
    "after": "Its setting after the change.",
    "meaning": "What the setting after the change does, in words.",
}

QUERY = {
    "query": "A query whose value changes.",
    "before": "Its value before; null where it is undefined or left out of the mean.",
    "after": "Its value after; null where it is undefined or left out of the mean.",
}

CAUSE = {
    "changes": "The changes that are made together.",
    "value": "The figure that comes out with them; null where undefined.",
    "explains": "Whether that is the other number.",
    "queries": "The queries whose value changes, the largest change first.",
}

FINDING = {
    "measure": NAME,
    "ours": "The figure of the first side; null where undefined.",
    "theirs": "The figure of the second side; null where undefined.",
    "same": "Whether both numbers are the same, as exactly as the second is written.",
    "explained": "Whether both are the same, or some cause gives the other number.",
    "sentences": "What was found, in plain words.",
    "causes": "The smallest sets of changes that explain it; where there are none, the nearest misses.",
}

DIFFERENCE = {
    "assay": DOCUMENT["assay"],
    "first": "The name of the first side: a profile.",
    "second": "The name of the second side: a profile, or a number of unknown origin.",
    "explained": "Whether every difference is explained.",
    "findings": "What lies between the two numbers of each measure.",
    "limits": "What no setting can reproduce, in sentences.",
}
