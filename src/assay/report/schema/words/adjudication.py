"""What the keys of an adjudication mean."""

from assay.report.schema.words.evaluation import DOCUMENT, RUN

PAIR = {
    "query": "The query of the pair.",
    "item": "The item of the pair.",
    "grade": "The settled grade; null where the pair is open.",
    "by": "What settled it: majority, dawid-skene or known (by what was settled before); open: nothing did.",
    "certainty": "The probability of the grade, or its share of votes, from 0 to 1; null where nobody could tell.",
    "judges": "How many judges gave the pair a grade.",
    "votes": "What each judge said, as text.",
    "majority": "The grade that most judges gave; null where they are tied.",
    "entropy": "How doubtful the grade is, in bits; 0 is certain.",
    "gap": "How far apart the two likeliest grades are.",
    "effect": "How far the other grade moves the mean of the measure, in the run it moves most; null: not measured.",
    "priority": "What it is worth to look again: entropy times effect, or times gap where no effect was measured.",
}

JUDGE = {
    "name": "The name of the judge.",
    "kind": "Whether the judge is a person or a machine.",
    "judgments": "How many grades the judge gave.",
    "agreement": "The share of those on settled pairs that is the settled grade; null where there is none.",
    "confusion": "For pairs of each grade (rows), how likely the judge says each grade (columns), by the model.",
}

TOGETHER = {
    "group": "Whether the judges of the group are people or machines.",
    "judges": "How many judges of the group were compared.",
    "pairs": "How many pairs of judges were compared.",
    "against": "What their errors are counted against, in words.",
    "correlation": "The mean correlation of the errors of two judges; null where it cannot be measured.",
    "independent": "The correlation that independent judges with the same habits would show.",
    "effective": "How many independent judges they are worth; null where it cannot be told.",
    "closest": "The two judges who err most alike, and the correlation of their errors; null where unknown.",
}

COUNTS = {
    "pairs": "How many pairs of query and item were judged.",
    "settled": "How many of the pairs have a settled grade.",
    "open": "How many of the pairs nothing settles.",
}

FIT = {
    "iterations": "How many steps the model of Dawid and Skene was fitted by.",
    "converged": "Whether the fit came to rest.",
    "smoothing": "What is added to each count of a confusion before shares are taken.",
    "log_likelihood": "The logarithm of the likelihood of the judgments by the model.",
    "prior": "How common the model takes each of `grades` to be, from 0 to 1.",
}

CHECK = {
    "method": "The method that is checked.",
    "pairs": "How many pairs with a known answer it was checked by.",
    "open": "How many of them the method leaves open.",
    "right": "The share of them that the method has right; null where there is none to tell.",
    "kappa": "Cohen's kappa of the method and the known answers; null where undefined.",
}

ADJUDICATE = DOCUMENT | {
    "inputs": "The files that the result was made of.",
    "name": "What the judgments are called.",
    "method": "The method that settles grades.",
    "why": "Why this method was chosen; empty where it was asked for.",
    "grades": "The grades that there are, rising.",
    "counts": "How many pairs were judged, settled and left open.",
    "fit": "How the model of Dawid and Skene was fitted.",
    "judges": "Each judge beside the settled grades.",
    "together": "How far people err together, and how far machines do.",
    "checks": "How often each method is right where the answer is known; empty without known answers.",
    "measure": "The measure by which effects are measured; null without runs.",
    "runs": "The names of the runs by which effects are measured.",
    "queue": "The pairs that somebody should look at again, the most rewarding first.",
    "pairs": "Every pair, by query and item.",
    "notices": RUN["notices"],
}
