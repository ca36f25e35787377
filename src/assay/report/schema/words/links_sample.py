"""What the keys of a link predictor judged by drawn candidates mean."""

from assay.report.schema.words import evaluation as shared

ANCHORED = {
    "estimate": "The figure that ranks among all candidates would give, estimated from both.",
    "interval": "The interval of `estimate`.",
    "human": "The mean over the ranks among all candidates alone.",
    "human_interval": "The interval of `human`.",
    "machine": "The mean over all ranks among drawn candidates, corrected where a correction is known.",
    "lambda": "How far the ranks among drawn candidates are trusted; at 0 they count for nothing.",
    "correlation": "How alike both ranks of the same triples are, from -1 to 1; null where one of them does not vary.",
    "effective": "How many questions ranked among all candidates would tell as much alone; null where undefined.",
    "saved": "How many more these are than were ranked so; below 0 drawing did not help; null where undefined.",
    "queries_human": "How many ranks are among all candidates.",
    "queries_machine": "How many ranks are among drawn candidates.",
    "warnings": "few: fewer than 20 questions; weak: correlation below 0.3; unlike: those ranked among all differ.",
}

FIGURE = {
    "sampled": "The measure among drawn candidates alone: too good, and no estimate of anything.",
    "corrected": "The estimate of the measure among all candidates; null where no correction is known.",
    "interval": "How far other triples and draws could move `corrected`; null without it.",
    "exact": "The measure among all candidates for the triples ranked so; null where none were.",
    "exact_interval": "The interval of `exact`; null without it.",
    "corrected_there": "The corrected measure of the same triples, a check against `exact`; null without one of them.",
    "anchored": "The estimate from both, without bias; null where no triple is ranked among all candidates.",
    "needed": "How many triples to rank among all candidates for an interval of `width`; null where it cannot be told.",
    "higher_is_better": "Whether a higher value is better.",
}

SAMPLE = shared.DOCUMENT | {
    "model": "What the model is called.",
    "sampled": "Always true: these are no ranks among all candidates.",
    "protocol_name": "The name of this way of ranking; no figure is to be compared with one of another name.",
    "candidates": "Where candidates are drawn from: uniform (all entities), relation (those at that side) or hard.",
    "estimates": "What `corrected` is an estimate of, in words.",
    "measures": shared.RUN["measures"],
    "protocol": "Every convention under which the model was judged.",
    "seed": shared.EVALUATE["seed"],
    "width": "The width of an interval that `needed` is for.",
    "notices": shared.RUN["notices"],
    "negatives": "How many wrong answers were to be drawn for each triple and side.",
    "triples": "How many triples were asked about.",
    "of": "How many triples could have been asked about.",
    "exact_triples": "How many of the asked ones were ranked among all candidates as well.",
    "outside": "How many true entities are none of the candidates that their relation allows; they were ranked too.",
}
