"""What the keys of a threshold on predicted triples mean."""

from assay.report.schema.words import evaluation as shared

CUT = {
    "labels": "How many labels have at least the score of the threshold.",
    "right": "How many of them are right.",
    "precision": "The share of them that is right, from 0 to 1; null without any.",
    "low": "The lower bound of the precision at the stated confidence.",
}

THRESHOLD = {
    "group": "The relation that it is of, or all.",
    "score": "The lowest score from which on triples are admitted; null where none is sure to reach the precision.",
    "chosen": "What the labels that it was chosen by say from this score on; null without a score.",
    "checked": "What other labels say from this score on; null without any.",
    "floor": "The precision of what train lacks if every new triple were wrong; null where nothing is admitted.",
    "why": "Why there is no score; empty where there is one.",
    "positives": "How many labels that it was chosen by are right.",
    "negatives": "How many labels that it was chosen by are wrong.",
    "candidates": "How many triples were scored as candidates.",
    "admitted": "How many candidates that no split holds have at least this score.",
    "held": "How many candidates that valid or test holds have at least this score.",
    "known": "How many candidates that train holds have at least this score.",
}

BIN = {
    "low": "The lowest probability in the bin.",
    "high": "The highest probability in the bin.",
    "labels": "How many labels are in the bin.",
    "stated": "The mean probability that was stated for them.",
    "right": "The share of them that is right, from 0 to 1.",
}

CALIBRATION = {
    "method": "How scores become probabilities: sigmoid (of the score itself), platt or isotonic (fitted to labels).",
    "error": "The expected calibration error over the bins; 0 is best.",
    "brier": "The mean squared error of the probabilities; 0 is best.",
    "labels": "How many labels it is measured on, none of them fitted to.",
    "bins": "The labels by neighbouring probability.",
}

TRIPLE = {
    "head": "The head of the triple.",
    "relation": "The relation of the triple.",
    "tail": "The tail of the triple.",
    "score": "Its score by the model.",
    "probability": "The chance that it is right by isotonic calibration; null without right and wrong labels.",
    "split": "The split that holds it, valid or test; null: new.",
}

FACTS = {
    "questions": "How many questions (head, relation, ?) were asked.",
    "entities": "How many entities may answer each.",
    "candidates": "How many candidate triples that makes.",
    "asked": "Where the questions come from: train (those it holds) or given.",
}

THRESHOLDS = shared.DOCUMENT | {
    "model": "What the model is called.",
    "graph": "What the graph is called.",
    "precision": "The precision that is wanted, from 0 to 1.",
    "confidence": "How sure a threshold is to reach it, such as 0.95.",
    "labels": "Where right and wrong come from: labelled, or closed-world (whatever no split holds is wrong).",
    "thresholds": "The threshold over all triples first, then, where asked for, those of relations.",
    "calibration": "How well scores tell probabilities, by method; empty where labels do not tell.",
    "triples": "The admitted triples that train lacks, at most as many as were to be listed, the highest scores first.",
    "facts": "How much was asked of the model.",
    "notices": shared.RUN["notices"],
}
