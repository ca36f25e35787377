"""What the keys of systems side by side mean."""

from assay.report.schema.words import evaluation as shared

TOGETHER = {
    "systems": "A set of systems by their places in `systems`, from 0.",
    "items": "How many relevant items just these systems find.",
}

FOUND = {
    "places": "How many first places of each list are looked at; null: whole lists.",
    "relevant": "How many relevant items all queries have.",
    "by": "How many of them each system finds, in the order of `systems`.",
    "only": "How many of them each system alone finds, in the order of `systems`.",
    "all": "How many of them every system finds.",
    "none": "How many of them no system finds.",
    "together": "How many of them are found by just which systems.",
}

MOVER = {
    "query": "The id of the query.",
    "before": "The value of the system `first`.",
    "after": "The value of the system `second`.",
    "change": "The value of `second` minus that of `first`.",
    "ranks_before": "Always empty: no ranks are told here.",
    "ranks_after": "Always empty: no ranks are told here.",
}

PAIRING = {
    "first": "The one system of the pair.",
    "second": "The other system of the pair.",
    "jaccard": "The mean share of first items of either that both have, from 0 to 1; null without common queries.",
    "rbo": "The mean rank-biased overlap of both lists, from 0 to 1; null without queries.",
    "queries": "How many queries both systems answer.",
    "wins": "In how many queries `second` is better by `measure`.",
    "ties": "In how many queries both have the same value.",
    "losses": "In how many queries `first` is better by `measure`.",
    "for_first": "The queries in which `first` is better by most.",
    "for_second": "The queries in which `second` is better by most.",
}

CEILING = {
    "measure": "The measure of all figures here.",
    "best": "The best system as it is.",
    "single": "The figure of the best system; null where undefined.",
    "chosen": "The figure with the best system for each query; null where it is no mean over queries.",
    "own": "The figure of each system's list in the best order, in the order of `systems`.",
    "union": "The figure of the items of all lists in the best order; null where undefined.",
    "fused": "The figure that each fusion reaches, by its name.",
}

ONLY_FOUND = {
    "system": "The system that finds it.",
    "query": "The id of the query.",
    "item": "A relevant item that no other system has in the first places.",
    "grade": "Its grade in the gold.",
    "rank": "The rank that the system gives it.",
    "elsewhere": "The best rank in another system's list; null where no other list holds it.",
}

SIDES = {
    "systems": "The systems, by their labels in the comparison; the first is the baseline.",
    "fusions": "The fusions of all systems, by their labels in the comparison.",
    "measure": "The measure by which queries are won and lost.",
    "cutoff": "How many first places of a list a reader looks at.",
    "depth": "To how many places each list was cut; null where lists are whole.",
    "found": "Who finds how many relevant items: in the first places, then in whole lists.",
    "pairings": "Each two systems held against each other.",
    "leads": "In how many queries each system alone is the best, in the order of `systems`.",
    "ceilings": "What could be reached with these lists, by measure.",
    "examples": "Some relevant items that one system alone finds in the first places.",
    "texts": "The texts of the queries that are named here, where texts are known.",
    "notices": shared.RUN["notices"],
}

COMPARE = {"sides": "What each system finds, who wins which query, and what fusion could reach."}
