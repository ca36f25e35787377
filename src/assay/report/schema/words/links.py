"""What the keys of a judged link predictor mean."""

from assay.report.schema.words import evaluation as shared

TIE_RULES = {
    "optimistic": "The figure with the true entity first among those that tie with it.",
    "realistic": "The figure by the mean of its first and last place among them.",
    "pessimistic": "The figure with the true entity last among those that tie with it.",
    "expected": "The exact mean of the figure over all orders of tied ones; null where the measure has none.",
}

MACRO = {
    "queries": "The mean over questions of the figure of each; null where it is not computed or undefined.",
    "relations": "The mean over relations of the figure of each; null where it is not computed or undefined.",
}

FIGURE = {name: shared.FIGURE[name] for name in ("requested", "low", "high", "interval")} | {
    "mean": "The figure under `rule`, where every rank counts alike; null where undefined.",
    "rule": "The tie rule of `mean`: that of the protocol, or expected for lists with many right answers.",
    "queries": "How many ranks, or lists with many right answers, it is made of.",
    "undefined": "For how many of them the measure is undefined.",
    "ties": "The figure under each tie rule.",
    "macro": "The figure with questions, or relations, counted alike instead of ranks.",
}

SIDE = {"measures": shared.RUN["measures"]}

CANDIDATES = {
    "lowest": "The fewest candidates of a question; of pooled lists, the shortest list.",
    "median": "Their median, rounded down to a whole number.",
    "highest": "The most candidates of a question; of pooled lists, the longest list.",
}

COUNTS = {
    "sides": "The same figures by side: tail, head; empty where only one side was asked, or sides are not told apart.",
    "distinct_queries": "How many different questions, or pooled lists, there are.",
    "ranks": "How many answers were ranked, those counted in `outside` among them.",
    "tied": "How many of the ranked answers tie with another candidate.",
    "tied_share": "The share of `ranks` that tie with another candidate, from 0 to 1.",
    "outside": "How many true entities are not among their candidates and so have no rank.",
    "candidates": "How many candidates a question has.",
}

RANKED = {
    "meaning": "What is ranked against what, in words.",
    "measures": shared.RUN["measures"],
} | COUNTS

RUN = RANKED | {
    "protocol": "The way of ranking that these figures are of: filtered.",
    "dropped": "How many triples were left out because train lacks an entity or relation of theirs.",
}

GRAPH = {
    "name": "What the graph is called.",
    "triples": "How many triples each split has.",
    "entities": "How many entities the graph has.",
    "relations": "How many relations the graph has.",
    "asked": "How many triples were asked about.",
    "unseen": "How many of them have an entity or relation that train does not hold.",
}

PROTOCOL = {
    "split": "The split whose triples are asked about.",
    "sides": "What each triple is asked for: its tail, its head.",
    "known": "The splits whose other true answers are no candidates in filtered ranks.",
    "unseen": "Whether triples with an entity or relation that train lacks are kept or dropped.",
    "ties": "How a true entity that ties with others is ranked.",
    "nan": "What a score that is no number is: an error, or the worst score.",
    "outside": "What a true entity outside constrained candidates is: a miss (no rank), or added (add) and ranked.",
}

ANSWER = {
    "entity": "The entity that the model puts above the true one.",
    "score": "The score of the answer.",
    "split": "The split that holds the triple with this answer; null: no split does.",
    "known": "Whether some split holds it: then it is true, and takes no place in filtered ranks.",
}

WORST = {
    "side": "What was asked for: the tail or the head.",
    "head": "The head of the triple.",
    "relation": "The relation of the triple.",
    "tail": "The tail of the triple.",
    "rank": "The filtered rank of the true entity: `greater` + 1 + `equal`/2.",
    "greater": "How many candidates score higher than the true entity.",
    "equal": "How many other candidates score the same.",
    "candidates": "How many candidates the question has after filtering, the true entity among them.",
    "score": "The score of the true entity; null where it was not scored.",
    "above": "The best of the answers that score higher, best first, known ones among them; null: not looked for.",
}

EVALUATE = {
    "runs": shared.EVALUATE["runs"],
    "inputs": "The files that the result was made of.",
    "graph": "What the graph holds, and what was asked of it.",
    "protocol": "Every convention under which the model was judged.",
    "protocols": "The other ways of ranking by name, such as raw; no figure is to be compared between them.",
    "breakdowns": "With `--by`, the filtered ranks by group.",
    "worst": "The triples whose true entity stands lowest in filtered ranks, the worst first.",
}
