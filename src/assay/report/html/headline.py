"""What the page says first: which run is better, by how much, how sure that is, what the data could tell."""

from collections import Counter

from assay.core.comparison import BETTER, EQUAL, UNRESOLVED, WORSE, Comparison, Contrast
from assay.core.dossier import Dossier
from assay.core.evaluation import Evaluation
from assay.report.amounts import counted, percent
from assay.report.comparison import method
from assay.report.grid import number
from assay.report.html.pairs import against_baseline
from assay.report.html.views import Block, Section, Text, Verdict, Verdicts
from assay.report.html.wording import TONES, effect, interval, joined, probability, signed, tallies
from assay.report.names import visible

MOST_CARDS = 4
"""Runs up to which each gets a verdict of its own; more are gathered by verdict."""
TERMINAL = ("W/T/L", "unclear:", "same:")
"""Lines about marks that only tables for the terminal have."""
ORDER = (BETTER, WORSE, UNRESOLVED, EQUAL)


def section(dossier: Dossier) -> Section:
    """Return the section "Verdict", or "Result" where there is one run only."""
    if dossier.comparison is None or not dossier.comparison.contrasts:
        return Section("verdict", "Result", tuple(_results(dossier)))
    return Section("verdict", "Verdict", tuple(_verdicts(dossier.comparison)))


def _results(dossier: Dossier) -> list[Block]:
    cards = [_result(visible(label), one) for label, one in zip(dossier.labels, dossier.evaluations, strict=True)]
    blocks: list[Block] = [Verdicts(tuple(cards))] if len(cards) <= MOST_CARDS else []
    if len(cards) > 1:
        blocks.insert(0, Text(_best(dossier), "lead"))
    return blocks


def _best(dossier: Dossier) -> str:
    """Name the best run by the first measure, and say that nothing was tested."""
    figures = [(visible(label), one.figures[0]) for label, one in zip(dossier.labels, dossier.evaluations, strict=True)]
    known = [(figure.mean, label, figure) for label, figure in figures if figure.mean is not None]
    if not known:
        return f"{figures[0][1].name} is undefined for every query of every run."
    sign = 1 if known[0][2].higher_is_better else -1
    mean, label, figure = max(known, key=lambda one: sign * one[0])
    highest = "highest" if sign > 0 else "lowest"
    return (
        f"Of {len(figures):,} runs, {label} has the {highest} {figure.name}: {number(mean, counted=figure.summed)}. "
        "The runs were not held against each other; assay compare tests whether such a difference is more than chance."
    )


def _result(label: str, evaluation: Evaluation) -> Verdict:
    first, *others = evaluation.figures
    over = counted(first.queries, "query")
    sentence = f"{label}: {first.name} {number(first.mean, counted=first.summed)} over {over}."
    span = interval(first.interval)
    facts = [(f"{first.name}, interval", span)] if span else []
    facts += [(one.name, number(one.mean, counted=one.summed)) for one in others[:5]]
    return Verdict("even", "", sentence, tuple(facts))


def _verdicts(comparison: Comparison) -> list[Block]:
    measure = comparison.measures[0]
    contrasts = against_baseline(comparison, measure)
    blocks: list[Block] = []
    if len(contrasts) > MOST_CARDS:
        blocks.append(Text(_summary(comparison, contrasts), "lead"))
        cards = [_gathered(verdict, contrasts) for verdict in ORDER if any(c.verdict == verdict for c in contrasts)]
    else:
        cards = [_card(comparison, contrast) for contrast in contrasts]
    blocks.append(Verdicts(tuple(cards)))
    blocks += [Text(line) for line in _elsewhere(comparison, contrasts)]
    blocks += [Text(line, "legend") for line in method(comparison) if not line.startswith(TERMINAL)]
    return blocks


def _summary(comparison: Comparison, contrasts: list[Contrast]) -> str:
    counts = Counter(contrast.verdict for contrast in contrasts)
    parts = [f"{counts[verdict]:,} {_are(verdict, counts[verdict])}" for verdict in ORDER if counts[verdict]]
    baseline, measure = visible(comparison.baseline), contrasts[0].measure
    return f"By {measure}, of {len(contrasts):,} runs held against {baseline}, {', '.join(parts)}."


def _are(verdict: str, many: int) -> str:
    if verdict in {BETTER, WORSE}:
        return f"{'is' if many == 1 else 'are'} {verdict}"
    return verdict if verdict == UNRESOLVED else f"show{'s' if many == 1 else ''} {verdict}"


def _gathered(verdict: str, contrasts: list[Contrast]) -> Verdict:
    """Return the runs with one verdict, the largest difference first."""
    chosen = [contrast for contrast in contrasts if contrast.verdict == verdict]
    chosen.sort(key=lambda contrast: (-abs(contrast.difference or 0.0), contrast.run))
    facts = tuple(
        (visible(one.run), f"{signed(one.difference)}, p {probability(one.significance.final)}") for one in chosen
    )
    return Verdict(TONES[verdict], verdict, counted(len(chosen), "run"), facts)


def _card(comparison: Comparison, contrast: Contrast) -> Verdict:
    facts = [
        ("Difference of the means", f"{signed(contrast.difference)} {interval(contrast.interval, sign=True)}".strip()),
        ("p value", _significance(comparison, contrast)),
        ("Queries won / equal / lost", tallies(contrast)),
    ]
    if contrast.effect is not None:
        facts.append(("Effect size (d)", effect(contrast)))
    return Verdict(
        TONES.get(contrast.verdict, "even"), contrast.verdict, _sentence(contrast), tuple(facts + _power(contrast))
    )


def _sentence(contrast: Contrast) -> str:
    run, baseline, measure = visible(contrast.run), visible(contrast.baseline), contrast.measure
    if contrast.verdict in {BETTER, WORSE}:
        return f"{run} is {contrast.verdict} than {baseline} by {measure}."
    if contrast.verdict == EQUAL:
        return f"{run} and {baseline} show no difference by {measure} that matters."
    over = counted(contrast.queries, "query", "queries")
    return f"Whether {run} or {baseline} is better by {measure} cannot be resolved with {over}."


def _significance(comparison: Comparison, contrast: Contrast) -> str:
    found = contrast.significance
    if found.final is None:
        return f"not tested: {visible(found.why)}"
    corrected = found.adjusted is not None and comparison.family.tests > 1
    return f"{probability(found.final)}" + (f", corrected for {comparison.family.tests:,} tests" if corrected else "")


def _power(contrast: Contrast) -> list[tuple[str, str]]:
    power, facts = contrast.power, []
    if power.detectable is not None:
        chance = percent(power.power, None)
        least = f"a difference of {number(power.detectable)} or more ({chance} chance, by a single test)"
        facts.append(("These data could find", least))
    if power.needed is not None and contrast.verdict == UNRESOLVED and power.needed > contrast.queries:
        facts.append(("To resolve this one", f"about {_rounded(power.needed):,} queries needed"))
    return facts


def _rounded(count: int) -> int:
    """Return a count with two digits that matter."""
    return int(float(f"{count:.1e}"))


def _elsewhere(comparison: Comparison, contrasts: list[Contrast]) -> list[str]:
    """Say how the verdict stands by the other measures, where one run is held against one."""
    others = comparison.measures[1:]
    if len(contrasts) != 1 or not others:
        return []
    found: dict[str, list[str]] = {}
    for measure in others:
        for contrast in against_baseline(comparison, measure):
            found.setdefault(contrast.verdict, []).append(measure)
    parts = [f"{verdict} by {joined(found[verdict])}" for verdict in ORDER if verdict in found]
    return [f"By the other measures, {visible(contrasts[0].run)}: {'; '.join(parts)}."] if parts else []
