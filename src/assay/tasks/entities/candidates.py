"""Candidates of records as gold and run: each record asks for its true matches, itself left out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.entities_candidates import RecordFigures, SourcePair
from assay.core.gold import Gold
from assay.core.run import FrameRows, Run
from assay.evaluate import Measures, evaluate
from assay.tasks.entities.conventions import POLICY
from assay.tasks.entities.records import Listing
from assay.tasks.entities.setting import Setting
from assay.tasks.entities.truth import Truth

APART = "\x1f"
"""Stands between a record and a source where a question is asked of one source."""


def lists_of(listing: Listing, setting: Setting) -> pl.DataFrame:
    """Return candidates record by record: query, item, score; each pair is a candidate both ways.

    Pairs that are not asked for, within one source where only those across are, are left out; a record as its own
    candidate stays, and the policy takes it out and counts it.
    """
    table = listing.table
    if listing.kind == "pairs":
        score = pl.col("score") if listing.scored else pl.lit(0.0)
        one = table.select(query="left", item="right", score=score)
        table = pl.concat([one, one.select(query="item", item="query", score="score")])
    else:
        table = table.select(query="record", item="candidate", score="score")
    if setting.link != "link" or listing.clustered:
        return table
    own = table.filter(pl.col("query") == pl.col("item"))
    return pl.concat([setting.asked_for(table, "query", "item"), own])


def asked_of(truth: Truth, setting: Setting, listings: Sequence[Listing]) -> pl.Series:
    """Return the labelled records that are asked for their matches.

    All are, but across sources only those of a source of which some record has a list.
    """
    records = truth.labelled["record"]
    if setting.link != "link" or any(one.kind == "pairs" for one in listings):
        placed = setting.known.drop_nulls("source")["record"] if setting.link == "link" else records
        return records.filter(records.is_in(placed.implode())).sort()
    listed = pl.concat([one.table["record"] for one in listings]).unique()
    asking = setting.known.filter(pl.col("record").is_in(listed.implode()))["source"].drop_nulls().unique()
    among = setting.known.filter(pl.col("source").is_in(asking.implode()))["record"]
    return records.filter(records.is_in(among.implode())).sort()


@dataclass(frozen=True, slots=True, eq=False)
class Questions:
    """What is asked: records, what each should find, and which candidates carry a label.

    `asked` are the records, sorted; `matches` has the columns query and item; `judged` are the candidates that are
    known to be right or wrong (None: all).
    """

    asked: pl.Series
    matches: pl.DataFrame
    judged: pl.Series | None
    truth: Truth

    @classmethod
    def of(cls, truth: Truth, setting: Setting, listings: Sequence[Listing]) -> "Questions":
        """Ask each labelled record for the others of its entity."""
        asked = asked_of(truth, setting, listings)
        matches = truth.matches(setting).filter(pl.col("query").is_in(asked.implode()))
        return cls(asked, matches, truth.labelled["record"], truth)

    def of_clusters(self, members: pl.DataFrame) -> "Questions":
        """Ask for clusters instead of records: right is one that holds a true match, known one with a labelled record.

        `members` has the columns record and entity; a true match that is in no cluster cannot be found.
        """
        cluster = members.select(item="record", cluster="entity")
        found = self.matches.join(cluster, on="item", how="left", maintain_order="left")
        matches = found.select("query", item=pl.coalesce("cluster", "item")).unique()
        known = self.truth.labelled["record"].implode()
        return replace(self, matches=matches, judged=members.filter(pl.col("record").is_in(known))["entity"].unique())

    def gold(self, lists: Iterable[pl.DataFrame]) -> Gold:
        """Return the judgments of candidates: 1 for a true match, 0 for a labelled one that is none.

        A candidate without a label stays without a judgment, so that bounds say how much it could change. A record
        without a true match is in the gold by a judgment of itself, which no ranking holds.

        >>> from assay.tasks.entities.records import as_listing
        >>> from assay.tasks.entities.setting import settle
        >>> entities, offered = {"a": "e", "b": "e", "c": "f"}, {"a": ["c", "b"]}
        >>> setting, true, lists = settle(as_listing(entities), [as_listing(offered)], "dedupe")
        >>> asking = Questions.of(Truth.of(true, setting), setting, lists)
        >>> asking.gold([lists_of(lists[0], setting)]).table.rows()
        [('a', 'b', 1.0), ('a', 'c', 0.0), ('b', 'a', 1.0), ('c', 'c', 0.0)]
        """
        matches = self.matches.select("query", "item", grade=pl.lit(1.0))
        offered = pl.concat([one.select("query", "item") for one in lists]).unique()
        offered = offered.filter(pl.col("query").is_in(self.asked.implode()) & (pl.col("query") != pl.col("item")))
        if self.judged is not None:
            offered = offered.filter(pl.col("item").is_in(self.judged.implode()))
        wrong = offered.join(matches, on=["query", "item"], how="anti").with_columns(grade=pl.lit(0.0))
        judged = pl.concat([matches["query"], wrong["query"]]).unique()
        alone = self.asked.filter(~self.asked.is_in(judged.implode()))
        empty = pl.DataFrame({"query": alone, "item": alone}).with_columns(grade=pl.lit(0.0))
        table = pl.concat([matches, wrong, empty]).sort("query", "item")
        return Gold(table, name=self.truth.name, origin=self.truth.origin)

    def units(self) -> pl.DataFrame:
        """Return the entity of each record that is asked: columns query, cluster.

        Records of one entity share their fate: they are one unit in intervals and tests.
        """
        labelled = self.truth.labelled
        return labelled.filter(pl.col("record").is_in(self.asked.implode())).select(query="record", cluster="entity")

    def figures(self, lists: pl.DataFrame) -> RecordFigures:
        """Count the records: asked, with a true match, without a label, without a candidate."""
        matched = self.matches["query"].unique()
        others = lists.filter(pl.col("query") != pl.col("item")).select("query", "item").unique()
        silent = ~self.asked.is_in(others["query"].implode())
        lone = ~self.asked.is_in(matched.implode())
        known = self.truth.labelled["record"].implode()
        of_asked = others.filter(pl.col("query").is_in(self.asked.implode()))
        strange = pl.Series("item", [], pl.String)
        if self.judged is not None:
            strange = of_asked.filter(~pl.col("item").is_in(self.judged.implode()))["item"]
        asking = others.filter(~pl.col("query").is_in(known))["query"]
        return RecordFigures(
            asked=len(self.asked),
            with_match=len(matched),
            without_match=len(self.asked) - len(matched),
            without_candidates=int(silent.sum()),
            rightly_without_candidates=int((silent & lone).sum()),
            candidates=of_asked.height,
            unlabelled=pl.concat([strange, asking.alias("item")]).n_unique(),
            unlabelled_candidates=len(strange),
        )


def run_of(listing: Listing, lists: pl.DataFrame) -> Run:
    """Return candidates as a run."""
    return Run(listing.name, FrameRows(lists.sort("query", maintain_order=True)), listing.origin)


def by_sources(
    asking: Questions, setting: Setting, lists: pl.DataFrame, measures: Measures, **options: Any
) -> tuple[SourcePair, ...]:
    """Return every measure by the source of the record and that of its candidates, over records with a match there.

    The question (record, source) is asked of the candidates of that source alone; all are judged in one pass.
    """
    if setting.sources is None or not asking.matches.height:
        return ()
    wanted = _of_source(asking.matches, setting).with_columns(grade=pl.lit(1.0))
    offered = _of_source(lists.filter(pl.col("query") != pl.col("item")), setting)
    offered = offered.filter(pl.col("query").is_in(wanted["query"].implode()))
    found = evaluate(
        Gold(wanted.select("query", "item", "grade").sort("query", "item")),
        Run("sources", FrameRows(offered.select("query", "item", "score"))),
        measures, **({"policy": POLICY} | options),
    )  # fmt: skip
    return tuple(_means(wanted, found.per_query, list(found.mean)))


def _of_source(rows: pl.DataFrame, setting: Setting) -> pl.DataFrame:
    """Return rows with the sources of both ends, the question named by record and source of the candidate."""
    for end in ("query", "item"):
        renamed = setting.known.rename({"record": end, "source": f"{end} source"})
        rows = rows.join(renamed, on=end, how="left", maintain_order="left")
    return rows.with_columns(query=pl.concat_str("query", pl.lit(APART), "item source", ignore_nulls=True))


def _means(wanted: pl.DataFrame, values: pl.DataFrame, names: Sequence[str]) -> Iterable[SourcePair]:
    pairs = wanted.select("query", "query source", "item source").unique()
    means = (
        values.join(pairs, on="query").group_by("query source", "item source", "measure").agg(pl.col("value").mean())
    )
    sizes = pairs.group_by("query source", "item source").agg(pl.len()).sort("query source", "item source")
    known = {tuple(row[:3]): row[3] for row in means.iter_rows()}
    for one, other, size in sizes.iter_rows():
        yield SourcePair(one, other, size, {name: known.get((one, other, name)) for name in names})


def without_own(lists: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Return lists of clusters without those that hold the record that asks and nothing else: they are itself."""
    alone = members.filter(~pl.col("entity").is_duplicated()).select(query="record", item="entity")
    return lists.join(alone, on=["query", "item"], how="anti", maintain_order="left")
