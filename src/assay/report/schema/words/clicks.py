"""What the keys of grades made of clicks mean."""

from assay.report.schema.words.evaluation import DOCUMENT, INPUT, INTERVAL, RUN

FILE = {name: INPUT[name] for name in ("path", "sha256")}

LOG = {
    "name": "What the log is called.",
    "files": "The files that the log was read from.",
    "shown": "How often items were shown, over the whole log.",
    "clicks": "How many clicks the log holds.",
    "queries": "How many queries the log holds.",
    "pairs": "How many pairs of query and item the log holds.",
    "searches_with_a_click": "How many searches have a click; null where the model does not follow searches.",
}

MODEL = {
    "propensities": "Where the chance that a rank is looked at is from: given, or estimated from the log (em).",
    "steps": "The most steps that the model is fitted by.",
    "tolerance": "The change of a step below which the fit has come to rest.",
    "clip": "The lowest chance of being looked at by which a click is weighted.",
}

SETTINGS = {
    "min_exposure": "How often a pair must have been looked at to get a grade.",
    "prior": "How many looks the mean of all pairs is worth, beside those of a pair.",
    "mean": "The mean of all pairs to which each estimate is pulled.",
    "level": INTERVAL["level"],
    "interval": "How the intervals of grades are computed.",
    "model": "What the model was set to; empty where it has no settings.",
}

FIT = {
    "steps": "How many steps the fit took.",
    "converged": "Whether the fit came to rest.",
    "change": "How far the fit moved in its last step.",
}

RANK = {
    "rank": "The rank, from 1.",
    "shown": "How often an item was shown at the rank.",
    "clicks": "How many clicks items at the rank got.",
    "rate": "The share of showings at the rank that were clicked.",
    "looked_at": "How likely an item shown at the rank is looked at; null where the model says nothing.",
}

GRADE = {
    "attraction": "The share of looks at the item that led to a click; null where there is none to tell.",
    "satisfaction": "The share of clicks on the item that were the last of their search; null without clicks.",
    "query": "The query of the pair.",
    "item": "The item of the pair.",
    "grade": "The grade of the pair: its estimate, pulled to the mean of all pairs.",
    "low": "The lower end of the interval of the grade.",
    "high": "The upper end of the interval of the grade.",
    "raw": "The estimate of the model before it is pulled to the mean.",
    "examined": "How often the item was looked at, as far as the model can tell.",
    "shown": "How often the item was shown for the query.",
    "clicks": "How many clicks the item got for the query.",
}

CLICKS = DOCUMENT | {
    "model": "The click model that makes the grades.",
    "log": "What the click log holds.",
    "settings": "By what terms the log was graded.",
    "graded": "How many pairs have a grade.",
    "few": "How many pairs were looked at too seldom for a grade.",
    "undefined": "How many pairs the model can say nothing of.",
    "fit": "How the fit ended; null where the model is not fitted step by step.",
    "ranks": "How often each rank was shown and clicked; null where the model needs no ranks.",
    "grades": "Every pair with a grade, by query and item.",
    "notices": RUN["notices"],
}
