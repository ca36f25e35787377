"""What a drift says, as sentences: the verdict, why, what would have been found, how to read it."""

from collections.abc import Iterator, Sequence

from assay.core.gate import Unlike
from assay.core.history_change import GOLD, MIX, QUALITY, TOGETHER, WEIGHTS, WHOLE, Change, Part
from assay.core.history_drift import CAUSES, Drift, Mover, Place
from assay.core.history_series import ALARM, QUIET, Point, Series
from assay.report.amounts import counted
from assay.report.comparison import bracket, probability, signed
from assay.report.grid import number
from assay.report.names import shorten, visible

PARTS = {
    QUALITY: "quality on the same queries",
    MIX: "the query mix",
    WEIGHTS: "the weights of queries",
    GOLD: "the gold",
    TOGETHER: "gold or quality, which cannot be told apart",
    WHOLE: "of which the parts are not known",
}
EVEN = 5e-5
"""A change that shows as 0."""
DIGEST = 12
NAMED = 5
ITEM = 28
"""Columns of an item."""


def title(found: Drift) -> str:
    """Return the verdict in one sentence."""
    first = found.pressing
    if first is None:
        return f"CANNOT DECIDE: no evaluation with such a figure (suite {visible(found.suite)})"
    if found.decision == ALARM:
        return f"ALARM: {fall(first)}{_because(found.explained, found.alpha)}"
    held = [one for one in found.series if one.decision == QUIET]
    if not held:
        return f"CANNOT DECIDE: {first.why} ({label(first)}, suite {visible(found.suite)})"
    names = _listed([label(one) for one in held])
    ways = {"fall" if one.higher_is_better else "rise" for one in held}
    way = ways.pop() if len(ways) == 1 else "get worse"
    return f"NO ALARM: {names} did not {way} beyond chance ({counted(len(first.points), 'evaluation')})"


def reasons(found: Drift) -> Iterator[str]:
    """Yield what stands behind the verdict: each further alarm, what was seen in between, what would have been."""
    for one in found.series:
        if one.decision == ALARM:
            yield f"{label(one)}: {_alarmed(one)}"
            if one is not found.pressing:
                change = next((c for c in found.changes if (c.measure, c.slice) == (one.measure, one.slice)), None)
                yield f"{fall(one)}{_because(change, found.alpha)}."
    yield from _main_cause(found)
    quiet = [one for one in found.series if one.decision == QUIET]
    if found.decision == ALARM and quiet:
        yield f"No alarm: {_listed([label(one) for one in quiet])}."
    yield from _sensitivities(quiet)
    yield from (f"{label(one)} cannot be judged: {one.why}." for one in found.series if one.why)
    yield from found.notices


def _main_cause(found: Drift) -> Iterator[str]:
    """Name the cause of most of the losses, where there is evidence of one."""
    given = found.attribution
    if found.decision != ALARM or given is None or not given.causes:
        return
    main = max(given.causes, key=lambda one: abs(one.contribution))
    if main.cause not in {"absent", "unexplained"}:
        of = f"{main.queries:,} of {given.lost:,} queries that lost"
        yield f"Mostly: {CAUSES[main.cause]} ({of}, {signed(main.contribution)} of {signed(given.change)})."


def fall(one: Series) -> str:
    """Say from which level to which a series fell, and when."""
    at = one.onset if one.onset is not None else one.baseline
    known = [point.value for point in one.points[at:] if point.value is not None]
    now = sum(known) / len(known) if known else None
    verb = "fell" if one.higher_is_better else "rose"
    return f"{label(one)} {verb} from {number(one.level)} to {number(now)} on {day(one.points[at])}"


def label(one: Series | Change) -> str:
    """Name a measure, and the slice where it is not over all queries."""
    return f"{one.measure} in {visible(one.slice)}" if one.slice else one.measure


def day(point: Point) -> str:
    """Write the day of a point."""
    return f"{point.time:%Y-%m-%d}"


def shown(part: Part) -> str:
    """Write the change of a part."""
    return "not known" if part.change is None else "no change" if abs(part.change) < EVEN else signed(part.change)


def _because(change: Change | None, alpha: float) -> str:
    """Say which parts the change is, the largest first, and which it is not."""
    if change is None or not change.parts:
        return ""
    way = -1 if change.higher_is_better else 1
    worse = sorted(
        (part for part in change.parts if way * (part.change or 0) >= EVEN), key=lambda one: way * -(one.change or 0)
    )
    if not worse:
        return ", though the newest is not worse"
    others = [f"{PARTS[part.name]} ({shown(part)})" for part in change.parts if part not in worse]
    p = None if change.quality is None else change.quality.significance.p
    doubt = ", which may be chance between two evaluations" if p is not None and p > alpha else ""
    named = [f"{PARTS[part.name]}{doubt if part.name == QUALITY else ''}" for part in worse]
    rest = f", not {' nor '.join(others)}" if others else ""
    return f": {' and '.join(named)}{rest}"


def _alarmed(one: Series) -> str:
    """Say which charts alarmed when."""
    said = [f"{chart.method} on {day(one.points[chart.first])}" for chart in one.controls if chart.first is not None]
    return f"beyond its limit by {' and '.join(said)}."


def _sensitivities(quiet: Sequence[Series]) -> Iterator[str]:
    for one in quiet[:NAMED]:
        if (can := one.sensitivity) is not None:
            when = f"in a median of {counted(can.median, 'look')}" if can.median else "in less than half of all cases"
            verb = "fall" if one.higher_is_better else "rise"
            yield f"{label(one)}: a {verb} of {number(abs(can.change))} ({can.sds:g} sd) would be found {when}."


def explanation(found: Drift) -> Iterator[str]:
    """Yield what is to be said of the change of the series to look at first."""
    change = found.explained
    if change is None:
        return
    yield from (f"{part.name}: {part.why}." for part in change.parts if part.why)
    if change.basis == "queries" and (change.left or change.entered):
        yield f"{change.shared:,} queries are in both, {change.left:,} left, {change.entered:,} came in."
    elif change.basis.startswith("slices"):
        yield f"Hardly any query is in both: the {change.basis} are held constant instead of queries."
    if None not in change.gold_orders:
        once, again = (signed(one) for one in change.gold_orders)
        yield f"The gold changes the run of before by {once}, that of now by {again}; the mean is taken."
    if (quality := change.quality) is not None:
        between = "" if quality.interval.low is None else f" {bracket(quality.interval)}"
        yield (
            f"{change.measure} over {quality.queries:,} shared queries: {signed(quality.change)}{between}, p "
            f"{probability(quality.significance.p)} ({quality.significance.method}); {quality.lost:,} lost, "
            f"{quality.gained:,} gained."
        )
    if (judged := change.judged) is not None:
        holes = "" if judged.before is None or judged.now is None else _holes(judged.now - judged.before)
        yield f"Judged among the first {judged.k}: {number(judged.before)} → {number(judged.now)}{holes}."
    yield from (_unlike(one) for one in found.unlike)
    points = () if found.pressing is None else found.pressing.points
    yield from (f"Note of {day(one)}: {one.note}" for one in points if one.note and one.id >= change.old)


def _holes(change: float) -> str:
    return "; more holes: some of a fall may be answers that nobody judged" if change < -EVEN else ""


def _unlike(one: Unlike) -> str:
    """Say what differs in how the two were made."""
    before, now = ("unknown" if value is None else visible(value)[: DIGEST * 4] for value in (one.before, one.now))
    if one.what in {"gold", "run", "corpus", "queries", "code", "exclude", "weights"}:
        before, now = before[:DIGEST], now[:DIGEST]
    return f"Another {one.what}: {before} → {now}."


def moves(mover: Mover) -> str:
    """Write which items of a query changed their rank."""
    said = ", ".join(_move(place) for place in mover.places[:NAMED])
    more = f" and {len(mover.places) - NAMED} more" if len(mover.places) > NAMED else ""
    return f"{visible(mover.query)}: {said}{more}"


def _move(place: Place) -> str:
    grade = "" if place.grade is None else f" (grade {place.grade:g})"
    return f"{shorten(visible(place.item), ITEM)}{grade} {place.before or 'new'} → {place.now or 'out'}"


def reading(found: Drift) -> Iterator[str]:
    """Yield how to read it."""
    if not found.series or all(one.why for one in found.series):
        return
    bases = sorted({one.baseline for one in found.series if one.baseline})
    charts = {chart.method for one in found.series for chart in one.controls}
    many = len(found.series)
    yield (
        f"The first {' or '.join(map(str, bases))} points are the norm; later ones are held against it on the worse "
        f"side. Within {found.horizon} looks, at most {100 * found.alpha:g} % of stable series have a false alarm"
        + (f"; {many} are watched here." if many > 1 else ".")
    )
    if {"CUSUM", "EWMA"} & charts:
        yield (
            "CUSUM sums what lies beyond one sd; EWMA smooths, and its limit is shown. Their limits are simulated, the "
            "error of the norm counted in."
        )
    if "paired" in charts:
        yield "paired: the norm does not vary, so the same queries are held against it at every look (sign flips)."
    if "exact" in charts:
        yield "exact: the norm does not vary and no queries are known: any change for the worse is an alarm."
    if found.changes:
        yield "Query mix + gold + quality = change. Quality is over the same queries by the same gold."
    if found.decision == ALARM:
        yield "An alarm stays until a new baseline is pinned, or the next horizon begins."


def _listed(names: Sequence[str]) -> str:
    first = ", ".join(names[:NAMED])
    return first if len(names) <= NAMED else f"{first} and {len(names) - NAMED} more"
