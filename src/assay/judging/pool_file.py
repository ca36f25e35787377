"""Pools read from files: which pairs are to be judged, with what is known of their queries and items.

A pool is a table with the columns query and item (as `assay gold pool` writes it; stratum and probability are kept),
statements (subject, predicate, object; the sample of `assay graph sample` among them), pairs of records (left, right),
or the results of retrieval for answers (JSON Lines with question and retrieved).
"""

import csv
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.core.columns import ITEM, QUERY
from assay.core.judging import Material, Pair
from assay.errors import FormatError, InputError
from assay.formats.documents import parsed
from assay.formats.rag_files import read_records
from assay.formats.source import Source
from assay.formats.text_records import text_records

QUESTION = ("question", "text", "query", "title", "topic")
NEED = ("need", "narrative", "narr", "description", "desc", "background")
IDS = (
    "id", "_id", "docid", "doc_id", "docno", "item", "query_id", "qid", "query-id", "record", "record_id", "uri",
    "number", "num", "query",
)  # fmt: skip
"""What the column of an id may be called; query, where another says what is asked."""
TEXTS = (b"<", b".I ", b"PAR1", b"ARROW1")
"""How files of texts begin that are no rows of cells."""
COMPUTED = ("'=", "'+", "'-", "'@", "'\t", "'\r", "''")
"""How a cell begins that was guarded from a spreadsheet."""
Fields = dict[str, str]


def read_pairs(
    path: str | os.PathLike[str],
    queries: str | os.PathLike[str] | None = None,
    documents: str | os.PathLike[str] | None = None,
    material: Material | None = None,
) -> tuple[Material, Iterator[Pair]]:
    """Return what is to be judged, and its pairs one after the other.

    `queries` says what each query asks (id, text, narrative), `documents` what each item holds (id and any fields):
    CSV, TSV, JSON Lines, Parquet, topics and documents of TREC, SMART. What is not in them is shown by its id.

    Raises
    ------
    InputError, FormatError
        A file that cannot be read or that is none of these.
    """
    source = Source.open(path)
    asked = {} if queries is None else _asked(queries)
    if source.head.lstrip().startswith((b"{", b"[")) and material != "document":
        return material or "fact", _facts(path)
    columns = tuple(next(iter(_rows(source)))[1]) if _has_rows(source) else ()
    kind = _kind(columns, source.path)
    if kind == "triple":
        return "triple", _statements(source)
    if kind == "records":
        return "records", _records(source, documents)
    return material or "document", _documents(source, asked, documents)


def _has_rows(source: Source) -> bool:
    return next(iter(_rows(source)), None) is not None


def _kind(columns: tuple[str, ...], place: str) -> str:
    named = {name.lower() for name in columns}
    if {"subject", "predicate", "object"} <= named:
        return "triple"
    if {"left", "right"} <= named:
        return "records"
    if named & set(QUERY) and named & set(ITEM):
        return "document"
    raise InputError(
        f"{place}: expected the columns query and item; subject, predicate and object; or left and right, "
        f"found {', '.join(columns) or 'none'}",
        hint="assay gold pool RUN... --depth 10 --out pool.csv writes such a file.",
    )  # fmt: skip


def _documents(source: Source, asked: Mapping[str, Fields], documents: Any) -> Iterator[Pair]:
    held = {} if documents is None else _held(documents, (_of(row, ITEM) for _, row in _rows(source)))
    for line, row in _rows(source):
        query, item = _of(row, QUERY), _of(row, ITEM)
        if not query or not item:
            raise FormatError.at(source.path, line, "expected a query and an item", "found an empty cell")
        said = asked.get(query, {})
        yield Pair(
            query, item, _of(said, QUESTION), _of(said, NEED), held.get(item, {}),
            _chance(row.get("probability", ""), source.path, line), row.get("stratum", ""),
        )  # fmt: skip


def _statements(source: Source) -> Iterator[Pair]:
    """Yield the statements of a sample: its id is the item, its subject the query; the name of no judge is shown."""
    for line, row in _rows(source):
        told = {name: _bare(_of(row, (name,))) for name in ("subject", "predicate", "object")}
        item = _of(row, ("id",)) or " ".join(told.values())
        if not all(told.values()):
            raise FormatError.at(source.path, line, "expected subject, predicate and object", "found an empty cell")
        yield Pair(told["subject"], item, fields=told, stratum=row.get("stratum", ""))


def _records(source: Source, documents: Any) -> Iterator[Pair]:
    """Yield pairs of records: the left one is the query, the right one the item."""
    wanted = (_of(row, (side,)) for _, row in _rows(source) for side in ("left", "right"))
    held = {} if documents is None else _held(documents, wanted)
    for line, row in _rows(source):
        left, right = (_of(row, (side,)) for side in ("left", "right"))
        if not left or not right:
            raise FormatError.at(source.path, line, "expected two records", "found an empty cell")
        shown = {side: _written(held.get(one, {"id": one})) for side, one in (("left", left), ("right", right))}
        yield Pair(left, right, f"{left} and {right}", fields=shown)


def _facts(path: str | os.PathLike[str]) -> Iterator[Pair]:
    """Yield each question with each item that was retrieved for it."""
    records = read_records(path)
    questions = {row["query"]: row for row in records.questions.select("query", "question", "answer").to_dicts()}
    for row in records.retrieved.to_dicts():
        asked = questions.get(row["query"], {})
        told = {name: str(row[name]) for name in ("subject", "predicate", "object", "text", "document") if row[name]}
        if {"subject", "predicate", "object"} <= told.keys():
            told.pop("text", None)
        if asked.get("answer"):
            told["answer of the system"] = asked["answer"]
        item = row["id"] or row["text"] or " ".join(told.values())
        yield Pair(row["query"], str(item), asked.get("question") or row["query"], fields=told)


def _asked(path: str | os.PathLike[str]) -> Mapping[str, Fields]:
    source = Source.open(path)
    return {key: row for key, row in named_rows(source)}  # noqa: C416 - a later row of an id wins


def _held(path: str | os.PathLike[str], wanted: Iterable[str]) -> Mapping[str, Fields]:
    """Return what is known of the items that are wanted."""
    needed = set(wanted)
    return {key: row for key, row in named_rows(Source.open(path)) if key in needed}


def named_rows(source: Source) -> Iterator[tuple[str, Fields]]:
    """Yield the id and the other fields of each row; also of topics and documents of TREC, SMART, Parquet and Arrow."""
    rows = text_records(source) if source.head.lstrip().startswith(TEXTS) else _rows(source)
    for line, row in rows:
        lowered = {name.lower(): name for name in row}
        name = next((lowered[one] for one in IDS if one in lowered), None)
        if name is None:
            raise FormatError.at(source.path, line, "expected an id", f"found {', '.join(row)}")
        yield row[name], {key: value for key, value in row.items() if key != name}


def _rows(source: Source) -> Iterator[tuple[int, Fields]]:
    """Yield the line and the cells of each row of CSV, TSV or JSON Lines."""
    if source.head.lstrip().startswith(b"{"):
        for line, text in enumerate(_lines(source), 1):
            if text.strip():
                yield line, _flat(parsed(text, source.path, line), source.path, line)
        return
    head = source.head.partition(b"\n")[0].decode(errors="replace")
    reader = csv.reader(_lines(source), delimiter=max(",;\t", key=head.count))
    try:
        columns = [name.strip() for name in next(reader)]
        for cells in reader:
            if any(cells):
                yield reader.line_num, dict(zip(columns, (*cells, *[""] * len(columns)), strict=False))
    except csv.Error as error:
        raise FormatError.at(source.path, reader.line_num, "expected a table", f"found an error: {error}") from None


def _flat(value: Any, place: str, line: int) -> Fields:
    if not isinstance(value, Mapping):
        raise FormatError.at(place, line, "expected an object", f"found {str(value)[:40]!r}")
    return {str(name): one if isinstance(one, str) else _written(one) for name, one in value.items() if one is not None}


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _lines(source: Source) -> Iterator[str]:
    """Yield the lines of a text, plain or packed, in bounded memory."""
    rest = b""
    for chunk in source.chunks(1 << 20):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield f"{line.decode('utf-8-sig', 'replace')}\n"
    if rest:
        yield rest.decode("utf-8-sig", "replace")


def _of(row: Mapping[str, str], names: tuple[str, ...]) -> str:
    lowered = {name.lower(): value for name, value in row.items()}
    return next((lowered[name] for name in names if lowered.get(name)), "")


def _bare(cell: str) -> str:
    return cell[1:] if cell.startswith(COMPUTED) else cell


def _chance(text: str, place: str, line: int) -> float | None:
    if not text:
        return None
    try:
        chance = float(text)
    except ValueError:
        chance = math.nan
    if not 0 < chance <= 1:
        raise FormatError.at(place, line, "expected a probability above 0 and up to 1", f"found {text[:40]!r}")
    return chance
