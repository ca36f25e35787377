"""`select`: what it brings to expand only the queries for which that is predicted to help."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import polars as pl

from assay.compare import Settings, compare
from assay.compare.family import judged
from assay.core.comparison import Family
from assay.core.lexical_expansion import HELPED, Selection, SelectionRule, Way
from assay.core.run import SCHEMA, FrameRows, Run
from assay.tasks.lexical.diagnosis.predictors import PREDICTORS, predictors
from assay.tasks.lexical.feedback.trial import Trial
from assay.tasks.lexical.selective import cross_validated, learn, lesson

KEPT = 10
"""How many of the first documents are held against those after expansion."""


def select(
    trial: Trial, way: Way, runs: Mapping[str, Run], seed: int, options: Mapping[str, Any]
) -> tuple[Selection, Run]:
    """Return what expanding only some queries in one way brings, and the run of that.

    The rule that decides for a query is learned without the query (`selective.cross_validated`); what it reads is
    known before anyone judges: `diagnosis.predictors`, and how many of the first ten documents expansion keeps.
    """
    plain = trial.searcher.model.name
    gains = {one.query: trial.gain(one.before, one.after) for one in way.queries}
    given = lesson(gains, _features(trial, runs[plain], runs[way.name], list(gains)), seed)
    expanded, rules = cross_validated(given)
    chosen = [query for query, flag in zip(given.queries, expanded, strict=True) if flag]
    selected = _mixed(runs[plain], runs[way.name], chosen, f"{way.name} selected")
    never, always = (float(np.mean([getattr(one, side) for one in way.queries])) for side in ("before", "after"))
    reference = way.name if trial.gain(never, always) > 0 else plain
    (contrast,) = compare(
        trial.gold, {reference: runs[reference], selected.name: selected}, trial.measure, seed=seed, **options
    ).contrasts
    best = [max(one.before, one.after, key=lambda value: trial.gain(0, value)) for one in way.queries]
    picked = set(chosen)
    mean = float(np.mean([one.after if one.query in picked else one.before for one in way.queries]))
    selection = Selection(
        way.name, trial.measure, len(gains), never, always, mean, float(np.mean(best)), len(chosen),
        len(way.of(HELPED)), reference, contrast, tuple(map(_meant, (*rules, learn(given)))), seed,
    )  # fmt: skip
    return selection, selected


def together(selections: Sequence[Selection], family: Family) -> tuple[Selection, ...]:
    """Return what selecting brings in each way, with p values corrected over the ways as the comparison's are."""
    settings = Settings(correction=cast("Any", family.correction), alpha=family.alpha)
    contrasts = judged([one.contrast for one in selections], settings)
    return tuple(replace(one, contrast=contrast) for one, contrast in zip(selections, contrasts, strict=True))


def _features(trial: Trial, plain: Run, expanded: Run, queries: list[str]) -> pl.DataFrame:
    """Return what is known of each query before anyone judges: the predictors, and what expansion keeps."""
    first = [_first(run) for run in (plain, expanded)]
    kept = first[0].join(first[1], on=["query", "item"]).group_by("query").len("kept")
    both = first[0].group_by("query").len("found").join(kept, on="query", how="left")
    share = both.select("query", kept=pl.col("kept").fill_null(0) / pl.col("found"))
    known = predictors(trial.searcher, {query: trial.weighted[query] for query in queries})
    return known.join(share, on="query", how="left")


def _first(run: Run) -> pl.DataFrame:
    return run.frame().group_by("query", maintain_order=True).head(KEPT).select("query", "item")


def _mixed(plain: Run, expanded: Run, chosen: Collection[str], name: str) -> Run:
    """Return the rows of the expanded run for the chosen queries, those of the plain one for the others."""
    there = pl.col("query").is_in(list(chosen))
    parts = [plain.frame().filter(~there), expanded.frame().filter(there)]
    return replace(plain, name=name, rows=FrameRows(pl.concat([part.select(list(SCHEMA)) for part in parts])))


def _meant(rule: SelectionRule) -> SelectionRule:
    """Return a rule that says what its predictor is."""
    if rule.predictor is None:
        return rule
    known = PREDICTORS.get(rule.predictor)
    return replace(rule, meaning=known.meaning if known else f"share of the first {KEPT} documents that stay first")
