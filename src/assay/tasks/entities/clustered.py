"""Proposed clusters as an evaluation like any other: B-cubed, record by record."""

import re
from collections.abc import Iterable

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation, Figure
from assay.core.facts import GoldFacts, RunAudit
from assay.core.sample import Sample
from assay.core.scores import Scores
from assay.errors import ParameterError, UnknownNameError
from assay.evaluate import Measures
from assay.evaluate.estimating import estimate, with_intervals
from assay.measures.base import Measure
from assay.tasks.entities.clusters import score_records
from assay.tasks.entities.conventions import ENTITIES
from assay.tasks.entities.records import Listing
from assay.tasks.entities.request import Request
from assay.tasks.entities.truth import Truth

MEASURES = {"B3-P": "precision", "B3-R": "recall", "B3-F1": "f1"}
"""B-cubed of a record; the mean of B3-F1 is not the F1 of the means, which stands among the figures of clusters."""


def chosen(measures: Measures | None) -> tuple[str, ...]:
    """Return which measures of clusters are asked for, all of them where nothing is.

    Raises
    ------
    UnknownNameError
        A measure of rankings, which clusters have not, or no measure at all.
    ParameterError
        No name at all.

    >>> chosen("b3-f1, B3-P"), chosen(None)
    (('B3-F1', 'B3-P'), ('B3-P', 'B3-R', 'B3-F1'))
    """
    if measures is None:
        return tuple(MEASURES)
    several = [measures] if isinstance(measures, str | Measure | type) else measures
    names = [name for one in several for name in re.split(r"[\s,]+", str(one)) if name]
    if not names:
        raise ParameterError("measures: expected one or more, found none", hint=f"one of {', '.join(MEASURES)}.")
    known = {name.lower(): name for name in MEASURES}
    for name in names:
        if name.lower() not in known:
            raise UnknownNameError.of("measure of clusters", name, MEASURES)
    return tuple(dict.fromkeys(known[name.lower()] for name in names))


def cluster_evaluation(
    listing: Listing, truth: Truth, request: Request, names: Iterable[str] = tuple(MEASURES)
) -> Evaluation:
    """Return B-cubed precision, recall and F1 of each labelled record, ready for intervals, slices and comparisons.

    Records of one true entity are one unit in intervals and tests.

    >>> from assay.tasks.entities.records import as_listing
    >>> truth = Truth(pl.DataFrame({"record": ["a", "b", "c"], "entity": ["x", "x", "y"]}), None, "truth")
    >>> cluster_evaluation(as_listing({"a": "1", "b": "2", "c": "2"}), truth, Request()).mean["B3-R"]
    0.6666666666666666
    """
    scores = score_records(truth.clusters, listing.table.select("record", "entity"))
    records, units = scores["record"], _codes(scores["entity"])
    samples = {
        name: Sample(records, scores[MEASURES[name]].to_numpy(), clusters=units, bounds=(0.0, 1.0)) for name in names
    }
    policy = ENTITIES.but(**request.conventions).policy
    found = Evaluation(
        name=listing.name,
        gold=_facts(truth, len(records)),
        policy=policy,
        profile=ENTITIES.name,
        figures=tuple(_figure(name, sample) for name, sample in samples.items()),
        scores=Scores.of(listing.name, {name: (records, sample.values) for name, sample in samples.items()}),
        audit=RunAudit(),
        path=listing.origin.path if listing.origin else None,
        digest=listing.origin.digest if listing.origin else lambda: None,
        format=listing.origin.format if listing.origin else None,
        queries=listing.table["record"].n_unique(),
        rows=listing.table.height,
        samples=samples,
        estimator=estimate,
    )
    return found if request.interval is None else with_intervals(found, request.interval, request.seed)


def _figure(name: str, sample: Sample) -> Figure:
    return Figure(name, name, float(np.mean(sample.values)), len(sample), 0)


def _facts(truth: Truth, records: int) -> GoldFacts:
    origin = truth.origin
    return GoldFacts(
        truth.name, origin.path if origin else None, origin.digest if origin else lambda: None,
        records, records, records, {1.0: records}, format=origin.format if origin else None,
        asked="labelled record",
    )  # fmt: skip


def _codes(entities: pl.Series) -> np.ndarray:
    """Number the entities in the order in which they first appear, shape (records,)."""
    return np.unique(entities.to_numpy(), return_inverse=True)[1].astype(np.int64)
