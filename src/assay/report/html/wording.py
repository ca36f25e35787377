"""Numbers and verdicts as a reader wants them: signs, intervals, p values, plain words."""

from assay.core.comparison import BETTER, EQUAL, UNRESOLVED, WORSE, Contrast
from assay.core.estimates import Interval
from assay.report import comparison
from assay.report.grid import UNDEFINED, number
from assay.report.html.views import Column
from assay.report.names import shorten

TONES = {BETTER: "good", WORSE: "bad", UNRESOLVED: "unsure", EQUAL: "even"}
"""How a verdict stands out."""


def signed(value: float | None) -> str:
    """Write a difference with its sign.

    >>> signed(0.0213), signed(-0.2), signed(-1.5), signed(None)
    ('+0.0213', '−0.2000', '−1.5000', '-')
    """
    return UNDEFINED if value is None else comparison.signed(value).replace("-", "−")


def real(value: float | None) -> str:
    """Write a value that may be negative, with a true minus.

    >>> real(-0.5), real(0.25)
    ('−0.5000', '0.2500')
    """
    return number(value).replace("-", "−") if value is not None and value < 0 else number(value)


def probability(p: float | None) -> str:
    """Write a p value, never as 0.

    >>> probability(0.0213), probability(0.00004), probability(None)
    ('0.0213', '< 0.0001', '-')
    """
    return comparison.probability(p).replace("<", "< ")


def effect(contrast: Contrast) -> str:
    """Write the effect size with two decimals."""
    return UNDEFINED if contrast.effect is None else f"{contrast.effect:+.2f}".replace("-", "−")


def between(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Write both ends of an interval; nothing where an end is unknown.

    >>> between(0.1, 0.25), between(-0.1, 0.25, sign=True), between(None, 1.0)
    ('[0.1000, 0.2500]', '[−0.1000, +0.2500]', '')
    """
    if low is None or high is None:
        return ""
    write = signed if sign else real
    return f"[{write(low)}, {write(high)}]"


def interval(found: Interval | None, *, sign: bool = False) -> str:
    """Write an interval; nothing where nothing can be said."""
    return "" if found is None else between(found.low, found.high, sign=sign)


def tallies(contrast: Contrast) -> str:
    """Write wins, ties and losses."""
    return f"+{contrast.wins:,} / ={contrast.ties:,} / −{contrast.losses:,}"


def headed(name: str, before: str = "") -> Column:
    """Return the head of a column that is named after a run or a group; a long name is shortened.

    >>> headed("bm25-with-query-expansion-and-feedback", "rank in ").head
    'rank in bm25-with-qu…nd-feedback'
    """
    short = shorten(name, 24)
    return Column(before + short, name if short != name else "")


def joined(names: list[str], most: int = 6) -> str:
    """Write names one after the other, the first few of many.

    >>> joined(["a", "b", "c"]), joined(["a", "b", "c", "d"], most=2)
    ('a, b, c', 'a, b and 2 more')
    """
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"
