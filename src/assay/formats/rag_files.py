"""Results of retrieval for answers: one system in a file, JSON Lines or a JSON array, with what each answer needs."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import polars as pl

from assay.core.rag_records import NEEDED, QUESTIONS, RETRIEVED, Records
from assay.errors import FormatError, InputError
from assay.formats.documents import parsed
from assay.formats.rag_exports import rows_of_export
from assay.formats.rag_items import ItemError, shown, text_of
from assay.formats.rag_tables import Items, columns_of
from assay.formats.shapes import Repeated
from assay.formats.source import Source

KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "id": ("id", "question_id", "qid", "query_id", "_id"),
    "question": ("question", "query", "user_input", "input"),
    "retrieved": ("retrieved", "evidence", "contexts", "retrieved_contexts", "subgraph", "triples"),
    "ids": ("retrieved_context_ids", "retrieved_ids"),
    "scores": ("scores", "retrieved_scores"),
    "needed": ("needed", "gold", "ground_truth", "reference_contexts", "supporting_facts", "gold_facts"),
    "needed_ids": ("reference_context_ids", "needed_ids"),
    "proofs": ("proofs", "alternative_proofs"),
    "answer": ("answer", "response", "output"),
    "answers": ("answers", "gold_answers", "gold_answer", "reference", "ground_truth", "expected_output"),
    "correct": ("correct", "is_correct"),
})  # fmt: skip
"""The keys of an object by what they say; the first that is there counts. ground_truth is a list of needed items, or
the text of a gold answer."""

UNORDERED = "subgraph"
"""Items under this key have no order: without scores all of them tie."""
LISTS = frozenset({"retrieved", "ids", "scores", "needed", "needed_ids", "proofs"})
EITHER = frozenset({"needed", "answers"})
TRUTH = MappingProxyType({"true": 1.0, "false": 0.0})


def read_records(path: str | os.PathLike[str], *, gold: bool = False) -> Records:
    """Read a file of one system; or, with `gold`, one that need not say what was retrieved.

    Raises
    ------
    InputError
        A file that cannot be read, or an object that is not of this shape; names its line or record.
    """
    source = Source.open(path)
    values, row = _values(source)
    place = {"path": source.path, "row": row, "digest": source.digest}
    return records_of(values, name=source.stem, gold=gold, **place)


def read_rows(path: str | os.PathLike[str]) -> Iterator[tuple[str, Any]]:
    """Yield the place of each object of a file, for messages, and the object as it stands; errors as above."""
    source = Source.open(path)
    values, row = _values(source)
    return ((f"{source.path}, {row} {at}", value) for at, value in values)


def records_of(
    rows: Iterable[Mapping[str, Any] | tuple[int, Any]], *, name: str = "system", gold: bool = False, **place: Any
) -> Records:
    """Make records of objects in memory, in the shapes of a file or of a tool's export; errors as for `read_records`.

    >>> found = records_of([{"question": "who?", "retrieved": ["b", "a"], "needed": ["a"], "hops": 2}])
    >>> found.retrieved["id"].to_list(), found.needed["id"].to_list(), found.slices
    (['b', 'a'], ['a'], ['hops'])
    """
    values = [row if isinstance(row, tuple) else (number, row) for number, row in enumerate(rows, 1)]
    export = rows_of_export(value for _, value in values)
    if export is not None:
        values, place["row"] = list(enumerate(export, 1)), "question"
    gathering = _Gathering(place.get("path") or name, place.get("row", "record"), gold=gold)
    for at, value in values:
        gathering.add(at, value)
    return gathering.records(name, place)


def _values(source: Source) -> tuple[list[tuple[int, Any]], str]:
    """Return the objects of a file with their numbers, and what these are numbers of."""
    text = source.text()
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "").strip()
    if first[:1] == "{" and first != "{":
        held = ((at, line) for at, line in enumerate(lines, 1) if line.strip())
        return [(at, parsed(line, source.path, at)) for at, line in held], "line"
    document = parsed(text, source.path)
    if isinstance(document, Mapping):
        inner = [one for one in document.values() if isinstance(one, list) and one and isinstance(one[0], Mapping)]
        document = inner[0] if len(inner) == 1 and "retrieved" not in _keys(tuple(document))[0] else [document]
    if not isinstance(document, list):
        msg = f"{source.path}: expected a list of objects, or an object in each line, found {shown(document)}"
        raise FormatError(msg)
    return list(enumerate(document, 1)), "record"


@lru_cache(256)
def _keys(names: tuple[str, ...]) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return which keys of an object say what, and which say something else."""
    lowered = {str(name).lower(): name for name in reversed(names)}
    known = {part: tuple(lowered[name] for name in options if name in lowered) for part, options in KEYS.items()}
    used = {name for found in known.values() for name in found} | QUESTIONS.keys()
    return {part: found for part, found in known.items() if found}, tuple(name for name in names if name not in used)


@dataclass(slots=True)
class _Gathering:
    """Tables that grow object by object."""

    place: str
    row: str
    gold: bool
    questions: list[tuple[Any, ...]] = field(default_factory=list)
    retrieved: Items = field(default_factory=lambda: Items(RETRIEVED))
    needed: Items = field(default_factory=lambda: Items(NEEDED))
    labelled: list[str] = field(default_factory=list)
    further: list[dict[str, Any]] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)
    ignored: dict[str, None] = field(default_factory=dict)

    def add(self, at: int, value: object) -> None:
        """Add one object."""
        try:
            self._add(at, value)
        except ItemError as error:
            msg = f"{self.place}, {self.row} {at}: expected {error.expected}, found {error.found}"
            raise FormatError(msg) from None

    def _add(self, at: int, value: object) -> None:
        if not isinstance(value, dict | Mapping) or isinstance(value, Repeated):
            again = isinstance(value, Repeated)
            raise ItemError("an object with each key once", "a key twice" if again else shown(value))
        known, others = _keys(tuple(value))
        parts = _parts(value, known)
        query = self._query(parts, at)
        self._retrieve(query, parts, value)
        self._need(query, parts)
        said = text_of(parts.get("question")), _answer(parts), _answers(parts), _correct(parts)
        self.questions.append((query, *said, at))
        nested = [name for name in others if isinstance(value[name], list | dict)]
        self.ignored.update(dict.fromkeys(nested))
        self.further.append({name: value[name] for name in others if name not in nested})

    def _query(self, parts: Mapping[str, Any], at: int) -> str:
        """Return the id of a question, else its text; each stands for one object only."""
        query = text_of(parts.get("id")) or text_of(parts.get("question"))
        if not query:
            raise ItemError("a question or an id", "an object with neither")
        if query in self.seen:
            raise ItemError("each question once", f"{shown(query)} in {self.row} {self.seen[query]} as well")
        self.seen[query] = at
        return query

    def _retrieve(self, query: str, parts: Mapping[str, Any], value: Mapping[str, Any]) -> None:
        if "retrieved" not in parts and "ids" not in parts:
            if self.gold:
                return
            raise ItemError(f"a list under one of {', '.join(KEYS['retrieved'])}", f"the keys {', '.join(value)}")
        items, ids = _beside(parts, "retrieved", "ids")
        self.retrieved.add(items, ids, query=query)
        if parts.get("scores") is not None:
            self.retrieved.score(parts["scores"], len(items))
        elif UNORDERED in map(str.lower, value):
            self.retrieved.tie(len(items))

    def _need(self, query: str, parts: Mapping[str, Any]) -> None:
        """Add what an answer needs: items of no proof in particular, and those of each proof."""
        if not {"needed", "needed_ids", "proofs"} & parts.keys():
            return
        self.labelled.append(query)
        self.needed.add(*_beside(parts, "needed", "needed_ids"), query=query)
        for number, proof in enumerate(parts.get("proofs") or ()):
            if not isinstance(proof, list | tuple) or not proof:
                raise ItemError("each proof as a list of one fact or more", shown(proof))
            self.needed.add(proof, query=query, proof=number)

    def records(self, name: str, place: Mapping[str, Any]) -> Records:
        """Return what was gathered."""
        if not self.questions:
            msg = f"{self.place}: expected questions, found none"
            raise InputError(msg)
        try:
            said = zip(zip(*self.questions, strict=True), QUESTIONS.items(), strict=True)
            known = [pl.Series(name, column, kind) for column, (name, kind) in said]
            questions = pl.DataFrame([*known, *columns_of(self.further)])
            tables = self.retrieved.frame(), self.needed.frame()
            labelled = pl.Series("query", self.labelled, pl.String)
        except (UnicodeEncodeError, pl.exceptions.PolarsError):
            msg = f"{self.place}: expected text, found half of a surrogate pair (\\ud800 to \\udfff)"
            raise FormatError(msg) from None
        return Records(name, questions, *tables, labelled, ignored=tuple(self.ignored), **place)


def _parts(value: Mapping[str, Any], known: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return what an object says, by its parts: the first key of each that holds a value of the right kind."""
    found: dict[str, Any] = {}
    for part, names in known.items():
        for name in names:
            held = value[name]
            if part in EITHER and name.lower() == "ground_truth" and isinstance(held, list) is (part == "answers"):
                continue
            if part in LISTS and not isinstance(held, list | tuple | None):
                raise ItemError(f"a list under {name}", shown(held))
            if held is not None or part == "retrieved":
                found[part] = held
                break
    return found


def _beside(parts: Mapping[str, Any], what: str, ids: str) -> tuple[Sequence[Any], Sequence[Any] | None]:
    """Return items, and the ids in a list of their own; where there are only ids, these are the items."""
    items, names = parts.get(what) or (), parts.get(ids)
    return (names, None) if names and not items else (items, names)


def _answer(parts: Mapping[str, Any]) -> str | None:
    held = parts.get("answer")
    if held is None or isinstance(held, str | int | float):
        return None if held is None else str(held)
    raise ItemError("text as answer", shown(held))


def _answers(parts: Mapping[str, Any]) -> list[str] | None:
    held = parts.get("answers")
    if held is None:
        return None
    listed = held if isinstance(held, list) else [held]
    wrong = next((one for one in listed if not isinstance(one, str | int | float)), None)
    if wrong is not None:
        raise ItemError("texts as gold answers", shown(wrong))
    return [str(one) for one in listed]


def _correct(parts: Mapping[str, Any]) -> float | None:
    held = parts.get("correct")
    if held is None:
        return None
    found = TRUTH.get(held.strip().lower()) if isinstance(held, str) else held
    if isinstance(found, int | float) and 0 <= found <= 1:
        return float(found)
    raise ItemError("true, false or a number from 0 to 1 as correct", shown(held))
