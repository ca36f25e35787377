"""What the keys of an audit of inputs mean."""

from assay.report.schema.words import evaluation as shared

RUN = {name: shared.RUN[name] for name in ("name", "path", "queries", "rows")} | {
    "audit": "What was noticed in the run; null where it could not be read or there is no gold to hold it against.",
}

COUNTS = {
    "error": "How many findings make numbers meaningless or impossible.",
    "warning": "How many findings are warnings.",
    "note": "How many findings are notes.",
}

AUDIT = {
    "assay": shared.DOCUMENT["assay"],
    "cutoffs": "The cutoffs at which ties and judged items were looked at.",
    "gold": "What the gold standard holds; null where it could not be read.",
    "runs": "What each run holds, and what was noticed in it.",
    "counts": "How many findings each level has.",
    "findings": "What was found, the most serious first.",
}
