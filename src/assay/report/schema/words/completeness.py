"""What the keys of the completeness of a graph mean."""

from assay.report.schema.words import evaluation as shared

DIRECT = {
    "have": "How many entities stated to be of the class have enough values.",
    "of": "How many such entities there are, less those known to have no value.",
    "ratio": "The share of them with enough values, from 0 to 1; null: not evaluated.",
}

PAIR = {
    "class": "The IRI of the class.",
    "property": "The IRI of the property that the class should have.",
    "why": "What says so: shapes, axioms, usage (enough entities have it), or all (any entity has it).",
    "least": "How many values an entity should have at least.",
    "have": "How many entities have so many.",
    "of": "How many entities the class and its subclasses have, less those known to have no value.",
    "no_value": "How many entities are known to have no value.",
    "ratio": "The share of entities that have so many values, from 0 to 1; null: not evaluated.",
    "direct": "The same of entities whose stated type is the class itself.",
}

CLASS = {
    "class": "The IRI of the class.",
    "entities": "How many entities it has.",
    "properties": "Over how many properties its ratio is the mean.",
    "ratio": "The mean of the ratios of its properties, from 0 to 1; null: not evaluated.",
}

SCHEMA = {
    "ratio": "The mean of the classes' ratios, weighed by their entities, from 0 to 1; null: not evaluated.",
    "have": "How many expected properties of entities are there.",
    "of": "How many properties of entities are expected.",
    "share": "The share of them that is there, from 0 to 1; null where none is expected.",
    "threshold": "The share of a class from which on usage makes a property expected; null where usage tells nothing.",
    "subclasses": "Whether entities of subclasses count with those of a class.",
    "empty_strings_count": "Whether an empty string counts as a value.",
    "not_evaluated": "How many pairs of class and property have no entity to look at.",
    "classes": "The ratio of each class.",
    "pairs": "Each pair of a class and a property that it should have.",
}

RECAPTURED = {
    "first": "How many there are in the graph.",
    "second": "How many there are in the reference.",
    "both": "How many there are in both.",
    "total": "How many there are in the world, as Chapman's estimator tells.",
    "error": "The standard error of `total`.",
    "interval": "The interval of `total`.",
    "unseen": "How many of them are in neither, estimated.",
}

DOMAIN = {
    "unit": "What the reference lists: facts or entities.",
    "found": "How many of the reference are in the graph.",
    "of": "How many the reference lists.",
    "ratio": "The share that is in the graph, from 0 to 1; null where the reference is empty.",
    "drawn_from": "The size of the list that the reference is a sample of; 0: not known; null: it is the whole list.",
    "interval": "The interval of `ratio`; null where the reference is no sample.",
    "recaptured": "How many there are in the world, estimated; null where that was not asked for.",
    "missing": "Some of the reference that are not in the graph, as text, at most 100.",
}

ORACLE = {
    "rule": "The rule of thumb: cwa (what is absent is not), pca (one value is all), or least-N (N values are all).",
    "complete": "How many subjects it calls complete.",
    "of": "How many subjects should have a value.",
    "ratio": "The share that it calls complete, from 0 to 1; null without subjects.",
    "right": "How many of `judged` are complete; null without a reference.",
    "judged": "How many subjects of the reference it calls complete; null without a reference.",
    "truly": "How many subjects of the reference are complete; null without a reference.",
    "precision": "The share of `judged` that is complete, from 0 to 1; null where there is none.",
    "recall": "The share of the complete ones that it calls so, from 0 to 1; null where there is none.",
}

RELATION = {
    "property": "The IRI of the property.",
    "subjects": "How many subjects have a value.",
    "values": "How many values they have.",
    "of": "How many subjects should have a value.",
    "functionality": "Subjects for each value: at 1 every subject has one value; null without values.",
    "oracles": "What each rule of thumb calls complete.",
    "found": "How many values of the reference are in the graph; null without a reference.",
    "reference": "How many values the reference has; null without one.",
    "ratio": "The share of the reference's values that are in the graph, from 0 to 1; null without a reference.",
    "interval": "The interval of `ratio`; null where the reference is no sample.",
}

WANTED = {
    "property": "The IRI of the property.",
    "weight": "The share of the demand that needs it, from 0 to 1.",
    "ratio": "How complete it is, from 0 to 1; null: not evaluated.",
    "used": "Whether the graph uses it at all.",
    "gap": "The demand that meets nothing: weight times (1 - ratio); null: not evaluated.",
    "gap_share": "Its share of all gaps, from 0 to 1; null: not evaluated, or no gap at all.",
}

DEMAND = {
    "weighted": "The completeness that questions meet: the mean of ratios, weighed by demand; null: not evaluated.",
    "unweighted": "The plain mean of the same ratios; null: not evaluated.",
    "queries": "How many queries were read.",
    "unread": "How many questions have no query that could be taken apart.",
    "variable": "How many queries have a pattern whose property is not named.",
    "classes": "The share of the demand that needs each class, by its IRI.",
    "properties": "Each property in demand, and how complete it is.",
}

COMPLETENESS = shared.DOCUMENT | {
    "graph": "What the graph is called.",
    "inputs": "The files that the result was made of.",
    "schema": "Which entities have the properties that their class expects.",
    "domain": "How much of a reference is in the graph; null without one.",
    "relations": "How many of its values each subject of a property has, by property.",
    "demand": "What questions ask for, held against what is there; null without questions.",
    "notices": shared.RUN["notices"],
}
