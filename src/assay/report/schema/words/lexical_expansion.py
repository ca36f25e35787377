"""What the keys of queries expanded by further words mean."""

from assay.report.schema.words import evaluation as shared

TERM = {
    "term": "The term as it is indexed.",
    "weight": "Its weight in the expanded query.",
    "asked": "Its weight in the query as asked; 0 where it was added.",
    "documents": "How many documents have it.",
    "relevant": "The share of the relevant documents that have it, from 0 to 1; null where there are none.",
    "others": "The share of the other documents among the first ten found that have it; null where there are none.",
    "effect": "By how much the measure would be worse without it; null where that was not computed.",
}

QUERY = {
    "query": "The id of the query.",
    "text": "The text of the query.",
    "before": "Its value by `measure` without expansion.",
    "after": "Its value by `measure` with it.",
    "change": "After minus before.",
    "outcome": "What became of it: helped, hurt or same; where lower is better, a fall helps.",
    "cause": "The cause of that, as `causes` explains it; empty where there is none to tell.",
    "reweighting": "What new weights of the query's own words gain; null where that was not computed.",
    "adding": "What the added words gain on top of that; null where that was not computed.",
    "feedback": "How many documents were learned from; null where the way does not learn from documents.",
    "feedback_relevant": "How many of those are relevant; null where the way does not learn from documents.",
    "relevant": "How many relevant documents of it are among those searched.",
    "on_relevant": "The share of the relevant documents that have an added word, the mean by weight; null without any.",
    "on_others": "The same share of the other documents among the first ten found; null without any.",
    "absent": "The share of the added weight on words that no relevant document has; null without any.",
    "found": "How many relevant documents are found with expansion only.",
    "lost": "How many relevant documents are found without expansion only.",
    "rose": "How many of those found by both stand higher with expansion.",
    "fell": "How many of those found by both stand lower with expansion.",
    "other": "The value of the other run in a fusion; null where there is none.",
    "terms": "The terms of the expanded query, the heaviest first; empty in a fusion.",
}

OUTCOMES = {
    "helped": "How many queries became better.",
    "hurt": "How many queries became worse.",
    "same": "How many queries kept their value.",
}

CAUSE = {
    "outcome": "What became of the queries: helped or hurt.",
    "cause": "A short name of the cause.",
    "meaning": "What the cause is, in words.",
    "queries": "How many queries have it.",
}

WAY = {
    "name": "The name of its run in the comparison.",
    "settings": "The settings that it was made with, by name.",
    "counts": "How many queries it helped, hurt and left the same.",
    "causes": "How many queries were helped or hurt by each cause.",
    "tau": "How alike `change` and the precision of feedback order queries: Kendall's tau; null where undefined.",
    "queries": "What became of each query.",
}

RULE = {
    "fold": "The fold of queries that it decides for, from 1; 0: the rule that all queries teach.",
    "queries": "How many queries it was learned from.",
    "choice": "Which queries it expands: always all, never any, or those above or below the threshold.",
    "predictor": "The figure of a query that it looks at; null for always and never.",
    "threshold": "The value of the figure where it decides; null for always and never.",
    "meaning": "What the figure is, in words; empty for always and never.",
}

SELECTION = {
    "way": "The way to expand: the name of its run.",
    "measure": "The measure that all figures here are of.",
    "queries": "How many queries there are.",
    "never": "The mean without expansion.",
    "always": "The mean with every query expanded.",
    "selective": "The mean where each query is decided by a rule that has not seen it.",
    "oracle": "The mean where the better of both is known for each query.",
    "expanded": "How many queries the rules expand.",
    "best": "How many queries are better with expansion.",
    "reference": "The run that does better of never and always; the selection is held against it.",
    "gain": "By how much selecting is better than `reference`; below 0 it is worse.",
    "contrast": "The selection held against `reference`.",
    "rules": "The rule of each fold, and last the one that all queries teach.",
    "seed": shared.EVALUATE["seed"],
}

EXPANSION = {
    "documents": "How many documents are searched.",
    "depth": "How many documents a query finds at most.",
    "measure": "The measure by which queries are helped and hurt.",
    "ways": "Each way to expand, and what became of each query.",
    "selections": "What expanding only some queries brings, by way; empty where that was not asked for.",
    "notices": shared.RUN["notices"],
}

EXPAND = {"expansion": "What expansion did to each query, and why."}
