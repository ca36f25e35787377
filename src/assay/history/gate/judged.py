"""A run judged by the measures of a gate, ready to be held against a baseline."""

import os
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.evaluation import Evaluation
from assay.core.gold import Gold
from assay.core.history import Recorded
from assay.core.run import Run
from assay.errors import ParameterError
from assay.evaluate import evaluate
from assay.history.circumstances import code_version, corpus_digest
from assay.history.gate.chance import judged_cutoff
from assay.history.gate.settings import Settings
from assay.history.record import record
from assay.history.results import results
from assay.inputs import as_gold, as_run
from assay.measures.base import MEASURES, Measure


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A run as it was judged; `names` maps a measure as the settings write it to its name in what was measured.

    Where that was handed over, as an evaluation or as the result of a task, there is no `run`, and `gold` knows the
    queries alone.
    """

    gold: Gold
    measured: Evaluation | Recorded
    names: dict[str, str]
    run: Run | None = None
    exclude: Any = None
    weights: Any = None

    def recorded(self, suite: str | None, corpus: str | None, code: str | None, *, with_items: bool) -> Recorded:
        """Return it as a store takes it, with the first items of each query or without."""
        code = code_version() if code is None else code
        if isinstance(self.measured, Recorded):
            searched = None if corpus is None else corpus_digest(corpus)
            made = replace(self.measured.made, corpus=searched, code=code)
            return replace(self.measured, suite=suite or made.task, made=made)
        return record(
            self.measured, suite=suite or self.measured.gold.name, gold=None if self.run is None else self.gold,
            run=self.run if with_items else None, exclude=self.exclude, weights=self.weights, corpus=corpus, code=code,
        )  # fmt: skip


def judged(gold: Any, run: Any, settings: Settings, options: dict[str, Any]) -> Judged:
    """Judge a run by the measures of the settings, and by the share of judged items where that is asked for.

    Raises
    ------
    AssayError
        Inputs that cannot be read, a figure that is no mean over queries.
    """
    wanted: list[Measure] = list(settings.measures)
    depths = {judged_cutoff(one) for scope in settings.scopes if scope.min_judged is not None for one in scope.limits}
    wanted += [one for k in sorted(depths) if (one := MEASURES["Judged"] @ k) not in wanted]
    known = None if run is not None or options else _handed_over(gold)
    if known is not None:
        found = Judged(_asked(known), known, {str(one): _measured(known, str(one), settings) for one in wanted})
    else:
        truth = as_gold(gold)
        answers = as_run(run, truth)
        evaluation = evaluate(truth, answers, wanted, **options)
        names = {str(one): figure.name for one, figure in zip(wanted, evaluation.figures, strict=True)}
        found = Judged(truth, evaluation, names, answers, options.get("exclude"), options.get("weights"))
    _require_means(found, settings)
    return found


def _handed_over(given: Any) -> Evaluation | Recorded | None:
    """Return what was measured before: an evaluation, or the one that a result holds."""
    if not isinstance(given, str | os.PathLike):
        return given if isinstance(given, Evaluation | Recorded) else None
    found = results(given, suite="")
    if len(found) != 1:
        raise ParameterError(f"{os.fspath(given)}: expected the result of one run, found {len(found)}")
    return found[0]


def _require_means(found: Judged, settings: Settings) -> None:
    for name in found.names.values():
        if not _is_mean(found.measured, name):
            msg = f"{settings.path}: expected measures that are means over queries, found {name}"
            raise ParameterError(msg, hint="other figures have no difference query by query.")


def _is_mean(measured: Evaluation | Recorded, name: str) -> bool:
    """Tell whether a figure is the mean of values of queries that are there."""
    if isinstance(measured, Recorded):
        return measured.figure(name).of_queries and name in measured.values
    sample = measured.samples.get(name)
    return sample is not None and sample.aggregate is None and not measured.figure(name).summed


def _measured(measured: Evaluation | Recorded, name: str, settings: Settings) -> str:
    """Return the name under which an evaluation has a measure."""
    try:
        if isinstance(measured, Recorded):
            return measured.figure(name).measure
        return measured.figure(name).name
    except KeyError:
        known = ", ".join(measured.measures if isinstance(measured, Recorded) else measured.mean)
        msg = f"{settings.path}: expected measures of the evaluation ({known}), found {name}"
        raise ParameterError(msg) from None


def _asked(measured: Evaluation | Recorded) -> Gold:
    """Return a gold standard that knows the queries of an evaluation, and nothing of them."""
    if isinstance(measured, Recorded):
        name, queries = measured.name, pl.Series(measured.queries, dtype=pl.String)
    else:
        name, queries = measured.gold.name, measured.scores.table["query"].unique()
    rows = pl.DataFrame({"query": queries}).with_columns(item=pl.lit(""), grade=pl.lit(0.0))
    return Gold(rows, name=name)
