"""What the keys of the gaps of a graph mean."""

from collections.abc import Mapping

from assay.core.gaps import CAUSES, SOURCES
from assay.report.schema.words import evaluation as shared


def _listed(what: str, values: Mapping[str, str]) -> str:
    return f"{what}; {'; '.join(f'{name}: {meaning}' for name, meaning in values.items())}."


CAUSED = {
    "questions": "How many questions failed by it.",
    "lost": "The answer recall that they lose, each question by its weight.",
}

FAILURE = {
    "question": "The id of the question.",
    "text": "The text of the question.",
    "cause": _listed("Why it failed, the first that holds", CAUSES),
    "evidence": "What shows the cause, in words.",
    "recall": "The share of its right answers that were found, from 0 to 1; 1 where nothing is right.",
    "weight": "How much the question counts.",
    "lost": "The answer recall that is lost, times the weight.",
}

MISSING = {
    "subject": "The subject of the fact, as N-Triples writes it; null where nobody knows it.",
    "predicate": "The property of the fact.",
    "object": "The object of the fact, as N-Triples writes it; null where nobody knows it.",
    "source": _listed("What says that it is missing", SOURCES),
    "demand": "The weight of the questions that need it.",
    "lost": "The answer recall that they lose by it, by weight.",
    "questions": "The ids of those questions.",
}

PREDICATE = {
    "predicate": "The property that facts are missing of.",
    "missing": "How many facts of it are missing.",
    "questions": "How many questions need them.",
    "demand": "The weight of the questions, summed over the facts.",
    "lost": "The answer recall lost, summed over the facts.",
    "ratio": "How complete the property is, from 0 to 1; null where that was not measured.",
}

POINT = {
    "kept": "The share of the statements that is kept, from 0 to 1.",
    "statements": "How many statements that is.",
    "recall": "The mean recall of the questions, the mean over all draws.",
    "lowest": "The lowest mean recall of a draw.",
    "highest": "The highest mean recall of a draw.",
    "full": "The share of questions that keep all their answers, from 0 to 1, the mean over all draws.",
    "expected": "What independent losses would leave of answers with one proof each; null where no question is traced.",
}

CURVE = {
    "questions": "How many questions have an answer on the whole graph.",
    "traced": "For how many of them it is known how many facts an answer takes.",
    "repeats": "How often each share is drawn.",
    "seed": shared.EVALUATE["seed"],
    "statements": "How many statements the whole graph has.",
    "points": "The answers that are left, by share kept.",
}

LINK = {
    "subject": "The subject of the link, as N-Triples writes it.",
    "predicate": "The property of the link.",
    "object": "The object of the link, as N-Triples writes it.",
    "answers": "How many of the answers counted in `invalid` rest on it.",
}

RESTING = {
    "found": "How many right answers were found.",
    "traced": "How many of them are traced to the facts that they rest on.",
    "invalid": "How many traced answers have an invalid link in every proof.",
    "some": "How many traced answers have an invalid link in some proof, but not in every one.",
    "share": "The share of traced answers counted in `invalid`, from 0 to 1; null where none is traced.",
    "recall": "The mean recall of the questions whose answers are traced, by weight; null where there is none.",
    "sound": "The same recall without the answers counted in `invalid`; null where there is none.",
    "questions": "How many questions have traced answers.",
    "interval": "The interval of `share`; null where none is traced.",
    "untraced": "How many questions are not traced, by the reason why.",
    "links": "The invalid links that most answers rest on, at most 20.",
}

GAPS = shared.DOCUMENT | {
    "graph": "What the graph is called.",
    "suite": "The suite of questions: its file, or its name without one.",
    "questions": "How many questions were judged.",
    "recall": "Their mean recall, weighed by demand, from 0 to 1; null where nothing is right.",
    "causes": "How many questions failed for each cause, and what that costs.",
    "failures": "The questions that did not get all right answers, the most costly first.",
    "missing": "The facts that the graph lacks, the most costly first.",
    "predicates": "What is missing of each property, the most costly first.",
    "curve": "What a less complete graph would answer; null where that was not asked for.",
    "resting": "How many right answers rest on invalid links; null where no rules were held against the graph.",
    "notices": shared.RUN["notices"],
}
