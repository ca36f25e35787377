"""What the keys of the validity of links and of suspect statements mean."""

from assay.report.schema.words import evaluation as shared

LINKS = {
    "predicate": "The property; empty for all together.",
    "statements": "How many statements there are of a property that a rule looks at.",
    "wrong": "How many of them break a rule or more, each counted once.",
    "unclear": "Of how many that break none a rule could not tell.",
    "validity": "The share of statements that break no rule, from 0 to 1; null without statements.",
}

FAULT = {
    "subject": "The subject that breaks the rule, as N-Triples writes it.",
    "object": "The object beside it; null where the rule looks at no statements.",
}

RULE = {
    "rule": "The kind of rule, such as domain or range.",
    "about": "The property or class that it speaks of.",
    "expected": "What it wants: classes, a datatype, a number.",
    "source": "Where it comes from: an axiom, a shape, or default: it needs neither.",
    "unit": "What is counted: statements, subjects or objects.",
    "among": "The classes to whose members it is limited; empty where it speaks of all.",
    "evaluated": "Whether it touched anything.",
    "checked": "How many it was held against.",
    "wrong": "How many break it.",
    "unclear": "How many cannot be told, such as things without any type.",
    "validity": "The share that keeps it of those that can be told, from 0 to 1; null where none can.",
    "strict": "The same share with what cannot be told counted as wrong; null where it touched nothing.",
    "found": "What stands there instead, with counts, the most frequent first; not all of it.",
    "variety": "How many different things stand there instead.",
    "faults": "Some of what is wrong, in the order of terms.",
    "message": "Why it could not be evaluated; empty where it was.",
    "query": "A SPARQL query that lists all that is wrong.",
}

VALIDITY = shared.DOCUMENT | {
    "graph": "What the graph is called.",
    "statements": "How many statements the graph has.",
    "total": "All statements under a rule, together; null where too many are wrong to tell them apart.",
    "predicates": "The same by property; null where too many are wrong to tell them apart.",
    "rules": "Each rule, and what it found.",
    "notices": shared.RUN["notices"],
}

SUSPECT = {
    "subject": "The subject of the statement.",
    "predicate": "The predicate of the statement.",
    "object": "The object of the statement.",
    "score": "How suspect it is: the sum over signs of -log10 of the share of statements that show it as strongly.",
    "signs": "How strong each sign is that makes it suspect, from 0 to 1.",
    "wrong": "Whether people call it wrong; null where nobody judged it.",
}

SUSPECTS = shared.DOCUMENT | {
    "graph": "What the graph is called.",
    "statements": "How many statements the graph has.",
    "suspected": "How many statements have any sign at all.",
    "suspects": "The most suspect statements, the first ones of the list.",
    "labelled": "How many statements of the graph have a label.",
    "wrong": "How many of these are wrong.",
    "chance": "The share of wrong ones among them: the precision of a random order; null without labels.",
    "quality": "How well the list, and each sign alone, ranks wrong statements; null where no label says wrong.",
    "notices": shared.RUN["notices"],
}
