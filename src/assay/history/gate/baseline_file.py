"""A baseline in a file that is kept under version control: text, sorted, one query a line, equal content equal bytes.

No time stands in it, and values are written to 12 decimals, so that a line changes only where a value did.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from assay.convert import written_whole
from assay.core.history import Made, Recorded, RecordedFigure
from assay.core.hits import Floats
from assay.errors import FormatError, InputError
from assay.history.gate.paired import DECIMALS

LAYOUT = 1
LONGEST = 18
"""A whole number of more digits is none that a baseline holds."""
NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of a baseline that lies in a file, which holds none."""
DIGESTS = ("gold", "corpus", "code", "exclude", "weights")
MADE = ("task", "gold", "corpus", "queries", "code", "platform", "assay", "policy", "exclude", "weights")


def write_baseline(recorded: Recorded, path: str) -> None:
    """Write an evaluation as a baseline; the file is whole or not there.

    Raises
    ------
    InputError
        A place that cannot be written.
    """
    with written_whole(path) as file:
        file.write(baseline_text(recorded).encode("utf-8", "backslashreplace"))


def baseline_text(recorded: Recorded) -> str:
    """Return the file of a baseline."""
    made = {name: value for name, value in recorded.made.to_dict().items() if name in MADE}
    head = {"assay_baseline": LAYOUT, "suite": recorded.suite, "name": recorded.name, "made": made}
    known = [one for one in recorded.figures if not one.slice and one.measure in recorded.values]
    figures = {one.measure: _figure(one) for one in known}
    lines = [
        "{",
        *(f"  {_json(key)}: {_json(value)}," for key, value in head.items() if key != "made"),
        *_block("made", {key: _json(value) for key, value in made.items()}),
        *_block("measures", {key: _json(value) for key, value in sorted(figures.items())}),
        *_block("queries", {query: _json(row) for query, row in _rows(recorded).items()}),
    ]
    return "\n".join([*lines[:-1], "  }", "}"]) + "\n"


def read_baseline(path: str) -> Recorded | None:
    """Return the baseline of a file, None where there is no such file.

    Raises
    ------
    InputError
        Content that is no baseline, or of another layout; the message says what is wrong.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected a baseline in UTF-8, found other bytes") from None
    except OSError as error:
        raise InputError(f"{path}: expected the file of a baseline, found an error: {error.strerror}") from None
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_finite, parse_int=_whole)
        _require_layout(path, found)
        return _recorded(found)
    except json.JSONDecodeError as error:
        hint, found = "a conflict of a merge? --update-baseline writes it anew.", f"found {error.msg}"
        raise FormatError.at(path, error.lineno, "expected a baseline in JSON", found, hint=hint) from None
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        msg = f"{path}: expected a baseline, found other content ({type(error).__name__}: {error})"
        raise InputError(msg, hint="--update-baseline writes it anew.") from None


def query_lines(path: str) -> dict[str, int]:
    """Return the line of each query in the file of a baseline, which lists them one a line; none without a file."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    begin = next((place for place, line in enumerate(lines) if line.startswith('  "queries": {')), len(lines))
    found = {}
    for number, line in enumerate(lines[begin + 1 :], begin + 2):
        try:
            query, _ = json.JSONDecoder().raw_decode(line.strip())
        except json.JSONDecodeError:
            continue
        found[str(query)] = number
    return found


def _rows(recorded: Recorded) -> dict[str, dict[str, float | None]]:
    """Return the values of each query, all sorted; of weights the file holds the digest alone."""
    columns = {measure: _plain(values) for measure, values in sorted(recorded.values.items())}
    rows = {
        query: {measure: values[at] for measure, values in columns.items()} for at, query in enumerate(recorded.queries)
    }
    return dict(sorted(rows.items(), key=lambda row: row[0].encode("utf-8", "surrogatepass")))


def _plain(values: Floats) -> list[float | None]:
    return [None if np.isnan(value) else round(value, DECIMALS) + 0.0 for value in np.asarray(values).tolist()]


def _figure(figure: RecordedFigure) -> dict[str, Any]:
    mean = None if figure.mean is None else round(figure.mean, DECIMALS) + 0.0
    return {"mean": mean, "queries": figure.queries, "higher_is_better": figure.higher_is_better}


def _block(name: str, rows: Mapping[str, str]) -> list[str]:
    """Return an object with one entry a line."""
    entries = [f"    {_json(key)}: {value}" for key, value in rows.items()]
    return [f"  {_json(name)}: {{", *(f"{one}," for one in entries[:-1]), *entries[-1:], "  },"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, sort_keys=True, allow_nan=False)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _finite(text: str) -> float:
    return float(text) if isfinite(float(text)) else _no_number(text)


def _whole(text: str) -> int:
    return int(text) if len(text) <= LONGEST else _no_number(f"{text[:LONGEST]}…")


def _require_layout(path: str, found: Any) -> None:
    layout = found.get("assay_baseline") if isinstance(found, dict) else None
    if layout != LAYOUT:
        said = "none" if layout is None else repr(layout)
        hint = "--update-baseline writes it anew."
        raise InputError(f"{path}: expected a baseline of layout {LAYOUT}, found {said}", hint=hint)


def _recorded(found: dict[str, Any]) -> Recorded:
    """Return the evaluation that a file holds."""
    made, measures = found["made"], found["measures"]
    rows = dict(sorted(found["queries"].items(), key=lambda row: row[0].encode("utf-8", "surrogatepass")))
    values = {measure: _numbers([row.get(measure) for row in rows.values()]) for measure in measures}
    figures = [_read_figure(measure, one, values[measure]) for measure, one in measures.items()]
    texts = {name: _text(made[name], name) for name in ("task", "queries", "platform", "assay")}
    digests = {name: _text(made[name], name) for name in DIGESTS if made.get(name) is not None}
    known: dict[str, Any] = {**dict.fromkeys(DIGESTS), **digests, **texts}
    return Recorded(
        0, _text(found["suite"], "suite"), _text(found["name"], "name"), NEVER,
        Made(run=None, policy=dict(made["policy"]), tags={}, **known), True, "", tuple(figures), tuple(rows), values,
    )  # fmt: skip


def _read_figure(measure: str, one: Mapping[str, Any], values: Floats) -> RecordedFigure:
    mean, queries, up = one["mean"], one["queries"], one["higher_is_better"]
    if not isinstance(queries, int) or not isinstance(up, bool):
        raise TypeError(f"{measure} without how many queries, or which way is better")
    undefined = int(np.isnan(values).sum())
    return RecordedFigure(measure, "", None if mean is None else _number(mean), queries, undefined, up)


def _text(found: Any, name: str) -> str:
    if not isinstance(found, str):
        raise TypeError(f"{name} is no text")
    return found


def _number(found: Any) -> float:
    if not isinstance(found, int | float) or isinstance(found, bool):
        raise TypeError(f"{found!r} is no number")
    return float(found)


def _numbers(column: list[Any]) -> Floats:
    return np.array([np.nan if value is None else _number(value) for value in column], np.float64)
