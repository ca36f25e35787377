"""What the keys of entity resolution mean, beside those of any evaluation."""

from assay.report.schema.words.evaluation import DOCUMENT, RUN

NOTICES = {"notices": RUN["notices"]}

TRUTH = {
    "kind": "What the truth is made of.",
    "records": "How many records are known, from every file; of mentions, how many the truth has.",
    "labelled": "How many of them carry a label, NIL of a mention among them.",
    "entities": "How many entities they belong to; NIL is none.",
    "true_pairs": "How many pairs of records that are asked for are true; null for mentions.",
    "sources": "How many sources the records come from; 1 where nothing says it.",
}

BY_SOURCES = {
    "left": "The source of the records that are asked for.",
    "right": "The source of their candidates.",
    "records": "How many records have a match there.",
    "measures": "Each measure over these records; null where undefined.",
}

RECORDS = {
    "asked": "How many labelled records are asked for their matches.",
    "with_match": "How many of them have a true match.",
    "without_match": "How many of them have none.",
    "without_candidates": "How many of those asked for have no candidate.",
    "rightly_without_candidates": "How many have no candidate and no match.",
    "candidates": "How many candidates the records asked for have in all, each once for a record.",
    "unlabelled": "How many records in these candidates carry no label; they are not asked for.",
    "unlabelled_candidates": "How many candidates are such records; they count as wrong.",
    "by_sources": "The measures of the records of each source among candidates of each other.",
}

BLOCKING = {
    "rows": "How many rows the candidates have.",
    "distinct": "How many pairs that are asked for they hold, each once, whatever its direction.",
    "redundant": "How many rows say a pair again.",
    "own": "How many rows hold a record with itself.",
    "within": "How many pairs, each once, lie within one source where only those across are asked for; none counts.",
    "unlabelled": "How many pairs hold a record without a label.",
    "found": "How many of the pairs are true.",
    "true_pairs": "How many of the pairs that are asked for are true, candidates or not.",
    "possible": "How many pairs there could be.",
    "pair_completeness": "Found over true pairs; null where none is true.",
    "pair_quality": "Found over the distinct labelled pairs; null where there are none.",
    "quality_low": "Pair quality with all unlabelled pairs wrong; null where undefined.",
    "quality_high": "Pair quality with all unlabelled pairs right; null where undefined.",
    "reduction_ratio": "The share of the possible pairs that nobody has to compare; null where there are none.",
    "f_score": "The harmonic mean of pair completeness and reduction ratio; null where undefined.",
}

SCORER = {
    "threshold": "The score from which on a pair is a match, given or of the best F1; null where every pair is one.",
    "true_pairs": "How many pairs are true.",
    "blocked": "How many of them reach the scorer through blocking.",
    "found": "How many true pairs score at least the threshold, by whatever way they came.",
    "found_blocked": "How many of those found came through blocking.",
    "beyond": "How many pairs were scored that blocking did not keep.",
    "blocking_recall": "Blocked over true pairs; null where none is true.",
    "scorer_recall": "Found through blocking over blocked pairs; null where none is.",
    "end_to_end_recall": "Found over true pairs; null where none is true.",
}

LINKING = {
    "mentions": "How many mentions are asked for.",
    "known": "How many of them have an entity.",
    "nil": "How many of them have none (NIL).",
    "silent": "How many mentions have no candidate, which says NIL.",
    "answered_nil": "How many mentions have NIL as their first answer, silent ones among them.",
    "accuracy": "The share of mentions whose first answer is right; null of none.",
    "accuracy_known": "The same of the mentions with an entity; null of none.",
    "accuracy_nil": "The same of the mentions without one; null of none.",
    "nil_precision": "The share of the NIL answers that are right; null of none.",
}

PAIR_COUNTS = {
    "true_positives": "How many proposed pairs are true.",
    "false_positives": "How many proposed pairs are not.",
    "false_negatives": "How many true pairs were not proposed.",
    "possible": "How many pairs there could be; null where the number of records is not known.",
    "true_negatives": "How many pairs are neither true nor proposed; null where the number of records is not known.",
}

AGREEMENT = {
    "precision": "How much of what was proposed is right; null where nothing was proposed or computed.",
    "recall": "How much of what is right was proposed; null where nothing is right or computed.",
    "f1": "The harmonic mean of both; null where undefined.",
    "counts": "The counts that these are made of.",
}

PAIRS_OF_SOURCES = PAIR_COUNTS | AGREEMENT | {"left": "One of the sources.", "right": "The other source, or the same."}

BOUND = {
    "figure": "The figure that is bounded.",
    "low": "No labels for the records without one bring it lower; null where undefined.",
    "high": "No labels for the records without one bring it higher; null where undefined.",
    "exact": "Whether some labels reach both ends, or they are outer bounds.",
}

POINT = {
    "threshold": "The score from which on pairs are proposed here.",
    "true_positives": PAIR_COUNTS["true_positives"],
    "false_positives": PAIR_COUNTS["false_positives"],
    "precision": "How much of what is proposed is true.",
    "recall": "How much of what is true is proposed; null where nothing is true.",
    "f1": "The harmonic mean of both.",
    "false_positive_rate": "The share of the untrue pairs that is proposed; null where none are known.",
}

CURVE = {
    "thresholds": "How many different thresholds there are.",
    "best": "The one of all with the highest F1.",
    "average_precision": (
        "The area under precision over recall, pairs never proposed counted as missed; null where nothing is true."
    ),
    "roc_area": "The chance that a true pair scores above another, among all possible pairs; null where undefined.",
    "roc_area_proposed": "The same chance among the proposed pairs; null where undefined.",
    "points": "Some of the thresholds, the highest first.",
}

PAIRS = NOTICES | {
    "pairs": "The pairs at the threshold.",
    "pairwise": "Precision, recall and F1 of the pairs.",
    "threshold": "The score from which on pairs are matches; null where all proposed pairs count.",
    "curve": "How precision and recall change with the threshold; null where pairs have no score.",
    "left_out": (
        "How many true and proposed rows make no figure, by reason: self (a record with itself), repeats, within (one "
        "source); and how many pairs are unlabelled."
    ),
    "by_sources": "The pairs of each two sources.",
    "bounds": "What labels for the records without one could change.",
}

PART = {
    "cluster": "A cluster of the other side; null for a record that the other side has in none.",
    "records": "How many records both clusters share.",
    "members": "The first of these records.",
}

REGROUPED = {
    "cluster": "The cluster that the other side has in several.",
    "records": "How many records it has.",
    "pieces": "In how many parts the other side has them.",
    "parts": "The largest of these parts.",
}

SIZE = {
    "low": "The least number of records of the true clusters counted here.",
    "high": "The greatest number of records of these; null without a limit.",
    "clusters": "How many true clusters there are of that size.",
    "records": "How many records they hold.",
    "exact": "How many of these clusters are proposed as they are.",
    "split": "How many of these clusters lie in several proposed ones.",
    "merged": "How many of these clusters share a proposed one with others.",
    "pairwise_recall": "The share of their pairs that is kept together; null for single records.",
    "b_cubed_precision": "The mean precision of their records, by B-cubed.",
    "b_cubed_recall": "The mean recall of their records, by B-cubed.",
}

CLUSTERS = NOTICES | {
    "records": "How many records carry a label, and make the figures.",
    "unlabelled": "How many carry none, and are kept out.",
    "missing": "How many carry a label and are in no proposed cluster; each counts as a cluster of its own.",
    "true_clusters": "How many clusters are true.",
    "proposed_clusters": "How many proposed clusters hold a labelled record, each of the missing ones among them.",
    "split": "How many true clusters lie in several proposed ones.",
    "merged": "How many proposed clusters hold several true ones.",
    "pairs": "The pairs of labelled records that the clusters make; across sources, where only those are asked for.",
    "pairwise": "Agreement on pairs of records.",
    "b_cubed": "B-cubed, as means over records.",
    "b_cubed_by_cluster": "B-cubed, as means over true clusters, each weighing the same.",
    "exact_cluster": "Agreement on whole clusters.",
    "muc": "MUC: agreement on the links that hold clusters together.",
    "ceaf_m": "CEAF by mentions: clusters aligned one to one, by shared records.",
    "ceaf_e": "CEAF by entities: clusters aligned one to one, by their likeness.",
    "lea": "LEA: agreement on links, clusters weighed by size.",
    "homogeneity": "How far each proposed cluster holds one entity alone, from 0 to 1.",
    "completeness": "How far each entity lies in one proposed cluster, from 0 to 1.",
    "v_measure": "The harmonic mean of homogeneity and completeness.",
    "adjusted_rand": "The adjusted Rand index: agreement on pairs above chance, at most 1.",
    "splits": "The largest true clusters that were split.",
    "merges": "The largest proposed clusters that merge several.",
    "by_size": "The figures by size of the true clusters.",
    "by_sources": "The pairs of each two sources.",
    "bounds": "What labels for the records without one could change.",
}

OF_RUN = {
    "kind": "What the proposal is made of.",
    "records": "The records behind the measures; null where the kind has none.",
    "blocking": "The candidates as a set of pairs; null where the kind has none.",
    "scorer": "Where true pairs are lost, in blocking or by the scorer; null without `--blocked`, or of no pairs.",
    "pairs": "The proposed pairs against the true ones; null where the kind has none.",
    "clusters": "The proposed clusters against the true ones; null where the kind has none.",
    "linking": "Mentions linked to entities; null where the kind has none.",
}

BESIDE = NOTICES | {
    "mode": (
        "What is asked for. dedupe: all pairs of records; link: pairs across sources; both: pairs within sources and "
        "across; mentions: the entity of each mention."
    ),
    "truth": "What the truth holds.",
    "runs": "The proposals, in the order in which they were named.",
}

ESTIMATE = {
    "value": "The figure of the population, as the sample says it; null where undefined.",
    "error": "Its standard error; null where nothing can be said.",
    "low": "The lower end of its interval; null where nothing can be said.",
    "high": "The upper end of its interval; null where nothing can be said.",
    "interval": "The whole interval; null where nothing can be said.",
}

SAMPLED = (
    DOCUMENT
    | NOTICES
    | {
        "sample": "The file of the sampled true clusters.",
        "proposed": "The file of the proposed clusters.",
        "design": "How the true clusters were drawn: each alike, by drawing records, or by given weights.",
        "level": "The confidence of the intervals, such as 0.95.",
        "population": "How many true clusters there are, or about so many.",
        "population_given": "Whether that number was given, or is estimated.",
        "share": "The share of the true clusters that was sampled.",
        "clusters": "How many true clusters were sampled.",
        "records": "How many records these have.",
        "missing": "How many of these records are in no proposed cluster.",
        "estimates": "Precision, recall and F1 of each figure, as the sample says them.",
    }
)

CHANGE = {
    "fate": "What became of clusters; regrouped: several became several others.",
    "before": "How many clusters of before met this fate.",
    "after": "How many clusters of after came of it.",
    "records": "How many records these hold.",
}

PAIRS_BEFORE = {
    "kept": "How many pairs of records stayed together.",
    "parted": "How many pairs of records were parted.",
    "joined": "How many pairs of records came together.",
    "possible": "How many pairs there could be; null where that is not known.",
}

SIZE_BEFORE = {
    "low": "The least number of records of the clusters counted here.",
    "high": "The greatest number of records of these; null without a limit.",
    "clusters": "How many clusters of before there are of that size.",
    "records": "How many records they hold.",
    "kept": "How many of these clusters stayed as they were.",
    "split": "How many of these clusters became several.",
    "merged": "How many of these clusters became one with others.",
    "regrouped": "How many of these clusters became, with others, several others.",
}

CHURN = (
    DOCUMENT
    | NOTICES
    | {
        "before": "The file of the clusters before.",
        "after": "The file of the clusters after.",
        "records": "How many records both have; all figures are over these.",
        "removed": "How many records are in before alone.",
        "added": "How many records are in after alone.",
        "before_clusters": "How many clusters there were before.",
        "after_clusters": "How many clusters there are after.",
        "resized": "How many clusters were kept, but lost or won records of one side alone.",
        "changes": "How many clusters met each fate.",
        "moved": "How many records must change clusters at the least; null where a notice says why not.",
        "pairs": "What became of pairs of records.",
        "rand": "The share of pairs on which both agree; null without a pair.",
        "adjusted_rand": "The adjusted Rand index: that agreement above chance, at most 1.",
        "by_size": "The fates by size of the clusters of before.",
        "splits": "The largest clusters of before that became several.",
        "merges": "The largest clusters of after that hold several of before.",
    }
)
