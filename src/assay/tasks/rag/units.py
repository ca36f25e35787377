"""Units: what counts as one item of a ranking, a fact, a passage, a document or an entity."""

from collections.abc import Mapping
from types import MappingProxyType

import polars as pl

from assay.core.rag_records import Records
from assay.errors import InputError, UnknownNameError

UNITS: Mapping[str, str] = MappingProxyType({
    "fact": "a triple, or else a text or an id",
    "passage": "an id, or else a text",
    "document": "the document or title of a passage",
    "entity": "an entity; a triple counts as its two entities, the subject first",
})  # fmt: skip
"""The units, and what names an item of each."""


def unit_of(unit: str | None, tables: list[pl.DataFrame]) -> str:
    """Return the unit: as asked for, else facts where there are triples, else passages.

    Raises
    ------
    UnknownNameError
        No such unit.
    """
    if unit is None:
        return "fact" if any(table["subject"].is_not_null().any() for table in tables) else "passage"
    if unit not in UNITS:
        raise UnknownNameError.of("unit", unit, UNITS)
    return unit


def named(table: pl.DataFrame, unit: str, records: Records, *, by_text: bool = False) -> pl.DataFrame:
    """Return rows with the name of their `item` in this unit; a triple makes two rows where entities count.

    With `by_text` an item is named by its text, not by its id. Two passages with one title are one document.

    Raises
    ------
    InputError
        An item that the unit has no name for; says where it stands.

    >>> from assay.formats.rag_files import records_of
    >>> known = records_of([{"id": "q", "retrieved": [["a", "p", "b"], ["b", "q", "c"]]}])
    >>> named(known.retrieved, "entity", known)["item"].to_list()
    ['a', 'b', 'b', 'c']
    """
    if unit == "entity":
        found = table.with_columns(item=_entities(by_text=by_text)).explode("item", empty_as_null=True)
    else:
        found = table.with_columns(item=_document() if unit == "document" else _passage(by_text=by_text))
    nameless = found.filter(pl.col("item").is_null())
    if nameless.height:
        msg = f"{records.place(nameless['query'][0])}: expected {UNITS[unit]} for each item, found an item without"
        raise InputError(msg, hint="--unit fact, passage, document or entity says what counts as one item.")
    return found


def words() -> pl.Expr:
    """Return the words of an item: its text, or those of its triple."""
    triple = pl.concat_str("subject", "predicate", "object", separator=" ")
    return pl.coalesce("text", triple, "id", "document")


def _passage(*, by_text: bool) -> pl.Expr:
    if by_text:
        return words()
    return pl.coalesce(_triple(), "id", "text", "document")


def _document() -> pl.Expr:
    """A bare text is the name of a document; the id of a passage is not."""
    bare = pl.when(pl.col("id").is_null() | (pl.col("id") == pl.col("text"))).then("text")
    return pl.coalesce(pl.col("document"), bare)


def _entities(*, by_text: bool) -> pl.Expr:
    single = pl.coalesce("text", "id") if by_text else pl.coalesce("id", "text")
    both = pl.concat_list("subject", "object")
    return pl.when(pl.col("subject").is_not_null()).then(both).otherwise(pl.concat_list(single))


def _triple() -> pl.Expr:
    """Write a triple so that different triples differ: as a list of quoted texts."""
    parts = (pl.col(name).str.replace_all("\\", "\\\\", literal=True) for name in ("subject", "predicate", "object"))
    quoted = [part.str.replace_all('"', '\\"', literal=True) for part in parts]
    return pl.format('["{}", "{}", "{}"]', *quoted)
