"""What is said of records: clusters, candidate lists or pairs, from a file, a frame or memory."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import polars as pl

from assay.core.frames import is_frame, to_polars
from assay.core.origin import Origin
from assay.errors import InputError

Kind = Literal["clusters", "lists", "pairs"]

NAMES: Mapping[str, tuple[str, ...]] = {
    "left": (
        "left", "left_id", "unique_id_l", "id_l", "ltable_id", "l_id", "id1", "id_1", "d1", "record_1", "rec_id_1",
        "record1", "id_a", "record_a", "id_left", "left_record",
    ),
    "right": (
        "right", "right_id", "unique_id_r", "id_r", "rtable_id", "r_id", "id2", "id_2", "d2", "record_2", "rec_id_2",
        "record2", "id_b", "record_b", "id_right", "right_record",
    ),
    "candidate": ("candidate", "candidate_id", "neighbour", "neighbor", "candidate_record"),
    "entity": ("entity", "entity_id", "cluster", "cluster_id", "canonical_id", "true_entity"),
    "record": ("record", "record_id", "unique_id", "rec_id", "mention", "mention_id", "query", "id"),
    "score": ("score", "match_probability", "probability", "similarity", "sim", "match_weight", "confidence", "weight"),
    "rank": ("rank", "position"),
    "source": ("source", "record_source", "source_dataset", "dataset", "system"),
    "candidate_source": ("candidate_source",),
    "left_source": ("left_source", "source_dataset_l", "source_l"),
    "right_source": ("right_source", "source_dataset_r", "source_r"),
}  # fmt: skip
"""The columns, and the names that they have with splink, dedupe, recordlinkage, pyJedAI and others."""

ENDS: Mapping[Kind, tuple[tuple[str, str], ...]] = {
    "clusters": (("record", "source"),),
    "lists": (("record", "source"), ("candidate", "candidate_source")),
    "pairs": (("left", "left_source"), ("right", "right_source")),
}
"""The columns of each kind that hold records, and those with the source of each."""

HINT = "name them record,entity (clusters), record,candidate,score (lists) or left,right,score (pairs)."


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """Clusters, candidate lists or pairs, as one table with the columns of its kind.

    clusters: record, entity (null: without a label). lists: record, candidate, score, best first where equal. pairs:
    left, right and perhaps score. All ids are text; columns of sources stand beside them where there are any.
    `clustered` lists have clusters as candidates, not records.
    """

    kind: Kind
    table: pl.DataFrame
    name: str
    origin: Origin | None = field(default=None)
    clustered: bool = False

    @property
    def scored(self) -> bool:
        """Whether candidates or pairs have a score."""
        return "score" in self.table.columns

    @property
    def ends(self) -> tuple[tuple[str, str], ...]:
        """The columns with records, each with the column of its source."""
        return ENDS[self.kind][:1] if self.clustered else ENDS[self.kind]

    @property
    def sourced(self) -> bool:
        """Whether the source of every record is said."""
        return all(source in self.table.columns for _, source in self.ends)

    def records(self) -> pl.DataFrame:
        """Return each record once with its source (null where none is said): columns record, source."""
        nothing = pl.lit(None, pl.String)
        parts = [
            self.table.select(record=pl.col(end), source=pl.col(source) if source in self.table.columns else nothing)
            for end, source in self.ends
        ]
        return pl.concat(parts).unique(maintain_order=True)


def as_listing(given: Any, name: str | None = None) -> Listing:
    """Return clusters, candidate lists or pairs, whatever they are given as.

    A path (CSV, TSV, Parquet, Arrow) or a frame is told apart by its columns; `{record: entity}` is clusters,
    `{record: [candidates]}` or `{record: {candidate: score}}` lists. Results of splink, dedupe, recordlinkage and
    pyJedAI are read as they come (`assay.tasks.entities.adapters`).

    Raises
    ------
    InputError
        Columns that are neither of the three, a row without an id, a record in two clusters.

    >>> as_listing(pl.DataFrame({"unique_id_l": [1], "unique_id_r": [2], "match_probability": [0.9]})).table.rows()
    [('1', '2', 0.9)]
    >>> as_listing({"a": "e1", "b": "e1"}).kind
    'clusters'
    """
    if isinstance(given, Listing):
        return given
    if isinstance(given, str | os.PathLike):
        return _read(given, name)
    other = _adapted(given, name or "result")
    if other is not None:
        return other
    if isinstance(given, Mapping):
        return _of_mapping(given, name or "mapping")
    if is_frame(given):
        return listing_of(to_polars(given), name or "frame")
    msg = f"{name or 'entities'}: expected a path, a mapping or a dataframe, found {type(given).__name__}"
    raise InputError(msg)


def _adapted(given: Any, name: str) -> Listing | None:
    from assay.tasks.entities.adapters import adapted

    return adapted(given, name)


def as_clusters(given: Any) -> pl.DataFrame:
    """Return clusters as a frame with the columns record and entity.

    Raises
    ------
    InputError
        Lists or pairs.
    """
    found = as_listing(given)
    if found.kind != "clusters":
        msg = f"{found.origin.path if found.origin else found.name}: expected clusters, found {found.kind}"
        raise InputError(msg, hint="name the columns record,entity.")
    return found.table.select("record", "entity")


def listing_of(wide: pl.DataFrame, place: str, *, name: str | None = None, origin: Origin | None = None) -> Listing:
    """Return a table as what its columns say it is; further columns are left out."""
    found = _columns(wide.columns)
    kind = _kind(found, wide.columns, place)
    ends = [column for end in ENDS[kind] for column in end if column in found]
    ids = [pl.col(found[column]).cast(pl.String).alias(column) for column in ends]
    if kind == "clusters":
        ids.append(pl.col(found["entity"]).cast(pl.String).replace("", None).alias("entity"))
    table = wide.select(*ids, *_score(kind, found, wide, place))
    for end, _ in ENDS[kind]:
        if (table[end].is_null() | (table[end] == "")).any():
            msg = f"{place}: expected a {end} in each row, found a row without"
            raise InputError(msg)
    if not table.height:
        msg = f"{place}: expected rows, found none"
        raise InputError(msg)
    made = Listing(kind, table, name or place, origin)
    return _each_once(made, place) if kind == "clusters" else made


def read_sources(given: Any) -> pl.DataFrame:
    """Return the source of each record, once: columns record and source.

    Raises
    ------
    InputError
        No column for one of them, or a record with two sources.
    """
    place = os.fspath(given) if isinstance(given, str | os.PathLike) else "sources"
    if isinstance(given, Mapping):
        given = pl.DataFrame({"record": list(map(str, given)), "source": list(map(str, given.values()))})
    wide = _table(given) if isinstance(given, str | os.PathLike) else to_polars(given)
    found = _columns(wide.columns)
    if "record" not in found or "source" not in found:
        msg = f"{place}: expected the columns record and source, found {wide.columns}"
        raise InputError(msg)
    table = wide.select(pl.col(found[name]).cast(pl.String).alias(name) for name in ("record", "source")).unique()
    twice = table.filter(table["record"].is_duplicated())
    if twice.height or table["source"].null_count() or (table["source"] == "").any():
        shown = f"{twice['record'].sort()[0]!r} with several" if twice.height else "a record without"
        msg = f"{place}: expected one source for each record, found {shown}"
        raise InputError(msg, hint="give each record an id of its own, such as shop-17.")
    return table.sort("record")


def read_weights(path: str | os.PathLike[str]) -> pl.DataFrame:
    """Return the weight of each entity: columns entity and weight.

    Raises
    ------
    InputError
        No column for one of them, or a weight that is no number.
    """
    wide = _table(path)
    found = _columns(wide.columns)
    if "entity" not in found or "weight" not in wide.columns:
        msg = f"{os.fspath(path)}: expected the columns entity and weight, found {wide.columns}"
        raise InputError(msg)
    weight = wide["weight"].cast(pl.Float64, strict=False)
    if weight.null_count():
        msg = f"{os.fspath(path)}: expected a number as weight, found {wide['weight'].filter(weight.is_null())[0]!r}"
        raise InputError(msg)
    return pl.DataFrame({"entity": wide[found["entity"]].cast(pl.String), "weight": weight})


def _read(path: str | os.PathLike[str], name: str | None) -> Listing:
    from assay.formats.source import Source

    wide = _table(path)
    if os.fspath(path) == "-":
        return listing_of(wide, "standard input", name=name)
    source = Source.open(path)
    form = source.suffixes[-1] if source.suffixes else "csv"
    return listing_of(wide, source.path, name=name or source.stem, origin=Origin(source.path, form, source.digest))


def _table(path: str | os.PathLike[str]) -> pl.DataFrame:
    from assay.formats.table import read_table

    return read_table(path)


def _of_mapping(given: Mapping[Any, Any], name: str) -> Listing:
    if all(not isinstance(value, Mapping | list | tuple | set | frozenset) for value in given.values()):
        rows = [(str(record), None if entity is None else str(entity)) for record, entity in given.items()]
        return listing_of(pl.DataFrame(rows, schema={"record": pl.String, "entity": pl.String}, orient="row"), name)
    listed = [
        (str(record), str(candidate), float(score))
        for record, candidates in given.items()
        for candidate, score in _ranked(candidates)
    ]
    kinds = {"record": pl.String, "candidate": pl.String, "score": pl.Float64}
    return listing_of(pl.DataFrame(listed, schema=kinds, orient="row"), name)


def _ranked(candidates: Any) -> list[tuple[Any, float]]:
    if isinstance(candidates, Mapping):
        return list(candidates.items())
    ordered = sorted(candidates, key=str) if isinstance(candidates, set | frozenset) else candidates
    return [
        entry if isinstance(entry, tuple) else (entry, -float(place)) for place, entry in enumerate(ordered, start=1)
    ]


def _columns(names: list[str]) -> dict[str, str]:
    """Return for each column the name that it has here; a name serves one column only, the first that claims it."""
    lowered = {name.strip().lower().replace(" ", "_"): name for name in reversed(names)}
    found = {}
    for column, synonyms in NAMES.items():
        known = next((one for one in synonyms if one in lowered), None)
        if known is not None:
            found[column] = lowered.pop(known)
    return found


def _kind(found: Mapping[str, str], names: list[str], place: str) -> Kind:
    kinds: dict[Kind, set[str]] = {
        "pairs": {"left", "right"}, "lists": {"record", "candidate"}, "clusters": {"record", "entity"}
    }  # fmt: skip
    fitting = next((kind for kind, needed in kinds.items() if needed <= found.keys()), None)
    if fitting is None:
        msg = f"{place}: expected clusters, candidate lists or pairs, found the columns {names}"
        raise InputError(msg, hint=HINT)
    return fitting


def _score(kind: Kind, found: Mapping[str, str], wide: pl.DataFrame, place: str) -> list[pl.Series]:
    """Return the score of candidates or pairs; lists without one are best first, by rank or as they stand."""
    if kind == "clusters" or (kind == "pairs" and "score" not in found):
        return []
    if "score" not in found and "rank" not in found:
        return [pl.Series("score", range(0, -wide.height, -1), dtype=pl.Float64)]
    what = "score" if "score" in found else "rank"
    given = wide[found[what]]
    numbers = given.cast(pl.Float64, strict=False)
    wrong = given.filter(numbers.is_null() | numbers.is_nan())
    if len(wrong):
        msg = f"{place}: expected a number as {what} in each row, found {wrong[0]!r}"
        raise InputError(msg)
    return [(numbers if what == "score" else -numbers).alias("score")]


def _each_once(listing: Listing, place: str) -> Listing:
    """Return clusters with each record once; refuse a record in two."""
    table = listing.table.unique(maintain_order=True)
    keys = [column for column in ("record", "source") if column in table.columns]
    twice = table.filter(table.select(keys).is_duplicated())
    if twice.height:
        record = twice["record"].sort()[0]
        entities = twice.filter(pl.col("record") == record)["entity"].unique().sort().to_list()
        msg = f"{place}: expected each record in one cluster, found {record!r} in {', '.join(map(str, entities))}"
        raise InputError(msg, hint="ranked candidates stand in a column candidate; pairs (left,right) may overlap.")
    return Listing(listing.kind, table, listing.name, listing.origin)
