"""What the answers need, as a gold standard: the items, and in which proof each of them stands."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from assay.core.gold import Gold
from assay.core.origin import Origin
from assay.core.rag_records import Records
from assay.errors import GoldError
from assay.tasks.rag.units import named

NOTHING = "(nothing is needed)"
"""The item, of grade 0, of a question that is known to need nothing: it is then undefined, not unknown."""


@dataclass(frozen=True, eq=False)
class Truth:
    """The needed items by name (query, proof, item, and what is said of them), and the gold standard they make."""

    needed: pl.DataFrame
    gold: Gold


def truth_of(sources: Sequence[Records], unit: str, *, by_text: bool, name: str = "needed items") -> Truth:
    """Return what the answers need, by one file or several that agree.

    The proofs of a question are alternatives; needed items that stand in none are one proof if there is no other,
    and else relevant without being part of a proof.

    Raises
    ------
    GoldError
        No file says what is needed, or two say different things of the same question.
    """
    tables = [named(one.needed, unit, one, by_text=by_text) for one in sources]
    labelled = pl.concat([one.labelled for one in sources]).unique(maintain_order=True)
    if not len(labelled):
        place = ", ".join(one.path or one.name for one in sources)
        said = any(one.questions["answers"].is_not_null().any() for one in sources)
        found = "the texts of gold answers alone" if said else "nothing under needed, ground_truth or proofs"
        hint = (
            "a text under ground_truth is a gold answer; a list there, or under needed, holds the items. "
            if said
            else ""
        )
        msg = f"{place}: expected what each answer needs, found {found}"
        raise GoldError(msg, hint=f"{hint}--gold FILE gives them for all systems.")
    if len(sources) > 1:
        _require_same(sources, tables)
    needed, known = tables[0], sources[0].labelled
    for one, table in zip(sources[1:], tables[1:], strict=True):
        needed = pl.concat([needed, table.filter(~pl.col("query").is_in(known.implode()))])
        known = pl.concat([known, one.labelled]).unique(maintain_order=True)
    return Truth(needed, _gold(needed, labelled, sources, name))


def _gold(needed: pl.DataFrame, labelled: pl.Series, sources: Sequence[Records], name: str) -> Gold:
    """Return gold with a group for each proof; grades are 1."""
    items = needed.select("query", "item").unique().with_columns(grade=pl.lit(1.0))
    without = labelled.filter(~labelled.is_in(items["query"].unique().implode()))
    nothing = pl.DataFrame({"query": without}).with_columns(item=pl.lit(NOTHING), grade=pl.lit(0.0))
    table = pl.concat([items, nothing]).sort("query", "item")
    details = _proofs(needed).select("query", "item", pl.lit(1.0).alias("grade"), "group")
    asked = pl.concat([one.questions["query"] for one in sources]).unique(maintain_order=True)
    unknown = tuple(asked.filter(~asked.is_in(labelled.implode())))
    return Gold(table, name=name, origin=_origin(sources, table, details), unjudged=unknown, details=details)


def _proofs(needed: pl.DataFrame) -> pl.DataFrame:
    """Return query, group and item of each proof; proofs are numbered by what they hold, whatever their order."""
    proven = pl.col("proof").is_not_null()
    if not needed.select(proven.any()).item():
        return needed.select("query", "item", group=pl.lit("0")).unique().sort("query", "item")
    rows = needed.filter(proven | ~proven.any().over("query"))
    rows = rows.select("query", "item", pl.col("proof").fill_null(0)).unique()
    holds = rows.group_by("query", "proof").agg(held=pl.col("item").sort().str.join("\x1f"))
    numbered = holds.with_columns(group=(pl.col("held").rank("dense") - 1).over("query").cast(pl.String))
    joined = rows.join(numbered, on=["query", "proof"]).select("query", "item", "group")
    return joined.unique().sort("query", "group", "item")


def _origin(sources: Sequence[Records], table: pl.DataFrame, details: pl.DataFrame) -> Origin | None:
    """Return where the gold is from: one file, or what several say alike, of which the digest is taken."""
    if len(sources) == 1 and sources[0].path is None:
        return None

    def fingerprint() -> str:
        made = hashlib.sha256()
        for rows in (table, details):
            made.update(rows.write_csv().encode("utf-8", "surrogatepass"))
        return made.hexdigest()

    place = (sources[0].path or sources[0].name) if len(sources) == 1 else f"needed items of {len(sources)} systems"
    return Origin(place, "rag", fingerprint)


def _require_same(sources: Sequence[Records], tables: Sequence[pl.DataFrame]) -> None:
    """Refuse files that say different things of what the same question needs."""
    said = pl.concat([_said(one, table, place) for place, (one, table) in enumerate(zip(sources, tables, strict=True))])
    first = said.unique("query", keep="first", maintain_order=True)
    other = said.join(first, on="query", suffix="_first").filter(pl.col("needs") != pl.col("needs_first"))
    if other.height:
        query, _, place, _, at = other.row(0)
        msg = (
            f"{sources[place].place(query)}: expected the needed items that {sources[at].place(query)} has for "
            f"question {query!r}, found other ones"
        )
        raise GoldError(msg, hint="--gold FILE gives one gold standard for all systems.")


def _said(records: Records, table: pl.DataFrame, place: int) -> pl.DataFrame:
    """Return what a file says that each question needs, so that the same in another order is the same."""
    text = pl.col("item").unique().sort().str.join("\x1f")
    proofs = table.group_by("query", "proof").agg(text.alias("proof_text"))
    kind = pl.when(pl.col("proof").is_null()).then(pl.lit("n")).otherwise(pl.lit("p"))
    wholes = proofs.with_columns(whole=kind + pl.col("proof_text"))
    needs = wholes.group_by("query").agg(needs=pl.col("whole").unique().sort().str.join("\x1e"))
    asked = pl.DataFrame({"query": records.labelled}).join(needs, on="query", how="left", maintain_order="left")
    return asked.select("query", pl.col("needs").fill_null(""), place=pl.lit(place))
