"""The family: all tests of a comparison corrected together, and the verdict on each."""

from collections.abc import Sequence
from dataclasses import replace

from assay.compare.settings import Settings
from assay.core.comparison import BETTER, EQUAL, UNRESOLVED, WORSE, Contrast, Family
from assay.core.estimates import Significance
from assay.statistics.many import adjust


def corrected(contrasts: Sequence[Contrast], settings: Settings) -> tuple[list[Contrast], Family]:
    """Return the contrasts with corrected p values and verdicts, and the family that was corrected."""
    found = judged(contrasts, settings)
    undefined = [
        (one.run, one.baseline, one.measure, one.significance.why) for one in found if one.significance.p is None
    ]
    family = Family(
        len(found) - len(undefined), settings.correction, settings.alpha, settings.pairs, tuple(undefined)
    )  # fmt: skip
    return found, family


def judged(contrasts: Sequence[Contrast], settings: Settings) -> list[Contrast]:
    """Return the contrasts with p values corrected over all of them, and their verdicts."""
    tests = adjusted([contrast.significance for contrast in contrasts], settings)
    margins = [None if contrast.margin is None else contrast.margin.equal for contrast in contrasts]
    equal = adjust(margins, settings.correction)
    return [
        replace(
            one,
            significance=test,
            verdict=verdict(one.difference, test, settings, up=one.higher_is_better, equal=p),
        )
        for one, test, p in zip(contrasts, tests, equal, strict=True)
    ]


def adjusted(tests: Sequence[Significance], settings: Settings) -> list[Significance]:
    """Return the tests with p values corrected over all of them; those that are undefined stay as they are."""
    if settings.correction == "none":
        return list(tests)
    ps = adjust([test.p for test in tests], settings.correction)
    return [replace(test, adjusted=p) for test, p in zip(tests, ps, strict=True)]


def verdict(
    difference: float | None, test: Significance, settings: Settings, *, up: bool, equal: float | None = None
) -> str:
    """Return the verdict on one difference; `equal` is the p value of "differs by the margin or more"."""
    if equal is not None and equal < settings.alpha:
        return EQUAL
    if test.final is None or test.final >= settings.alpha or not difference:
        return UNRESOLVED
    return BETTER if (difference > 0) == up else WORSE
