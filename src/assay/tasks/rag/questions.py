"""`Questions`: one system's retrieval, made into a run; and several systems with the gold that they share."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.gold import Gold
from assay.core.origin import Origin
from assay.core.policy import Policy
from assay.core.rag import SystemFacts
from assay.core.rag_records import Records
from assay.core.run import FrameRows, Run
from assay.errors import InputError, ParameterError
from assay.formats.rag_files import read_records, records_of
from assay.report.names import labels
from assay.tasks.rag.matching import Matching, alike
from assay.tasks.rag.truth import Truth, truth_of
from assay.tasks.rag.units import named, unit_of, words


@dataclass(frozen=True, eq=False)
class Questions:
    """What one system retrieved, in the unit and under the rule that were asked for.

    `items` has a row for each ranked item: query, place (from 1), item, score, text, tokens and `at`, its row in
    `records.retrieved`. An item that comes twice for a question counts where it first stands. `gold` is shared by all
    systems that are judged together.
    """

    name: str
    unit: str
    matching: Matching
    records: Records
    items: pl.DataFrame
    run: Run
    gold: Gold
    facts: SystemFacts

    @property
    def scored(self) -> bool:
        """Whether the system scores its items; else their order ranks them."""
        return self.facts.scored


@dataclass(frozen=True, eq=False)
class Several:
    """Systems that are judged by the same gold; `table` holds what the files say of each question beside that."""

    gold: Gold
    systems: tuple[Questions, ...]
    table: pl.DataFrame
    unit: str
    matching: Matching

    def policy(self, given: Policy | Mapping[str, str] | None = None) -> Policy:
        """Return the conventions: those given; what is not said is empty=skip, ties=expected for items with scores."""
        if isinstance(given, Policy):
            return given
        scored = any(one.scored for one in self.systems)
        return Policy(empty="skip", ties="expected" if scored else "id-desc").but(**(given or {}))

    @property
    def runs(self) -> list[Run]:
        """The runs of the systems, in their order."""
        return [one.run for one in self.systems]


def questions_of(given: Any, **options: Any) -> Questions:
    """Return one system ready to be judged; the options and errors are those of `several`."""
    return several([given], **options).systems[0]


def several(
    systems: Iterable[Any] | Mapping[str, Any],
    *,
    gold: Any = None,
    unit: str | None = None,
    match: str | Matching = "id",
    threshold: float | None = None,
) -> Several:
    """Return systems ready to be judged by one gold standard.

    Parameters
    ----------
    systems
        Files, lists of objects in the shapes of a file, or `Records`; or `{name: one of these}`.
    gold
        What the answers need: as a system, or anything that is gold (query, item). Else the systems say it themselves.
    unit
        "fact", "passage", "document" or "entity"; by default facts where there are triples, else passages.
    match, threshold
        When a retrieved item is a needed one: "id", "exact" (the same text) or "fuzzy" (texts at least as like as
        the threshold, by default 0.8). Precision and recall follow the same rule.

    Raises
    ------
    AssayError
        A file that cannot be read, systems that say different things of what a question needs, no gold at all.

    >>> rows = [{"question": "who?", "retrieved": ["b", "a", "b"], "needed": ["a", "c"]}]
    >>> found = several([rows])
    >>> found.systems[0].items["item"].to_list(), found.systems[0].facts.duplicates
    (['b', 'a'], 1)
    """
    records = _records(systems)
    matching = match if isinstance(match, Matching) else Matching(match, threshold)
    by_text = matching.rule != "id"
    sources = None if gold is None else _source(gold)
    first = sources if isinstance(sources, Records) else records[0]
    records = records if isinstance(sources, Gold) else [_rekeyed(one, first) for one in records]
    knowing = [sources] if isinstance(sources, Records) else records
    unit = unit_of(unit, [*(one.needed for one in knowing), *(one.retrieved for one in records)])
    if isinstance(sources, Gold):
        truth = _of_gold(sources)
    else:
        name = knowing[0].name if len(knowing) == 1 else "needed items"
        truth = truth_of(knowing, unit, by_text=by_text, name=name)
    found = tuple(_questions(one, unit, matching, truth) for one in records)
    return Several(truth.gold, found, _table([*records, *knowing]), unit, matching)


def _records(systems: Iterable[Any] | Mapping[str, Any]) -> list[Records]:
    if isinstance(systems, str | os.PathLike | Records) or (isinstance(systems, list) and _is_rows(systems)):
        systems = [systems]
    if isinstance(systems, Mapping):
        return [replace(_read(one), name=str(name)) for name, one in systems.items()]
    found = [_read(one) for one in systems]
    if not found:
        raise ParameterError("systems: expected one or more, found none")
    names = labels([one.name for one in found], [one.path or one.name for one in found])
    return [replace(one, name=name) for one, name in zip(found, names, strict=True)]


def _read(given: Any, *, gold: bool = False) -> Records:
    if isinstance(given, Records):
        return given
    if isinstance(given, str | os.PathLike):
        return read_records(given, gold=gold)
    if _is_rows(given):
        return records_of(given, gold=gold)
    msg = f"system: expected a path or a list of objects, found {type(given).__name__}"
    raise InputError(msg)


def _is_rows(given: Any) -> bool:
    return isinstance(given, list | tuple) and bool(given) and isinstance(given[0], Mapping)


def _source(given: Any) -> Records | Gold:
    """Return what the answers need: as records, or as gold of another format, whose items are ids."""
    from assay.formats import Source
    from assay.inputs import as_gold

    if isinstance(given, Records) or _is_rows(given):
        return _read(given, gold=True)
    if isinstance(given, str | os.PathLike) and Source.open(given).head.lstrip()[:1] in {b"{", b"["}:
        return _read(given, gold=True)
    return as_gold(given)


def _of_gold(gold: Gold) -> Truth:
    """Return gold of another format as it is, all relevant items of a question as its one proof where it has none."""
    needed = gold.table.filter(pl.col("grade") > 0).select("query", "item")
    if gold.details is None:
        group = needed.with_columns(grade=pl.lit(1.0), group=pl.lit("0")).sort("query", "item")
        gold = replace(gold, details=group)
    return Truth(needed, gold)


def _rekeyed(records: Records, first: Records) -> Records:
    """Return records by the ids of the first: where none is known there, questions are joined by their text."""
    own, theirs = records.questions, first.questions
    if records is first or own["query"].is_in(theirs["query"].implode()).any():
        return records
    texts = dict(theirs.select("question", "query").drop_nulls().reverse().iter_rows())
    names = {query: texts.get(text or "", query) for query, text in own.select("query", "question").iter_rows()}
    if len(set(names.values())) < len(names):
        return records
    tables = (own, records.retrieved, records.needed)
    questions, retrieved, needed = (one.with_columns(pl.col("query").replace(names)) for one in tables)
    labelled = records.labelled.replace(names)
    return replace(records, questions=questions, retrieved=retrieved, needed=needed, labelled=labelled)


def _questions(records: Records, unit: str, matching: Matching, truth: Truth) -> Questions:
    """Return the run of a system: its items by name, ranked, each once."""
    table = records.retrieved.with_row_index("at")
    scored = _scored(table, records)
    table = table.sort("query", "score", descending=[False, True], maintain_order=True) if scored else table
    rows = named(table, unit, records, by_text=matching.rule != "id")
    if matching.threshold is not None:
        rows = alike(rows, truth.needed, matching.threshold)
    kept = rows.unique(["query", "item"], keep="first", maintain_order=True)
    place = pl.int_range(1, pl.len() + 1).over("query")
    items = kept.select("query", "item", "score", "tokens", "at", text=words(), place=place)
    score = pl.col("score") if scored else -pl.col("place").cast(pl.Float64)
    frame = items.select("query", "item", score.alias("score"))
    origin = Origin(records.path, "rag", records.digest) if records.path and records.digest else None
    run = Run(records.name, FrameRows(frame), origin)
    facts = _facts(records, items, truth, scored=scored, duplicates=rows.height - kept.height)
    return Questions(records.name, unit, matching, records, items, run, truth.gold, facts)


def _scored(table: pl.DataFrame, records: Records) -> bool:
    """Tell whether items have scores: all of them, or none."""
    missing = table.filter(pl.col("score").is_null())
    if 0 < missing.height < table.height:
        msg = f"{records.place(missing['query'][0])}: expected a score for each item, found an item without"
        raise InputError(msg, hint="without any score the order of the items ranks them.")
    return bool(table.height) and not missing.height


def _facts(records: Records, items: pl.DataFrame, truth: Truth, *, scored: bool, duplicates: int) -> SystemFacts:
    lengths = items.group_by("query").len()["len"]
    asked = truth.gold.queries
    found = items.join(truth.needed.select("query", "item").unique(), on=["query", "item"], how="semi")
    return SystemFacts(
        name=records.name,
        path=records.path,
        questions=len(records),
        retrieved=items.height,
        duplicates=duplicates,
        scored=scored,
        without=len(records) - len(lengths),
        absent=len(asked) - int(asked.is_in(records.questions["query"].implode()).sum()),
        longest=int(lengths.max() or 0),  # type: ignore[arg-type]
        found=found.height,
        ignored=records.ignored,
    )


def _table(records: Sequence[Records]) -> pl.DataFrame:
    """Return what the files say of each question beside what is needed; where several do, the first counts."""
    if len({id(one) for one in records}) == 1:
        return records[0].questions.select("query", *records[0].slices)
    names = list(dict.fromkeys(name for one in records for name in one.slices))
    parts = [one.questions.select("query", *one.slices) for one in records]
    whole = pl.concat(parts, how="diagonal_relaxed")
    return whole.group_by("query", maintain_order=True).agg(pl.col(name).drop_nulls().first() for name in names)
