"""What the keys of an export of gold mean."""

from assay.report.schema.words.evaluation import DOCUMENT, RUN

CHANGE = {
    "query": "The query of the judgment.",
    "item": "The item of the judgment.",
    "before": "The grade before; null where the judgment is new.",
    "after": "The grade after; null where the judgment was withdrawn.",
}

COUNTS = {
    "added": "How many judgments are new.",
    "withdrawn": "How many judgments are no longer there.",
    "changed": "How many judgments have another grade.",
}

EXPORT = DOCUMENT | {
    "path": "The gold file that was written; null where nothing was written.",
    "history": "The file of its versions, beside it; null where nothing was written.",
    "new": "Whether this is a new version; the same content makes none.",
    "since": "The file from which changes are counted; null: from the version before.",
    "sha256": "The SHA-256 of the gold file.",
    "parent": "The SHA-256 of the version before; null for the first.",
    "project": "The project of judgments that the gold comes from.",
    "rule": "How several judgments of a pair became one grade.",
    "guidelines": "The versions of the guideline that the judgments followed.",
    "last": "When the last decision was recorded.",
    "version": "The number of the version.",
    "decisions": "How many decisions had been recorded.",
    "judges": "How many judges said something.",
    "judgments": "How many pairs have a grade in the file.",
    "settled": "How many pairs have a settled grade.",
    "tied": "On how many pairs judges were split, so that the rule took the lower grade.",
    "untold": "How many pairs are not in the file because all who looked could not tell.",
    "counts": "How many judgments changed, by what became of them.",
    "changes": "Each judgment that is not as it was, by query and item.",
    "notices": RUN["notices"],
}
