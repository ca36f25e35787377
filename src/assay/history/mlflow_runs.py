"""`mlflow_runs`: runs of MLflow as JSON, as its API lists them or as its library writes them, ready for the store."""

import json
import math
import os
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assay.core.history import Made, Recorded, RecordedFigure
from assay.errors import InputError
from assay.history.results import require_sound, rises
from assay.store.evaluations_packed import queries_digest

MEASURE = "assay.measure."
"""The tag that holds the name of a measure which no metric of MLflow may have."""
GIVEN = ("runName", "source.git.commit", "user", "source.name", "source.type")
"""What MLflow says of a run in tags called `mlflow.`; the first two are kept elsewhere."""


def mlflow_runs(
    path: str | os.PathLike[str],
    *,
    suite: str | None = None,
    name: str | None = None,
    time: datetime | None = None,
    tags: Mapping[str, str] | None = None,
    code: str | None = None,
    baseline: bool = False,
    note: str = "",
) -> Iterator[Recorded]:
    """Yield each run that has a metric, oldest first: metrics as figures, parameters and tags as tags.

    The file holds the answer of `runs/search`, one run, or a list of runs; metrics, params and tags are lists of
    key and value, or objects. The suite is the name of the experiment, unless it is said. How many queries a metric
    is of is not known, nor their values.

    Raises
    ------
    InputError
        No such JSON, or a run without metrics and info.
    """
    said = {"suite": suite, "name": name, "time": time, "tags": tags or {}, "code": code}
    found = []
    for at, one in enumerate(_runs(path), 1):
        place = f"{os.fspath(path)}, run {at}"
        found.append(_run(one, said, place))
        require_sound(found[-1:], place)
    for each in sorted(found, key=lambda one: one.time):
        if each.figures:
            yield Recorded(**{**_fields(each), "baseline": baseline, "note": note})


def _fields(each: Recorded) -> dict[str, Any]:
    return {name: getattr(each, name) for name in ("id", "suite", "name", "time", "made", "figures")}


def _runs(path: str | os.PathLike[str]) -> list[Any]:
    try:
        document = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{os.fspath(path)}: expected JSON, found an error: {error}") from None
    if isinstance(document, dict):
        document = document.get("runs", [document.get("run", document)])
    if not isinstance(document, list) or not document:
        raise InputError(f"{os.fspath(path)}: expected runs of MLflow, found none")
    return document


def _run(run: Any, said: Mapping[str, Any], place: str) -> Recorded:
    try:
        info, data = run.get("info", run), run.get("data", run)
        metrics = _pairs(data["metrics"])
        params, tags = (_texts(data.get(name) or {}) for name in ("params", "tags"))
        given = {name: tags.get(f"mlflow.{name}") for name in GIVEN}
        names = {key.removeprefix(MEASURE): name for key, name in tags.items() if key.startswith(MEASURE)}
        kept = {key: text for key, text in tags.items() if not key.startswith(("mlflow.", MEASURE))}
        suite = said["suite"] or info.get("experiment_name") or info.get("experiment_id") or "mlflow"
        name = said["name"] or info.get("run_name") or info.get("name") or given["runName"] or info.get("run_id")
        return Recorded(
            id=0, suite=str(suite), name=str(name or "run"), time=said["time"] or _time(info), baseline=False, note="",
            figures=tuple(_figure(names.get(key, key), value) for key, value in metrics.items()),
            made=_made({**params, **kept, **said["tags"]}, said["code"] or given["source.git.commit"]),
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"{place}: expected info, metrics, params and tags of MLflow, found an error: {error!r}"
        ) from None


def _made(tags: Mapping[str, str], code: str | None) -> Made:
    return Made(
        gold=None, run=None, corpus=None, queries=queries_digest(()), code=code, platform="", assay="", policy={},
        tags=tags, task="mlflow",
    )  # fmt: skip


def _pairs(given: Any) -> dict[str, Any]:
    """Return an object, or a list of key and value, as a dictionary; of a key with several values the last step."""
    if isinstance(given, Mapping):
        return {str(key): value for key, value in given.items()}
    ordered = sorted(given, key=lambda one: (int(one.get("step") or 0), int(one.get("timestamp") or 0)))
    return {str(one["key"]): one["value"] for one in ordered}


def _texts(given: Any) -> dict[str, str]:
    return {key: str(value) for key, value in _pairs(given).items()}


def _figure(name: str, value: Any) -> RecordedFigure:
    number = float(value)
    mean = number if math.isfinite(number) else None
    return RecordedFigure(name, "", mean, 0, 0, higher_is_better=rises(name), of_queries=False)


def _time(info: Mapping[str, Any]) -> datetime:
    """Return when a run began: milliseconds since 1970, or a text of ISO 8601."""
    given = next((info[key] for key in ("start_time", "timestamp", "end_time") if info.get(key) is not None), None)
    if given is None:
        raise ValueError("no start_time")
    if isinstance(given, str) and not given.isdecimal():
        found = datetime.fromisoformat(given)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found
    return datetime.fromtimestamp(int(given) / 1000, UTC)
