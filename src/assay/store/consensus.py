"""One grade for each pair, from what several judges said of it."""

from dataclasses import dataclass

import polars as pl

from assay.errors import UnknownNameError
from assay.store.snapshot import Snapshot

RULES = ("majority", "median", "lowest", "highest")
PAIR = ("query", "item")
BY_HAND = "none"
"""What the stratum of a pair is called that has none, among others that have one."""
GRADED = {"query": pl.String, "item": pl.String, "grade": pl.Float64}


@dataclass(frozen=True, slots=True, eq=False)
class Consensus:
    """The grades, and how they came about.

    `table` has the columns query, item and grade, in order; of drawn pairs also stratum and probability. `settled`,
    `tied` and `untold` count pairs: of a settled dispute; split judges, of whom the lower grade was taken; of which all
    who looked could not tell, which are left out.
    """

    table: pl.DataFrame
    settled: int
    tied: int
    untold: int


def agreed(found: Snapshot, rule: str = "majority") -> Consensus:
    """Return one grade for each pair: the settled one, else by a rule.

    `majority` is the grade that most judges gave, `median` the one in the middle; where two come first or lie in the
    middle, it is the lower of them, so that every grade is one that somebody gave. `lowest` and `highest` are what they
    say. A judge who could not tell is not counted.

    Raises
    ------
    UnknownNameError
        No such rule.
    """
    if rule not in RULES:
        raise UnknownNameError.of("rule", rule, RULES)
    rows = [(*pair, grade) for pair, grade in found.settled.items()]
    settled = pl.DataFrame(rows, schema=GRADED, orient="row")
    open_pairs = found.labels.table.join(settled, on=PAIR, how="anti")
    grades = _graded(open_pairs.drop_nulls("grade"), rule)
    untold = open_pairs.select(PAIR).unique().join(grades, on=PAIR, how="anti").height
    table = pl.concat([grades.select(*GRADED), settled]).sort(PAIR)
    if found.drawn.height:
        table = _with_chances(table, found.drawn)
    return Consensus(table, settled.height, int(grades["tied"].sum()), untold)


def _with_chances(table: pl.DataFrame, drawn: pl.DataFrame) -> pl.DataFrame:
    """Add stratum and probability; a pair that nobody drew was put in by hand, for certain."""
    joined = table.join(drawn, on=PAIR, how="left")
    stratum = pl.col("stratum").fill_null("").replace("", BY_HAND)
    joined = joined.with_columns(stratum, pl.col("probability").fill_null(1.0))
    return joined if (joined["stratum"] != BY_HAND).any() else joined.drop("stratum")


def _graded(said: pl.DataFrame, rule: str) -> pl.DataFrame:
    """Return query, item, grade and whether judges were split."""
    grade = pl.col("grade")
    if rule in {"lowest", "highest"}:
        chosen = grade.min() if rule == "lowest" else grade.max()
        return said.group_by(PAIR).agg(grade=chosen, tied=pl.lit(value=False))
    if rule == "median":
        lower, upper = (grade.quantile(0.5, interpolation=way) for way in ("lower", "higher"))
        return said.group_by(PAIR).agg(grade=lower, tied=lower != upper)
    counts = said.group_by(*PAIR, "grade").len()
    most = counts.filter(pl.col("len") == pl.col("len").max().over(PAIR))
    return most.group_by(PAIR).agg(grade=grade.min(), tied=pl.len() > 1)
