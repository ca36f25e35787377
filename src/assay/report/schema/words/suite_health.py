"""What the keys of the health of a question suite mean."""

from assay.core.suite_health import CODES
from assay.report.schema.words.evaluation import DOCUMENT, RUN

EACH = "; ".join(f"{code}: {meaning}" for code, meaning in CODES.items())

CUT = {
    "taken": "How many rows of the group the limit takes.",
    "rows": "All rows of the group, each term as N-Triples writes it; null where a variable is not bound.",
}

TIES = {
    "rows": "How many rows the query has without its limit.",
    "groups": "How many groups of rows its order parts; one without ORDER BY.",
    "limit": "The limit of the query; null where it has none.",
    "offset": "The offset of the query, 0 where it has none.",
    "ordered": "Whether the query has an ORDER BY.",
    "cut": "The groups of which only some rows are taken: two at most, at the offset and at the limit.",
}

FINDING = {
    "code": f"What is the matter. {EACH}.",
    "detail": "What was seen, in words.",
    "examples": "Some rows that show it.",
}

QUESTION = {
    "question": "The id of the question.",
    "text": "What is asked, in words.",
    "rows": "How many right answers there are (yes or no is one); null where they are not known.",
    "healthy": "Whether the question stays in the mean.",
    "checked": "The codes of what was looked at.",
    "findings": "What is the matter with the question, the most serious first.",
    "ties": (
        "Which rows the limit parts from others; null where the gold query is no SELECT or has neither order, limit "
        "nor offset, or where it was not answered, with or without its limit."
    ),
}

COUNTS = {
    "questions": "How many questions the suite has.",
    "healthy": "How many of them stay in the mean.",
}

FOUND = {
    "questions": "How many questions have the finding.",
    "checked": "How many questions were looked at for it.",
}

SUITE_HEALTH = DOCUMENT | {
    "suite": "What the suite is called.",
    "graph": "The graph that was asked; null where none was.",
    "second": "The second engine that was asked; null where none was.",
    "counts": "How many questions there are, and how many stay in the mean.",
    "findings": "How many questions have each finding, and of how many that were looked at.",
    "left_out": "The questions that leave the mean, each with the reason.",
    "questions": "Every question, in the order of the suite.",
    "notices": RUN["notices"],
}

FINDINGS = {code: f"{meaning[0].upper()}{meaning[1:]}." for code, meaning in CODES.items()}
