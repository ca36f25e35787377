"""Judgments that are more than a grade for an item: by aspect, by chance, by stratum. Asked for by name.

`query aspect item grade` are TREC's diversity qrels, which look like ordinary ones; `query item grade method
probability` the prels of its Million Query track; `query iter item stratum grade` the qrels of its pools that
were sampled by stratum. Runs beside them are ordinary runs.
"""

from typing import BinaryIO, ClassVar

import polars as pl

from assay.core.gold import Gold
from assay.errors import FormatError
from assay.formats.base import Blocks, Kind
from assay.formats.blocks import TextRows
from assay.formats.layout import Layout
from assay.formats.source import Source
from assay.formats.trec import Trec
from assay.formats.words import check_words, csv_text, written


class DetailedQrels(Trec):
    """Qrels whose further columns say more than a grade; never recognised by what is in them."""

    layout: ClassVar[Layout]
    columns: ClassVar[dict[str, pl.Expr]]
    """What a written row holds, column by column, where a block does not say it."""
    suffixes: ClassVar[tuple[str, ...]] = ("diversity",)

    def sniff(self, source: Source, kind: Kind | None) -> bool:
        """Only the suffix can tell."""
        return kind != "run" and self.name in source.suffixes

    def read_gold(self, source: Source) -> Gold:
        """Read judgments with their details."""
        rows = TextRows(source, self.layout)
        table = self.detailed(pl.concat(list(rows.blocks())), source)
        return Gold.from_details(table, name=source.stem, origin=self.origin(source, rows.lines))

    def detailed(self, rows: pl.DataFrame, source: Source) -> pl.DataFrame:
        """Return rows of text with the columns of details."""
        del source
        return rows

    def write_gold(self, blocks: Blocks, out: BinaryIO) -> None:
        """Write judgments; without details there is one aspect, one stratum, and nothing was left to chance."""
        for block in blocks:
            check_words(block, self.name)
            absent = {name: value for name, value in self.columns.items() if name not in block.columns}
            table = block.with_columns(**absent).with_columns(written("grade")).select(list(self.columns))
            out.write(csv_text(table, " "))


class Diversity(DetailedQrels):
    """Judgments by aspect."""

    name = "diversity"
    description = "TREC diversity qrels (query aspect item grade)"
    layout = Layout(("query", "group", "item", "grade"), "grade", kept=("group",))
    columns: ClassVar[dict[str, pl.Expr]] = {
        "query": pl.col("query"), "group": pl.lit("0"), "item": pl.col("item"), "grade": pl.col("grade"),
    }  # fmt: skip
    examples: ClassVar[dict[Kind, bytes]] = {**Trec.examples, "gold": b"q1 1 a 1\nq1 2 b 0\nq2 1 c 2\n"}


class Prels(DetailedQrels):
    """Judgments that were drawn with a known probability.

    A probability that is no number above 0 marks an item that was judged outside the sample.
    """

    name = "prels"
    description = "prels of sampled pools (query item grade method probability)"
    suffixes = ("prels",)
    layout = Layout(("query", "item", "grade", "method", "probability"), "grade", kept=("probability",))
    columns: ClassVar[dict[str, pl.Expr]] = {
        "query": pl.col("query"), "item": pl.col("item"), "grade": pl.col("grade"), "method": pl.lit("1"),
        "probability": pl.lit("1"),
    }  # fmt: skip
    examples: ClassVar[dict[Kind, bytes]] = {
        **Trec.examples, "gold": b"q1 a 1 1 0.5\nq1 b 0 1 0.25\nq2 c 2 2 1.0\n",
    }  # fmt: skip

    def detailed(self, rows: pl.DataFrame, source: Source) -> pl.DataFrame:
        """Read the probability as a number."""
        chance = rows["probability"].cast(pl.Float64, strict=False)
        wrong = rows.filter(chance.is_null() | (chance.is_not_nan() & (chance > 1)))
        if wrong.height:
            query, item, found = wrong.select("query", "item", "probability").row(0)
            line = TextRows(source, self.layout).lines(query, item)[0]
            expected = "expected a probability up to 1 (column 5)"
            raise FormatError.at(source.path, line, expected, f"found {found!r}")
        return rows.with_columns(chance.fill_nan(0.0).clip(lower_bound=0.0))


class Strata(DetailedQrels):
    """Judgments of a pool in strata; a grade of -1 marks an item of the pool that was not judged."""

    name = "strata"
    description = "qrels of pools sampled by stratum (query iter item stratum grade)"
    suffixes = ("strata",)
    layout = Layout(("query", "iter", "item", "group", "grade"), "grade", kept=("group",))
    columns: ClassVar[dict[str, pl.Expr]] = {
        "query": pl.col("query"), "iter": pl.lit("0"), "item": pl.col("item"), "group": pl.lit("1"),
        "grade": pl.col("grade"),
    }  # fmt: skip
    examples: ClassVar[dict[Kind, bytes]] = {**Trec.examples, "gold": b"q1 0 a 1 1\nq1 0 b 2 0\nq2 0 c 1 2\n"}
