"""What the keys of derived grades mean."""

from assay.report.schema.words.evaluation import DOCUMENT, RUN

COUNTS = {
    "pairs": "How many pairs of query and item were looked up.",
    "covered": "How many of the pairs got a grade.",
}

QUERY = {
    "query": "The query whose pairs are counted.",
    "pairs": "How many pairs the query has.",
    "covered": "How many of the pairs got a grade.",
    "relevant": "How many of the pairs have a grade above 0.",
}

PAIR = {
    "query": "The query of the pair.",
    "item": "The item of the pair.",
    "grade": "The derived grade; null where no source tells, or where sources contradict.",
    "rule": (
        "How the grade follows: stated by the source, by a chain of links, or as the source has other values; "
        "else why there is none: not covered, or contradicted."
    ),
    "source": "The names of the sources that tell, by semicolons; empty where none does.",
    "evidence": "What the source says of the pair, as text.",
}

DERIVE = DOCUMENT | {
    "inputs": "The files that the result was made of.",
    "name": "What the derived gold is called.",
    "basis": "What sources hold: facts, links of what is the same, or rows of query and item.",
    "complete": "Whether what a source says of a query is taken to be all, so that anything else is wrong.",
    "sources": "The paths or addresses of the sources.",
    "pooled": "Whether the pairs were given; else they are those of the sources.",
    "counts": "How many pairs there are, and how many got a grade.",
    "coverage": "The share of pairs that got a grade, from 0 to 1; null without pairs.",
    "rules": "How many pairs follow by each rule.",
    "queries": "Each query and how far it is covered, the least covered first.",
    "pairs": "Every pair, by query and item.",
    "notices": RUN["notices"],
}
