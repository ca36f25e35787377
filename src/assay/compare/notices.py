"""What a reader of a comparison should know: tests that cannot find anything, few queries, queries left out."""

import math
from collections.abc import Iterator, Sequence

from assay.compare.contrasts import MANY
from assay.compare.settings import Settings
from assay.core.comparison import Contrast, Family
from assay.core.estimates import Significance
from assay.report.amounts import counted

STEPPED = frozenset({"holm", "bonferroni"})
"""Corrections under which the first of m tests needs p < alpha / m, however many others are as small."""
SMALLER = "Fewer runs and measures make a smaller family, more queries a sharper test."
MOST_FLIPS = 200_000
"""So many sign flips take a moment; where more were needed another test is the better advice."""


def notices_of(contrasts: Sequence[Contrast], family: Family, settings: Settings) -> tuple[str, ...]:
    """Return the notices of a comparison, most serious first."""
    return (
        *about_floor([contrast.significance for contrast in contrasts], settings),
        *_about_undefined(family),
        *_about_left_out(contrasts),
        *_about_units(contrasts),
        *_about_amount(contrasts),
    )


def about_floor(tests: Sequence[Significance], settings: Settings, where: str = "") -> Iterator[str]:
    """Say where no test of a family can be significant, however large the difference."""
    able = [test for test in tests if test.p is not None]
    factor = len(able) if settings.correction in STEPPED else 1
    stuck = [test for test in able if test.floor * factor >= settings.alpha]
    if len(stuck) * 2 < max(len(able), 1):
        return
    lowest = min(1.0, min(test.floor for test in stuck) * factor)
    whose = ("after the correction " if factor > 1 else "") + ("its" if len(stuck) == 1 else "their")
    words = (
        f"{where}{len(stuck):,} of {counted(len(able), 'test')} cannot find anything, however large the difference: "
        f"{whose} p is at least {lowest:.2g}"
    )
    if not any("drawn" in test.method for test in stuck):
        yield f"{words}. {SMALLER if factor > 1 else 'More queries make a sharper test.'}"
        return
    need = math.ceil(factor / settings.alpha / 1000 + 1) * 1000
    more = f"--flips {need}, or " if need <= MOST_FLIPS else ""
    screen = ", or --correction bh for screening" if factor > 1 else ""
    yield (
        f"{words}, because only {settings.flips:,} sign flips are drawn. Use {more}--test t, which has no such floor"
        f"{screen}."
    )


def _about_undefined(family: Family) -> Iterator[str]:
    by_reason: dict[str, dict[str, int]] = {}
    for _, _, measure, why in family.undefined:
        counts = by_reason.setdefault(why, {})
        counts[measure] = counts.get(measure, 0) + 1
    for why, counts in by_reason.items():
        yield f"not tested, and not in the family: {', '.join(counts)}. Why: {why}."


def _about_left_out(contrasts: Sequence[Contrast]) -> Iterator[str]:
    left = [one for one in contrasts if one.left_out]
    if left:
        most = max(left, key=lambda one: one.left_out)
        yield (
            f"queries with a value in one of two runs only are left out of their comparison: up to {most.left_out} "
            f"({most.run} against {most.baseline} by {most.measure})."
        )


def _about_units(contrasts: Sequence[Contrast]) -> Iterator[str]:
    few = [one.interval.units for one in contrasts if "few" in one.interval.warnings]
    if few:
        units = "1 independent query is" if min(few) == 1 else f"{min(few)} independent queries are"
        yield f"{units} few: intervals are rough, and only large differences can be found."
    skewed = [one for one in contrasts if "skewed" in one.interval.warnings]
    if skewed:
        yield (
            f"{len(skewed)} of {len(contrasts)} differences come from a few queries (skewness of 2 or more): "
            f"their intervals may be too short ({_some([f'{one.run} by {one.measure}' for one in skewed])})."
        )


def _about_amount(contrasts: Sequence[Contrast]) -> Iterator[str]:
    if len(contrasts) > MANY:
        yield f"{len(contrasts):,} differences: intervals are Student's t, and what each pair could tell is left open."


def _some(names: Sequence[str], shown: int = 3) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
