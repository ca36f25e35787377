"""Series made ready to be drawn as SVG: places in percent of a plot, so that it fits any width without a script."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

EDGE = 2.0
"""Percent of a plot that stay free at each side, so that a point on the edge is whole."""
SPARK = (120, 28)
"""Width and height of a sparkline."""


@dataclass(frozen=True, slots=True)
class Point:
    """One figure of a series: when, of which evaluation, how much, and its interval where it has one."""

    id: int
    time: datetime
    name: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Dot:
    """A point in a plot, in percent from the left and from above; `top` and `bottom` are the ends of its interval."""

    x: float
    y: float
    top: float | None
    bottom: float | None
    point: Point


@dataclass(frozen=True, slots=True)
class Mark:
    """An event in a plot, in percent from the left: its number in the list of events and what kind it is."""

    x: float
    number: int
    kind: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A plot: dots, lines between those that follow each other, marks, and what stands at its axes.

    `way` and `bars` are the lines and the intervals as one path each, on a plot of 100 by 100, `drops` the dots.
    `scale` are the values at its top, middle and bottom; `times` its first and last time; `base` the height of the
    baseline. An undefined figure has no dot, and no line goes over it.
    """

    dots: tuple[Dot, ...]
    way: str
    marks: tuple[Mark, ...]
    scale: tuple[float, float, float]
    times: tuple[datetime, datetime]
    base: float | None

    @property
    def bars(self) -> str:
        """The intervals as a path."""
        return "".join(
            f"M{one.x} {one.top}V{one.bottom}" for one in self.dots if one.top is not None and one.bottom is not None
        )

    @property
    def drops(self) -> str:
        """The dots as a path of lines without length, whose ends are round."""
        return "".join(f"M{one.x} {one.y}h0" for one in self.dots)


def chart(points: Sequence[Point], events: Iterable[tuple[datetime, int, str]], base: float | None) -> Chart | None:
    """Return the plot of a series with its events (time, number, kind) and the baseline; None without any figure.

    >>> from datetime import UTC
    >>> days = [Point(n, datetime(2026, 1, n, tzinfo=UTC), "a", n / 10) for n in (1, 2, 3)]
    >>> found = chart(days, [], None)
    >>> [dot.x for dot in found.dots], found.scale[1]
    ([2.0, 50.0, 98.0], 0.2)
    """
    known = [one for one in points if one.value is not None]
    if not known:
        return None
    low, high = _range(known, base)
    first, last = points[0].time, points[-1].time
    span = (last - first).total_seconds()

    def x(time: datetime) -> float:
        return round(EDGE + (100 - 2 * EDGE) * ((time - first).total_seconds() / span if span else 0.5), 2)

    def y(value: float) -> float:
        return round(100 * (high - value) / (high - low), 2)

    dots = {
        place: Dot(
            x(one.time), y(one.value), None if one.high is None else y(one.high),
            None if one.low is None else y(one.low), one,
        )
        for place, one in enumerate(points) if one.value is not None
    }  # fmt: skip
    way = "".join(f"{'L' if place - 1 in dots else 'M'}{dot.x} {dot.y}" for place, dot in dots.items())
    marks = tuple(Mark(x(time), number, kind) for time, number, kind in events if first <= time <= last)
    middle = round((low + high) / 2, 10)
    level = None if base is None else y(base)
    return Chart(tuple(dots.values()), way, marks, (high, middle, low), (first, last), level)


def _range(points: Sequence[Point], base: float | None) -> tuple[float, float]:
    """Return the lowest and the highest value of a plot: those of its intervals and baseline, with room around."""
    ends = [end for one in points for end in (one.value, one.low, one.high) if end is not None]
    ends += [] if base is None else [base]
    low, high = min(ends), max(ends)
    room = 0.06 * (high - low) or 0.1 * abs(high) or 0.1
    share = low >= 0 and high <= 1  # beyond which nothing can lie
    return (max(low - room, 0.0), min(high + room, 1.0)) if share else (low - room, high + room)


def sparkline(values: Sequence[float | None]) -> tuple[list[str], tuple[float, float] | None]:
    """Return the lines of a sparkline as SVG takes them, broken where a value is undefined, and where it ends.

    >>> sparkline([0.0, 1.0, None, 0.5])
    (['3.0,25.0 41.0,3.0', '117.0,14.0'], (117.0, 14.0))
    """
    known = [value for value in values if value is not None]
    if not known:
        return [], None
    width, height, edge = *SPARK, 3
    low, spread = min(known), max(known) - min(known)
    step = (width - 2 * edge) / max(len(values) - 1, 1)
    found: list[list[tuple[float, float]]] = [[]]
    for place, value in enumerate(values):
        if value is None:
            found.append([])
            continue
        share = (value - low) / spread if spread else 0.5
        found[-1].append((round(edge + place * step, 1), round(height - edge - share * (height - 2 * edge), 1)))
    parts = [part for part in found if part]
    return [" ".join(f"{x},{y}" for x, y in part) for part in parts], parts[-1][-1]
