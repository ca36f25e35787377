"""Which pairs of records are asked for: all (dedupe), those across sources (link), or both; and who the records are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

import polars as pl

from assay.errors import InputError, ParameterError, UnknownNameError
from assay.report.amounts import counted
from assay.tasks.entities.records import Listing, read_sources
from assay.tasks.entities.sources import Link, possible_pairs


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Which pairs are asked for, and all records that are known: columns record, source (null where unknown)."""

    link: Link
    known: pl.DataFrame
    notices: tuple[str, ...] = ()

    @property
    def sources(self) -> pl.DataFrame | None:
        """The source of each record that has one; None where all are of one, or some are unknown and need not be."""
        if self.link != "dedupe":
            return self.known.drop_nulls("source")
        several = self.known["source"].n_unique() > 1 and not self.known["source"].null_count()
        return self.known if several else None

    @property
    def possible(self) -> int:
        """How many pairs of known records there are that are asked for."""
        return possible_pairs(self.known.group_by("source").len()["len"].to_list(), self.link)

    @property
    def records(self) -> pl.Series:
        """All records that are known."""
        return self.known["record"]

    def asked_for(self, pairs: pl.DataFrame, one: str, other: str) -> pl.DataFrame:
        """Return the pairs that are asked for: across sources only where the mode says so; never a record by itself."""
        pairs = pairs.filter(pl.col(one) != pl.col(other))
        if self.link != "link":
            return pairs
        ends = pairs
        for end in (one, other):
            renamed = self.known.rename({"record": end, "source": f"{end} source"})
            ends = ends.join(renamed, on=end, how="left", maintain_order="left")
        return ends.filter(pl.col(f"{one} source") != pl.col(f"{other} source")).select(pairs.columns)


def settle(
    truth: Listing, proposals: Sequence[Listing], mode: str | None = None, sources: Any = None
) -> tuple[Setting, Listing, list[Listing]]:
    """Return the setting, and truth and proposals with ids that mean the same record in all of them.

    The source of a record is said by `sources`, by columns, or, where the mode is "link" and nothing says it, by the
    side on which it stands: records are those of one source, candidates those of the other. An id that stands in two
    sources is two records; it is then written source:id, which needs the sources of all files.

    Raises
    ------
    UnknownNameError
        A mode that does not exist.
    InputError
        A record without a source, or of two, where sources are needed.
    """
    if mode is not None and mode not in get_args(Link):
        raise UnknownNameError.of("mode", mode, get_args(Link))
    given = [truth, *proposals]
    listed = None if sources is None else read_sources(sources)
    told = any(one.sourced for one in given if one.kind != "clusters")
    by_side = listed is None and not told and _by_side(truth, proposals, mode)
    if by_side:
        given = [_sided(one) for one in given]
    if listed is None:
        given = _qualified(given)
    known = _known(given, listed)
    if by_side and given[0].kind == "clusters":
        known = _placed(known, given[0].table)
    link, notices = _mode(mode, known, given[0], by_side=by_side)
    return Setting(link, known, notices), given[0], given[1:]


def _by_side(truth: Listing, proposals: Sequence[Listing], mode: str | None) -> bool:
    """Tell whether the sides of lists and pairs are two sources."""
    if mode is not None:
        return mode == "link"
    lists = [one.table for one in proposals if one.kind == "lists"]
    if not lists or len(lists) < len(proposals) or any(one.clustered for one in proposals):
        return False
    asked, offered = (pl.concat([table[end] for table in lists]).unique() for end in ("record", "candidate"))
    if asked.is_in(offered.implode()).any():
        return False
    if truth.kind == "pairs":
        return not truth.table["left"].is_in(truth.table["right"].implode()).any()
    clusters = truth.table.filter(pl.col("record").is_in(asked.implode()) & pl.col("entity").is_not_null())
    return not clusters["entity"].is_duplicated().any()


def _sided(listing: Listing) -> Listing:
    """Return lists or pairs with the side of each record as its source."""
    if listing.kind == "clusters":
        return listing
    sides = {source: pl.lit(side) for (_, source), side in zip(listing.ends, ("left", "right"), strict=False)}
    return replace(listing, table=listing.table.with_columns(**sides))


def _qualified(given: list[Listing]) -> list[Listing]:
    """Return the listings with ids written source:id, where an id stands in two sources."""
    known = pl.concat([one.records() for one in given]).drop_nulls("source").unique()
    twice = known.filter(known["record"].is_duplicated())
    if not twice.height:
        return given
    bare = next((one for one in given if not one.sourced), None)
    if bare is not None:
        record = twice["record"].sort()[0]
        names = ", ".join(twice.filter(pl.col("record") == record)["source"].sort())
        place = bare.origin.path if bare.origin else bare.name
        msg = f"{place}: expected the source of each record, as {record!r} stands in several ({names}), found none"
        raise InputError(
            msg, hint="add columns of sources to each file, or give each record an id of its own, such as shop-17."
        )
    return [
        replace(
            one,
            table=one.table.with_columns(
                pl.concat_str(pl.col(source), pl.lit(":"), pl.col(end)).alias(end) for end, source in one.ends
            ),
        )
        for one in given
    ]


def _known(given: Sequence[Listing], listed: pl.DataFrame | None) -> pl.DataFrame:
    """Return all records once, with the source of each, sorted."""
    seen = pl.concat([one.records() for one in given])
    if listed is None:
        # a record whose source only one file says has that source
        return seen.group_by("record").agg(pl.col("source").drop_nulls().first()).sort("record")
    ids = pl.concat([seen["record"], listed["record"]]).unique().sort()
    return ids.to_frame().join(listed, on="record", how="left", maintain_order="left")


def _placed(known: pl.DataFrame, clusters: pl.DataFrame) -> pl.DataFrame:
    """Give a record that stands in no list the side on which none of its own entity stands, where that is known."""
    named = clusters.drop_nulls("entity").join(known, on="record")
    sides = named.group_by("entity").agg(pl.col("source").drop_nulls().unique())
    taken = sides.filter(pl.col("source").list.len() == 1).explode("source")
    other = taken.with_columns(side=pl.col("source").replace({"left": "right", "right": "left"})).drop("source")
    found = named.filter(pl.col("source").is_null()).join(other, on="entity").select("record", "side")
    placed = known.join(found, on="record", how="left", maintain_order="left")
    return placed.select("record", source=pl.coalesce("source", "side"))


def _mode(mode: str | None, known: pl.DataFrame, truth: Listing, *, by_side: bool) -> tuple[Link, tuple[str, ...]]:
    """Return which pairs are asked for, and what is to be said of it."""
    several = known["source"].n_unique() - int(known["source"].null_count() > 0) > 1
    link: Link = mode or ("dedupe" if not several else "both" if _within(truth, known) else "link")  # type: ignore[assignment]
    if link != "dedupe" and not several:
        msg = f"mode {link}: expected records of two sources or more, found one"
        raise ParameterError(msg, hint="--sources FILE names the source of each record (sources= in Python).")
    lost = known.filter(pl.col("source").is_null())["record"]
    if several and not by_side and len(lost):
        msg = f"sources: expected a source for each record, found none for {len(lost):,}, such as {lost[0]!r}"
        raise InputError(msg)
    if not by_side:
        return link, ()
    said = [] if mode else ["no record of the lists is a candidate: they are read as two sources (--mode link)."]
    if len(lost):
        said.append(
            f"{counted(len(lost), 'record of the gold stands', 'records of the gold stand')} in no "
            "list: their source is unknown, they are not asked."
        )
    return link, tuple(said)


def _within(truth: Listing, known: pl.DataFrame) -> bool:
    """Tell whether two records of one source are the same entity."""
    if truth.kind == "clusters":
        named = truth.table.drop_nulls("entity").select("record", "entity").join(known, on="record")
        return bool(named.select("entity", "source").is_duplicated().any())
    ends = [known.rename({"record": end, "source": f"{end} source"}) for end in ("left", "right")]
    pairs = truth.table.select("left", "right").filter(pl.col("left") != pl.col("right"))
    named = pairs.join(ends[0], on="left").join(ends[1], on="right")
    return bool((named["left source"] == named["right source"]).any())
