"""What the keys of an audit of a knowledge graph mean."""

from assay.report.schema.words import evaluation as shared

SPLIT = {
    "name": "The split: train, valid or test.",
    "triples": "How many different triples it has.",
    "repeats": "How many rows repeat a triple of the split and were left out.",
    "self_loops": "How many of its triples have one entity at both ends.",
    "in_train": "How many of its triples train holds too; null for train itself.",
    "at_other_time": "How many of its triples train holds at another time; null for train, or without times.",
    "reversed": "How many have their entities the other way round in train, by any relation; null for train itself.",
    "symmetric": "How many have them the other way round in train by the same relation; null for train itself.",
    "inverse": "How many have them the other way round in train by an inverse relation; null for train itself.",
    "same_pair": "How many have them in the same direction in train by another relation; null for train itself.",
    "unseen_triples": "How many of its triples have an entity or a relation that train lacks.",
    "unseen_entities": "How many of its entities train lacks.",
    "unseen_relations": "How many of its relations train lacks.",
    "rare_triples": "How many of its triples have an entity that stands in one triple of train.",
}

OVERLAP = {
    "first": "The one split.",
    "second": "The other split.",
    "triples": "How many triples stand in both.",
    "examples": "Some of those triples as head, relation and tail, at most five.",
}

PAIR = {
    "first": "The one relation.",
    "second": "The other relation.",
    "shared": "How many pairs of entities of train stand in both; of inverse relations turned round.",
    "of_first": "The share of the pairs of `first` that `shared` is, from 0 to 1.",
    "of_second": "The share of the pairs of `second` that `shared` is, from 0 to 1.",
    "test": "How many triples of test (valid without a test split) the other relation answers from train.",
}

RELATION = {
    "name": "What the relation is called.",
    "train": "How many triples it has in train.",
    "valid": "How many triples it has in valid.",
    "test": "How many triples it has in test.",
    "heads": "How many different heads it has in train.",
    "tails": "How many different tails it has in train.",
    "symmetric": "The share of its pairs that train holds the other way round as well; null where train has none.",
    "filled": "The share of all heads × all tails that are triples; null without two heads and two tails.",
}

COUNTS = {
    "error": "How many findings are errors.",
    "warning": "How many findings are warnings.",
    "note": "How many findings are notes.",
}

AUDIT = {
    "assay": shared.DOCUMENT["assay"],
    "graph": "What the graph is called.",
    "entities": "How many entities the graph numbers, in triples or not.",
    "relations": "How many relations the graph numbers, in triples or not.",
    "seen_entities": "How many entities train holds.",
    "seen_relations": "How many relations train holds.",
    "unseen_entities": "How many entities only other splits than train hold.",
    "unused_entities": "How many entities no split holds.",
    "single_entities": "How many entities stand in one triple of train.",
    "threshold": "The share of its pairs from which on a relation counts as inverse, symmetric or duplicate.",
    "cartesian_threshold": "The share of all heads × all tails from which on a relation counts as a Cartesian product.",
    "missing": "The splits that were not given.",
    "counts": "How many findings each level has.",
    "splits": "What is known of each split.",
    "overlaps": "The triples that each two splits share.",
    "inverse": "The pairs of relations that turn one another round by `threshold`, most test triples answered first.",
    "duplicate": "The pairs of relations that say the same by `threshold`, most test triples answered first.",
    "symmetric": "The relations whose `symmetric` reaches `threshold`, those with most test triples first.",
    "cartesian": "The relations whose `filled` reaches `cartesian_threshold`, those with most test triples first.",
    "per_relation": "All relations, those with most test triples first.",
    "findings": "What makes figures on this graph easier, harder or not comparable.",
}
