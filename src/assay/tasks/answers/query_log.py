"""`suite_of_log`: the queries that people have sent, drawn so that each stands for its share of the demand."""

import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote_plus

from assay.core.answers import Question, Suite
from assay.errors import FormatError, ParameterError
from assay.formats.cells import read_cells
from assay.formats.rag_items import ItemError, number_of, shown
from assay.formats.source import Source
from assay.formats.suite_json import json_lines
from assay.graph.sparql.modifiers import Modifiers, tokenised
from assay.graph.sparql.prefixes import expanded

QUERY = ("query", "sparql", "text")
COUNT = ("count", "n", "frequency", "weight")
PARAMETER = re.compile(r"(?:^|[?&\s\"])query=([^&\s\"]+)")
"""A query as servers log it, in the address that was called."""


@dataclass(frozen=True, slots=True)
class LogSuite:
    """A suite that was drawn from a log, and what the log holds.

    Parameters
    ----------
    suite
        The questions; the weights add up to `demand`.
    demand
        How often the queries were sent, all together.
    distinct
        How many different queries these are.
    other
        How often something else was sent: CONSTRUCT, DESCRIBE, updates, text that is no SPARQL.
    """

    suite: Suite
    demand: float
    distinct: int
    other: float


def suite_of_log(path: str | os.PathLike[str], *, questions: int | None = None, seed: int = 0) -> LogSuite:
    r"""Draw queries from a log as questions whose SPARQL defines the right answers.

    Queries that differ only in blanks, comments, prefixes and names of variables are one. With f_i the number of times
    that a query was sent, it is drawn with the probability

    $$ \pi_i = \min(1, n f_i / F) $$

    (systematically; what is sent so often that this would be above 1 is in for sure, and leaves n and F). Its weight is
    f_i / pi_i: the demand that it stands for. The weighted mean of a measure over the questions then estimates the mean
    over all that was sent.
    Source: Madow 1949 (systematic sampling with unequal probabilities), Horvitz & Thompson 1952.

    Parameters
    ----------
    path
        One SPARQL in each line, or the lines of a server's log with `query=`; JSON Lines or CSV with `query` (or
        `sparql`) and perhaps `count`.
    questions
        How many to draw; all if None.
    seed
        Which.

    Raises
    ------
    InputError
        A file that cannot be read or holds no query.
    ParameterError
        Fewer questions than 1.
    """
    if questions is not None and questions < 1:
        raise ParameterError(f"questions: expected 1 or more, found {questions}")
    source = Source.open(path)
    sent: Counter[str] = Counter()
    for query, count in _entries(source):
        sent[query] += count  # type: ignore[assignment]
    spelled, other = _distinct(sent)
    if not spelled:
        raise FormatError(f"{source.path}: expected SELECT or ASK queries, found none")
    often = {form: sum(found.values()) for form, found in spelled.items()}
    weights = drawn(often, questions, random.Random(seed))  # noqa: S311 - a draw that can be repeated
    made = tuple(_question(number, spelled[form], weight) for number, (form, weight) in enumerate(weights.items(), 1))
    suite = Suite(source.stem, made, source.path, "log")
    return LogSuite(suite, sum(often.values()), len(often), other)


def normal_form(query: str) -> str:
    """Return a query as all its spellings are written: no prefixes, comments, names of variables of its own.

    >>> normal_form("PREFIX x: <http://x/>  select ?who { ?who x:p 1 }") == normal_form("SELECT $y {$y <http://x/p> 1}")
    True
    """
    names: dict[str, str] = {}
    tokens = (token for token in tokenised(expanded(query)) if token.kind != "comment")
    return " ".join(_plain(token.kind, token.text, names) for token in tokens)


def drawn(often: Mapping[str, float], questions: int | None, chance: random.Random) -> dict[str, float]:
    """Draw keys by how often they come, and give each the weight that it stands for; the most frequent come first."""
    names = sorted(often, key=lambda name: (-often[name], name))
    total, left = sum(often.values()), len(names) if questions is None else min(questions, len(names))
    sure: dict[str, float] = {}
    for name in names:
        if left * often[name] < total or left == 0:
            break
        sure[name] = often[name]
        total, left = total - often[name], left - 1
    rest = [name for name in names if name not in sure]
    if left == 0 or not rest:
        return sure
    chance.shuffle(rest)
    taken: list[str] = []
    step, passed = total / left, 0.0
    mark = chance.random() * step
    for name in rest:
        passed += often[name]
        if passed > mark and len(taken) < left:
            taken.append(name)
            mark += step
    return sure | {name: total / len(taken) for name in names if name in set(taken)}


def _plain(kind: str, text: str, names: dict[str, str]) -> str:
    if kind == "variable":
        return names.setdefault(text[1:], f"?{len(names) + 1}")
    return text.upper() if kind == "word" and text != "a" else text


def _distinct(sent: Mapping[str, float]) -> tuple[dict[str, Counter[str]], float]:
    """Return the spellings of each query that has an answer of rows, and how often anything else was sent."""
    found: dict[str, Counter[str]] = {}
    other = 0.0
    for query, count in sent.items():
        if Modifiers.of(query).form in {"SELECT", "ASK"}:
            found.setdefault(normal_form(query), Counter())[query] += count  # type: ignore[assignment]
        else:
            other += count
    return found, other


def _question(number: int, spellings: Counter[str], weight: float) -> Question:
    query = min(spellings, key=lambda text: (-spellings[text], text))
    count = sum(spellings.values())
    groups = {"form": Modifiers.of(query).form, "sent": f"{count:g}"}
    return Question(f"log-{number}", gold_query=query, weight=weight, groups=groups)


def _entries(source: Source) -> Iterator[tuple[str, float]]:
    """Yield each query of a file, and how often it says that it was sent."""
    text = source.text()
    if source.suffixes[-1:] in (["csv"], ["tsv"]):
        yield from _of_table(text, "\t" if source.suffixes[-1] == "tsv" else ",", source.path)
    elif text.lstrip().startswith("{"):
        yield from (_of_object(value, f"{source.path}, {at}") for at, value in json_lines(text, source.path))
    else:
        for line in text.split("\n"):
            if line.strip():
                found = PARAMETER.search(line)
                yield (unquote_plus(found.group(1)) if found else line).strip(), 1.0


def _of_table(text: str, separator: str, place: str) -> Iterator[tuple[str, float]]:
    rows = read_cells(text, place, separator)
    _, first = next(rows, (1, []))
    names = [name.strip().lower() for name in first]
    for line, cells in rows:
        if cells:
            yield _of_object(dict(zip(names, cells, strict=False)), f"{place}, line {line}")


def _of_object(value: Any, place: str) -> tuple[str, float]:
    try:
        return _query(value), _count(value)
    except ItemError as error:
        raise FormatError(f"{place}: expected {error.expected}, found {error.found}") from None


def _query(value: Any) -> str:
    keys = _keys(value)
    query = next((value[key] for key in QUERY if key in keys), None)
    if not isinstance(query, str) or not query.strip():
        raise ItemError(f"SPARQL under one of {', '.join(QUERY)}", shown(query) if keys else shown(value))
    return query.strip()


def _count(value: Mapping[str, Any]) -> float:
    held = next((value[key] for key in COUNT if value.get(key) not in {None, ""}), 1)
    try:
        count = number_of(float(held) if isinstance(held, str) else held, "count")
    except ValueError:
        count = None
    if count is None or not 0 < count < float("inf"):
        raise ItemError("a number above 0 as count", shown(held))
    return count


def _keys(value: Any) -> Sequence[str]:
    return list(value) if isinstance(value, Mapping) else []
