"""What the keys of a pool of pairs to judge mean."""

from assay.report.schema.words.evaluation import DOCUMENT, EVALUATE, INTERVAL, RUN
from assay.report.schema.words.evaluation import LEFT_OUT as SHARED

CONTRIBUTION = {
    "run": "The run that brings the pairs.",
    "pairs": "How many pairs the run holds within the depth.",
    "alone": "How many of the pairs no other run has.",
    "judged": "How many of its pairs had a judgment before.",
    "relevant": "How many of its pairs are relevant.",
}

STRATUM = {
    "name": "The name of the stratum.",
    "pairs": "How many pairs the stratum has, over all queries.",
    "drawn": "How many of the pairs are drawn.",
    "judged": "How many of the drawn pairs are judged.",
}

FOUND = {
    "budgets": "The numbers of judgments after which is counted.",
    "relevant": "By strategy, how many relevant pairs it has found after each of `budgets`.",
    "of": "How many relevant pairs the runs hold within the depth.",
}

LEFT_OUT = SHARED | {
    "without": "Its figure when judged by the pool that the others make without it, or without its group.",
}

VERDICT = {
    "measure": "The measure by which runs are judged.",
    "worst": "The run that would change most if it, or its group, had not helped to make the pool.",
    "median": "The median change over the runs; null where undefined.",
    "tau": "Kendall's tau of the order of the runs with and without; null where undefined.",
    "detectable": "The difference of two runs that a paired t test of these queries would find; null where none.",
    "reusable": "Whether no run changes by as much as is detectable; null where nothing can be detected.",
}

BIAS = {
    "by": "What is left out in turn: each run, or each group of runs.",
    "groups": "The group of each run.",
    "left_out": "Each run by each measure, with and without its part of the pool.",
    "verdicts": "Whether new runs can be judged fairly, by measure.",
}

PAIR = {
    "query": "The query of the pair.",
    "item": "The item of the pair.",
    "stratum": "The stratum that the pair was drawn from; the strategy where pairs are not drawn.",
    "probability": "The chance of being drawn, from 0 to 1; null where pairs depend on what others turned out to be.",
    "runs": "How many runs hold the item within the depth.",
    "rank": "The best of its ranks.",
}

POOL = DOCUMENT | {
    "strategy": "How pairs are chosen: by depth, move to front (mtf), a bandit, or a stratified sample.",
    "depth": "Down to which rank runs bring pairs.",
    "budget": "How many pairs may be chosen; null without a limit.",
    "share": "Whether queries get equal parts of the budget, or more where more is found.",
    "seed": INTERVAL["seed"],
    "policy": EVALUATE["policy"],
    "queries": "How many queries the runs answer.",
    "pooled": "How many pairs the runs hold within the depth.",
    "judged": "How many of the chosen pairs had a judgment before.",
    "relevant": "How many of those are relevant.",
    "runs": "What each run brings.",
    "strata": "The parts of the pool; empty where it has none.",
    "found": "What strategies would have found in known gold; null where that was not asked for.",
    "bias": "What it costs a run not to have helped to make the pool; empty where that was not asked for.",
    "notices": RUN["notices"],
    "pairs": "The pairs without a judgment, in the order in which to judge them.",
}
