"""A comparison in words: the verdict on each run, how it was reached, and what the numbers mean."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from assay.core.comparison import BETTER, EQUAL, UNRESOLVED, WORSE, Comparison, Contrast, Mover
from assay.core.estimates import Interval
from assay.core.slices import SliceContrast
from assay.report.amounts import counted, percent
from assay.report.grid import number
from assay.report.names import visible

SEVERAL = 5
"""Beyond so many pairs the runs are counted by their verdict instead of named in a sentence each."""

TESTS = {
    "flips": "sign flips: the signs of the differences are flipped by chance",
    "t": "Student's paired t",
    "wilcoxon": "Wilcoxon's signed ranks, which ask another question than the mean",
    "wilcoxon-approx": "Wilcoxon's signed ranks by the normal approximation, which ask another question than the mean",
}
CORRECTIONS = {
    "holm": "corrected together by Holm",
    "hommel": "corrected together by Hommel",
    "bonferroni": "corrected together by Bonferroni",
    "bh": "corrected together by Benjamini-Hochberg, for screening: of the differences found some are false",
    "none": "not corrected: of many tests some find a difference by chance alone",
}
INTERVALS = {
    "bca": "bias-corrected bootstrap (BCa) over queries",
    "percentile": "bootstrap over queries (percentile)",
    "t": "Student's t",
    "exact": "the exact bound where all differences are equal",
    "wilson": "Wilson's score",
}
SHORT = {BETTER: "better", WORSE: "worse", UNRESOLVED: "unclear", EQUAL: "same"}
"""The verdicts in tables."""


def verdicts(comparison: Comparison, measure: str | None = None) -> list[str]:
    """Return the verdict on each run by one measure (by default the first) as sentences."""
    measure = measure or comparison.measures[0]
    contrasts = list(comparison.of(measure))
    if len(contrasts) <= SEVERAL:
        return [f"{verdict(one)}{_over_all(one, comparison)}" for one in contrasts]
    return list(_counted(contrasts, comparison))


def is_pairwise(comparison: Comparison) -> bool:
    """Tell whether each run is held against each, not only against the baseline."""
    return comparison.family.pairs == "all" and len(comparison.labels) > 2


def title(comparison: Comparison, measure: str | None = None) -> str:
    """Say what the verdicts are on: the measure, and against which run."""
    measure = measure or comparison.measures[0]
    if is_pairwise(comparison):
        return f"by {measure}, of {counted(len(list(comparison.of(measure))), 'pair')} of runs"
    return f"by {measure}, against {named_baseline(comparison, measure)}"


def named_baseline(comparison: Comparison, measure: str) -> str:
    """Name the baseline with its mean, where that is over the same queries for each run."""
    bases = {number(one.baseline_mean) for one in comparison.of(measure)}
    return visible(comparison.baseline) + (f" ({bases.pop()})" if len(bases) == 1 else "")


def verdict(one: Contrast) -> str:
    """Return the verdict on one run in a sentence or two."""
    run, base = visible(one.run), visible(one.baseline)
    if one.significance.p is None and one.verdict == UNRESOLVED:
        return f"{run} and {base} were not tested by {one.measure}: {one.significance.why}."
    p = "" if one.significance.p is None else f", p {probability(one.significance.final)}"
    numbers = (
        f"{number(one.mean)} against {number(one.baseline_mean)}, a difference of "
        f"{change(one, digits_of([one.interval]))}{p}{_shared(one)}."
    )
    if one.verdict in {BETTER, WORSE}:
        return f"{run} is {one.verdict} than {base} by {one.measure}: {numbers}"
    if one.verdict == EQUAL and one.margin is not None:
        within = f"less than {one.margin.margin:g} in {one.measure}, which was said not to matter"
        return f"{run} and {base} differ by {within}: {numbers}"
    return (
        f"{run} and {base} cannot be told apart by {one.measure}: {numbers}{_lowest(one)}{_not_worse(one)}{_told(one)}"
    )


def method(comparison: Comparison) -> Iterator[str]:
    """Yield how the verdicts were reached: family, test, intervals, marks."""
    family = comparison.family
    pairs = len({(one.run, one.baseline) for one in comparison.contrasts})
    measures = len(comparison.measures)
    left = f", less {len(family.undefined)} that cannot be tested" if family.undefined else ""
    how = CORRECTIONS[family.correction] if family.tests > 1 else "so that there is nothing to correct"
    yield (
        f"Family: {counted(family.tests, 'test')} "
        f"({counted(pairs, 'pair')} of runs × {counted(measures, 'measure')}{left}), "
        f"{how}. A difference counts where p is below {family.alpha:g}."
    )
    yield f"Test: {TESTS[comparison.test]}{_drawn(comparison)}. Seed {comparison.seed}."
    yield from _units(comparison.contrasts)
    yield (
        f"[{percent(comparison.level, None)} interval] of a mean difference: {_intervals(comparison)}. It is not "
        "corrected, so it may leave out 0 where the verdict is open."
    )
    yield "W/T/L: on how many queries the run did better, as well, worse."
    yield from _meanings(comparison.contrasts)


def digits_of(intervals: Iterable[Interval]) -> int:
    """Return how many decimals say something: a fourth only where an interval is narrower than 0.02."""
    widths = [one.high - one.low for one in intervals if one.low is not None and one.high is not None]
    return 4 if min(widths, default=0.0) < 0.02 else 3


def signed(value: float | None, digits: int = 4) -> str:
    """Write a difference with its sign.

    >>> signed(0.1234), signed(-0.00001), signed(None)
    ('+0.1234', '0.0000', '-')
    """
    return "-" if value is None else f"{value:+.{digits}f}" if round(value, digits) else f"{0:.{digits}f}"


def bracket(interval: Interval, digits: int = 4) -> str:
    """Write an interval in brackets.

    >>> bracket(Interval(-0.01234, 0.2, 0.95, "t", 50), 3)
    '[-0.012, 0.200]'
    """
    if interval.low is None or interval.high is None:
        return "[-]"
    low, high = (round(end, digits) + 0.0 for end in (interval.low, interval.high))
    return f"[{low:.{digits}f}, {high:.{digits}f}]"


def change(one: Contrast | SliceContrast, digits: int) -> str:
    """Write a difference and its interval; of figures that cannot be tested the difference alone."""
    if one.interval.low is None:
        whole = one.significance.p is None and one.difference is not None and one.difference.is_integer()
        return signed(one.difference, 0 if whole else digits)
    return f"{signed(one.difference, digits)} {bracket(one.interval, digits)}"


def short(one: Contrast | SliceContrast) -> str:
    """Return the verdict as it stands in tables; a dash where there was no test."""
    return "-" if one.significance.p is None and one.verdict == UNRESOLVED else SHORT[one.verdict]


def probability(p: float | None) -> str:
    """Write a p value.

    >>> probability(0.0421), probability(0.00001), probability(None)
    ('0.0421', '<0.0001', '-')
    """
    if p is None:
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def counts(one: Contrast) -> str:
    """Write wins, ties and losses."""
    return f"{one.wins}/{one.ties}/{one.losses}" if one.queries else "-"


def ranks(found: Sequence[float]) -> str:
    """Write the ranks of the relevant items of a query.

    >>> ranks((1.0, 3.0, 7.5)), ranks(())
    ('1 3 7.5', 'none')
    """
    return " ".join(f"{rank:g}" for rank in found) or "none"


def stood(mover: Mover, write: Callable[[Sequence[float]], str] = ranks) -> tuple[str, str]:
    """Write the ranks before and after; with the grades there where only these differ.

    >>> stood(Mover("q", 0.8, 1.0, (1.0, 2.0), (1.0, 2.0), (1.0, 2.0), (2.0, 1.0)))
    ('1 2 (grades 1 2)', '1 2 (grades 2 1)')
    """
    before, after = write(mover.ranks_before), write(mover.ranks_after)
    if before != after or mover.grades_before == mover.grades_after:
        return before, after
    return f"{before} (grades {write(mover.grades_before)})", f"{after} (grades {write(mover.grades_after)})"


def has_ranks(movers: Iterable[Mover]) -> bool:
    """Tell whether ranks are known: a comparison of results that were read from files has none."""
    return any(mover.ranks_before or mover.ranks_after for mover in movers)


def _counted(contrasts: Sequence[Contrast], comparison: Comparison) -> Iterator[str]:
    """Say how many runs, or pairs of runs, got which verdict; runs with the largest difference first."""
    words = {BETTER: "better", WORSE: "worse", EQUAL: "with no difference that matters"}
    words[UNRESOLVED] = "cannot be told from it by these queries"
    if is_pairwise(comparison):
        told = sum(one.verdict in {BETTER, WORSE} for one in contrasts)
        yield f"{told} differ, {len(contrasts) - told} cannot be told apart by these queries."
        return
    ordered = sorted(contrasts, key=lambda one: -abs(one.difference or 0.0))
    for kind, said in words.items():
        names = ", ".join(visible(one.run) for one in ordered if one.verdict == kind)
        if names:
            yield f"{sum(one.verdict == kind for one in contrasts)} {said}: {names}."


def _over_all(one: Contrast, comparison: Comparison) -> str:
    """Count the verdicts on one pair of runs over all measures."""
    pair = (one.run, one.baseline)
    tested = [other for other in comparison.contrasts if (other.run, other.baseline) == pair]
    found = [said for other in tested if (said := short(other)) in SHORT.values()]
    if len(found) < 2:
        return ""
    said = ", ".join(f"{kind} by {found.count(kind)}" for kind in SHORT.values() if kind in found)
    return f" Of {counted(len(found), 'measure')}: {said}."


def _shared(one: Contrast) -> str:
    """Say over how many queries this holds, where some have a value in one run only."""
    if not one.left_out:
        return ""
    return (
        f", over the {counted(one.queries, 'query')} with a value in both ({one.left_out:,} in one run only, left out)"
    )


def _lowest(one: Contrast) -> str:
    """Say where p is as low as these differences allow: its interval may leave out 0 all the same."""
    test = one.significance
    lowest = test.p is not None and test.p <= test.floor < 1 and test.method.endswith("exact")
    return " So few differences allow no lower p." if lowest else ""


def _not_worse(one: Contrast) -> str:
    """Say whether the run can at least be said not to be worse by the margin."""
    if one.margin is None or one.margin.not_worse is None:
        return ""
    p = f"p {probability(one.margin.not_worse)}, by a single test"
    return f" That it is worse by {one.margin.margin:g} or more has {p}."


def _told(one: Contrast) -> str:
    """Say what these queries could tell, and how many it would take."""
    if one.power.detectable is None:
        return ""
    chance, least = percent(one.power.power, None), f"{one.power.detectable:.3f}"
    could = f" With a chance of {chance} these queries find a difference of {least}"
    if one.power.needed is None or one.power.needed <= one.queries:
        return f"{could} or more (by a single test)."
    return f"{could} or more (by a single test); one as small as this takes about {_rounded(one.power.needed)} queries."


def _rounded(count: int) -> str:
    """Write a count with two digits that matter."""
    return f"{int(float(f'{count:.1e}')):,}" if count >= 100 else str(count)


def _drawn(comparison: Comparison) -> str:
    methods = {one.significance.method for one in comparison.contrasts if one.significance.p is not None}
    said = sorted(name.partition(", ")[2] for name in methods if ", " in name)
    return f" ({' or '.join(said)})" if said else ""


def _units(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """Say where queries that belong together count as one."""
    if any(one.significance.units < one.queries for one in contrasts if one.significance.p is not None):
        units = max(one.significance.units for one in contrasts)
        yield f"Queries that belong together (clusters) count as one unit: there are {units:,}."


def _intervals(comparison: Comparison) -> str:
    methods = dict.fromkeys(one.interval.method for one in comparison.contrasts if one.interval.method != "none")
    return " or ".join(INTERVALS.get(name, name) for name in methods) or "none"


def _meanings(contrasts: Sequence[Contrast]) -> Iterator[str]:
    """Explain the short verdicts and the direction, where they occur."""
    kinds = {one.verdict for one in contrasts if one.significance.p is not None or one.verdict != UNRESOLVED}
    lower = dict.fromkeys(one.measure for one in contrasts if not one.higher_is_better)
    if UNRESOLVED in kinds:
        yield "unclear: cannot be resolved by these queries, which is not the same as no difference."
    if EQUAL in kinds:
        yield "same: shown to differ by less than the margin."
    if lower:
        yield f"Lower is better: {', '.join(lower)}."
