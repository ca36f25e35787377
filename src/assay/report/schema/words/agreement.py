"""What the keys of an agreement of judges mean."""

from assay.report.schema.words.evaluation import DOCUMENT, INTERVAL, RUN

KAPPA = "Cohen's kappa: 1 is full agreement, 0 that of chance; null where undefined."
LEANS = "By how much his grades lie above those that others gave the same pairs; null without shared pairs."
JUDGE = "The name of the judge."

COEFFICIENT = {
    "value": "The value of the coefficient; null where undefined.",
    "low": "The lower end of the interval; null where there is none.",
    "high": "The upper end of the interval; null where there is none.",
    "interval": "The whole interval; null where none was asked for.",
}

OVERALL = {
    "percent": "Percent agreement of all judges, as a share from 0 to 1; it knows no chance.",
    "fleiss": "Fleiss' kappa: 1 is full agreement, 0 that of chance.",
    "ac1": "Gwet's AC1: 1 is full agreement, 0 that of chance.",
    "alpha_nominal": "Krippendorff's alpha, where two grades are the same or not.",
    "alpha_ordinal": "Krippendorff's alpha, where grades have an order.",
    "alpha_interval": "Krippendorff's alpha, where grades have distances.",
    "alpha_ratio": "Krippendorff's alpha, where grades have distances and a true 0.",
}

BETWEEN = {
    "first": "The first of the two judges.",
    "second": "The second of the two judges.",
    "pairs": "How many pairs of query and item both graded.",
    "percent": "The share of these pairs with the same grade, from 0 to 1.",
    "kappa": "Cohen's kappa: 1 is full agreement, 0 that of chance.",
    "linear": "Cohen's kappa weighted by the distance of the grades.",
    "quadratic": "Cohen's kappa weighted by the squared distance of the grades.",
    "alpha": "Krippendorff's alpha of the two at the level of measurement `level`.",
    "ac1": "Gwet's AC1 of the two.",
}

BY_JUDGE = {
    "judge": JUDGE,
    "judged": "How many grades the judge gave.",
    "cannot_tell": "How many pairs the judge could not grade.",
    "shared": "How many of the pairs that the judge graded another judge graded too.",
    "given": "How many times the judge gave each grade.",
    "mean": "The mean of the judge's grades; null without any.",
    "leans": LEANS,
    "percent": "The share of grades of others, of the same pairs, that are the judge's; null without shared pairs.",
    "kappa": KAPPA,
    "confusion": "For each grade of others (rows), how often the judge gave each grade (columns), grades rising.",
}

PERIOD = {
    "judge": JUDGE,
    "kind": "What a period is: a version of the guideline, a month, a week or a day.",
    "period": "The version of the guideline, or the time, of this period.",
    "shared": "How many pairs that the judge graded in it another judge graded too.",
    "percent": "The judge's mean agreement with others in it, from 0 to 1.",
    "kappa": KAPPA,
    "leans": LEANS,
    "change": "In the last period, by how much `percent` is above that of the first; else null.",
}

DISPUTE = "The mean distance of two judges of a pair, as a share of the largest there is, from 0 to 1."

DISPUTED = {
    "query": "The query of the pair.",
    "item": "The item of the pair.",
    "dispute": DISPUTE,
    "grades": "The grade of the pair by each judge who gave one.",
}

DISPUTED_QUERY = {
    "query": "The query whose pairs are disputed.",
    "pairs": "How many of its pairs two judges or more graded.",
    "dispute": "The mean dispute of these pairs, from 0 to 1.",
    "percent": "Their mean percent agreement, from 0 to 1.",
}

RESCORED = {
    "judge": "The judge whose grades count; of the standard, what it is made of.",
    "figures": "The mean of the measure of each system; null where undefined.",
    "best": "The name of the best system; null where no system has a figure on both sides.",
    "tau": "Kendall's tau of the order of the systems and that of the standard; null where one ties all systems.",
    "swapped": "How many pairs of systems stand in the opposite order.",
}

EFFECT = {
    "measure": "The measure by which systems are put into an order.",
    "by": "What the standard is made of: the judge of `reference`, or the middle grade of a pair's judges.",
    "tau": "The lowest tau of a judge; null where none has one.",
    "standard": "The systems by the grades that are held to be right.",
    "judges": "The systems where the grades of each judge stand in for those of the standard.",
}

AGREE = DOCUMENT | {
    "name": "What the judgments are called.",
    "judges": "The names of the judges.",
    "pairs": "How many pairs of query and item have a grade.",
    "shared": "How many pairs two judges or more graded.",
    "queries": "How many queries have a graded pair.",
    "level": "The level of measurement at which alpha was asked for.",
    "unit": "What the bootstrap draws: pairs, or queries with all their pairs.",
    "seed": INTERVAL["seed"],
    "reference": "The judge that the others are held against; null: each is held against all others.",
    "prevalence": "The share of each grade among all grades, from 0 to 1.",
    "overall": "The agreement of all judges together, by coefficient.",
    "between": "The agreement of each two judges who share pairs.",
    "by_judge": "Each judge beside all others, or beside the reference.",
    "drift": "How each judge agreed with others from period to period; empty where times are not known.",
    "disputed": "The pairs whose judges are furthest apart, the worst first.",
    "disputed_queries": "The queries with pairs of two judges or more, the most disputed first.",
    "effect": "What disagreement does to the order of systems, by measure; empty without runs.",
    "notices": RUN["notices"],
}
