"""`compare`: the verb. Gold and several runs in, which is better and how sure that is out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from assay.compare.comparable import require_comparable, with_shared_measures
from assay.compare.contrasts import Request, contrasts_of
from assay.compare.family import corrected
from assay.compare.movers import with_movers
from assay.compare.notices import about_floor, notices_of
from assay.compare.pairing import Values, values_of
from assay.compare.settings import COMPARED, Correction, Pairs, Settings, Test
from assay.compare.slicing import slices_of
from assay.core.comparison import Comparison
from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.run import Run
from assay.errors import ParameterError
from assay.evaluate import Measures, evaluate_all
from assay.evaluate.costs import costs_beside
from assay.inputs import as_gold, as_run
from assay.report.grid import labels_of
from assay.statistics.agreement import kendall_tau


def compare(
    gold: Any,
    runs: Iterable[Any] | Mapping[str, Any],
    measures: Measures = COMPARED,
    *,
    baseline: str | int | None = None,
    pairs: Pairs = "baseline",
    test: Test = "flips",
    correction: Correction = "holm",
    alpha: float = 0.05,
    level: float = 0.95,
    flips: int = 10_000,
    resamples: int = 10_000,
    seed: int = 0,
    margin: float | None = None,
    movers: int = 5,
    by: Any = None,
    costs: Any = None,
    **options: Any,
) -> Comparison:
    r"""Hold several runs against each other, query by query.

    The difference of a query is run minus baseline; queries are joined by their ids, and one that a run does not
    answer counts as the policy says. A run is better or worse where p, corrected over all pairs and measures, is
    below alpha; otherwise the difference cannot be resolved by these queries, which is not the same as no difference.

    Parameters
    ----------
    gold, measures, **options
        As for `evaluate`: policy, profile, rel, weights, exclude.
    runs
        Two or more runs, each as for `evaluate`; or `{name: run}`.
    baseline
        The run that the others are held against: its name or its place, by default the first.
    pairs
        "baseline": each run against the baseline. "all": each against each.
    test
        "flips": the signs of the differences flipped by chance, exact where few. "t": Student's paired t.
        "wilcoxon": Wilcoxon's signed ranks, which asks another question than the mean; "wilcoxon-approx" is its
        normal approximation, as R computes it.
    correction
        "holm", "hommel", "bonferroni" for claims, "bh" for screening, "none".
    alpha, level
        Below which p a difference counts, and the confidence of the intervals, which are not corrected.
    flips, resamples, seed
        How often chance is asked, and where it starts.
    margin
        A difference that does not matter; runs shown to differ by less are called so.
    movers
        How many of the most helped and of the most hurt queries to name.
    by
        Groups of queries: "relevant", "judged" or "retrieved" (how many items there are of each), or a file, frame
        or mapping with a column for the query and others to group by.
    costs
        What queries cost, for runs whose files do not say: a file or frame with the columns run, query and any of
        latency (seconds), tokens and price.

    Raises
    ------
    AssayError
        For everything that the input or the request does wrong; the message says where.

    >>> gold = {f"q{i}": {"a": 1} for i in range(8)}
    >>> old = {f"q{i}": ["b", "a"] for i in range(8)}
    >>> new = {f"q{i}": ["a", "b"] for i in range(8)}
    >>> found = compare(gold, {"old": old, "new": new}, "RR")
    >>> found["new", "RR"].difference, found["new", "RR"].significance.p, found["new", "RR"].verdict
    (0.5, 0.0078125, 'better')
    """
    settings = Settings(
        baseline, pairs, test, correction, alpha, level, flips, resamples, seed, margin, movers
    )  # fmt: skip
    gold = as_gold(gold)
    answers = _runs(runs, gold)
    _require_means(options.get("aggregate", "macro"))
    evaluations = evaluate_all(gold, answers, measures, **options)
    found = replace(_compared(evaluations, settings), costs=costs_beside(evaluations, answers, costs))
    return _with_slices(found, gold, by, settings)


def compare_evaluations(
    evaluations: Iterable[Evaluation],
    settings: Settings | None = None,
    *,
    gold: Gold | None = None,
    by: Any = None,
    anyway: bool = False,
    **statistics: Any,
) -> Comparison:
    """Hold results that are there already against each other.

    `statistics` are those of `compare`: baseline, pairs, test, correction, alpha, level, flips, resamples, seed,
    margin, movers; they change the settings, where such are given. `by` is as for `compare`; items can be counted,
    and ranks of relevant items shown, where the results were made in this process.

    Raises
    ------
    IncomparableError
        Results of different gold or conventions, unless `anyway`.
    ParameterError
        Fewer than two results, or results without a measure in common.
    """
    settings = replace(settings or Settings(), **statistics)
    given = list(evaluations)
    _require_several(given)
    aloud = require_comparable(given, anyway=anyway)
    shared, left = with_shared_measures(given)
    return _with_slices(_compared(shared, settings, (*aloud, *left)), gold, by, settings)


def _with_slices(comparison: Comparison, gold: Gold | None, by: Any, settings: Settings) -> Comparison:
    """Return the comparison with its queries cut into groups, and what is to be said of those."""
    slices = slices_of(comparison.evaluations, gold, by, settings)
    aloud = [
        line
        for one in slices
        for line in about_floor([test.significance for test in one.contrasts], settings, f"by {one.column}: ")
    ]
    return replace(comparison, slices=slices, notices=(*comparison.notices, *aloud))


def _runs(runs: Iterable[Any] | Mapping[str, Any], gold: Gold) -> list[Run]:
    """Return what was handed over as runs, named where it was handed over by name."""
    if isinstance(runs, Mapping):
        found = [replace(as_run(run, gold), name=str(name)) for name, run in runs.items()]
    else:
        found = [as_run(run, gold) for run in runs]
    _require_several(found)
    return found


def _require_means(aggregate: str) -> None:
    if aggregate == "pooled":
        msg = "aggregate: expected means over queries, which can be paired, found pooled"
        raise ParameterError(msg)


def _require_several(found: Sequence[Any]) -> None:
    if len(found) < 2:
        msg = f"runs: expected two or more to compare, found {len(found)}"
        raise ParameterError(msg, hint="evaluate measures a single run.")


def _compared(evaluations: Sequence[Evaluation], settings: Settings, aloud: tuple[str, ...] = ()) -> Comparison:
    """Return the comparison of evaluations that have the same measures."""
    labels, values = tuple(labels_of(evaluations)), values_of(evaluations)
    request = Request.of(labels, settings, len(values))
    baseline = labels[settings.place(labels)]
    contrasts, family = corrected([one for each in values for one in contrasts_of(each, request)], settings)
    notices = (*aloud, *notices_of(contrasts, family, settings))
    shown = [one for one in contrasts if one.baseline == baseline]
    moved = iter(with_movers(shown, values, labels, settings.movers, evaluations))
    contrasts = [next(moved) if one.baseline == baseline else one for one in contrasts]
    return Comparison(
        baseline, labels, tuple(evaluations), tuple(contrasts), family, settings.test, settings.level, settings.seed,
        agreement=_agreement(values), notices=notices,
    )  # fmt: skip


def _agreement(values: Sequence[Values]) -> dict[tuple[str, str], float | None]:
    """Return for each pair of measures how alike they order three or more runs (Kendall's tau)."""
    if len(values[0].figures) < 3:
        return {}
    means = {one.figure.name: [figure.mean for figure in one.figures] for one in values}
    signs = {one.figure.name: 1 if one.figure.higher_is_better else -1 for one in values}

    def goodness(measure: str) -> list[float] | None:
        found = [signs[measure] * mean for mean in means[measure] if mean is not None]
        return found if len(found) == len(means[measure]) else None

    known = {measure: goodness(measure) for measure in means}
    return {(a, b): _tau(known[a], known[b]) for a, b in combinations(means, 2)}


def _tau(a: list[float] | None, b: list[float] | None) -> float | None:
    return None if a is None or b is None else kendall_tau(a, b)
