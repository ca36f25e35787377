"""`results`: what other verbs wrote as JSON, made ready for the store; one record for each run or system in it."""

import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from assay.core.history import Made, Recorded, RecordedFigure
from assay.core.hits import Floats
from assay.errors import AssayError, InputError, ParameterError
from assay.history.circumstances import corpus_digest, platform
from assay.history.gold_digest import rows_digest
from assay.measures import parse
from assay.store.evaluations_adding import require
from assay.store.evaluations_packed import queries_digest

Document = Mapping[str, Any]
CLOSE = 1e-9
"""A mean made again of the values of queries may differ by so much, relatively, from the one that is recorded."""


@dataclass(frozen=True, eq=False)
class Result:
    """What a document says of one run: its figures and, where it has them, the values of its queries."""

    name: str
    task: str
    figures: tuple[RecordedFigure, ...]
    values: Mapping[str, Mapping[str, float | None]] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    policy: Mapping[str, Any] = field(default_factory=dict)
    gold: str | None = None
    run: str | None = None

    def of(self, inputs: Mapping[str, str | None]) -> "Result":
        """Return the result with the digests of its gold and its run."""
        return replace(self, **inputs)  # type: ignore[arg-type]


def results(
    path: str | os.PathLike[str],
    *,
    suite: str | None = None,
    name: str | None = None,
    time: datetime | None = None,
    tags: Mapping[str, str] | None = None,
    corpus: str | os.PathLike[str] | None = None,
    code: str | None = None,
    baseline: bool = False,
    note: str = "",
) -> tuple[Recorded, ...]:
    """Return each run of a result as a store takes it; a figure is of its queries only where their mean gives it.

    The result is the JSON of `evaluate`, `links`, `neighbours`, `entities`, `rag`, `answers` or `graph`. Values of
    queries are kept where the result holds them. What is said beside the path is as in `record`; the suite is the task
    unless it is said.

    The gold of a ranking is told by the digest of its rows, as everywhere, where its file still lies where the result
    says; else by that of the bytes of the file, which the result holds and which is like no digest of rows.

    Raises
    ------
    InputError
        No JSON, that of another verb, or a number in it that is none.
    """
    document = read(path)
    try:
        found = list(_results(document))
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        wrong = f"one without {error}" if isinstance(error, KeyError) else f"an error: {error}"
        raise InputError(f"{os.fspath(path)}: expected the JSON of a result of Assay, found {wrong}") from None
    if not found:
        msg = f"{os.fspath(path)}: expected the JSON of an evaluation of Assay, found another"
        raise InputError(msg, hint="assay evaluate, links, neighbours, entities, rag, answers or graph … -o json.")
    when, digest = datetime.now(UTC) if time is None else time, None if corpus is None else corpus_digest(corpus)
    said = {"corpus": digest, "code": code, "assay": str(document.get("assay", "")), "tags": dict(tags or {})}
    more = {"time": when, "baseline": baseline, "note": note}
    made = tuple(_recorded(one, said, suite=suite or one.task, name=name or one.name, **more) for one in found)
    require_sound(made, os.fspath(path))
    return made


def require_sound(made: Iterable[Recorded], place: str) -> None:
    """Refuse what a store could not give back, with the place where it stands.

    Raises
    ------
    InputError
        What `HistoryStore.add` would refuse.
    """
    try:
        for one in made:
            require(one)
    except ParameterError as error:
        raise InputError(f"{place}, {error.message}") from None


def read(path: str | os.PathLike[str]) -> Document:
    """Return the JSON object of a file.

    Raises
    ------
    InputError
        No such file, or something else in it.
    """
    try:
        document = json.loads(Path(path).read_bytes().decode("utf-8-sig"), parse_constant=_no_number)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{os.fspath(path)}: expected JSON, found an error: {error}") from None
    if not isinstance(document, dict):
        raise InputError(f"{os.fspath(path)}: expected a JSON object, found {type(document).__name__}")
    return document


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _results(document: Document) -> Iterator[Result]:
    """Yield what the document says of each run; nothing of a document that no verb wrote."""
    from assay.history.results_of_tasks import READERS

    quality = document.get("quality")
    if isinstance(document.get("runs"), list):
        yield from of_runs(document, _task(document))
    elif "suspects" in document and isinstance(quality, dict):
        yield from of_runs(quality, "graph")
    else:
        for keys, reader in READERS.items():
            if set(keys) <= set(document):
                yield from reader(document)
                return


def _task(document: Document) -> str:
    keys = {"protocols": "links", "truth": "entities", "unit": "rag"}
    return next((task for key, task in keys.items() if key in document), "ranking")


def of_runs(document: Document, task: str) -> Iterator[Result]:
    """Yield each run of the JSON of an evaluation."""
    gold = document["gold"]
    digest = gold.get("sha256")
    if task == "ranking":
        digest = rows_digest(gold.get("path"), digest, gold.get("format"))
    for run in document["runs"]:
        values = _by_measure(run.get("per_query") or {})
        yield Result(
            name=str(run["name"]),
            task=task,
            figures=tuple(_once(_figures_of_run(document, run, values))),
            values=values,
            policy=document.get("policy") or {},
            gold=digest,
            run=run.get("sha256"),
        )


def _once(figures: Iterator[RecordedFigure]) -> Iterator[RecordedFigure]:
    """Leave out a measure that was told of the same slice before."""
    seen = set()
    for one in figures:
        if (one.measure, one.slice) not in seen:
            seen.add((one.measure, one.slice))
            yield one


def _figures_of_run(
    document: Document, run: Document, values: dict[str, dict[str, float | None]]
) -> Iterator[RecordedFigure]:
    from assay.history.results_of_tasks import of_entities

    empty = document["gold"].get("empty_queries") or []
    for name, block in run["measures"].items():
        _fill_empty(values.get(name), block, empty, document)
        yield figure_of(name, block, values=values.get(name))
    for side, block in (run.get("sides") or {}).items():
        for name, one in block["measures"].items():
            yield figure_of(name, one, part=f"side={side}")
    for cut in (*(document.get("slices") or ()), *(document.get("breakdowns") or ())):
        for one in cut["figures"]:
            if one["run"] == run["name"] and one["measure"] in run["measures"]:
                size, ends = cut["groups"][one["group"]], one.get("interval") or {}
                block = {**ends, "mean": one["mean"], "queries": one["queries"], "undefined": size - one["queries"]}
                yield figure_of(one["measure"], block, part=f"{cut['column']}={one['group']}")
    yield from of_entities(run)


def _fill_empty(values: dict[str, float | None] | None, block: Document, empty: list[str], document: Document) -> None:
    """Give queries without a relevant item the value with which they enter the figure."""
    policy = block.get("policy") or document.get("policy") or {}
    counts = {"zero": 0.0, "one": 1.0}.get(policy.get("empty", ""))
    if values is None or counts is None or _is_mean(block, values):
        return
    filled = values | {query: counts for query in empty if values.get(query, 0.0) is None}
    if _is_mean(block, filled):
        values.update(filled)


def figure_of(
    name: str,
    block: Document,
    *,
    part: str = "",
    values: Mapping[str, float | None] | None = None,
    up: bool | None = None,
) -> RecordedFigure:
    """Return a figure of a block with mean (or value), queries, undefined, low and high, whichever it has."""
    mean = block["mean"] if "mean" in block else block.get("value")
    return RecordedFigure(
        measure=name,
        slice=part,
        mean=_number(mean),
        queries=int(block.get("queries") or 0),
        undefined=int(block.get("undefined") or 0),
        higher_is_better=rises(name) if up is None else up,
        low=_number(block.get("low")),
        high=_number(block.get("high")),
        of_queries=values is not None and _is_mean(block, values),
    )


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _is_mean(block: Document, values: Mapping[str, float | None]) -> bool:
    """Tell whether a figure is the plain mean of values."""
    numbers = [value for value in values.values() if value is not None]
    mean = block["mean"] if "mean" in block else block.get("value")
    if mean is None or not numbers:
        return mean is None and not numbers
    return math.isclose(math.fsum(numbers) / len(numbers), mean, rel_tol=CLOSE, abs_tol=CLOSE)


def rises(name: str) -> bool:
    """Tell whether higher is better; of a measure that is not known here, it is."""
    try:
        return parse(name).higher_is_better
    except AssayError:
        return True


def _by_measure(rows: Mapping[str, Mapping[str, float | None]]) -> dict[str, dict[str, float | None]]:
    found: dict[str, dict[str, float | None]] = {}
    for query, row in rows.items():
        for measure, value in row.items():
            found.setdefault(measure, {})[query] = value
    return found


def _recorded(one: Result, said: dict[str, Any], **more: Any) -> Recorded:
    asked = {query for values in one.values.values() for query in values}
    queries = tuple(sorted(asked, key=str.encode))
    made = Made(
        gold=one.gold, run=one.run, queries=queries_digest(queries), platform=platform(), policy=one.policy,
        task=one.task, **said,
    )  # fmt: skip
    values = {measure: _numbers(by_query, queries) for measure, by_query in one.values.items()}
    return Recorded(id=0, made=made, figures=one.figures, queries=queries, values=values, groups=one.groups, **more)


def _numbers(by_query: Mapping[str, float | None], queries: tuple[str, ...]) -> Floats:
    found = (by_query.get(query) for query in queries)
    return np.array([np.nan if value is None else value for value in found], np.float64)
