"""What the keys of the settings of one retrieval system mean."""

from assay.report.schema.words.evaluation import DOCUMENT, EVALUATE
from assay.report.schema.words.rag import DEPTH

POINT = {
    "setting": "The setting, as it is written.",
    "value": "The setting as a number; null where it is none.",
    "items": "How many items a reader gets for a question, in the mean.",
    "tokens": "How many tokens these have, as stated or else words, in the mean; null where an item says neither.",
    "measures": "The figures at this setting, by the names of the measures, without cutoff where K is what is set.",
}

BEST = {
    "setting": "The setting with the best mean of the measure.",
    "mean": "The mean of the measure at that setting.",
    "alike": "The other settings that are not shown to be worse, by paired tests at 5 %, corrected for many.",
    "lowest": "The first of all these in the order of the curve: the one to take where more costs more.",
}

RAG_TUNING = (
    DOCUMENT
    | DEPTH
    | {
        "name": "What the system is called; where runs are the settings, how many there are.",
        "over": "What is set: k, score, file (each run is a setting), or the key of the rows that tells it.",
        "level": "The confidence of the intervals, such as 0.95.",
        "policy": EVALUATE["policy"],
        "points": "The figures at each setting, in the order of the settings.",
        "best": "The best setting by each measure, where there is one.",
    }
)
