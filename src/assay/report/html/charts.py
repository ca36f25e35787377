"""The charts as Vega-Lite, made by Altair: each takes rows named `rows` and knows no colour of its own.

The script on the page gives each row its `colour` (and, for runs, its `shape`), so that light and dark differ, and
leaves out the layers for which no row has a value. Axes are sorted as the rows come.
A specification holds no data: it is the same for every dossier.
"""

from collections.abc import Sequence
from typing import Any

from assay.errors import MissingExtraError

ROWS = "rows"


def altair() -> Any:
    """Return the module that writes Vega-Lite.

    Raises
    ------
    MissingExtraError
        Altair is not installed.
    """
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError.of("the HTML report", "altair", "report") from None
    return alt


def intervals() -> dict[str, Any]:
    """Dot and whisker for each run: mean, low, high."""
    alt = altair()
    base = _base(alt).encode(y=_names(alt, "run"), tooltip=_tips(alt, "run", "mean", "low", "high"))
    x = _values(alt, "low", zero=False)
    whiskers = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=_colour(alt))
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=_values(alt, "mean", zero=False), color=_colour(alt)
    )
    return _spec(alt.layer(whiskers, dots).properties(height=alt.Step(26)))


def differences() -> dict[str, Any]:
    """Dot and whisker for each run held against the baseline, and a line at no difference."""
    alt = altair()
    tips = _tips(alt, "run", "difference", "low", "high", "p", "verdict")
    base = _base(alt).encode(y=_names(alt, "run"), tooltip=tips)
    x = _values(alt, "low", zero=True)
    whiskers = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q", color=_colour(alt))
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=_values(alt, "difference", zero=True), color=_colour(alt)
    )
    return _spec(alt.layer(_zero(alt, "x"), whiskers, dots).properties(height=alt.Step(26)))


def curves(depths: Sequence[int], beside: str = "ceiling") -> dict[str, Any]:
    """A line for each run over the cutoffs, the ceiling (or whatever else stands beside them) dashed."""
    alt = altair()
    axis = alt.Axis(values=list(depths), format="d", grid=False, labelOverlap="greedy")
    x = alt.X("k:Q", title="cutoff K", axis=axis, scale=alt.Scale(type="log", nice=False))
    base = _base(alt).encode(x=x)
    dashed = base.transform_aggregate(groupby=["k"], **{beside: f"max({beside})"}).mark_line(
        strokeDash=[5, 4], strokeWidth=1.5
    )
    dashed = dashed.encode(y=alt.Y(f"{beside}:Q", title=None), tooltip=[alt.Tooltip("k:Q"), *_tips(alt, beside)])
    y = alt.Y("mean:Q", title=None)
    lines = base.mark_line(strokeWidth=2).encode(y=y, detail="run:N", color=_colour(alt))
    dots = base.mark_point(filled=True, size=36, opacity=1).encode(
        y=y, color=_colour(alt), shape=_shape(alt), tooltip=_tips(alt, "run", "name", "mean", beside)
    )
    return _spec(alt.layer(dashed, lines, dots).properties(height=200))


def precision_recall() -> dict[str, Any]:
    """A line for each run: interpolated precision over recall."""
    alt = altair()
    x = alt.X("recall:Q", title="recall", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=6))
    y = alt.Y("precision:Q", title="interpolated precision", scale=alt.Scale(domain=[0, 1]))
    base = _base(alt).encode(x=x, y=y, color=_colour(alt))
    dots = base.mark_point(filled=True, size=40, opacity=1).encode(
        shape=_shape(alt), tooltip=_tips(alt, "run", "recall", "precision")
    )
    lines = base.mark_line(strokeWidth=2).encode(detail="run:N")
    return _spec(alt.layer(lines, dots).properties(height=320))


def queries() -> dict[str, Any]:
    """A bar for each query, sorted; the tails carry their names, the chosen bar an outline."""
    alt = altair()
    x = alt.X("place:O", title=None, axis=None, scale=alt.Scale(paddingInner=0.1))
    tips = _tips(alt, "query", "value", "before", "after")
    y = alt.Y("change:Q", title=None)
    bars = _base(alt).mark_bar(cursor="pointer").encode(
        x=x, y=y, color=_colour(alt), tooltip=tips, stroke=alt.Stroke("outline:N", scale=None)
    )  # fmt: skip
    text = _base(alt).transform_filter("datum.label != null")
    up = text.transform_filter("datum.change < 0").mark_text(
        angle=270, align="left", baseline="middle", dx=6, fontSize=11
    )
    down = text.transform_filter("datum.change >= 0").mark_text(
        angle=270, align="right", baseline="middle", dx=-6, fontSize=11
    )
    labels = [one.encode(x=x, y=alt.datum(0), text="label:N") for one in (up, down)]
    return _spec(alt.layer(bars, _zero(alt, "y"), *labels).properties(height=260))


def slope() -> dict[str, Any]:
    """A line for each judged item from its rank before to its rank after; the grade fills the dots."""
    alt = altair()
    x = alt.X(
        "side:O",
        title=None,
        axis=alt.Axis(labelAngle=0, domain=False, ticks=False, orient="top", labelPadding=12),
        sort=None,
    )
    scale = alt.Scale(type="log", reverse=True, nice=False, domainMin=1)
    y = alt.Y("place:Q", title="rank", scale=scale, axis=alt.Axis(grid=False, format="d"))
    base = _base(alt).encode(x=x, y=y)
    lines = base.mark_line(strokeWidth=2, opacity=0.8).encode(detail="item:N", color=_colour(alt))
    tips = _tips(alt, "item", "grade", "rank", "contribution", "moved")
    dots = base.mark_point(filled=True, size=110, opacity=1, strokeWidth=1.5).encode(
        fill=alt.Fill("fill:N", scale=None), stroke=_stroke(alt), tooltip=tips
    )
    text = base.transform_filter("datum.text != null").encode(text="text:N")
    left = text.transform_filter("datum.first").mark_text(align="right", dx=-10, fontSize=11)
    right = text.transform_filter("!datum.first").mark_text(align="left", dx=10, fontSize=11)
    return _spec(alt.layer(lines, dots, left, right).properties(height=320))


def slices() -> dict[str, Any]:
    """Dot and whisker for each run within each group of queries."""
    alt = altair()
    base = _base(alt).encode(
        y=_names(alt, "group"), yOffset=alt.YOffset("run:N", sort=None, scale=alt.Scale(paddingOuter=0.6)),
        color=_colour(alt), tooltip=_tips(alt, "group", "queries", "run", "mean", "low", "high"),
    )  # fmt: skip
    x = _values(alt, "low", zero=False)
    whiskers = base.mark_rule(strokeWidth=2).encode(x=x, x2="high:Q")
    dots = base.mark_point(filled=True, size=70, opacity=1).encode(
        x=_values(alt, "mean", zero=False), shape=_shape(alt)
    )
    return _spec(alt.layer(whiskers, dots).properties(height=alt.Step(16, **{"for": "offset"})))


def health() -> dict[str, Any]:
    """A bar from the lowest to the highest possible value; dot, tick and diamond upon it."""
    alt = altair()
    tips = _tips(alt, "run", "mean", "low", "high", "condensed", "ceiling")
    base = _base(alt).encode(y=_names(alt, "run"), tooltip=tips)
    bars = base.mark_bar(height=10, cornerRadius=3, opacity=0.35).encode(
        x=_values(alt, "low", zero=False), x2="high:Q", color=_colour(alt)
    )
    dots = base.mark_point(filled=True, size=80, opacity=1).encode(
        x=_values(alt, "mean", zero=False), color=_colour(alt)
    )
    ticks = base.mark_tick(thickness=2, height=16).encode(x=_values(alt, "condensed", zero=False), color=_colour(alt))
    tops = base.mark_point(shape="diamond", filled=False, size=60, opacity=1).encode(
        x=_values(alt, "ceiling", zero=False)
    )
    return _spec(alt.layer(bars, ticks, tops, dots).properties(height=alt.Step(26)))


def costs() -> dict[str, Any]:
    """A dot for each run, quality over cost; a stepped line joins the runs that no other beats in both."""
    alt = altair()
    few = alt.Axis(tickCount=6)
    x = alt.X("cost:Q", title="mean cost of a query", axis=few, scale=alt.Scale(zero=False, padding=60))
    y = alt.Y("mean:Q", title="mean of the measure", axis=few, scale=alt.Scale(zero=False, padding=24))
    base = _base(alt).encode(x=x, y=y)
    front = base.transform_filter("datum.best").mark_line(strokeDash=[4, 3], interpolate="step-after", strokeWidth=1.5)
    dots = base.mark_point(filled=True, size=110, opacity=1).encode(
        color=_colour(alt), shape=_shape(alt), tooltip=_tips(alt, "run", "kind", "cost", "measure", "mean", "best")
    )
    names = base.mark_text(dy=-13, fontSize=11, limit=120).encode(text="run:N")
    return _spec(alt.layer(front, dots, names).properties(height=320))


def percents(alt: Any) -> Any:
    """Return the axis of a share, which is written as in the text: 20 %."""
    return alt.Axis(labelExpr="format(100 * datum.value, '~g') + ' %'", tickCount=6)


def bars(name: str, *beside: str, length: str = "share", tick: str = "chance") -> dict[str, Any]:
    """A bar for each row as long as its share (or another value), under its name; a tick at what `tick` names."""
    alt = altair()
    base = _base(alt).encode(y=_names(alt, name), tooltip=_tips(alt, name, length, tick, *beside))
    axis, scale = percents(alt) if length == "share" else alt.Axis(format="~g", tickCount=6), alt.Scale(zero=True)
    drawn = base.mark_bar(height=12, cornerRadiusEnd=2).encode(
        x=alt.X(f"{length}:Q", title=None, scale=scale, axis=axis), color=_colour(alt)
    )
    ticks = base.mark_tick(thickness=2, height=18, color="var(--ink)").encode(
        x=alt.X(f"{tick}:Q", title=None, scale=scale, axis=axis)
    )
    return _spec(alt.layer(drawn, ticks).properties(height=alt.Step(22)))


def dots(across: str, up: str) -> dict[str, Any]:
    """A dot for each query at its values `x` and `y`, which the axes call `across` and `up`."""
    alt = altair()
    x, y = (
        axis(f"{field}:Q", title=title, axis=alt.Axis(tickCount=6), scale=alt.Scale(zero=False, padding=8))
        for axis, field, title in ((alt.X, "x", across), (alt.Y, "y", up))
    )
    marks = _base(alt).mark_point(filled=True, size=60, opacity=0.45)
    drawn = marks.encode(x=x, y=y, color=_colour(alt), tooltip=_tips(alt, "query", "x", "y"))
    return _spec(alt.layer(drawn).properties(height=300))


NUMBERS = frozenset(
    {
        "mean", "low", "high", "difference", "ceiling", "condensed", "recall", "precision", "cost", "p", "queries",
        "share", "chance", "ranks", "items", "documents", "x", "y", "costs", "dense finds", "best single",
    }
)  # fmt: skip
FORMATS = {
    "queries": ",d", "ranks": ",d", "items": ",d", "p": ".4f", "recall": ".1f", "share": ".1%", "chance": ".1%",
    "documents": ",d", "costs": ".1%", "dense finds": ".1%",
}  # fmt: skip


def _tips(alt: Any, *names: str) -> list[Any]:
    return [
        alt.Tooltip(f"{name}:Q", format=FORMATS.get(name, ".4f")) if name in NUMBERS else alt.Tooltip(f"{name}:N")
        for name in names
    ]


def _base(alt: Any) -> Any:
    return alt.Chart(alt.NamedData(ROWS))


def _names(alt: Any, field: str) -> Any:
    return alt.Y(f"{field}:N", sort=None, title=None, axis=alt.Axis(grid=False, ticks=False, domain=False))


def _values(alt: Any, field: str, *, zero: bool) -> Any:
    return alt.X(f"{field}:Q", title=None, scale=alt.Scale(zero=zero), axis=alt.Axis(tickCount=6))


def _colour(alt: Any) -> Any:
    return alt.Color("colour:N", scale=None)


def _stroke(alt: Any) -> Any:
    return alt.Stroke("colour:N", scale=None)


def _shape(alt: Any) -> Any:
    return alt.Shape("shape:N", scale=None)


def _zero(alt: Any, channel: str) -> Any:
    return alt.Chart(alt.InlineData([{}])).mark_rule(strokeWidth=1).encode(**{channel: alt.datum(0)})


def _spec(chart: Any) -> dict[str, Any]:
    """Return what is as wide as its place on the page."""
    fit = altair().AutoSizeParams(type="fit-x", contains="padding")
    found: dict[str, Any] = chart.properties(width="container", autosize=fit).to_dict()
    for extra in ("config", "$schema"):
        found.pop(extra, None)
    return found
