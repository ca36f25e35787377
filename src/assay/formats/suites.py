"""Suites of questions: read from the files that people have, whatever their form, and written in ours."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.core.answers import Answer, Question, Suite
from assay.errors import FormatError, GoldError, UnknownNameError
from assay.formats.rag_items import ItemError, shown
from assay.formats.shapes import Repeated
from assay.formats.source import Source
from assay.formats.sparql_results import document_of
from assay.formats.suite_answers import value_of
from assay.formats.suite_json import Items, items_of_json
from assay.formats.suite_questions import SHAPES, recognised
from assay.formats.suite_yaml import items_of_yaml

YAML = frozenset({"yaml", "yml"})
BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What YAML takes for the end of a line, or not at all, where JSON takes it as it is."""


def read_suite(
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002 - as --format
    *,
    language: str = "en",
) -> Suite:
    """Read a suite of questions.

    YAML, JSON or JSON Lines, plain or packed, in one of these forms: `assay` (keys id, question, sparql, gold_sparql,
    answers, ordered, facts, weight; every other plain value is a group), `ck25`, `qald`, `kgqa` (sparql defines the
    right answers, gold_answers are texts) or `spinach`.

    Parameters
    ----------
    path
        The file, or "-" for standard input.
    format
        The form; without, the first question tells.
    language
        Which text to take where a question has several; the first where it has none in that language.

    Raises
    ------
    InputError
        A file that cannot be read, or a question that is not of its form; names its line or number.
    GoldError
        Two questions with the same id.
    UnknownNameError
        No such form.
    """
    source = Source.open(path)
    items = items_of_yaml(source) if _is_yaml(source) else items_of_json(source)
    return suite_of(items, source.path, _stem(source.path), format, language=language)


def suite_of(
    items: Items,
    place: str,
    name: str = "suite",
    format: str | None = None,  # noqa: A002 - as --format
    *,
    language: str = "en",
) -> Suite:
    """Return the suite that objects with their places make; errors as for `read_suite`.

    >>> suite_of([("line 1", {"question": "Is it?", "gold_sparql": "ASK {}"})], "in memory").questions[0].asked
    'ASK {}'
    """
    if format is not None and format not in SHAPES:
        raise UnknownNameError.of("form of a suite", format, SHAPES)
    if not items:
        msg = f"{place}: expected questions, found none"
        raise FormatError(msg)
    shape = format or _recognised(items[0][1])
    questions = tuple(_question(value, f"{place}, {at}", shape, language) for at, value in items)
    _check_names(questions, [at for at, _ in items], place)
    return Suite(name, questions, place, shape)


def line_of(question: Question) -> str:
    """Return a question as one line of JSON in our own form; `read_suite` reads the same one.

    >>> line_of(Question("1", "Who?", gold_query="SELECT ?x {}", weight=3))
    '{"id": "1", "question": "Who?", "gold_sparql": "SELECT ?x {}", "weight": 3}'
    """
    return json.dumps(_written(question), ensure_ascii=False, allow_nan=False)


def lines_of(suite: Suite) -> str:
    """Return a suite as JSON Lines in our own form."""
    return "".join(f"{line_of(one)}\n" for one in suite.questions)


def yaml_of(suite: Suite) -> str:
    """Return a suite as YAML in our own form, which people may edit: queries as blocks, each other value as in JSON."""
    lines = ["questions:"]
    for question in suite.questions:
        for number, (key, value) in enumerate(_written(question).items()):
            lead = "  - " if number == 0 else "    "
            lines += [f"{lead}{_key(key)}: {part}" if at == 0 else part for at, part in enumerate(_block(value))]
    return "\n".join(lines) + "\n"


def _is_yaml(source: Source) -> bool:
    """Whether the name says so; or, where it says nothing, whether the text does not begin as JSON does."""
    if source.suffixes and source.suffixes[-1] in {*YAML, "json", "jsonl", "ndjson"}:
        return source.suffixes[-1] in YAML
    return source.head.lstrip()[:1] not in {b"{", b"["}


def _stem(path: str) -> str:
    name = Path(path).name
    return name.split(".", 1)[0] or name


def _recognised(value: object) -> str:
    return recognised(value) if isinstance(value, Mapping) else "assay"


def _question(value: object, place: str, shape: str, language: str) -> Question:
    try:
        return SHAPES[shape](_keys_once(value), language)
    except ItemError as error:
        msg = f"{place}: expected {error.expected}, found {error.found}"
        raise FormatError(msg) from None


def _keys_once(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or isinstance(value, Repeated):
        again = isinstance(value, Repeated)
        raise ItemError("a question with each key once", "a key twice" if again else shown(value))
    return value


def _check_names(questions: tuple[Question, ...], places: list[str], place: str) -> None:
    first: dict[str, str] = {}
    for question, at in zip(questions, places, strict=True):
        if question.name in first:
            again = f"{shown(question.name)} in {first[question.name]} as well"
            raise GoldError(f"{place}, {at}: expected each question once, found {again}")
        first[question.name] = at


def _written(question: Question) -> dict[str, Any]:
    """Return the keys of our own form that a question needs, in their order."""
    weight = int(question.weight) if question.weight == int(question.weight) else question.weight
    gold = question.gold
    parts: dict[str, Any] = {
        "id": question.name,
        "question": question.text,
        "sparql": question.query,
        "gold_sparql": question.gold_query,
        "answers": None if gold is None else _answers(gold),
        "ordered": True if gold is not None and gold.ordered else None,
        "facts": [list(fact) for fact in question.facts] or None,
        "weight": None if weight == 1 else weight,
        **question.groups,
    }
    return {key: value for key, value in parts.items() if value is not None and value != ""}


def _answers(gold: Answer) -> object:
    if gold.boolean is not None:
        return gold.boolean
    named = tuple("answer" if number == 1 else f"answer{number}" for number in range(1, len(gold.columns) + 1))
    if gold.columns not in {named, ()}:
        return document_of(replace(gold, ordered=False))
    if len(gold.columns) == 1:
        return [value_of(row[0]) for row in gold.rows]
    return [[value_of(term) for term in row] for row in gold.rows]


def _key(key: str) -> str:
    return key if key.isidentifier() else json.dumps(key, ensure_ascii=False)


def _is_block(text: str) -> bool:
    lines = text.split("\n")
    return len(lines) > 1 and text == text.strip() and all(line.isprintable() for line in lines)


def _block(value: object) -> list[str]:
    """Return a value of YAML: a text of several lines as a block, where a block can hold it; all else as in JSON."""
    if isinstance(value, str) and _is_block(value):
        return ["|-", *(f"      {line}" if line else "" for line in value.split("\n"))]
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return [BREAKS.sub(lambda found: f"\\u{ord(found.group()):04x}", written)]
