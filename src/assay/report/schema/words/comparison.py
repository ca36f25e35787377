"""What the keys of a comparison mean, also of one within groups of queries."""

from assay.report.schema.words.evaluation import MEASURE, QUERY, RUN_NAME

SIGNIFICANCE = {
    "p": "The p value; null where the test is undefined.",
    "method": "The test, in words.",
    "units": "On how many independent units it rests: queries, or clusters of them.",
    "floor": "The smallest p value that these data and this test could give.",
    "statistic": "The statistic of the test; null where it has none.",
    "adjusted": "The p value after correction for the number of tests; null without one.",
    "why": "Why the test is undefined; empty where it is not.",
}

CONTRAST = {
    "run": RUN_NAME,
    "baseline": "The run that it is held against.",
    "measure": MEASURE,
    "mean": "The mean of the run over the queries that both have a value for.",
    "baseline_mean": "The mean of the baseline over the same queries.",
    "difference": "Run minus baseline.",
    "interval": "The interval of the difference.",
    "significance": "Whether the difference may be chance.",
    "effect": "The mean difference over the standard deviation of the differences.",
    "wins": "In how many queries the run is better.",
    "ties": "In how many queries both have the same value.",
    "losses": "In how many queries the run is worse.",
    "queries": "How many queries have a value on both sides.",
    "left_out": "How many have a value on one side only.",
    "power": "What these queries can tell at all.",
    "verdict": "What follows from interval, test and margin.",
    "margin": "The tests against the margin that does not matter; null without one.",
    "helped": "The queries that gained most.",
    "hurt": "The queries that lost most.",
    "higher_is_better": "Whether a higher value is better.",
}

SLICE_FIGURE = {
    "group": "The group of queries.",
    "run": RUN_NAME,
    "measure": MEASURE,
    "mean": "The figure of the group; null where undefined.",
    "queries": "How many queries it is made of.",
    "interval": "The interval of the mean.",
}

SLICE_CONTRAST = {
    "group": "The group of queries.",
    "run": RUN_NAME,
    "baseline": "The run that it is held against.",
    "measure": MEASURE,
    "difference": "Run minus baseline, within the group.",
    "interval": "The interval of the difference.",
    "significance": "Whether the difference may be chance; corrected over all groups.",
    "verdict": "What follows from interval and test.",
}

SLICE_WORST = {"run": RUN_NAME, "measure": MEASURE, "group": "The group with the worst mean."}

SLICING = {
    "column": "The column by which queries are grouped.",
    "groups": "How many queries each group has.",
    "unassigned": "How many queries belong to no group.",
    "figures": "Each measure of each run in each group.",
    "contrasts": "Each run held against the baseline in each group.",
    "worst": "Where each run is worst, by measure.",
    "reversals": "Where groups contradict the whole, in sentences.",
}

MOVER = {
    "query": QUERY,
    "before": "Its value in the baseline.",
    "after": "Its value in the run.",
    "change": "After minus before.",
    "ranks_before": "The ranks of its relevant items in the baseline, at most five.",
    "ranks_after": "The ranks of its relevant items in the run, at most five.",
}

POWER = {
    "power": "The chance that the other figures speak of, such as 0.8.",
    "detectable": "The difference that these queries would show with that chance; null where nothing varies.",
    "needed": "How many queries the seen difference would need; null where it is 0.",
}

MARGIN = {
    "margin": "The difference that does not matter.",
    "not_worse": "The p value of being worse by the margin or more; small: not inferior.",
    "equal": "The p value of differing by the margin or more; small: equivalent.",
}

UNDEFINED = {
    "run": RUN_NAME,
    "baseline": "The run that it is held against.",
    "measure": MEASURE,
    "why": "Why there is no p value.",
}

FAMILY = {
    "tests": "How many tests were corrected together.",
    "correction": "The method of correction: holm, hommel, bonferroni, bh (Benjamini-Hochberg) or none.",
    "alpha": "The chance of a false alarm that is accepted.",
    "pairs": "Whether all pairs of runs were tested, or each against the baseline.",
    "undefined": "The tests without a p value, which left the family.",
}

AGREEMENT = {
    "measures": "The two measures that are compared.",
    "tau": "How alike they order the runs: Kendall's tau; null where undefined.",
}

COMPARISON = {
    "baseline": "The run that the others are held against.",
    "labels": "The names of the runs, no two alike.",
    "test": "The test of each difference: sign flips, t, or Wilcoxon, exact or approximate.",
    "level": "The confidence of the intervals.",
    "family": "Which tests were corrected together, and how.",
    "contrasts": "Each run held against the baseline, by measure.",
    "slices": "With `--by`, the same by group of queries.",
    "health": "With `--bounds`, how far the gold carries the figures; else null.",
    "costs": "With `--costs`, what the queries cost.",
    "agreement": "How alike the measures order the runs.",
    "notices": "What a careful reader should know, in sentences.",
}

COMPARE = {"comparison": "The runs held against each other, measure by measure."}
