"""What the keys of a suite over time mean."""

from assay.report.schema.words import gate
from assay.report.schema.words.evaluation import DOCUMENT, RUN
from assay.report.schema.words.history import HIGHER, ID, RECORDED, SLICE

ALPHA = "The share of stable series that may have a false alarm within the horizon."
HORIZON = "After how many looks charts begin anew."

SIDE = gate.SIDE | {"time": RECORDED["time"], "note": RECORDED["note"]}

CONTROL = {
    "method": "The chart: CUSUM, EWMA, a paired test of the same queries, or exact, where any change is an alarm.",
    "alpha": "The part of the accepted share of false alarms that this chart has.",
    "horizon": HORIZON,
    "baseline": "How many first points are the norm.",
    "mean": "The mean of the norm; null where unknown.",
    "sd": "The standard deviation of the norm; null where unknown.",
    "limit": "The distance beyond which a point is an alarm; null where there is none.",
    "distance": (
        "How far each point has come towards the worse side, in standard deviations of a point (CUSUM) or of the "
        "smoothed value (EWMA); else as a difference of figures; null in the norm and without a figure."
    ),
    "smoothed": "The smoothed figure at each point, of EWMA; else empty.",
    "bound": "The limit of the smoothed figure at each point, of EWMA; else empty.",
    "alarms": "The places of the points that are alarms, from 0.",
    "begun": "The place where the chart last began anew, from 0.",
    "first": "The place of the first alarm since then, from 0; null without one.",
    "onset": "The place where the change behind that alarm probably began, from 0; null without one.",
    "why": "Why there is no limit, in words; empty where there is one.",
}

POINT = {
    "id": ID,
    "time": RECORDED["time"],
    "name": RECORDED["name"],
    "value": "The figure of the evaluation; null where undefined.",
    "note": RECORDED["note"],
}

SHIFT = {
    "place": "The place of the first point of the new level, from 0.",
    "before": "The mean of the level before.",
    "after": "The mean of the new level.",
    "p": "The p value of the change of level.",
}

SENSITIVITY = {
    "change": "A change for the worse, in the unit of the figure.",
    "sds": "The same change in standard deviations of the norm.",
    "median": "After how many looks it would be found, in half of the cases; null: not within the horizon.",
}

SERIES = {
    "measure": "The measure that is followed.",
    "slice": SLICE,
    "higher_is_better": HIGHER,
    "decision": "Whether the series fell beyond chance.",
    "baseline": "How many first points are the norm.",
    "level": "The mean of the norm; null without a figure in it.",
    "onset": "The place where the change behind the alarm probably began, from 0; null without an alarm.",
    "points": "The figure of each evaluation, the oldest first.",
    "controls": "The control charts of the series.",
    "shifts": "The changes of level that are seen from behind.",
    "sensitivity": "How soon a change for the worse would be found; null where that cannot be told.",
    "why": "Why nothing can be decided, in words; empty where it can.",
}

PART = {
    "name": "What the part comes from, such as query mix, query weights, gold or quality.",
    "change": "How much of the change it makes; null where unknown.",
    "why": "Why it is not known, in words; empty where it is.",
}

QUALITY = {
    "change": "The mean change over the same queries by the same gold.",
    "queries": "How many queries that is.",
    "lost": "How many of them became worse.",
    "gained": "How many of them became better.",
    "interval": "The interval of the change.",
    "significance": "Whether the change may be chance.",
}

JUDGED = {
    "k": "How many first items are looked at.",
    "before": "The share of them that was judged before, from 0 to 1; null where unknown.",
    "now": "The share of them that is judged now, from 0 to 1; null where unknown.",
    "source": "Where the shares are from: a recorded figure, or the kept first items (head) and the gold.",
}

CHANGE = {
    "measure": "The measure that changed.",
    "slice": SLICE,
    "higher_is_better": HIGHER,
    "old": "The number of the evaluation before, in the store.",
    "new": "The number of the evaluation now, in the store.",
    "before": "The figure before; null where undefined.",
    "after": "The figure now; null where undefined.",
    "change": "The figure now less the figure before; null where undefined.",
    "basis": "Over what the parts are standardised: the shared queries, slices, or nothing.",
    "shared": "How many queries are in both evaluations.",
    "left": "How many queries are only in the one before.",
    "entered": "How many queries are only in the one now.",
    "parts": "What the change is made of; the known parts add up to it.",
    "gold_orders": "The change by the gold, by the run of before and by that of now; null where unknown.",
    "quality": "The paired change of the answers; null where it cannot be told apart.",
    "judged": "How many of the first items are judged; null where unknown.",
}

PLACE = {
    "item": "An item of the ranking.",
    "before": "Its rank before; null where it was not among the kept items.",
    "now": "Its rank now; null where it is not among the kept items.",
    "grade": "The grade of the item; null where unknown.",
}

CAUSE = "The cause: the first for which there is evidence; gained: the queries became better."

MOVER = {
    "query": "The query that became worse.",
    "before": "Its value before.",
    "after": "Its value now.",
    "change": "Its value now less its value before.",
    "contribution": "Its part of the change of the mean.",
    "cause": CAUSE,
    "evidence": "What speaks for the cause, in words.",
    "places": "The items of its ranking that moved.",
}

CAUSES = {
    "cause": CAUSE,
    "queries": "How many queries have the cause.",
    "contribution": "What they give to the change of the mean.",
}

PART_OF_SLICE = {
    "column": "The column by which queries are grouped.",
    "value": "The value of the column in this slice.",
    "queries": "How many queries the slice has.",
    "weight": "The share of the slice in the mean, from 0 to 1.",
    "before": "The mean of the slice before.",
    "after": "The mean of the slice now.",
    "change": "Its mean now less its mean before.",
    "contribution": "What it gives to the change: `weight` times `change`.",
}

ATTRIBUTION = {
    "change": "The change of the mean over the shared queries.",
    "lost": "How many of these queries became worse.",
    "movers": "The queries that lost most, the worst first.",
    "causes": "What the queries that lost give to the change, by cause.",
    "gained": "What the queries that became better give to the change.",
    "slices": "What each slice gives to the change; those of one column add up to it.",
}

SETTINGS = {
    "method": "The charts that were asked for.",
    "alpha": ALPHA,
    "horizon": HORIZON,
    "baseline_points": "How many first points are the norm; null where that was not said.",
    "since": "From which time on evaluations count; null: all.",
}

DRIFT = DOCUMENT | {
    "decision": "An alarm of one series is one of all; cannot decide: no series could be decided.",
    "exit_code": "The exit code of the command: 0 no alarm, 1 an alarm, 3 cannot decide.",
    "suite": "The suite that is followed.",
    "name": "The system that is followed; empty where several are in one series.",
    "settings": "By what terms the suite is followed.",
    "method": SETTINGS["method"],
    "alpha": ALPHA,
    "horizon": HORIZON,
    "old": "The evaluation before the change of the series to look at first; null where there is none.",
    "new": "The evaluation after that change; null where there is none.",
    "unlike": "What differs in how `old` and `new` were made.",
    "series": "Each measure over time, over all queries and by slice.",
    "changes": "What each figure changed by from `old` to `new`, and what the change is made of.",
    "attribution": "The queries, slices and causes that the change comes from; null where they cannot be told.",
    "notices": RUN["notices"],
}
UNLIKE = gate.UNLIKE | {
    "before": "What it was in `old`; null where unknown or none.",
    "now": "What it is in `new`; null where unknown or none.",
}
