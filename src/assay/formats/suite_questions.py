"""The shapes in which suites hold a question, and the `Question` that each stands for."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from assay.core.answers import Answer, Question
from assay.formats.rag_items import ItemError, number_of, shown, text_of
from assay.formats.sparql_results import answer_of, answer_of_rows
from assay.formats.suite_answers import gold_of

Shape = Callable[[Mapping[str, Any], str], Question]
"""What makes a question of an object, in one of the languages that it may have."""
KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "name": ("id", "question_id", "qid", "_id"),
    "text": ("question", "text"),
    "query": ("sparql", "query"),
    "gold_query": ("gold_sparql", "gold_query"),
    "gold": ("answers", "gold_answers"),
    "ordered": ("ordered",),
    "facts": ("facts",),
    "weight": ("weight",),
})  # fmt: skip
"""The keys of our own form by what they say; the first that is there counts. Every other plain value is a group."""
KNOWN = frozenset(name for names in KEYS.values() for name in names)
PREDICTED, EXPECTED = "predicted_answer_tuple", "gold_answer_tuple"


def own(value: Mapping[str, Any], language: str) -> Question:
    """Return a question in our own form; `question` may hold a text for each language.

    >>> own({"id": 1, "question": "Who?", "sparql": "ASK {}", "answers": True, "hops": 2}, "en").groups
    {'hops': '2'}
    """
    said = {part: next((value[key] for key in keys if value.get(key) is not None), None) for part, keys in KEYS.items()}
    ordered = said["ordered"] or False
    if not isinstance(ordered, bool):
        raise ItemError("true or false as ordered", shown(ordered))
    return Question(
        _name(said["name"], text := _text(said["text"], language)),
        text,
        _query(said["query"]),
        _query(said["gold_query"]),
        None if said["gold"] is None else gold_of(said["gold"], ordered=ordered),
        _facts(said["facts"]),
        _weight(said["weight"]),
        {str(key): shown_group(held) for key, held in value.items() if key not in KNOWN and _is_plain(held)},
    )


def corporate(value: Mapping[str, Any], language: str) -> Question:
    """Return a question of CK25: texts by language, and the SPARQL that defines the right answers."""
    text = _text(value.get("question"), language)
    features = [str(one) for one in value.get("features") or ()]
    groups = {"features": " ".join(features)} if features else {}
    query = _query(_part(value, "query").get("sparql"))
    return Question(_name(value.get("id"), text), text, gold_query=query, groups=groups)


def qald(value: Mapping[str, Any], language: str) -> Question:
    """Return a question of QALD: texts with their languages, the SPARQL of the gold standard, and its answers."""
    texts = value.get("question")
    if not isinstance(texts, list) or not all(isinstance(one, Mapping) for one in texts):
        raise ItemError("a list of texts with their languages as question", shown(texts))
    by_language = {str(one.get("language")): one.get("string") for one in reversed(texts)}
    text = _text(by_language or None, language)
    query = _query(_part(value, "query").get("sparql"))
    groups = {key: shown_group(value[key]) for key in ("answertype", "aggregation", "hybrid") if key in value}
    gold = _qald_answer(value.get("answers"))
    return Question(_name(value.get("id"), text), text, gold_query=query, gold=gold, groups=groups)


def local(value: Mapping[str, Any], language: str) -> Question:
    """Return a question whose `sparql` defines the right answers and whose `gold_answers` are texts."""
    found = own({key: held for key, held in value.items() if key != "sparql"}, language)
    return replace(found, gold_query=_query(value.get("sparql")))


def spinach(value: Mapping[str, Any], language: str) -> Question:
    """Return a question of an evaluation by SPINACH: its gold standard, and the query that a system wrote."""
    text = _text(value.get("question"), language)
    queries = _query(value.get("predicted_sparql")), _query(value.get("gold_sparql"))
    return Question(_name(value.get("id"), text), text, *queries, gold=rows_of(value.get(EXPECTED)))


SHAPES: Mapping[str, Shape] = MappingProxyType({
    "assay": own, "ck25": corporate, "qald": qald, "kgqa": local, "spinach": spinach,
})  # fmt: skip
"""The shapes by the names that `format` takes."""


def recognised(value: Mapping[str, Any]) -> str:
    """Return the name of the shape that an object has; our own if none other."""
    if "gold_sparql" in value and (PREDICTED in value or EXPECTED in value):
        return "spinach"
    if isinstance(value.get("query"), Mapping):
        return "qald" if isinstance(value.get("question"), list) else "ck25"
    return "kgqa" if "gold_answers" in value and "answers" not in value else "assay"


def rows_of(value: object) -> Answer | None:
    """Return the answer that SPINACH writes: true, false, or a list of bindings; None where there is none."""
    if value is None:
        return None
    if isinstance(value, bool):
        return Answer("answered", boolean=value)
    if not isinstance(value, list):
        raise ItemError("true, false or a list of bindings", shown(value))
    return answer_of_rows(value)


def shown_group(value: object) -> str:
    """Return the name of a group: true and false as JSON writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float) and value != ""


def _part(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    if not isinstance(found, Mapping):
        raise ItemError(f"an object with sparql as {key}", shown(found))
    return found


def _name(value: object, text: str) -> str:
    """Return the id of a question, else its text."""
    name = text_of(value) or ("" if value is not None else text)
    if not name.strip():
        raise ItemError("an id or a question", "neither" if value is None else f"{shown(value)} as id")
    return name


def _text(value: object, language: str) -> str:
    """Return the text of a question in a language, else in the first that it has."""
    if isinstance(value, Mapping):
        value = value.get(language, next(iter(value.values()), None))
    if value is not None and not isinstance(value, str):
        raise ItemError("text as question", shown(value))
    return (value or "").strip()


def _query(value: object) -> str:
    if value is not None and not isinstance(value, str):
        raise ItemError("SPARQL as text", shown(value))
    return (value or "").strip()


def _weight(value: object) -> float:
    found = number_of(value, "weight")
    if found is None:
        return 1.0
    if not (math.isfinite(found) and found >= 0):
        raise ItemError("a number of 0 or more as weight", shown(value))
    return found


def _facts(value: object) -> tuple[tuple[str, str, str], ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ItemError("a list of facts, each [subject, predicate, object]", shown(value))
    return tuple(_fact(one) for one in value)


def _fact(value: object) -> tuple[str, str, str]:
    parts = [text_of(part) for part in value] if isinstance(value, Sequence) and not isinstance(value, str) else []
    if len(parts) != 3 or None in parts:
        raise ItemError("a fact as [subject, predicate, object]", shown(value))
    subject, predicate, thing = (str(part) for part in parts)
    return subject, predicate, thing


def _qald_answer(value: object) -> Answer | None:
    """Return the one answer of a list; `results` without bindings are those of an answer that is empty."""
    if value is None or value == []:
        return None
    if not isinstance(value, list) or len(value) != 1 or not isinstance(value[0], Mapping):
        raise ItemError("a list with one SPARQL result as answers", shown(value))
    return answer_of({**value[0], "results": {"bindings": []}} if value[0].get("results") == {} else value[0])
