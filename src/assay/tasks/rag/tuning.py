"""`tune_rag`: the same measures over K, a threshold of the score, or runs that were made under each setting."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.policy import Policy
from assay.core.rag_tuning import BestSetting, Tuning, TuningPoint
from assay.errors import AssayError, ParameterError
from assay.evaluate import evaluate
from assay.measures import parse_many
from assay.report.amounts import counted
from assay.statistics.difference import significance
from assay.statistics.many import adjust
from assay.tasks.rag.matching import Matching
from assay.tasks.rag.questions import Several, several
from assay.tasks.rag.settings import NUMBER, Setting, by_column, cutoffs, of_files, thresholds
from assay.tasks.rag.tokens import Spending

K, SCORE, FILE = "k", "score", "file"
ALPHA = 0.05
DEFAULT = "Deducible R Noise"
"""The measures that are shown when none is asked for, at the cutoff that is set or that of the longest list."""


def tune_rag(
    systems: Iterable[Any] | Mapping[str, Any],
    measures: str = DEFAULT,
    *,
    over: str = K,
    values: Sequence[float] | None = None,
    gold: Any = None,
    unit: str | None = None,
    match: str | Matching = "id",
    threshold: float | None = None,
    policy: Policy | Mapping[str, str] | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Tuning:
    """Show what a setting of a retrieval system is worth.

    Every setting is held against the best one, question by question: those that are not shown to be worse are named,
    since the best of many is best by chance as well.

    Parameters
    ----------
    systems, gold, unit, match, threshold, policy
        As for `evaluate_rag`. One system for k and score, a file for each setting otherwise.
    measures
        Names, for k without a cutoff: "Deducible R P nDCG". Otherwise a name without one is taken at the length of
        the longest list.
    over
        "k": the first K items. "score": items whose score reaches a threshold. "file": runs made under each setting,
        told apart by the number in their names. Anything else is a key of the rows: their setting, such as "hops".
    values
        The cutoffs or thresholds; else usual cutoffs up to the longest list, or deciles of the scores.
    level, seed
        Of the intervals and tests.

    Raises
    ------
    ParameterError
        Several systems where one is expected, one where several are, values that are no cutoffs or thresholds.
    AssayError
        Whatever `several` and `evaluate` raise.

    >>> rows = [{"id": n, "retrieved": ["x", "a", "b"], "needed": ["a"]} for n in range(8)]
    >>> found = tune_rag([rows], "R P", values=[1, 2, 3])
    >>> found.curve("R"), found.best[0].lowest
    ([('1', 0.0), ('2', 1.0), ('3', 1.0)], '2')
    """
    if over not in {K, SCORE, FILE}:
        systems = by_column(systems, over)
    found = several(systems, gold=gold, unit=unit, match=match, threshold=threshold)
    settings = _settings(found, over, values)
    longest, terms = max(one.facts.longest for one in found.systems), found.policy(policy)
    points = []
    for one in settings:
        names = _names(measures, one.k, longest)
        judged = evaluate(found.gold, one.system.run, list(names), policy=terms, interval=level, seed=seed)
        points.append(_point(one, _renamed(judged, names if one.k else {}, one.label)))
    return Tuning(
        name=found.systems[0].name if over in {K, SCORE} else counted(len(settings), "run"),
        over=over,
        unit=found.unit,
        matching=found.matching.to_dict(),
        level=level,
        points=tuple(points),
        best=tuple(_best(points, seed)),
        notices=tuple(_notices(found, settings, over)),
    )


def _settings(found: Several, over: str, values: Sequence[float] | None) -> list[Setting]:
    if over not in {K, SCORE}:
        if values is not None:
            raise ParameterError(f"values: expected none over {over}, where each run is a setting, found some")
        return of_files(found.systems) if over == FILE else _of_values(found)
    if len(found.systems) > 1:
        hint = "over='file' takes each file as a setting."
        raise ParameterError(f"tune over {over}: expected one system, found {len(found.systems)}", hint=hint)
    make = cutoffs if over == K else thresholds
    return make(found.systems[0], values)


def _of_values(found: Several) -> list[Setting]:
    """Return the systems by the value that is their name, numbers in their order."""
    if len(found.systems) < 2:
        raise ParameterError(f"tune: expected two settings or more, found only {found.systems[0].name}")
    numbers = [float(one.name) if NUMBER.fullmatch(one.name) else None for one in found.systems]
    made = [Setting(one.name, number, one) for one, number in zip(found.systems, numbers, strict=True)]
    return made if None in numbers else sorted(made, key=lambda one: one.value or 0.0)


def _names(measures: str, k: int | None, longest: int) -> dict[str, str]:
    """Return the measures at a cutoff, each with the name that the curve has."""
    if k is None:
        return {name if _complete(name) else f"{name}@{longest}": name for name in _split(measures)}
    for name in _split(measures):
        family, at, _ = name.partition("@")
        if at:
            msg = f"measures: expected names without a cutoff, which is what is set, found {name}"
            raise ParameterError(msg, hint=f"{family} is then {family}@1, {family}@2 …")
    return {f"{name}@{k}": name for name in _split(measures)}


def _split(measures: str) -> list[str]:
    return measures.split() if set("({") & set(measures) else measures.replace(",", " ").split()


def _complete(name: str) -> bool:
    """Tell whether a measure needs no further cutoff."""
    try:
        parse_many(name)
    except AssayError:
        return False
    return True


def _renamed(evaluation: Evaluation, names: Mapping[str, str], label: str) -> Evaluation:
    """Return the evaluation under the name of its setting, and measures under those of the curve."""
    known = {figure.name: names.get(figure.requested, figure.name) for figure in evaluation.figures}
    table = evaluation.scores.table.with_columns(pl.col("measure").replace(known), run=pl.lit(label))
    return replace(
        evaluation,
        name=label,
        path=None,
        figures=tuple(replace(figure, name=known[figure.name]) for figure in evaluation.figures),
        scores=replace(evaluation.scores, table=table),
        samples={known[name]: sample for name, sample in evaluation.samples.items()},
    )


def _point(setting: Setting, evaluation: Evaluation) -> TuningPoint:
    """Return a setting with its figures and with how much a reader gets."""
    asked = max(len(setting.system.records), 1)
    spending = Spending.of(setting.system).rows.join(setting.items, on=["query", "at"], how="semi")
    unknown = spending["cost"].null_count()
    tokens = None if unknown else float(spending["cost"].sum()) / asked
    return TuningPoint(setting.label, setting.value, evaluation, setting.items.height / asked, tokens)


def _best(points: Sequence[TuningPoint], seed: int) -> Iterator[BestSetting]:
    """Yield for each measure the best setting, and which the questions cannot tell from it."""
    for figure in points[0].figures:
        known = [
            (mean, one) for one in points if (mean := one.evaluation[figure.name]) is not None and not figure.summed
        ]
        if not known:
            continue
        sign = 1 if figure.higher_is_better else -1
        mean, best = max(known, key=lambda pair: sign * pair[0])
        alike = _alike(best, [one for _, one in known], figure.name, seed)
        order = [one.setting for one in points if one is best or one.setting in alike]
        yield BestSetting(figure.name, best.setting, mean, alike, order[0])


def _alike(best: TuningPoint, known: Sequence[TuningPoint], measure: str, seed: int) -> tuple[str, ...]:
    """Return the settings whose paired difference from the best could be chance, corrected for as many tests."""
    others = [one for one in known if one is not best]
    wide = _values(best, measure)
    for place, one in enumerate(others):
        wide = wide.join(_values(one, measure), on="query", how="left", maintain_order="left", suffix=str(place))
    if not others:
        return ()
    table = wide.drop("query").to_numpy()
    tests = significance(table[:, 1:] - table[:, :1], seed=seed)
    ps = adjust([one.p for one in tests])
    return tuple(one.setting for one, p in zip(others, ps, strict=True) if p is None or p >= ALPHA)


def _values(point: TuningPoint, measure: str) -> pl.DataFrame:
    """Return query and value as they enter the mean."""
    sample = point.evaluation.samples[measure]
    return pl.DataFrame({"query": sample.queries, "value": sample.values})


def _notices(found: Several, settings: Sequence[Setting], over: str) -> Iterator[str]:
    if over == SCORE:
        empty = [one for one in settings if one.items["query"].n_unique() < len(found.systems[0].records)]
        if empty:
            yield f"From {empty[0].label} on some questions get nothing: these count as not found."
    if over == FILE and settings[0].value is None:
        yield "The names of the files hold no number that tells them apart: settings stand as given."
    yield "The best setting was chosen by these questions: judge it by others before it is believed."
