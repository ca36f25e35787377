"""What the keys of the quality and of the drift of vectors mean."""

from assay.report.schema.words import evaluation as shared

VECTORS = {
    "name": "What the vectors are called.",
    "rows": "How many vectors there are.",
    "dimensions": "How many numbers each vector has.",
    "zeros": "How many vectors are all zeros.",
    "copies": "How many vectors are copies of an earlier one.",
}

FIGURE = {name: shared.FIGURE[name] for name in ("requested", "low", "high", "undefined", "interval")} | {
    "mean": "The mean over the items asked; null where undefined.",
    "queries": "How many items, or queries of the gold, it is the mean over.",
    "ties": "Always null: no range over ties is computed here.",
}

LABEL = {
    "label": "The label of the items.",
    "items": "How many items with this label were asked.",
    "precision": "The mean share of their neighbours with the same label, from 0 to 1.",
    "chance": "What that share would be for neighbours drawn at random.",
}

LABELS = {
    "measures": shared.RUN["measures"],
    "chance": "The mean share of neighbours with the same label if they were drawn at random.",
    "ceiling": "The highest share of the same label among `k` neighbours that the sizes of labels allow.",
    "unlabelled": "How many items have no label: they are neither asked nor right.",
    "alone": "How many items are the only ones of their label and not asked.",
    "labels": "The figures of each label, the worst first.",
}

INDEX = {
    "measures": shared.RUN["measures"],
    "queries": "How many items the index was asked with.",
    "own": "In how many lists the item itself stands; that place does not count.",
    "repeated": "How many places hold an item a second time; they do not count.",
    "unknown": "How many places hold an item that is none of the vectors; they do not count.",
    "short": "How many lists hold fewer than `k` places that count.",
}

HUB = {
    "name": "What the item is called.",
    "times": "In how many lists of neighbours it stands.",
}

HUBS = {
    "skewness": "The skewness of how often items stand in lists of others; above 1 a few crowd them; null: all alike.",
    "anti_hubs": "The share of items that stand in no list, from 0 to 1.",
    "crowded": "The share of all places that the 1 % most frequent items take, from 0 to 1.",
    "hubs": "The items that stand in most lists, at most five.",
}

CLUSTERING = {
    "items": "How many items have both a cluster and a label.",
    "clusters": "How many clusters they form.",
    "types": "How many labels they have.",
    "precision": "The B-cubed precision: of an item's cluster, the mean share with its label, from 0 to 1.",
    "recall": "The B-cubed recall: of the items with its label, the mean share in its cluster, from 0 to 1.",
    "f1": "The harmonic mean of precision and recall.",
    "adjusted_rand": "The adjusted Rand index: 0 for what chance would give, 1 for the same partition.",
    "method": "Where the clusters come from: given, or made by k-means.",
    "seed": shared.EVALUATE["seed"],
}

ASKED = {
    "metric": "How near vectors are: by cosine, dot product or Euclidean distance (l2).",
    "k": "How many neighbours each item has.",
    "notices": shared.RUN["notices"],
}

EVALUATE = (
    shared.DOCUMENT
    | ASKED
    | {
        "inputs": "The files that the result was made of.",
        "seed": shared.EVALUATE["seed"],
        "vectors": "What the vectors are.",
        "queries": "For how many vectors neighbours were looked for.",
        "similar": "The figures by gold similar sets, by measure; null where none were given.",
        "labels": "Whether neighbours have the same label; null where no labels were given.",
        "index": "How many exact neighbours an approximate index finds; null where none was given.",
        "hubs": "How unevenly items are neighbours of others; null where not all are asked, or all are neighbours.",
        "clustering": "How clusters and labels agree; null where no labels were given.",
    }
)

TYPE = {
    "type": "The type of the items.",
    "items": "How many shared items have this type.",
    "overlap": "The mean share of neighbours that they kept, from 0 to 1.",
    "displacement": "The mean of how far they moved, as in `moved`; null for vectors of zeros.",
}

MOVED = {
    "name": "What the item is called.",
    "displacement": "How far it moved after turning both versions onto each other: 1 minus the cosine, or a distance.",
    "overlap": "The share of its neighbours that it kept, from 0 to 1.",
    "gained": "Neighbours that only the new version has, the nearest first, at most five.",
    "lost": "Neighbours that only the old version has, the nearest first, at most five.",
}

RETRAINING = {
    "signal": "Whether to act: true if both `moved` and `worse` are, false if one is not, null: cannot be told.",
    "moved": "Whether neighbours changed more than training again explains; null: cannot be told.",
    "worse": "Whether the measured task lost, beyond chance; null: cannot be told.",
    "noise": "The mean overlap of the old version and its twin trained again; null without a twin.",
    "loss": "The mean change of the task, below 0 where it lost; null without a task.",
    "excess": "The interval of overlap minus noise, item by item; null without a twin.",
    "task": "The test of the change of the task; null without a task.",
    "needs": "What is missing to tell, in words.",
}

DRIFT = (
    shared.DOCUMENT
    | ASKED
    | {
        "old": "What the old vectors are.",
        "new": "What the new vectors are.",
        "shared": "How many items all versions have.",
        "measures": shared.RUN["measures"],
        "types": "The drift of each type, the least kept first; empty where no types were given.",
        "moved": "The items that moved farthest.",
        "retraining": "Whether the drift calls for action, and why.",
    }
)
