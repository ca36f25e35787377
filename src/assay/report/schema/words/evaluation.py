"""What the keys mean that stand in many of the JSON documents, said once."""

RUN_NAME = "The name of the run."
QUERY = "The id of the query."
MEASURE = "The name of the measure."

INTERVAL = {
    "low": "The lower end; null where nothing can be said.",
    "high": "The upper end; null where nothing can be said.",
    "level": "The confidence, such as 0.95.",
    "method": "How the interval is computed; none where nothing can be said.",
    "units": "On how many independent units it rests: queries, or clusters of them.",
    "warnings": "few: fewer than 20 units; skewed: the true confidence may be lower than stated.",
    "resamples": "How many resamples were drawn; null where none were.",
    "seed": "Where chance started; null where none was used.",
}

INPUT = {
    "role": "What the file was used as.",
    "path": "The file as it was named.",
    "sha256": "The SHA-256 of its bytes; null for a folder or a pipe.",
}

FINDING = {
    "level": "How serious it is.",
    "code": "A short name that stays the same from version to version.",
    "title": "What was found, in one line.",
    "detail": "What that means for the figures.",
    "examples": "Some of the cases.",
    "place": "The file or run that it was found in.",
}

GOLD = {
    "name": "What the gold standard is called.",
    "path": "Its file; null where it was handed over in memory.",
    "sha256": "The SHA-256 of the file; null where there is none.",
    "format": "The format it was read as; null where it was handed over in memory.",
    "queries": "How many queries it judges.",
    "judgments": "How many pairs of query and item it judges.",
    "relevant": "How many of them are relevant.",
    "grades": "How many judgments have each grade.",
    "empty_queries": "The queries without a relevant item.",
    "unjudged_queries": "The queries that are named without any judgment; they take no part in any mean.",
}

RUN_AUDIT = {
    "missing_queries": "The queries of the gold without any answer.",
    "extra_queries": "How many queries have answers but no gold.",
    "extra_examples": "Some of those queries, at most five.",
    "duplicates": "How many rows repeat an item of their query and were dropped.",
    "nan": "How many scores are no number.",
    "excluded": "How many items were taken out as `--exclude` asks.",
    "self_matches": "How many items bear the id of their query and were taken out.",
    "queries_with_ties": "In how many queries judged items share their score with others.",
    "ties_across_cutoff": "For each cutoff, in how many queries tied items of unequal worth lie on both sides of it.",
    "judged_at_cutoff": "For each cutoff, the mean share of judged items above it.",
}

FIGURE = {
    "policy": "The conventions of this figure, where a profile treats its measure differently.",
    "requested": "The measure as it was asked for.",
    "mean": "The figure of the run: the mean over queries, or what the measure has instead; null where undefined.",
    "queries": "How many queries it is made of.",
    "undefined": "For how many queries the measure is undefined.",
    "low": "The lower end of the interval; null where none was asked for.",
    "high": "The upper end of the interval; null where none was asked for.",
    "interval": "The whole interval; null where none was asked for.",
    "ties": "With `--ties range`, the figure where ties fall worst and best; else null.",
}

RUN = {
    "per_query": "With `--per-query`, the value of each measure by query; null where undefined.",
    "name": "What the run is called.",
    "path": "Its file; null where it was handed over in memory.",
    "sha256": "The SHA-256 of the file; null where there is none.",
    "format": "The format it was read as; null where it was handed over in memory.",
    "queries": "How many queries it answers.",
    "rows": "How many rows it has.",
    "audit": "What was noticed while it was judged.",
    "notices": "What a careful reader should know, in sentences.",
    "measures": "Each figure by the name of its measure.",
}

DOCUMENT = {
    "assay": "The version that wrote the document.",
    "command": "The command line, word by word; passwords are left out.",
}

EVALUATE = DOCUMENT | {
    "slices": "With `--by`, the figures by group of queries.",
    "health": "With `--bounds`, how far the gold carries the figures.",
    "costs": "With `--costs`, what the queries cost.",
    "seed": "Where chance started; null where none was used.",
    "profile": "The conventions of another tool, where they were asked for.",
    "policy": "Every convention that can change a number.",
    "weighted": "Whether queries have weights.",
    "options": "What was asked for beside measures and conventions.",
    "gold": "The gold standard that runs are judged by.",
    "runs": "The runs, in the order in which they were named.",
}

OPTIONS = {
    "rel": "The lowest grade that is relevant, where it was said.",
    "tie_range": "Whether `--ties range` was asked for.",
    "aggregate": "How queries become one figure: macro, micro or pooled.",
    "weights": "The file of weights or clusters of queries; null without one.",
    "exclude": "The file of pairs taken out of every ranking; null without one.",
    "interval": "The confidence of the intervals; null where none were asked for.",
}

FIGURE_HEALTH = {
    "run": RUN_NAME,
    "measure": MEASURE,
    "mean": "The figure of the run; null where undefined.",
    "judged": "The mean share of judged items within the cutoff; null without a cutoff.",
    "bounds": "The lowest and highest figure that any judging of the unjudged items could give.",
    "condensed": "The figure with unjudged items taken out of the ranking.",
    "ceiling": "The best figure that any ranking could reach by this gold; null where there is none to be told.",
    "tied": "The share of queries whose value depends on the order of tied items.",
    "summed": "Whether the figure is a sum, not a mean.",
}

EXPLANATION = {
    "run": RUN_NAME,
    "query": QUERY,
    "measure": MEASURE,
    "value": "The value of the query; null where undefined.",
    "start": "The value of a ranking without any item.",
    "places": "The first places of the ranking.",
    "rest": "What all places below them contribute together.",
    "missed": "The relevant items that count for nothing.",
    "relevant": "How many items of the gold are relevant.",
    "retrieved": "How many items are ranked.",
    "highest": "The value of an ideal ranking; null where there is none to be told.",
    "notices": "What a careful reader should know, in sentences.",
    "policy": "Every convention that can change a number.",
}

PLACE = {
    "rank": "The rank, from 1.",
    "item": "The id of the item.",
    "score": "Its score; null where that is no finite number.",
    "grade": "The grade of the item; null without a judgment.",
    "contribution": "What the value gains by this place.",
    "so_far": "The value down to this place.",
    "if_relevant": "What the value would be if the item were relevant; null where it is.",
    "tied": "How many items share its score, itself included.",
}

MISSED = {
    "item": "A relevant item that was not retrieved, or stands below the cutoff.",
    "grade": "The grade of the item.",
    "rank": "Its rank; null where it was not retrieved.",
    "would_be": "What the value would be with the item at the first place.",
}

MOVE = {
    "item": "A judged item.",
    "grade": "The grade of the item.",
    "rank_before": "Its rank before; null where it was not retrieved.",
    "rank_after": "Its rank after; null where it was not retrieved.",
    "contribution_before": "What it contributed before.",
    "contribution_after": "What it contributes after.",
    "change": "How much of the difference it makes.",
}

ATTACHED = {
    "path": "The file; null where it was handed over in memory.",
    "sha256": "The SHA-256 of the file; null where there is none.",
}

TIES = {
    "pessimistic": "The figure with the relevant ones last among tied items.",
    "optimistic": "The figure with the relevant ones first among tied items.",
}

LEFT_OUT = {
    "run": RUN_NAME,
    "measure": MEASURE,
    "unique": "How many judged relevant items no other of these runs has within the depth.",
    "mean": "The figure of the run.",
    "without": "Its figure when judged without the items that it alone retrieved.",
    "place": "Its place among the runs.",
    "place_without": "Its place when it is judged so and the others are not.",
}

WORK = {
    "query": QUERY,
    "item": "An item without a judgment.",
    "gain": "By how much the difference of the means could move when it is judged.",
    "ranks": "Its rank in each run of `work_runs`; null where it was not retrieved.",
}

HEALTH = {
    "figures": "Each figure and what surrounds it.",
    "left_out": "Each run judged as if it had not helped to find the gold.",
    "tau": "By measure, Kendall's tau between the order of the runs with and without their own finds.",
    "depth": "Down to which rank a run counts as having found an item; null: to the cutoff of each measure.",
    "work": "The items whose judgment could move the comparison most.",
    "work_runs": "The two runs that `work` is about.",
    "work_measure": "The measure that `work` is about.",
}

BOUNDS = {
    "low": "The lowest figure; null where there is no limit.",
    "high": "The highest figure; null where there is no limit.",
    "exact": "Whether some judging gives them, or they are outer bounds only.",
}

COST = {
    "run": RUN_NAME,
    "cost": "What is counted: seconds, tokens or money.",
    "mean": "The mean over the queries for which it is known.",
    "median": "The median over them.",
    "p95": "The 95th percentile over them.",
    "total": "The sum over them.",
    "queries": "For how many queries it is known.",
    "best": "Whether no other run is both cheaper and better by the first measure.",
}
