"""`drift`: the verb. A suite of a store in; what fell, since when, and what changed out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from assay.core.gate import Unlike
from assay.core.history import Recorded, RecordedFigure
from assay.core.history_change import Change
from assay.core.history_drift import Attribution, Drift
from assay.core.history_series import ALARM, Point, Series
from assay.errors import ParameterError, UnknownNameError
from assay.history.drift.attribution import attribution
from assay.history.drift.causes import Scene
from assay.history.drift.change import Sides, change_of
from assay.history.drift.charts import Plan, series_of
from assay.history.drift.evidence import Evidence, Source
from assay.history.drift.judging_again import Golds
from assay.history.drift.unvarying import held
from assay.history.gate.likeness import differences
from assay.history.gate.nights import TAG

if TYPE_CHECKING:
    from assay.store.evaluations import HistoryStore


def drift(
    store: "HistoryStore | str",
    suite: str | None = None,
    *,
    measure: str | None = None,
    by: str | None = None,
    name: str | None = None,
    since: datetime | None = None,
    baseline_points: int | None = None,
    method: str = "both",
    alpha: float = 0.05,
    horizon: int = 90,
    gold: Any = None,
    old_gold: Any = None,
    corpus_items: Source | None = None,
    invalid: Source | None = None,
    moved: Source | None = None,
    seed: int = 0,
) -> Drift:
    """Say of a suite over time which figures fell beyond chance, since when, and what changed between then and now.

    The first points of a series are its norm; control charts hold the others against it, on the worse side alone. A
    series that does not vary is held against its last point of the norm query by query. An alarm stays for the rest
    of the horizon, unless a new baseline is pinned. What changed is taken apart between the last evaluation before
    the change and the newest; without an alarm, between the pinned baseline (else the first) and the newest. A figure
    that the newest evaluation does not have, a level that became worse inside the norm, or queries too few to show a
    fall cannot be decided. Of a run that was added several times on a day the last is a point.

    Parameters
    ----------
    store, suite
        A `HistoryStore` or where it is, and the suite; it need not be named where there is only one.
    measure, by, name
        One measure; by "slice" every slice as well, or those of one column; the evaluations of one name: by default
        the newest that comes again, all together where none does.
    since, baseline_points
        Where a series begins: by default at the pinned baseline, else at the first evaluation. How many of its
        first points are the norm: 30 of 40 or more, 10 of 15 or more, else 5; it does not grow past an alarm, nor
        over a change of level for the worse.
    method, alpha, horizon
        cusum, ewma or both: at most a share alpha of stable series has a false alarm within `horizon` evaluations.
    gold, old_gold
        The gold standards of now and of before: where they differ, what is kept of each run is judged by the other.
    corpus_items, invalid, moved
        Files that explain: ids that are in the index now, one a line; ids or the JSON of `graph validity`; the
        JSON of `neighbours drift`.
    seed
        Where chance starts.

    Raises
    ------
    AssayError
        No such suite, measure or slice; a file that cannot be read; a gold that is not that of an evaluation.
    """
    plan = Plan(method, alpha, horizon, baseline_points, seed)
    evidence = Evidence.read(corpus_items, invalid, moved)
    with _opened(store) as opened:
        suite = _suite(opened, suite)
        pinned = opened.baseline(suite)
        begin = since or (None if pinned is None else pinned.time)
        found, notices = _one_system(_once(opened.list(suite, since=begin)), name)
        begun = Drift(
            suite, method, alpha, horizon, (), notices=notices, name=_name(found, name), settings=plan.settings(begin)
        )
        if not found:
            return begun
        newest, points = opened.get(found[-1].id), _points(found)
        series = tuple(
            _doubted(held(series_of(points[key], *key, up=up, plan=plan), opened, newest, plan), newest.time)
            for key, up in _wanted(found, measure, by).items()
        )
        begun = replace(begun, series=series, notices=(*notices, *evidence.notices, *_notices(series)))
        first = pinned.id if pinned is not None else 0
        return _explained(begun, _Material(opened, first, Golds(gold, old_gold), evidence))


@dataclass(frozen=True, eq=False)
class _Material:
    """What a change is explained by; `first` is the id of the pinned baseline, 0 where there is none."""

    store: "HistoryStore"
    first: int
    golds: Golds
    evidence: Evidence


@contextmanager
def _opened(store: "HistoryStore | str") -> Iterator["HistoryStore"]:
    if not isinstance(store, str):
        yield store
        return
    from assay.store.evaluations import HistoryStore

    with HistoryStore.open(store, write=False) as opened:
        yield opened


def _suite(store: "HistoryStore", suite: str | None) -> str:
    """Return the suite that is meant."""
    if suite is not None:
        return suite
    names = [one.name for one in store.suites()]
    if len(names) == 1:
        return names[0]
    found = f"{len(names)}: {', '.join(names[:5])}" if names else "none"
    raise ParameterError(f"suite: expected one of the store, found {found}", hint="--suite NAME takes one.")


def _once(found: Sequence[Recorded]) -> Sequence[Recorded]:
    """Leave out the look of a nightly gate at a run that was added as well, and all but the last that was added."""
    added = {_sitting(one) for one in found if TAG not in one.made.tags}
    kept = {
        (_sitting(one), *sorted(one.measures)): one.id
        for one in sorted(found, key=lambda one: one.id)
        if TAG not in one.made.tags or _sitting(one) not in added
    }
    last = {*kept.values()}
    return [one for one in found if one.id in last]


def _sitting(one: Recorded) -> object:
    """Return what evaluations of one run on one day have in common."""
    made = one.made
    return (made.run, made.gold, one.name, one.time.date()) if made.run else one.id


def _one_system(found: Sequence[Recorded], name: str | None) -> tuple[Sequence[Recorded], tuple[str, ...]]:
    """Return the evaluations of one system: the one named, else the newest of those that come again."""
    names = [one.name for one in found]
    if name is not None:
        if name not in names:
            raise UnknownNameError.of("evaluation", name, sorted(set(names)))
        return [one for one in found if one.name == name], ()
    times = Counter(names)
    followed = next((one for one in reversed(names) if times[one] > 1), None)
    if followed is None or len(times) == 1:
        return found, ()
    said = f"The suite holds {len(times)} systems; this is {followed}, --name takes another."
    return [one for one in found if one.name == followed], (said,)


def _name(found: Sequence[Recorded], name: str | None) -> str:
    """Return the system that is followed, "" where there are several."""
    names = {one.name for one in found} or {name or ""}
    return names.pop() if len(names) == 1 else ""


def _wanted(found: Sequence[Recorded], measure: str | None, by: str | None) -> dict[tuple[str, str], bool]:
    """Return the series to watch, in the order of the newest evaluation, and whether higher is better."""
    figures: list[RecordedFigure] = [one for each in reversed(found) for one in each.figures]
    _require("measure", measure, [one.measure for one in figures])
    columns = [one.slice.partition("=")[0] for one in figures if one.slice]
    if by not in {None, "slice"}:
        _require("slice", by, columns)
    wanted: dict[tuple[str, str], bool] = {}
    for one in sorted(figures, key=lambda one: bool(one.slice)):
        inside = not one.slice or by == "slice" or (by is not None and one.slice.partition("=")[0] == by)
        if inside and measure in {None, one.measure}:
            wanted.setdefault((one.measure, one.slice), one.higher_is_better)
    return wanted


def _require(kind: str, wanted: str | None, known: Sequence[str]) -> None:
    if wanted is not None and wanted not in known:
        raise UnknownNameError.of(kind, wanted, sorted(set(known)))


def _points(found: Sequence[Recorded]) -> dict[tuple[str, str], list[Point]]:
    """Return the points of each series: those evaluations that have the figure."""
    points: dict[tuple[str, str], list[Point]] = {}
    for each in found:
        for one in each.figures:
            point = Point(each.id, each.time, each.name, one.mean, each.note)
            points.setdefault((one.measure, one.slice), []).append(point)
    return points


def _doubted(one: Series, newest: datetime) -> Series:
    """Return a series with the reason why it cannot be decided, where it has one.

    A figure may be in another evaluation of the day of the newest one, but not undefined in its own newest.
    """
    last = next((point for point in reversed(one.points) if point.value is not None), None)
    if last is None or last is not one.points[-1] or last.time.date() < newest.date():
        return replace(one, why=f"no figure since {last.time:%Y-%m-%d}" if last is not None else "no figure at all")
    if not one.why and one.alarm is None and one.worse_norm is not None:
        return replace(one, why="its level became worse inside its own norm")
    return one


def _notices(series: Sequence[Series]) -> Iterator[str]:
    """Say where a norm is none, and where queries are too few for one look."""
    for one in series:
        inside = [shift for shift in one.shifts if shift.place < one.baseline]
        doubt = [chart.why for chart in one.controls if chart.limit is not None and chart.why]
        yield from (f"{_label(one)}: {why}." for why in doubt)
        if inside:
            when = one.points[inside[0].place].time
            yield (
                f"{_label(one)}: its level changed on {when:%Y-%m-%d}, inside its own baseline: pin a new baseline "
                "after that, or give fewer --baseline-points."
            )


def _label(one: Series) -> str:
    return f"{one.measure} in {one.slice}" if one.slice else one.measure


def _explained(begun: Drift, given: _Material) -> Drift:
    """Return the drift with what changed, for each measure and for each slice that alarms."""
    whole = lru_cache(16)(given.store.get)
    changes, main = [], None
    first = begun.pressing
    for one in begun.series:
        ends = _ends(one, given.first)
        if ends is None or (one.slice and one.decision != ALARM):
            continue
        old, new = whole(ends[0]), whole(ends[1])
        if one is first:
            given.golds.require(old, new)
            main = old, new
        changes.append(change_of(old, new, one.measure, one.slice, given.golds.judge(old, new, one.measure)))
    found = replace(begun, changes=tuple(changes))
    if main is None or found.explained is None:
        return found
    old, new = main
    unlike = tuple(differences(old, new, (), ()))
    return replace(
        found, old=old, new=new, unlike=(*unlike, *_run(old, new)),
        attribution=_attributed(found.explained, old, new, given),
    )  # fmt: skip


def _ends(series: Series, pinned: int) -> tuple[int, int] | None:
    """Return the ids of the evaluations to compare: the last before the change or the baseline, and the newest."""
    known = [at for at, one in enumerate(series.points) if one.value is not None]
    if len(known) < 2:
        return None
    at = series.last_before
    if at is None:
        at = next((at for at in known if series.points[at].id == pinned), known[0])
    return (series.points[at].id, series.points[known[-1]].id) if at != known[-1] else None


def _run(old: Recorded, new: Recorded) -> Iterator[Unlike]:
    if old.made.run != new.made.run:
        yield Unlike("run", old.made.run, new.made.run, refused=False)


def _attributed(change: Change, old: Recorded, new: Recorded, given: _Material) -> Attribution | None:
    """Attribute the change over the queries that both have; None where there are none."""
    if change.basis != "queries":
        return None
    judged = given.golds.judge(old, new, change.measure)
    sides = Sides.of(old, new, change.measure, change.slice, judged)
    scene = Scene(old, new, given.golds.known, given.evidence)
    return attribution(scene, sides.only(sides.shared), up=change.higher_is_better)
