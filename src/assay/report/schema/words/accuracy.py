"""What the keys of a sample of statements mean, of the accuracy that it tells, and of what more would cost."""

from assay.report.schema.words import evaluation as shared

DESIGN = {
    "kind": "How statements are drawn: simple (each alike), cluster (some of each subject), stratified (by predicate).",
    "population": "The beginning of the SHA-256 of all statements, which tells whether the graph is the same.",
    "seed": shared.EVALUATE["seed"],
    "statements": "How many statements the graph has.",
    "subjects": "How many subjects the graph has.",
    "per_subject": "The most statements judged of one drawn subject; 1 but for clusters.",
}

ROW = {
    "draw": "The number of the draw, from 1; the statements of one drawn subject share it.",
    "weight": "Its share of its draw in a cluster, the share of its stratum among all statements, or 1.",
    "id": "The id of the statement in this sample.",
    "stratum": "The stratum that it was drawn from; empty without strata.",
    "subject": "The subject of the statement.",
    "predicate": "The predicate of the statement.",
    "object": "The object of the statement.",
}

SAMPLE = shared.DOCUMENT | {
    "design": "How the sample is drawn, and from what.",
    "rows": "The statements to judge, in the order drawn.",
}

PART = {
    "name": "The predicate or the stratum.",
    "judged": "How many of its drawn statements were judged.",
    "right": "How many of those are right.",
    "value": "The estimated share of right statements, from 0 to 1; null where too few tell.",
    "low": "The lower end of the interval; null without one.",
    "high": "The upper end of the interval; null without one.",
    "interval": "The interval of `value`; null without one.",
}

STOP = {
    "margin": "How far the interval may reach to either side.",
    "reached": "Half the width of the interval now; null where it has no ends.",
    "least": "How many draws it takes at least before a sample is enough.",
    "enough": "Whether enough was judged.",
    "more": "About how many further statements are needed.",
}

AGREEMENT = {
    "judges": "The names of the judges.",
    "statements": "How many statements two judges or more have judged.",
    "unanimous": "How many of those all their judges call the same.",
    "alpha": "Krippendorff's alpha: 1 for full agreement, 0 for that of chance; null where undefined.",
}

ESTIMATE = shared.DOCUMENT | {
    "paths": "The label files that were read.",
    "design": "How the sample was drawn, and from what.",
    "value": "The estimated share of the graph's statements that are right, from 0 to 1.",
    "at_worst": "The estimate if all undecided statements were wrong.",
    "at_best": "The estimate if all undecided statements were right.",
    "design_effect": "How many statements of this sample say as much as one drawn by itself.",
    "error": "The standard error of `value`; null of a single draw.",
    "worth": "How many statements drawn one by one say as much; null where all were judged.",
    "low": "The lower end of the interval; null where nothing can be said.",
    "high": "The upper end of the interval; null where nothing can be said.",
    "interval": "The interval of `value` by the method that was chosen.",
    "others": "The interval by each other method, by its name.",
    "draws": "How many draws have a clear label.",
    "judged": "How many clear labels there are in them.",
    "right": "How many of these labels say right.",
    "distinct": "How many different statements they are of.",
    "undecided": "How many statements up to the last label have no clear one and are left out.",
    "open": "How many statements after the last label are not yet judged.",
    "stop": "Whether enough was judged, and what is missing.",
    "strata": "The accuracy of each stratum; empty without strata.",
    "by_predicate": "The accuracy of each predicate, those with most judged statements first.",
    "agreement": "How alike the judges are; null of one judge.",
    "notices": shared.RUN["notices"],
}

EFFORT = {
    "per_subject": "The most statements judged of one subject; 1: drawn one by one.",
    "statements": "How many statements are to be judged.",
    "subjects": "How many different subjects they are expected to have.",
    "accuracy": "The accuracy that is expected, from 0 to 1.",
    "per_draw": "How many statements a draw brings on average.",
    "design_effect": "How many times more statements it takes than drawn one by one.",
    "seconds": "How many seconds of work that takes.",
    "price": "What that costs; null without a price per hour.",
}

PLAN = shared.DOCUMENT | {
    "method": "The method of the interval that is wanted.",
    "margin": "How far that interval may reach to either side.",
    "level": shared.INTERVAL["level"],
    "accuracy": "The accuracy that is expected, from 0 to 1.",
    "alike": "How alike the statements of one subject are expected to be, from 0 to 1.",
    "seconds_per_subject": "How many seconds it takes to get to know a subject.",
    "seconds_per_statement": "How many seconds it takes to judge a statement.",
    "statements": "How many statements the graph has; null without a graph.",
    "subjects": "How many subjects the graph has; null without a graph.",
    "price_per_hour": "What an hour of work costs; null where it was not said.",
    "by_design": "The effort at the expected accuracy, by how many statements of a subject are judged.",
    "by_accuracy": "The effort of statements drawn one by one, by accuracy.",
    "cheapest": "That of `by_design` which takes the least time.",
    "notices": shared.RUN["notices"],
}
