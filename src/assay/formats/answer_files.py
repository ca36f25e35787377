"""What a system answered to the questions of a suite: files of answers, which grow line by line and can be resumed."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from assay.core.answers import Answer, Status
from assay.errors import FormatError, InputError
from assay.formats.documents import parsed
from assay.formats.rag_items import ItemError, number_of, shown, text_of
from assay.formats.shapes import Repeated
from assay.formats.source import Source
from assay.formats.sparql_results import answer_of, document_of
from assay.formats.suite_answers import gold_of
from assay.formats.suite_json import items_of_document
from assay.formats.suite_questions import PREDICTED, SHAPES, rows_of

NAMES = ("id", "question_id", "qid", "question")
STATUSES: tuple[str, ...] = get_args(Status)
ABOUT = "about"


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """The answers of one system.

    Parameters
    ----------
    name
        The name of the file without endings.
    answers
        The answer to each question, by the id of the question, in the order of the file.
    about
        What was asked of what, as the first line of the file says; empty where it says nothing.
    path, digest
        Where they lie, and the SHA-256 of the file.
    torn
        Whether the last line was cut short and is left out.
    """

    name: str
    answers: Mapping[str, Answer]
    about: Mapping[str, str] = field(default_factory=dict)
    path: str = ""
    digest: str = ""
    torn: bool = False


def read_answers(path: str | os.PathLike[str]) -> AnswerFile:
    """Read a file of answers: our own lines, QALD's JSON, an evaluation by SPINACH, or objects with `answers`.

    Our own lines hold `id`, `status` (answered, error, timeout), `seconds`, `message`, `ordered`, `truncated`,
    `scores`, and `head` with `results` or `boolean` as SPARQL writes them. Objects with `id` or `question`, and with
    `answers` or `answer`, hold texts, a list of them, or an object whose keys are the answers. A last line that was cut
    short is left out, and `torn` says so.

    Raises
    ------
    InputError
        A file that cannot be read, or an object that is no answer; names its line or number.
    """
    source = Source.open(path)
    items, torn = _items(source)
    about = _about(items[0][1], source.path) if items else None
    found: dict[str, Answer] = {}
    for at, value in items if about is None else items[1:]:
        name, answer = _answered(value, f"{source.path}, {at}")
        if name in found:
            msg = f"{source.path}, {at}: expected one answer to each question, found another to {shown(name)}"
            raise FormatError(msg)
        found[name] = answer
    if not found and about is None:
        msg = f"{source.path}: expected answers, found none"
        raise FormatError(msg)
    return AnswerFile(source.stem, found, about or {}, source.path, source.digest(), torn)


def write_answers(
    path: str | os.PathLike[str], answers: Mapping[str, Answer], about: Mapping[str, str] | None = None
) -> None:
    """Write a file of answers; `about` says in its first line what was asked of what. It appears when it is whole."""
    place = Path(path)
    lines = [] if about is None else [json.dumps({ABOUT: dict(about)}, ensure_ascii=False)]
    lines += [line_of_answer(name, answer) for name, answer in answers.items()]
    partly = place.with_name(f".{place.name}.partly")
    partly.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    partly.replace(place)


def append_answer(path: str | os.PathLike[str], name: str, answer: Answer) -> None:
    """Add one answer to a file that `write_answers` began; a last line that was cut short goes first.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    try:
        with Path(path).open("rb+") as file:
            _mend(file)
            file.write(f"{line_of_answer(name, answer)}\n".encode())
    except OSError as error:
        msg = f"{os.fspath(path)}: expected a file that can be written, found an error: {error.strerror or error}"
        raise InputError(msg) from None


def line_of_answer(name: str, answer: Answer) -> str:
    """Return one line of a file of answers.

    >>> line_of_answer("q1", Answer("timeout", message="after 5 s"))
    '{"id": "q1", "status": "timeout", "message": "after 5 s"}'
    """
    said = {
        "seconds": answer.seconds,
        "message": answer.message or None,
        "ordered": answer.ordered or None,
        "truncated": answer.truncated or None,
        "scores": None if answer.scores is None else list(answer.scores),
    }
    document = document_of(answer) if answer.answered else {}
    known = {key: value for key, value in said.items() if value is not None}
    return json.dumps({"id": name, "status": answer.status, **known, **document})


def _mend(file: Any) -> None:
    """Set a file to its end, after a line that is whole: the last one is cut off unless it is JSON."""
    end = file.seek(0, os.SEEK_END)
    if end == 0:
        return
    file.seek(end - 1)
    if file.read(1) == b"\n":
        return
    start, tail = _last_line(file, end)
    try:
        json.loads(tail)
        file.seek(0, os.SEEK_END)
        file.write(b"\n")
    except ValueError:
        file.seek(start)
        file.truncate()


def _last_line(file: Any, end: int) -> tuple[int, bytes]:
    start, tail = end, b""
    while start > 0 and b"\n" not in tail:
        step = min(1 << 16, start)
        start -= step
        file.seek(start)
        tail = file.read(step) + tail
    start += tail.rfind(b"\n") + 1
    return start, tail[tail.rfind(b"\n") + 1 :]


def _items(source: Source) -> tuple[list[tuple[str, Any]], bool]:
    """Return the objects of a file with their places, and whether its last line was cut short."""
    text = source.text()
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not lines or not lines[0][1].strip().startswith("{") or not _is_object(lines[0][1]):
        return items_of_document(parsed(text, source.path), source.path), False
    if len(lines) == 1 and "questions" in (only := json.loads(lines[0][1])):
        return items_of_document(only, source.path), False
    torn = not text.endswith("\n") and not _is_object(lines[-1][1])
    whole = lines[:-1] if torn else lines
    return [(f"line {number}", parsed(line, source.path, number)) for number, line in whole], torn


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _about(value: object, place: str) -> dict[str, str] | None:
    if not isinstance(value, Mapping) or ABOUT not in value or "status" in value:
        return None
    said = value[ABOUT]
    if not isinstance(said, Mapping):
        msg = f"{place}, line 1: expected an object as about, found {shown(said)}"
        raise FormatError(msg)
    return {str(key): str(held) for key, held in said.items()}


def _answered(value: object, place: str) -> tuple[str, Answer]:
    try:
        return _name_and_answer(value)
    except ItemError as error:
        msg = f"{place}: expected {error.expected}, found {error.found}"
        raise FormatError(msg) from None


def _name_and_answer(value: object) -> tuple[str, Answer]:
    if not isinstance(value, Mapping) or isinstance(value, Repeated):
        again = isinstance(value, Repeated)
        raise ItemError("an object with each key once", "a key twice" if again else shown(value))
    if isinstance(value.get("question"), list):
        question = SHAPES["qald"](value, "en")
        return question.name, question.gold or Answer("answered")
    return _name(value), _answer(value)


def _name(value: Mapping[str, Any]) -> str:
    held = next((value[key] for key in NAMES if value.get(key) is not None), None)
    name = (text_of(held) or "").strip()
    if not name:
        raise ItemError("an id or a question", f"the keys {', '.join(map(str, value))}")
    return name


def _answer(value: Mapping[str, Any]) -> Answer:
    if PREDICTED in value:
        return rows_of(value[PREDICTED]) or Answer("error", message="no answer was written down")
    if "status" in value or "results" in value or "boolean" in value:
        return _own(value)
    held = next((value[key] for key in ("answers", "answer", "gold_answers") if value.get(key) is not None), None)
    if held is None:
        raise ItemError("an answer under status, results, boolean, answers or answer", f"the keys {', '.join(value)}")
    if isinstance(held, Mapping) and not {"results", "boolean"} & held.keys():
        held = list(held)
    one = isinstance(held, str | int | float) and not isinstance(held, bool)
    return gold_of([held] if one else held, ordered=_truth(value, "ordered"))


def _own(value: Mapping[str, Any]) -> Answer:
    status = value.get("status", "answered")
    if status not in STATUSES:
        raise ItemError(f"one of {', '.join(STATUSES)} as status", shown(status))
    found = answer_of(value) if status == "answered" else Answer(_status(status))
    scores = value.get("scores")
    if scores is not None and (not isinstance(scores, list) or len(scores) != len(found.rows)):
        raise ItemError(f"{len(found.rows)} numbers as scores, one for each row", shown(scores))
    return Answer(
        found.status,
        found.columns,
        found.rows,
        found.boolean,
        _truth(value, "ordered"),
        None if scores is None else tuple(_score(one) for one in scores),
        number_of(value.get("seconds"), "seconds"),
        text_of(value.get("message")) or "",
        _truth(value, "truncated"),
    )


def _status(status: str) -> Literal["error", "timeout"]:
    return "timeout" if status == "timeout" else "error"


def _truth(value: Mapping[str, Any], key: str) -> bool:
    held = value.get(key)
    if held is not None and not isinstance(held, bool):
        raise ItemError(f"true or false as {key}", shown(held))
    return bool(held)


def _score(value: object) -> float:
    found = number_of(value, "score")
    if found is None or found != found:  # noqa: PLR0124 - NaN is no score
        raise ItemError("a number as score", shown(value))
    return found
