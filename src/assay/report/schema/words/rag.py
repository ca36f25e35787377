"""What the keys of retrieval for answers mean, beside those of any evaluation."""

from assay.report.schema.words.evaluation import RUN

MATCHING = {
    "rule": "When a retrieved item is a needed one: it has the same id, exactly the same text, or a text nearly alike.",
    "threshold": "How alike texts have to be for the rule fuzzy, from 0 to 1; null under the others.",
}

SYSTEM = {
    "name": "What the system is called.",
    "path": "Its file; null where it was handed over in memory.",
    "scored": "Whether scores rank the items; else the order in which they stand does.",
    "questions": "How many questions the file holds.",
    "retrieved": "How many items it ranks over all questions.",
    "duplicates": "How many items were left out because they stand higher up as well.",
    "without": "For how many questions nothing was retrieved.",
    "absent": "How many questions of the gold the file does not hold.",
    "longest": "The length of the longest list.",
    "found": "How many of the ranked items are needed.",
    "ignored": "The keys of the file that hold lists or objects and were not read.",
}

BESIDE = {
    "unit": "What counts as one item.",
    "matching": "When a retrieved item counts as a needed one.",
    "systems": "What was counted of each system, in the order in which they were named.",
    "notices": "What a careful reader should know of all systems; what concerns one stands in its run.",
}

DEPTH = {"notices": RUN["notices"], "unit": BESIDE["unit"], "matching": BESIDE["matching"]}
"""What the stages of a pipeline and its settings have in common."""
