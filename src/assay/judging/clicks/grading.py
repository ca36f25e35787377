"""`grade_clicks`: a log of clicks and a model make grades, each with its interval."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import polars as pl

from assay.core.clicks import ClickGrades
from assay.core.frames import is_frame
from assay.core.hits import Flags
from assay.core.progress import Progress
from assay.errors import GoldError, ParameterError, UnknownNameError
from assay.formats.clicks import ClickLog, read_clicks
from assay.judging.clicks.cascade import Cascade
from assay.judging.clicks.cells import Cells
from assay.judging.clicks.coec import Coec
from assay.judging.clicks.ctr import Ctr
from assay.judging.clicks.ipw import CLIP, Ipw
from assay.judging.clicks.model import ClickModel, Estimates
from assay.judging.clicks.pbm import Pbm
from assay.judging.clicks.sdbn import Sdbn
from assay.statistics.rates import ends_of

MODELS: Final[Mapping[str, type[ClickModel]]] = {model.name: model for model in (Ctr, Coec, Pbm, Ipw, Cascade, Sdbn)}
PRIOR = 20.0
"""Each pair is graded as if it had been looked at so many times more, and clicked as the average is."""
FEWEST = 10.0
"""Pairs that were looked at less often have no grade."""


def model_of(name: str, propensities: Mapping[int, float] | None = None, clip: float | None = None) -> ClickModel:
    """Return a model by its name, with its settings.

    Raises
    ------
    UnknownNameError
        No model of that name.
    ParameterError
        A setting that the model does not have.
    """
    if name not in MODELS:
        raise UnknownNameError.of("click model", name, MODELS)
    if propensities is not None and name not in {"pbm", "ipw"}:
        raise ParameterError(f"propensities: expected the model pbm or ipw, found {name}")
    if clip is not None and name != "ipw":
        raise ParameterError(f"clip: expected the model ipw, found {name}")
    if name == "pbm":
        return Pbm(propensities)
    if name == "ipw":
        return Ipw(propensities, CLIP if clip is None else clip)
    return MODELS[name]()


def grade_clicks(
    log: Any,
    model: str | ClickModel = "pbm",
    *,
    min_exposure: float = FEWEST,
    prior: float = PRIOR,
    interval: str = "wilson",
    level: float = 0.95,
    columns: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> ClickGrades:
    r"""Grade the items of a log by their clicks.

    $$ grade = \frac{n \cdot raw + m \cdot mean}{n + m} $$

    n is what the estimate is worth in plain trials, m the `prior`, mean that of all pairs, weighted by n. So 100
    clicks of 100 do not beat 9,000 of 10,000 where the usual item gets few; `prior=0` gives the estimates as they are.
    The interval is that of the estimate before it is pulled, made wider where the grade lies outside.

    Parameters
    ----------
    log
        A path or several, a dataframe, or a `ClickLog`.
    model
        ctr, coec, pbm, ipw, cascade, sdbn, or a model with its settings.
    min_exposure
        Pairs looked at less often, as far as the model can tell, get no grade.
    prior
        How many looks the mean of all pairs is worth, beside those of a pair.
    interval, level
        wilson or beta, and its confidence.
    columns
        Which column is the query, item, click, rank or session, where names are not recognised.

    Raises
    ------
    InputError
        A log that cannot be read, or lacks a column that the model needs.
    GoldError
        No pair has the exposure.
    ParameterError
        A number out of range.

    >>> rows = {"query": ["q"] * 200, "item": ["a", "b"] * 100, "rank": [1, 2] * 100}
    >>> log = pl.DataFrame(rows | {"click": [1, 0, 0, 0] * 50})
    >>> found = grade_clicks(log, "ctr", prior=0)
    >>> [(item, grade) for _, item, grade in found.gold.table.rows()]
    [('a', 0.5), ('b', 0.0)]
    """
    _check(min_exposure, prior)
    chosen = model_of(model) if isinstance(model, str) else model
    read = _opened(log, columns, progress)
    cells = Cells.of(read, chosen.until, ranked=chosen.ranked)
    found = chosen.estimate(cells)
    kept = np.isfinite(found.raw) & (found.examined >= max(min_exposure, 1e-12)) & (found.units > 0)
    if not kept.any():
        raise GoldError(
            f"{read.name}: expected pairs looked at {min_exposure:g} times or more, found none in "
            f"{cells.pairs.height:,} pairs",
            hint="a longer log, or a smaller minimum (min_exposure).",
        )
    terms = {"min_exposure": min_exposure, "prior": prior, "interval": interval, "level": level}
    table, mean = _graded(cells, found, kept, terms, ratio=chosen.ratio)
    undefined = int((~np.isfinite(found.raw)).sum())
    return ClickGrades(
        chosen.name, chosen.meaning, table, _ranks(cells, found, chosen),
        log=_facts(read, cells), settings={**terms, "mean": mean, "model": chosen.settings()},
        few=int((~kept).sum()) - undefined, undefined=undefined, fit=found.fit, notices=found.notices,
    )  # fmt: skip


def _opened(log: Any, columns: Mapping[str, str] | None, progress: Progress | None) -> ClickLog:
    if isinstance(log, ClickLog):
        return log
    if not isinstance(log, str | os.PathLike | list | tuple) and is_frame(log):
        return ClickLog.of(log, columns)
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = log
    return read_clicks(paths, columns, progress=progress)


def _graded(
    cells: Cells, found: Estimates, kept: Flags, terms: Mapping[str, Any], *, ratio: bool
) -> tuple[pl.DataFrame, float]:
    """Return a row for each pair that has a grade, and the mean to which estimates are pulled."""
    prior = terms["prior"]
    raw, units = found.raw[kept], found.units[kept]
    seen = raw if ratio else np.minimum(raw, 1.0)
    mean = float(np.average(seen, weights=units))
    grade = (units * seen + prior * mean) / (units + prior)
    low, high = ends_of(terms["interval"], seen, units, terms["level"], ratio=ratio)
    counts = {name: cells.by_pair(name)[kept].astype(np.int64) for name in ("shown", "clicks")}
    columns: dict[str, Any] = {
        "grade": grade, "low": np.minimum(low, grade), "high": np.maximum(high, grade), "raw": raw, **counts,
        "examined": found.examined[kept],
        **{name: pl.Series(values[kept]).fill_nan(None) for name, values in found.more.items()},
    }  # fmt: skip
    return cells.pairs.filter(pl.Series(kept)).with_columns(**{n: pl.Series(v) for n, v in columns.items()}), mean


def _ranks(cells: Cells, found: Estimates, model: ClickModel) -> pl.DataFrame | None:
    """Return how often each rank was shown and clicked, and how likely it is looked at."""
    if not model.ranked:
        return None
    if cells.levels is not None:
        table = cells.levels.with_columns(looked_at=pl.col("examined") / pl.col("shown"))
    else:
        counts = {name: cells.by_rank(name).astype(np.int64) for name in ("shown", "clicks")}
        looked = None if found.propensity is None else pl.Series(found.propensity).fill_nan(None)
        table = pl.DataFrame({"rank": cells.ranks, **counts}).with_columns(looked_at=pl.lit(looked, pl.Float64))
    return table.select("rank", "shown", "clicks", pl.col("clicks").truediv("shown").alias("rate"), "looked_at")


def _facts(log: ClickLog, cells: Cells) -> dict[str, Any]:
    """Return what the log holds."""
    return {
        "name": log.name, "files": [{"path": path, "sha256": digest} for path, digest in log.digests.items()],
        "shown": int(cells.column("shown").sum()), "clicks": int(cells.column("clicks").sum()),
        "queries": cells.pairs["query"].n_unique(), "pairs": cells.pairs.height,
        "searches_with_a_click": cells.searches,
    }  # fmt: skip


def _check(min_exposure: float, prior: float) -> None:
    for name, value in (("min_exposure", min_exposure), ("prior", prior)):
        if not (value >= 0 and np.isfinite(value)):
            raise ParameterError(f"{name}: expected a number of looks, 0 or more, found {value:g}")
