"""What pages of runs that are held against each other show: means with intervals, and changes of queries as bars."""

from collections.abc import Mapping, Sequence

from assay.core.comparison import Comparison
from assay.report.html import charts
from assay.report.html.views import Chart, Choice
from assay.report.html.wording import signed
from assay.report.names import shorten, visible

MOST_BARS = 400
"""Queries that a drawing has at most: of more, those that change most either way."""
NAMED = 4
"""So many queries at either end carry their names."""
ROOM = 25
"""So many names fit beside each other on a narrow page."""
NAME = 16

OVERLAP = "Intervals may overlap although the difference is clear:"

Changes = Sequence[tuple[str, float, float]]
"""Queries, each with its value before and after."""


def means(comparison: Comparison, testing: str) -> Chart:
    """Return the mean of each run with its interval, by the chosen measure; `testing` says where tests are."""
    rows = []
    for measure in comparison.measures:
        for label, one in zip(comparison.labels, comparison.evaluations, strict=True):
            figure = one.figure(measure)
            low, high = (figure.interval.low, figure.interval.high) if figure.interval else (None, None)
            rows.append((measure, visible(label), figure.mean, low, high))
    sure = any(row[3] is not None for row in rows)
    return Chart(
        "means", "Figures with their intervals" if sure else "Figures",
        f"The mean of each over the queries{', and how sure it is' if sure else ''}.",
        f"{OVERLAP if sure else 'Whether a difference is more than chance:'} {testing} that query by query.",
        charts.intervals(), ("measure", "run", "mean", "low", "high"), tuple(rows),
        (Choice("measure", "Measure", tuple(comparison.measures)),), paint="run",
    )  # fmt: skip


def of_pairs(comparison: Comparison, measure: str, pairs: Sequence[tuple[str, str]]) -> Chart | None:
    """Return the drawing of pairs of runs, by their labels, of which the reader chooses one; None without values."""
    values = {
        label: dict(one.scores.table.filter(measure=measure).select("query", "value").drop_nulls().iter_rows())
        for label, one in zip(comparison.labels, comparison.evaluations, strict=True)
    }
    shown = {
        f"{second} against {first}": [
            (query, before, values[second][query]) for query, before in values[first].items() if query in values[second]
        ]
        for first, second in pairs
    }
    return drawn(shown, measure, higher_is_better=comparison.evaluations[0].figure(measure).higher_is_better)


def drawn(shown: Mapping[str, Changes], measure: str, *, higher_is_better: bool = True) -> Chart | None:
    """Return the drawing of changes by what they are called; None where no query has a value."""
    rows = tuple(
        row
        for name, changes in shown.items()
        for row in _rows(visible(name), changes, higher_is_better=higher_is_better)
    )
    if not rows:
        return None
    many = max(map(len, shown.values()))
    few = f" Of {many:,} queries the {MOST_BARS:,} that change most." if many > MOST_BARS else ""
    return Chart(
        "changes", "Queries won and lost",
        f"By how much {visible(measure)} of each query changes: losses left, wins right.{few}",
        "A few tall bars mean that few queries make the mean; many low ones, that the change is general.",
        charts.queries(), ("pair", "place", "query", "change", "value", "before", "after", "verdict", "label"), rows,
        (Choice("pair", "Runs", tuple(map(visible, shown))),), paint="verdict",
    )  # fmt: skip


def _rows(name: str, changes: Changes, *, higher_is_better: bool) -> list[tuple[object, ...]]:
    kept = sorted(changes, key=lambda one: (-abs(one[2] - one[1]), one[0]))[:MOST_BARS]
    kept = sorted(kept, key=lambda one: (one[2] - one[1], one[0]), reverse=not higher_is_better)
    found: list[tuple[object, ...]] = []
    for place, (query, before, after) in enumerate(kept):
        change = after - before
        better = change > 0 if higher_is_better else change < 0
        step, odd = divmod(min(place, len(kept) - 1 - place), -(-len(kept) // ROOM))
        label = shorten(visible(query), NAME) if change and step < NAMED and not odd else None
        verdict = "same" if not change else "better" if better else "worse"
        found.append((name, place, visible(query), change, signed(change), before, after, verdict, label))
    return found
