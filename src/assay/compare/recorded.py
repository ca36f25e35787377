"""Results that were written as JSON, read back as evaluations, so that they can be compared."""

import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.evaluation import Evaluation, Figure
from assay.core.facts import Attached, GoldFacts, Options, RunAudit
from assay.core.judged import Floats
from assay.core.sample import Sample
from assay.core.scores import Scores
from assay.errors import InputError
from assay.measures import parse
from assay.measures.base import Measure
from assay.verify.document import Document, Recorded, RecordedRun, read_document

VERSION = re.compile(rb'"assay"\s*:\s*"')
"""What the JSON of a result holds, and a gold standard as JSON does not: a text under this name."""
CLOSE = 1e-9
"""A mean made again of the recorded values may differ by so much, relatively, from the recorded one."""


def is_result(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file is the JSON of `assay evaluate -o json`."""
    try:
        with Path(path).open("rb") as file:
            head = file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
            return head.startswith(b"{") and VERSION.search(head + file.read()) is not None
    except (OSError, ValueError):
        return False


def read_results(paths: Iterable[str | os.PathLike[str]]) -> list[Evaluation]:
    """Read the runs of results made by `assay evaluate -o json`, in their order.

    Raises
    ------
    InputError
        No such JSON, or one whose figures are not plain means of the recorded values of queries.
    """
    return [evaluation for path in paths for evaluation in _evaluations(path)]


def _evaluations(path: str | os.PathLike[str]) -> Iterator[Evaluation]:
    document = read_document(path)
    if document.aggregate != "macro" or document.weights is not None:
        kind = "weights" if document.weights is not None else f"a {document.aggregate} average"
        msg = f"{document.path}: expected means of the values of queries, found {kind}, which the result does not hold"
        raise InputError(msg, hint="compare the runs themselves: assay compare GOLD RUN RUN.")
    raw = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    gold = _gold(document.gold, raw["gold"])
    for run, block in zip(document.runs, raw["runs"], strict=True):
        yield _evaluation(document, run, block, gold)


def _gold(source: Recorded, block: Mapping[str, Any]) -> GoldFacts:
    """Return what the result says of its gold."""
    return GoldFacts(
        name=str(block.get("name", "gold")),
        path=source.path,
        digest=lambda: source.sha256,
        queries=_count(block.get("queries")),
        judgments=_count(block.get("judgments")),
        relevant=_count(block.get("relevant")),
        unjudged_queries=_texts(block, "unjudged_queries"),
        empty_queries=_texts(block, "empty_queries"),
        format=source.format,
    )


def _evaluation(document: Document, run: RecordedRun, block: Mapping[str, Any], gold: GoldFacts) -> Evaluation:
    tables = _tables(document, run)
    made = [_figure(document, run, name, table, block["measures"][name]) for name, table in tables.items()]
    return Evaluation(
        name=run.name,
        gold=gold,
        policy=document.policy,
        profile=None if document.profile is None else document.profile.name,
        figures=tuple(figure for figure, _ in made),
        scores=Scores.of(run.name, tables),
        audit=_audit(block.get("audit")),
        notices=_texts(block, "notices"),
        path=run.source.path,
        digest=lambda: run.source.sha256,
        queries=_count(block.get("queries")),
        rows=_count(block.get("rows")),
        format=run.source.format,
        options=Options(rel=document.rel, exclude=_attached(document.exclude)),
        samples={figure.name: sample for figure, sample in made if sample is not None},
    )


def _audit(block: object) -> RunAudit:
    """Return what was noticed about a run; of queries without gold the result names a few and counts all."""
    found: Mapping[str, Any] = block if isinstance(block, dict) else {}
    named = _texts(found, "extra_examples")
    return RunAudit(
        missing_queries=_texts(found, "missing_queries"),
        extra_queries=(*named, *[""] * (_count(found.get("extra_queries")) - len(named))),
        duplicates=_count(found.get("duplicates")),
        nan=_count(found.get("nan")),
        excluded=_count(found.get("excluded")),
        self_matches=_count(found.get("self_matches")),
        queries_with_ties=_count(found.get("queries_with_ties")),
    )


def _attached(source: Recorded | None) -> Attached | None:
    return None if source is None else Attached(source.path, lambda: source.sha256)


def _count(value: object) -> int:
    """Return a count of the result, 0 where it says none."""
    return int(value) if isinstance(value, int | float) else 0


def _texts(block: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a list of texts of the result, empty where it has none."""
    found = block.get(key)
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _tables(document: Document, run: RecordedRun) -> dict[str, tuple[pl.Series, Floats]]:
    """Return the queries and values of each measure."""
    if run.per_query is None:
        msg = f"{document.path}: {run.name}: expected the value of each query, found means only"
        raise InputError(msg, hint="assay evaluate -o json writes them.")
    queries = pl.Series(sorted(run.per_query, key=str.encode), dtype=pl.String)
    return {one.name: _values(run, one.name, queries) for one in run.figures}


def _values(run: RecordedRun, name: str, queries: pl.Series) -> tuple[pl.Series, Floats]:
    """Return the queries for which a measure is recorded, and its values, NaN where undefined."""
    rows = run.per_query or {}
    there = queries.filter(pl.Series([name in rows[query] for query in queries], dtype=pl.Boolean))
    values = [rows[query][name] for query in there]
    return there, np.array([np.nan if value is None else value for value in values], np.float64)


def _figure(
    document: Document,
    run: RecordedRun,
    name: str,
    table: tuple[pl.Series, Floats],
    block: Mapping[str, Any],
) -> tuple[Figure, Sample | None]:
    """Return a figure and the values that it is made of, which give the recorded mean again."""
    measure, (queries, values) = parse(name), table
    policy = block.get("policy")
    empty = policy.get("empty") if isinstance(policy, dict) else document.policy.empty
    entered = _filled(measure, values, empty)
    inside = ~np.isnan(entered)
    plain = type(measure).aggregate is Measure.aggregate
    sample = Sample(
        queries.filter(pl.Series(inside, dtype=pl.Boolean)), entered[inside],
        aggregate=None if plain else measure.aggregate, bounds=measure.bounds,
    )  # fmt: skip
    mean = measure.aggregate(sample.values)
    recorded = block.get("mean")
    if mean != recorded and (mean is None or recorded is None or not math.isclose(mean, recorded, rel_tol=CLOSE)):
        msg = f"{document.path}: {run.name}: {name} is {recorded}, but the values of its queries give {mean}"
        raise InputError(msg, hint="was the result changed by hand?")
    figure = Figure(
        name, str(block.get("requested", name)), recorded, len(sample), int(np.isnan(values).sum()),
        measure.higher_is_better, measure.summed,
    )  # fmt: skip
    return figure, None if measure.summed else sample


def _filled(measure: Measure, values: Floats, empty: object) -> Floats:
    """Return the values as they enter a mean: where the policy says so, an undefined one counts as 0 or 1."""
    if empty not in {"zero", "one"} or measure.worst is None or measure.summed:
        return values
    return np.where(np.isnan(values), 1.0 if empty == "one" else 0.0, values)
