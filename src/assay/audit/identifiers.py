"""Ids that are the same to a reader and not to a program: what one change would make them meet."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import polars as pl

EXAMPLES = 3
MOST = 0.5
"""Two sides meet by a loose change only if it brings together this share of the smaller one."""

Change = Callable[[pl.Expr], pl.Expr]

STRICT: Mapping[str, Change] = MappingProxyType({
    "white space": lambda text: text.str.strip_chars().str.replace_all(r"\s+", " "),
    "case": lambda text: text.str.to_lowercase(),
    "zero padding": lambda text: text.str.replace(r"^(\D*)0+(\d)", "${1}${2}"),
    "a trailing .0 (numbers read as fractions)": lambda text: text.str.replace(r"\.0+$", ""),
    "Unicode normalisation (é as one character or as two)": lambda text: text.str.normalize("NFC"),
    "quotes or brackets around": lambda text: text.str.strip_chars("\"'<>`"),
})  # fmt: skip
"""Changes that seldom make two different ids equal."""

LOOSE: Mapping[str, Change] = MappingProxyType({
    "letters in front": lambda text: text.str.replace(r"^[A-Za-z]+[-_:.#/]?(\d)", "${1}"),
    "the path or prefix in front": lambda text: text.str.replace(r"^.*[/#:]", ""),
    "an ending after a dot": lambda text: text.str.replace(r"\.[^.]*$", ""),
})  # fmt: skip
"""Changes that may make different ids equal: they are looked at only where nothing meets as it stands."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What separates ids of two sides: `change` would make `count` of ours meet theirs."""

    change: str
    count: int
    pairs: tuple[tuple[str, str], ...]

    @property
    def examples(self) -> tuple[str, ...]:
        """Pairs in words."""
        return tuple(f"{ours!r} (gold) and {theirs!r} (run)" for ours, theirs in self.pairs)


def near_miss(ours: pl.Series, theirs: pl.Series) -> NearMiss | None:
    """Return the change that brings most of our unmatched ids together with theirs, if any does."""
    left = pl.DataFrame({"ours": ours}).unique()
    right = pl.DataFrame({"theirs": theirs}).unique()
    lone_left = left.join(right, left_on="ours", right_on="theirs", how="anti")
    lone_right = right.join(left, left_on="theirs", right_on="ours", how="anti")
    if not lone_left.height or not lone_right.height:
        return None
    found = [_met(name, change, lone_left, lone_right) for name, change in STRICT.items()]
    if lone_left.height == left.height and not any(found):
        least = MOST * min(lone_left.height, lone_right.height)
        loose = (_met(name, change, lone_left, lone_right) for name, change in LOOSE.items())
        found = [miss for miss in loose if miss and miss.count >= least]
    return max((miss for miss in found if miss), key=lambda miss: miss.count, default=None)


def likely_cause(ours: Iterable[str], theirs: Iterable[str]) -> str | None:
    """Say what makes ids of two sides differ, where one simple change would make them meet.

    >>> likely_cause(["1", "2"], ["01", "02"])
    'the ids differ only by zero padding.'
    >>> likely_cause(["http://ex.org/Q42"], ["Q42"])
    'the ids differ only by the path or prefix in front.'
    """
    miss = near_miss(pl.Series(list(ours), dtype=pl.String), pl.Series(list(theirs), dtype=pl.String))
    return None if miss is None else f"the ids differ only by {miss.change}."


def look_alikes(table: pl.DataFrame) -> NearMiss | None:
    """Return items of one query that a strict change makes equal, in a table with columns query and item."""
    names = ("white space", "case", "Unicode normalisation (é as one character or as two)")
    for name in names:
        keyed = table.select("query", "item", key=STRICT[name](pl.col("item")))
        met = keyed.group_by("query", "key").agg(pl.col("item").unique().sort()).filter(pl.col("item").list.len() > 1)
        if met.height:
            pairs = sorted((items[0], items[1]) for items in met["item"].to_list())[:EXAMPLES]
            return NearMiss(name, met.height, tuple(pairs))
    return None


def _met(name: str, change: Change, left: pl.DataFrame, right: pl.DataFrame) -> NearMiss | None:
    ours = left.with_columns(key=change(pl.col("ours")))
    theirs = right.with_columns(key=change(pl.col("theirs")))
    theirs = theirs.filter((pl.col("key") != "") & pl.col("key").is_in(ours["key"].implode()))
    met = ours.join(theirs, on="key")
    if not met.height:
        return None
    first = met.group_by("ours").agg(pl.col("theirs").min()).sort("ours")
    return NearMiss(name, first.height, tuple(first.head(EXAMPLES).iter_rows()))
