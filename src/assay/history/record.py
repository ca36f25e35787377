"""`record`: an evaluation made ready for the store, with all that is needed to look at it again."""

import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np
import polars as pl

from assay._version import __version__
from assay.compare.derived import columns_by
from assay.compare.grouping import groupings_of
from assay.compare.settings import Settings
from assay.compare.slicing import slice_evaluations
from assay.core.evaluation import Evaluation, Figure
from assay.core.gold import Gold
from assay.core.history import Made, Recorded, RecordedFigure
from assay.core.hits import Floats, Ints
from assay.core.run import Run
from assay.core.sample import Sample
from assay.engines.head import head as head_of
from assay.errors import ParameterError
from assay.history.circumstances import corpus_digest, platform
from assay.history.conditions import exclude_digest, weights_digest
from assay.history.gold_digest import gold_digest, rows_digest
from assay.inputs import as_pairs
from assay.store.evaluations_packed import queries_digest

DEPTH = 10
"""How many items of each query are kept."""


def record(
    evaluation: Evaluation,
    *,
    suite: str,
    gold: Gold | None = None,
    run: Run | None = None,
    by: Any = None,
    name: str | None = None,
    time: datetime | None = None,
    tags: Mapping[str, str] | None = None,
    corpus: str | os.PathLike[str] | None = None,
    code: str | None = None,
    head: int = DEPTH,
    exclude: Any = None,
    weights: Any = None,
    baseline: bool = False,
    note: str = "",
    task: str = "ranking",
) -> Recorded:
    """Return an evaluation as a store takes it; its id is 0.

    Parameters
    ----------
    evaluation
        What was measured; each figure with the interval that it has.
    suite
        The name under which evaluations are followed together.
    gold
        The gold standard: for slices, and for the digest of its rows; without it, its file is read where it still is.
    run, head, exclude
        The run, and how many of its items are kept for each query, without the pairs that were left out. Without a run,
        or with 0, none is kept.
    weights
        What was handed to `evaluate`, of which the digest is kept; by default that of the queries that have a value.
    by
        Slices, as in `compare`: a file, a frame, or relevant, judged, retrieved.
    name, time, tags, corpus, code, baseline, note, task
        What is said of it. The name is that of the run, the time is now; the corpus is a file, of which the digest is
        kept.

    Raises
    ------
    AssayError
        A head below 0, a time without its zone, slices without gold, what the run or the slices do wrong.

    >>> import assay
    >>> found = assay.evaluate({"q": {"a": 1}}, {"q": ["b", "a"]}, "RR")
    >>> made = record(found, suite="web", run=assay.Run.from_mapping({"q": ["b", "a"]}), head=1)
    >>> made.figure("RR").mean, made.values["RR"].tolist(), made.head["item"].to_list()
    (0.5, [0.5], ['b'])
    """
    if head < 0:
        raise ParameterError(f"head: expected a number of at least 0, found {head}")
    queries = tuple(sorted(set(evaluation.scores.table["query"]), key=str.encode))
    samples = evaluation.samples
    is_mean = evaluation.options.aggregate == "macro"
    slices, groups = ((), {}) if by is None else _slices(evaluation, gold, by)
    kept = None if run is None or not head else head_of(run, head, evaluation.policy, exclude=as_pairs(exclude))
    overall = tuple(_figure(one, samples.get(one.name), is_mean=is_mean) for one in evaluation.figures)
    asked: dict[str, Any] = {"corpus": corpus, "code": code, "task": task, "tags": _texts(tags or {})}
    digests = {"exclude": exclude_digest(exclude), "weights": weights_digest(evaluation, weights, gold)}
    return Recorded(
        id=0, suite=suite, name=evaluation.name if name is None else name,
        time=datetime.now(UTC) if time is None else time, made=_made(evaluation, gold, queries, **asked, **digests),
        baseline=baseline, note=note, figures=(*overall, *slices), queries=queries,
        values=dict(_values(evaluation, queries)), weights=_weights(samples, queries) if is_mean else None,
        clusters=_clusters(samples, queries), head=None if kept is None else kept.select("query", "item", "score"),
        depth=0 if kept is None else head, groups=groups,
    )  # fmt: skip


def _texts(tags: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in tags.items()}


def _made(
    evaluation: Evaluation,
    gold: Gold | None,
    queries: tuple[str, ...],
    *,
    corpus: str | os.PathLike[str] | None,
    **said: Any,
) -> Made:
    return Made(
        gold=_digest(evaluation, said["task"]) if gold is None else gold_digest(gold),
        run=evaluation.digest(),
        corpus=None if corpus is None else corpus_digest(corpus),
        queries=queries_digest(queries),
        platform=platform(),
        assay=__version__,
        policy=evaluation.policy.to_dict(),
        **said,
    )


def _digest(evaluation: Evaluation, task: str) -> str | None:
    """Return the digest of a gold standard of which only the file is known."""
    gold = evaluation.gold
    return rows_digest(gold.path, gold.digest(), gold.format) if task == "ranking" else gold.digest()


def _figure(one: Figure, sample: Sample | None, *, is_mean: bool) -> RecordedFigure:
    ends = (one.interval.low, one.interval.high) if one.interval else (None, None)
    plain = is_mean and sample is not None and sample.aggregate is None
    return RecordedFigure(
        one.name, "", one.mean, one.queries, one.undefined, one.higher_is_better, *ends, of_queries=plain
    )


def _values(evaluation: Evaluation, queries: tuple[str, ...]) -> Iterator[tuple[str, Floats]]:
    """Yield the value of each query: as it enters the figure, where it does, else as it was measured."""
    place = {query: at for at, query in enumerate(queries)}
    for (measure,), rows in evaluation.scores.table.group_by("measure", maintain_order=True):
        sample = evaluation.samples.get(str(measure))
        found = rows["query"] if sample is None else sample.queries
        values = rows["value"].fill_null(np.nan).to_numpy() if sample is None else sample.values
        yield str(measure), _placed(found, values, place)


def _placed(queries: pl.Series, values: Floats, place: Mapping[str, int]) -> Floats:
    placed = np.full(len(place), np.nan)
    placed[[place[query] for query in queries]] = values
    return placed


def _weights(samples: Mapping[str, Sample], queries: tuple[str, ...]) -> Floats | None:
    """Return what each query weighs, 0 where no measure has a value; None where all count alike."""
    found: dict[str, float] = {}
    for sample in samples.values():
        if sample.weights is not None:
            found |= dict(zip(sample.queries, sample.weights.tolist(), strict=True))
    return np.array([found.get(query, 0.0) for query in queries]) if found else None


def _clusters(samples: Mapping[str, Sample], queries: tuple[str, ...]) -> Ints | None:
    """Return the group of each query; a query without any value is one of its own."""
    found: dict[str, int] = {}
    for sample in samples.values():
        if sample.clusters is not None:
            found |= dict(zip(sample.queries, sample.clusters.tolist(), strict=True))
    if not found:
        return None
    free = max(found.values()) + 1
    return np.array([found.get(query, free + at) for at, query in enumerate(queries)], np.int64)


def _slices(
    evaluation: Evaluation, gold: Gold | None, by: Any
) -> tuple[tuple[RecordedFigure, ...], dict[str, dict[str, str]]]:
    """Return the figures of each slice, and to which slice of each column a query belongs."""
    if gold is None:
        raise ParameterError("by: expected gold beside it, found none")
    columns = columns_by(by, gold, evaluation)
    if columns is None:
        return (), {}
    groups = {
        one.column: {query: label for label, queries in one.groups.items() for query in queries}
        for one in groupings_of(columns, columns["query"])
    }
    return tuple(_slice_figures(evaluation, columns)), groups


def _slice_figures(evaluation: Evaluation, columns: pl.DataFrame) -> Iterator[RecordedFigure]:
    level = evaluation.options.interval
    settings = Settings() if level is None else Settings(level=level, seed=evaluation.options.seed or 0)
    known = {one.name: one for one in evaluation.figures}
    for cut in slice_evaluations([evaluation], columns, settings, contrasts=False):
        for one in cut.figures:
            sample = evaluation.samples[one.measure]
            yield RecordedFigure(
                measure=one.measure,
                slice=f"{cut.column}={one.group}",
                mean=one.mean,
                queries=one.queries,
                undefined=cut.groups[one.group] - one.queries,
                higher_is_better=known[one.measure].higher_is_better,
                low=None if level is None else one.interval.low,
                high=None if level is None else one.interval.high,
                of_queries=evaluation.options.aggregate == "macro" and sample.aggregate is None,
            )
