"""Options that the verbs of `assay answers` share."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from assay.cli.terms import number, whole
from assay.errors import InputError

NAMES = "row-major, row-exact, row-superset, set, gerbil, qald, f1-of-means or micro"

Convention = Annotated[
    str,
    typer.Option("--convention", metavar="NAME", help=f"Which is shown first, of all that are shown: {NAMES}."),
]
Language = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="RULE",
        help="When texts are alike: ignore their language, basic (en = en-GB), or exact tags.",
    ),
]
Labels = Annotated[
    str,
    typer.Option("--labels", metavar="RULE", help="Columns named ...Label: leave-out of pooled values, or keep."),
]
LeaveOut = Annotated[
    str,
    typer.Option(
        "--leave-out", metavar="WHAT", help="Questions that leave every figure: none, or FILE (answers check -o json)."
    ),
]

EachQuestion = Annotated[bool, typer.Option("-q", "--per-query", help="Every question, not only the worst.")]
Interval = Annotated[str, typer.Option("--interval", metavar="LEVEL", help="Confidence of the intervals, or none.")]
SuiteForm = Annotated[
    str | None, typer.Option("--format", metavar="NAME", help="The form of the suite; else recognised.")
]
By = Annotated[
    list[str] | None,
    typer.Option("--by", metavar="KEY", help="Also F1 by group of questions: a key of the suite, such as type."),
]


def numbers(interval: str, seed: str) -> dict[str, Any]:
    """Return the confidence of intervals (None for none) and the seed as `evaluate_answers` takes them."""
    level = None if interval == "none" else number("--interval", interval)
    return {"interval": level, "seed": whole("--seed", seed, lowest=0)}


def left_out(said: str) -> dict[str, str]:
    """Return the questions to leave out, with the reason.

    A file is what `assay answers check -o json` wrote, or CSV with the columns question and reason.

    Raises
    ------
    InputError
        No such file, or one of another form.
    """
    if said == "none":
        return {}
    try:
        text = Path(said).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        msg = f"--leave-out: expected none or a file, found {said!r}: {getattr(error, 'strerror', None) or error}"
        raise InputError(msg, hint="assay answers check SUITE --graph FILE -o json --out health.json") from None
    return _of_json(text, said) if text.lstrip().startswith("{") else _of_rows(text, said)


def _of_json(text: str, path: str) -> dict[str, str]:
    try:
        found = json.loads(text)["left_out"]
    except (ValueError, KeyError, RecursionError):
        raise _other(path) from None
    if not isinstance(found, dict):
        raise _other(path)
    return {str(name): str(why) for name, why in found.items()}


def _of_rows(text: str, path: str) -> dict[str, str]:
    from assay.formats.cells import read_cells

    columns, *cells = (row for _, row in read_cells(text, path, ",")) if text else [[]]
    if not cells or "question" not in columns:
        raise _other(path)
    rows = (dict.fromkeys(columns, "") | dict(zip(columns, row, strict=False)) for row in cells if row)
    out = [row for row in rows if row.get("healthy") != "true"]
    return {row["question"]: row.get("reason") or row.get("finding") or "left out by a file" for row in out}


def _other(path: str) -> InputError:
    msg = f"{path}: expected JSON of assay answers check, or CSV with the columns question and reason, found neither"
    return InputError(msg)
