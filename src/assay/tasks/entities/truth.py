"""`Truth`: which records are the same, from clusters or from pairs; a record may be without a label."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from assay.core.origin import Origin
from assay.errors import GoldError, UnsupportedError
from assay.report.amounts import counted
from assay.statistics.assignment import connected
from assay.tasks.entities.pairs import normalise_pairs
from assay.tasks.entities.records import Listing
from assay.tasks.entities.setting import Setting

MOST = 100_000_000
"""So many matches of records are listed at most, each pair both ways: about 5 GB."""


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true entities of records.

    `clusters` has the columns record and entity (null: without a label). Where the truth was given as `pairs`, they
    are here as left < right, each once: every known record then has a label, records are clustered as pairs connect
    them, and a pair that is not listed is no match even within such a cluster; `implied` counts those.
    """

    clusters: pl.DataFrame
    pairs: pl.DataFrame | None
    name: str
    origin: Origin | None = None
    implied: int = 0
    notices: tuple[str, ...] = ()

    @classmethod
    def of(cls, listing: Listing, setting: Setting) -> "Truth":
        """Make the truth of clusters or pairs.

        Raises
        ------
        GoldError
            Candidate lists, or clusters in which no record has a label.
        """
        if listing.kind == "lists":
            msg = f"{listing.name}: expected true clusters or pairs, found candidate lists"
            raise GoldError(msg, hint="name the columns record,entity or left,right.")
        if listing.kind == "pairs":
            return _of_pairs(listing, setting)
        clusters = listing.table.select("record", "entity")
        if not clusters["entity"].count():
            msg = f"{listing.name}: expected an entity for some record, found none"
            raise GoldError(msg)
        return cls(clusters, None, listing.name, listing.origin)

    def placed(self, setting: Setting) -> "Truth":
        """Return the truth of what is asked for: records whose source is known, and pairs across sources."""
        if setting.link != "link":
            return self
        known = setting.known.drop_nulls("source")["record"]
        clusters = self.clusters.filter(pl.col("record").is_in(known.implode()))
        pairs = None if self.pairs is None else setting.asked_for(self.pairs, "left", "right")
        return replace(self, clusters=clusters, pairs=pairs)

    @property
    def given(self) -> pl.DataFrame:
        """The truth as it was given: pairs where it was pairs, else clusters."""
        return self.clusters if self.pairs is None else self.pairs

    @property
    def labelled(self) -> pl.DataFrame:
        """The records with a label: columns record, entity."""
        return self.clusters.drop_nulls("entity")

    def matches(self, setting: Setting) -> pl.DataFrame:
        """Return every record with each of its true matches, both ways: columns query, item."""
        if self.pairs is not None:
            one = self.pairs.select(query="left", item="right")
            found = pl.concat([one, one.select(query="item", item="query")])
        else:
            several = self.labelled.filter(pl.col("entity").is_duplicated())
            self._require_few(several)
            found = several.rename({"record": "query"}).join(several.rename({"record": "item"}), on="entity")
            found = found.select("query", "item")
        return setting.asked_for(found, "query", "item")

    def _require_few(self, several: pl.DataFrame) -> None:
        """Refuse entities whose matches no memory holds."""
        sizes = several.group_by("entity").len().sort(["len", "entity"], descending=[True, False])
        total = sum(size * (size - 1) for size in sizes["len"].to_list())
        if total > MOST:
            entity, size = sizes.row(0)
            msg = f"{self.name}: expected at most {MOST:,} true matches to rank, found {total:,}"
            hint = (
                f"entity {entity!r} alone has {counted(size, 'record')}; an empty entity is no "
                "label. Clusters need no ranking."
            )
            raise UnsupportedError(msg, hint=hint)


def _of_pairs(listing: Listing, setting: Setting) -> Truth:
    pairs, own, repeats = normalise_pairs(listing.table.select("left", "right"), listing.name)
    records = setting.records.sort()
    place = pl.DataFrame({"record": records}).with_row_index("place")
    left, right = (
        pairs.join(place.rename({"record": end}), on=end, how="left", maintain_order="left")["place"]
        .to_numpy()
        .astype(np.int64)
        for end in ("left", "right")
    )
    component = connected(left, right, len(records))
    first = np.unique(component, return_index=True)[1]
    entity = records.gather(first[np.searchsorted(np.unique(component), component)])
    sizes = np.unique(component, return_counts=True)[1]
    implied = int((sizes * (sizes - 1) // 2).sum()) - pairs.height
    clusters = pl.DataFrame({"record": records, "entity": entity})
    return Truth(
        clusters,
        pairs.select("left", "right"),
        listing.name,
        listing.origin,
        implied,
        tuple(_said(own, repeats, implied)),
    )


def _said(own: int, repeats: int, implied: int) -> Iterator[str]:
    """Yield what is to be said of true pairs."""
    if own:
        yield (
            f"{counted(own, 'pair of the gold holds', 'pairs of the gold hold')} a record twice; they "
            "say nothing and are left out."
        )
    if repeats:
        yield f"{counted(repeats, 'pair of the gold is', 'pairs of the gold are')} repeated; each counts once."
    if implied:
        yield (
            f"{counted(implied, 'pair of records is', 'pairs of records are')} the same by way of others and "
            "not listed: they are no matches in "
            "rankings and pairs, and in one cluster."
        )
