"""What the keys of a verification mean."""

from assay.report.schema.words import evaluation as shared

INPUT = {
    "role": shared.INPUT["role"],
    "path": "The file as it was named; null where it was handed over in memory.",
    "recorded": "The SHA-256 that the result has recorded; null where it has none.",
    "found": "The SHA-256 of the file now; null where there is none.",
    "state": "Whether both digests are the same; unknown: none was recorded; missing: the file was not found.",
}

FIGURE = {
    "run": shared.RUN_NAME,
    "measure": shared.MEASURE,
    "recorded": "The figure that the result has recorded; null where undefined.",
    "found": "The figure that comes out now; null where undefined.",
    "same": "Whether the figure is exactly as recorded.",
    "close": "Whether the two differ by no more than rounding in the last digits.",
    "queries": "The queries whose values differ.",
    "note": "What else is to be said, in words; empty where that is nothing.",
}

VERIFY = {
    "assay": shared.DOCUMENT["assay"],
    "result": "The path of the result that was verified.",
    "made_by": "The version of Assay that made the result.",
    "same": "Whether every input and every figure is exactly as recorded.",
    "inputs": "The files that the result was made of, as recorded and as found.",
    "figures": "Each figure, as recorded and as it comes out now.",
    "problems": "What could not be computed again, in sentences.",
    "sentences": "What was found, in plain words.",
}
