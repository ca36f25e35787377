"""What the keys of the list of measures mean."""

from assay.report.schema.words.evaluation import DOCUMENT

PARAMETER = {
    "name": "The name of the parameter.",
    "default": "Its value where none is given; null where it is not set then.",
    "meaning": "What the parameter does, in words.",
    "allowed": "The values that are allowed, in words.",
}

MEASURE = {
    "name": "The name of the measure.",
    "aliases": "Other names by which it may be asked for.",
    "trec_eval": "Its names in trec_eval, {k} standing for the cutoff; empty where it has none there.",
    "family": "The title of the family of measures that it belongs to.",
    "definition": "What the measure tells, in words.",
    "formula": "Its formula, in LaTeX.",
    "remarks": "What else is to be known of it; empty where that is nothing.",
    "source": "Where the measure was published.",
    "example": "An example in Python with its result.",
    "lowest": "The lowest value it can have; null without a limit.",
    "highest": "The highest value it can have; null without a limit.",
    "higher_is_better": "Whether a higher value is better.",
    "needs_cutoff": "Whether a cutoff has to be given.",
    "defined_without_relevant": "Whether a query without a relevant item has a value.",
    "summed": "Whether a run is described by the sum over its queries, not by their mean.",
    "without_answer": "What a query without any answer counts; null where it is undefined then.",
    "exact_ties": "Whether it has an exact mean over all orders of tied items.",
    "parameters": "The parameters that the measure takes.",
}

MEASURES = {
    "assay": DOCUMENT["assay"],
    "measures": "Every measure that was asked for, or all.",
}
